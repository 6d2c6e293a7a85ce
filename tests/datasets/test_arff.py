import io

import numpy as np
import pytest
import scipy.io.arff
from hypothesis import given
from hypothesis import strategies as st

from beyond_accuracy_pipeline.datasets.errors import ParseError
from beyond_accuracy_pipeline.datasets.parsers.arff import parse_arff, read_arff
from beyond_accuracy_pipeline.datasets.raw_files import RawFile

HEADER = "@relation r\n@attribute a {'?', yes, no}\n@attribute x real\n@attribute c {p, q, r}\n"
SPARSE_HEADER = "@relation r\n@attribute x real\n@attribute y real\n@attribute c {p,q}\n@data\n"


@pytest.fixture
def arff_entry(make_entry):
    def make(target="c", drop_columns=(), **options):
        return make_entry(
            parser={"kind": "arff"} | options, target=target, drop_columns=list(drop_columns)
        )

    return make


def parsed(entry, file):
    return parse_arff(entry, {"data": file})["data"]


def test_a_quoted_question_mark_is_a_value_and_a_bare_one_is_missing(arff_entry, raw_file):
    table = parsed(arff_entry(), raw_file(HEADER + "@data\n'?',1,p\n?,2,q\nno,?,p\n"))
    np.testing.assert_array_equal(table.X, [[0, 1], [np.nan, 2], [2, np.nan]])
    assert table.categories == {0: ("?", "yes", "no")}
    assert table.feature_names == ("a", "x")
    assert table.class_names == ("p", "q")


def test_integers_keep_their_fraction_and_tabs_and_ranges_are_read(arff_entry, raw_file):
    text = "@RELATION r\n@ATTRIBUTE\tx INTEGER\n@attribute y integer [0,9]\n@attribute c {p,q}\n"
    table = parsed(arff_entry(), raw_file(text + "@DATA\n1.5,2,p\n2,3,q\n"))
    np.testing.assert_array_equal(table.X, [[1.5, 2], [2, 3]])


def test_comments_and_tabs_are_read_as_weka_reads_them(arff_entry, raw_file):
    """In Weka, % starts a comment, and blanks and commas separate values, both outside quotes."""
    header = (
        "@relation r % a name\n@attribute a {'x\t%y', \"it's\"} % two values\n"
        "@attribute x real % cm\n@attribute\tc\t{p, q}\n@data % rows\n"
    )
    rows = (
        "'x\t%y',1,p % first\n\"it's\"\t2\tq\n\t% only this\n'x\t%y' \t3,\tp\t%last's\n?\t?\tq\t\n"
    )
    table = parsed(arff_entry(), raw_file(header + rows))
    np.testing.assert_array_equal(table.X, [[0, 1], [1, 2], [0, 3], [np.nan, np.nan]])
    assert table.categories == {0: ("x\t%y", "it's")}
    assert table.y.tolist() == [0, 1, 0, 1]


def test_a_numeric_target_and_dropped_columns(arff_entry, raw_file):
    text = HEADER + "@data\nno,10,r\nno,9,p\n"
    table = parsed(arff_entry("x", ["a"]), raw_file(text))
    assert table.class_names == ("9", "10")
    assert table.feature_names == ("c",)
    assert table.categories == {0: ("p", "q", "r")}


@pytest.mark.parametrize(
    ("rows", "X", "y"),
    [
        ("% remark\n{1 2.5, 2 q}\n{}\n{0 -1}\n", [[0, 2.5], [0, 0], [-1, 0]], [1, 0, 0]),
        ("{0\t2.5,\t2\tq} % {1 1}\n{1 3}\t% last\n", [[2.5, 0], [0, 3]], [1, 0]),
    ],
)
def test_sparse_rows(arff_entry, raw_file, rows, X, y):
    table = parsed(arff_entry(), raw_file(SPARSE_HEADER + rows))
    np.testing.assert_array_equal(table.X.toarray(), X)
    assert table.y.tolist() == y


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("no,-inf,p", "infinite"),
        ("no,1,?", "missing class"),
        ("no\t\t1\tp\tq", "one for each attribute"),
        ("no,'1%',p", "Invalid numerical value"),
        ("'100%',1,p", "100% not found in nominal declaration"),
    ],
)
def test_faults_name_file_and_line(arff_entry, raw_file, line, found):
    content = HEADER + f"@data\nno,1,p\n% remark\n\n{line}\nno,1,p\n"
    with pytest.raises(ParseError, match=found) as caught:
        parsed(arff_entry(), raw_file(content, "bad.arff"))
    assert (caught.value.file, caught.value.line) == ("bad.arff", 9)


