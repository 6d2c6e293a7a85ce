import itertools
import re
import time

import pytest

from beyond_accuracy.datasets.errors import ParseError
from beyond_accuracy.datasets.parsers.reuters_sgml import parse_reuters, read_documents


def document(number, split="TRAIN", has_topics="YES", topics=(), text=None):
    marked = "".join(f"<D>{topic}</D>" for topic in topics)
    text = text or f"<TITLE>Title {number}</TITLE><BODY>Body {number}\n&#3;</BODY>"
    return (
        f'<REUTERS TOPICS="{has_topics}" LEWISSPLIT="{split}" CGISPLIT="X" NEWID="{number}">\n'
        f"<DATE>1-JAN-1987</DATE><TOPICS>{marked}</TOPICS><PLACES><D>usa</D></PLACES>\n"
        f"<UNKNOWN>&#5;&#5;C T</UNKNOWN>\n<TEXT>&#2;\n{text}</TEXT>\n</REUTERS>\n"
    )


SGML = '<!DOCTYPE lewis SYSTEM "lewis.dtd">\n'


def test_topics_title_and_body_are_read():
    (read,) = read_documents(SGML + document(7, topics=["grain", "wheat"]), "a.sgm")
    assert read.topics == ["grain", "wheat"]
    assert read.attributes["newid"] == "7"
    assert read.text.split() == ["Title", "7", "Body", "7"]


def test_entities_are_resolved():
    text = "<TITLE>A &amp; B</TITLE><BODY>&lt;C> 5&#37; &#127;&#31;</BODY>"
    (read,) = read_documents(document(1, text=text), "a.sgm")
    assert read.text.startswith("A & B\n<C> 5%")


def of_type(text_type, text):
    return document(1, text=text).replace("<TEXT>", f'<TEXT TYPE="{text_type}">')


@pytest.mark.parametrize(
    ("text_type", "text"), [("UNPROC", "only words"), ("BRIEF", "<TITLE>only words</TITLE>\n")]
)
def test_an_unprocessed_document_is_its_whole_text_and_a_brief_one_its_title(text_type, text):
    (read,) = read_documents(of_type(text_type, text), "a.sgm")
    assert read.text.split() == ["only", "words"]


@pytest.mark.parametrize("text", ["words", "<TITLE>a title</TITLE>\n", "<AUTHOR>A</AUTHOR>"])
@pytest.mark.parametrize("attribute", ["", ' TYPE="NORM"'])
def test_a_normal_document_has_a_body(text, attribute):
    broken = document(22, text=text).replace("<TEXT>", f"<TEXT{attribute}>")
    brief = of_type("BRIEF", "<TITLE>A</TITLE>")
    with pytest.raises(ParseError, match="NEWID 22; expected a <BODY>") as caught:
        read_documents(brief + broken + document(3), "a.sgm")
    assert (caught.value.file, caught.value.line) == ("a.sgm", 1 + brief.count("\n") + 3)
    assert "a normal <TEXT> without <BODY>" in str(caught.value)


@pytest.mark.parametrize("text_type", ["BREIF", "brief", ""])
def test_an_unknown_type_of_text(text_type):
    with pytest.raises(ParseError, match=f'a.sgm, line 4: found TYPE="{text_type}"'):
        read_documents(of_type(text_type, "<BODY>words</BODY>"), "a.sgm")


