import pytest

from beyond_accuracy_pipeline.datasets.parsers.reuters_sgml import parse_reuters, read_documents


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
    (read,) = read_documents(SGML + document(7, topics=["grain", "wheat"]))
    assert read.topics == ["grain", "wheat"]
    assert read.attributes["newid"] == "7"
    assert read.text.split() == ["Title", "7", "Body", "7"]


def test_entities_are_resolved():
    text = "<TITLE>A &amp; B</TITLE><BODY>&lt;C> 5&#37; &#127;&#31;</BODY>"
    (read,) = read_documents(document(1, text=text))
    assert read.text.startswith("A & B\n<C> 5%")


@pytest.mark.parametrize(
    ("text_type", "text"), [("UNPROC", "only words"), ("BRIEF", "<TITLE>only words</TITLE>\n")]
)
def test_an_unprocessed_document_is_its_whole_text_and_a_brief_one_its_title(text_type, text):
    content = document(1, text=text).replace("<TEXT>", f'<TEXT TYPE="{text_type}">')
    (read,) = read_documents(content)
    assert read.text.split() == ["only", "words"]


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