@pytest.mark.parametrize("line", ["{7 1}", "{0 inf}"])
def test_faults_of_sparse_rows_name_file_and_line(arff_entry, raw_file, line):
    with pytest.raises(ParseError) as caught:
        parsed(arff_entry(), raw_file(f"{SPARSE_HEADER}{{1 1}}\n{line}\n", "bad.arff"))
    assert (caught.value.file, caught.value.line) == ("bad.arff", 7)


@pytest.mark.parametrize(
    ("declaration", "found"),
    [
        ("@attribute d DATE 'yyyy-MM-dd'", "yyyy-MM-dd"),
        ("@attribute d {" + "v," * 5000, "@attribute d"),
        ("@attribute x real", "already"),
    ],
)
def test_bad_declarations_name_file_and_line(arff_entry, raw_file, declaration, found):
    content = f"@relation r\n@attribute x real\n{declaration}\n@data\n1,2\n"
    with pytest.raises(ParseError, match=found) as caught:
        parsed(arff_entry(), raw_file(content, "bad.arff"))
    assert (caught.value.file, caught.value.line) == ("bad.arff", 3)


def test_string_attributes_are_refused(arff_entry, raw_file):
    text = "@relation r\n@attribute s string\n@attribute c {p,q}\n@data\n'a b',p\n"
    with pytest.raises(ParseError, match="the string attribute 's'"):
        parsed(arff_entry(), raw_file(text))


def test_a_label_column_that_is_not_there_suggests_the_nearest(arff_entry, raw_file):
    text = "@relation r\n@attribute x real\n@attribute class {p,q}\n@data\n1,p\n"
    expected = r"no attribute 'clas'; expected the name .*: did you mean 'class'\? Valid: class, x"
    with pytest.raises(ParseError, match=expected):
        parsed(arff_entry("clas"), raw_file(text))
    with pytest.raises(ParseError, match="no attribute 'id'"):
        parsed(arff_entry("class", ["id"]), raw_file(text))


def test_rows_without_class_are_dropped_on_request(arff_entry, raw_file):
    text = HEADER + "@data\nno,1,p\nno,2,?\nno,3,q\n"
    table = parsed(arff_entry(drop_rows_without_class=True), raw_file(text))
    np.testing.assert_array_equal(table.X[:, 1], [1, 3])
    assert table.y.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("data", "found"),
    [("", ""), ("@data\n% nothing\n\n", ": found no rows;")],
)
def test_a_file_without_data_or_rows(arff_entry, raw_file, data, found):
    with pytest.raises(ParseError, match=f"bad.arff{found}.* expected valid ARFF"):
        parsed(arff_entry(), raw_file(HEADER + data, "bad.arff"))


@given(
    rows=st.lists(
        st.tuples(
            st.floats(allow_nan=False, allow_infinity=False) | st.none(),
            st.sampled_from(["red", "green", "blue"]),
        ),
        min_size=1,
        max_size=20,
    )
)
def test_numbers_and_categories_agree_with_scipy(folder, rows):
    text = "@relation r\n@attribute x real\n@attribute colour {red,green,blue}\n@data\n"
    text += "".join(f"{'?' if x is None else repr(x)},{colour}\n" for x, colour in rows)
    path = folder / "data.arff"
    path.write_text(text)
    ours = read_arff(RawFile(path, "data.arff", ()))
    theirs, _ = scipy.io.arff.loadarff(io.StringIO(text))
    np.testing.assert_array_equal(ours.values[:, 0], theirs["x"])
    names = ours.nominal[1]
    assert [names[int(code)].encode() for code in ours.values[:, 1]] == theirs["colour"].tolist()