def test_modapte_split_and_topics_in_both_parts(make_entry, archive):
    first = SGML + document(1, topics=["corn", "corn"]) + document(2, topics=["tea"])
    first += document(3, split="TEST", topics=["corn", "zinc"])
    second = SGML + document(4, split="NOT-USED", topics=["zinc"]) + document(5, split="TEST")
    second += document(6, has_topics="NO", topics=["zinc"]) + document(7, topics=["gold"])
    second += document(8, split="TEST", topics=["gold"], text="<BODY>fa\xe7ade</BODY>")
    file = archive({"a.sgm": first.encode("latin-1"), "b.sgm": second.encode("latin-1")})
    tables = parse_reuters(make_entry(parser={"kind": "reuters_sgml"}), {"data": file})
    assert tables["train"].class_names == tables["test"].class_names == ("corn", "gold")
    assert tables["train"].y.tolist() == [[1, 0], [0, 0], [0, 1]]
    assert tables["test"].y.tolist() == [[1, 0], [0, 0], [0, 1]]
    assert tables["test"].X[2] == "fa\xe7ade"


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        (document(1) + document(2).replace("</REUTERS>", ""), 8, "never closed"),
        (document(1).replace("</REUTERS>", "") + document(2), 8, "inside the <REUTERS> of line 1"),
        (document(1) + "</REUTERS>\n", 8, "without its <REUTERS>"),
        (document(1).replace('LEWISSPLIT="TRAIN"', ""), 1, "without LEWISSPLIT"),
        (document(1) + "</BDOY>\n", 8, "</BDOY> outside any document"),
        (document(1) + "<TEXT>\n", 8, "<TEXT> outside any document"),
        (document(1) + "stray words\n" + document(2), 8, "'stray words' outside"),
        ("\n", None, "no documents"),
        (document(1).replace("</BODY></TEXT>\n</REUTERS>", ""), 5, "<BODY> that is never closed"),
        (document(1).replace("</TEXT>\n</REUTERS>", ""), 4, "a <TEXT> that is never closed"),
        (re.sub("<TEXT>.*</TEXT>", "", document(1), flags=re.DOTALL), 1, "holds no TEXT element"),
    ],
)
def test_faults_name_file_and_line(text, line, found):
    with pytest.raises(ParseError, match=found) as caught:
        read_documents(text, "reut2-000.sgm")
    assert (caught.value.file, caught.value.line) == ("reut2-000.sgm", line)


@pytest.mark.parametrize(
    ("old", "new", "line", "found", "expected"),
    [
        ("</TOPICS>", "", 9, "<PLACES> inside the <TOPICS> of line 9", "<D> or first </TOPICS>"),
        ("tea</D>", "tea", 9, "</TOPICS> inside the <D> of line 9", "first </D>"),
        ("usa</D>", "usa", 9, "</PLACES> inside the <D> of line 9", "first </D>"),
        ("</TITLE>", "", 12, "<BODY> inside the <TITLE> of line 12", "first </TITLE>"),
        ("</BODY>", "", 13, "</TEXT> inside the <BODY> of line 12", "first </BODY>"),
        ("</TEXT>", "", 14, "</REUTERS> inside the <TEXT> of line 11", "first </TEXT>"),
        ("</TEXT>\n</REUTERS>", "", 14, "<REUTERS> inside the <TEXT> of line 11", "first </TEXT>"),
        ("</UNKNOWN>", "", 11, "<TEXT> inside the <UNKNOWN> of line 10", "first </UNKNOWN>"),
        ("<TOPICS>", "", 9, "<D> inside the <REUTERS> of line 8", "<TOPICS>"),
        ("<D>tea", "tea", 9, "'tea' directly inside <TOPICS>", "elements <D>"),
        ("<TITLE>", "", 12, "</TITLE> without its <TITLE>", "a <TITLE> before"),
        ("<BODY>", "", 13, "</BODY> without its <BODY>", "a <BODY> before"),
        ("<TEXT>", "", 12, "<TITLE> inside the <REUTERS> of line 8", "<TEXT>"),
        ("<BODY>", "<BODDY>", 12, "<BODDY> inside the <TEXT> of line 11", "<BODY>"),
        ("</BODY>", "</BODY", 13, "inside the <BODY> of line 12", "</BODY>"),
        ("</BODY>", "</BDOY>", 13, "</BDOY> inside the <BODY> of line 12", "first </BODY>"),
        ("<BODY>", "<BODY/>", 12, "<BODY/>", "<BODY> ... </BODY>"),
        ("Body", "a <b Body", 12, "inside the <BODY> of line 12", "&lt;"),
        ("Body", "<!bold>Body", 12, "'bold'", "&lt;"),
        ("Body", "<?bold>Body", 12, "'bold'", "&lt;"),
        ("Body", "<!DOCTYPE bold>Body", 12, "'DOCTYPE bold'", "&lt;"),
        ("Body", "<![CDATA[bold]]>Body", 12, "CDATA", "&lt;"),
        ("Body", "<![bold[Body]]>", 12, "bold", "&lt;"),
        ("<D>tea</D>", "<D> </D>", 9, "an empty <D>", "name of a topic"),
        ("<TOPICS><D>tea</D></TOPICS>", "", 8, "no TOPICS", "one <TOPICS> and one <TEXT>"),
        ("<PLACES>", "<TOPICS></TOPICS><PLACES>", 9, "a second <TOPICS>", "one <TOPICS>"),
        ("</TEXT>", "</TEXT><TEXT></TEXT>", 13, "a second <TEXT> after the one of line 11", "one"),
        ("</BODY>", "</BODY><BODY>more</BODY>", 13, "a second <BODY>", "one <BODY> a document"),
        ("<BODY>", "<TITLE>more</TITLE><BODY>", 12, "a second <TITLE>", "one <TITLE> a document"),
        ('"TRAIN"', '"TRIAN"', 8, 'LEWISSPLIT="TRIAN"', "TRAIN, TEST, NOT-USED"),
        ('"TRAIN"', '"train"', 8, 'LEWISSPLIT="train"', "TRAIN, TEST, NOT-USED"),
        ('"TRAIN"', '""', 8, 'LEWISSPLIT=""', "TRAIN, TEST, NOT-USED"),
        ('"YES"', '"yes"', 8, 'TOPICS="yes"', "YES, NO, BYPASS"),
        ('="YES"', "", 8, 'TOPICS=""', "YES, NO, BYPASS"),
        ('"YES"', '"YES" TOPICS="NO"', 8, "two TOPICS", "each attribute once"),
        ('"22"', '"2x"', 8, 'NEWID="2x"', "an integer"),
        ('"22"', '"2.0"', 8, 'NEWID="2.0"', "an integer"),
        ('"22"', f'"{"9" * 5000}"', 8, 'NEWID="999', "an integer"),
        ('"22"', '""', 8, 'NEWID=""', "an integer"),
        ('"22"', '"11"', 8, 'NEWID="11" again, after a.sgm, line 1', "another NEWID"),
        ('"22"', '"011"', 8, 'NEWID="011" again, after a.sgm, line 1', "another NEWID"),
    ],
)
def test_a_malformed_document_between_two_good_ones(old, new, line, found, expected):
    good = document(22, topics=["tea"])
    assert old in good
    text = document(11) + good.replace(old, new, 1) + document(33)
    with pytest.raises(ParseError) as caught:
        read_documents(text, "a.sgm")
    assert (caught.value.file, caught.value.line) == ("a.sgm", line)
    found_part, expected_part = str(caught.value).split("; expected ")
    assert found in found_part
    assert expected in expected_part


def test_every_known_pair_of_attributes_is_read():
    pairs = list(itertools.product(["TRAIN", "TEST", "NOT-USED"], ["YES", "NO", "BYPASS"]))
    read = read_documents("".join(document(i, *pair) for i, pair in enumerate(pairs)), "a.sgm")
    assert [(d.attributes["lewissplit"], d.attributes["topics"]) for d in read] == pairs
    assert [d.newid for d in read] == list(range(9))


def test_a_newid_may_not_recur_in_another_file(make_entry, archive):
    first, second = document(1) + document(2), document(3, split="TEST") + document(2)
    file = archive({"a.sgm": first.encode(), "b.sgm": second.encode()})
    with pytest.raises(ParseError, match='NEWID="2" again, after a.sgm, line 8') as caught:
        parse_reuters(make_entry(parser={"kind": "reuters_sgml"}), {"data": file})
    assert (caught.value.file, caught.value.line) == ("b.sgm", 8)


@pytest.mark.parametrize(
    ("start", "found"),
    [
        ("<!--", "a comment without its -->"),
        ("<!--x>", "a comment without its -->"),
        ("<![CDATA[", "a section without its ]]>"),
        ("<![CDATA[>", "a section without its ]]>"),
    ],
)
def test_what_has_no_end_is_refused_at_once(start, found):
    started = time.process_time()
    with pytest.raises(ParseError, match=rf"line \d+: found {re.escape(found)}"):
        read_documents(SGML + document(1, text=f"<BODY>{start * 20_000}</BODY>"), "a.sgm")
    assert time.process_time() - started < 1


@pytest.mark.parametrize("tag", ["<a ", "</a", "<?a"])
def test_tags_without_end_are_refused_at_once(tag):
    started = time.process_time()
    with pytest.raises(ParseError, match=r"line \d+: found '<.* without its >"):
        read_documents(SGML + document(1, text=f"<BODY>{tag * 20_000}</BODY>"), "a.sgm")
    assert time.process_time() - started < 1
