import re

import numpy as np
import pytest

from beyond_accuracy_pipeline.datasets.errors import ParseError
from beyond_accuracy_pipeline.datasets.parsers.delimited import parse_delimited


@pytest.fixture
def csv_entry(make_entry):
    def make(delimiter=",", class_column=-1, drop_columns=()):
        parser = {"kind": "delimited", "delimiter": delimiter, "class_column": class_column}
        return make_entry(parser=parser, drop_columns=list(drop_columns))

    return make


def test_the_class_may_stand_anywhere(csv_entry, raw_file):
    last = parse_delimited(csv_entry(), {"data": raw_file("1,2,10\n3,4.5,9\n")})["data"]
    np.testing.assert_array_equal(last.X, [[1, 2], [3, 4.5]])
    assert last.class_names == ("9", "10")
    assert last.y.tolist() == [1, 0]
    first = parse_delimited(csv_entry(class_column=0), {"data": raw_file("T,2\r\nA,3\r\n")})["data"]
    assert first.class_names == ("A", "T")
    np.testing.assert_array_equal(first.X, [[2], [3]])


def test_blanks_and_identifiers(csv_entry, raw_file):
    entry = csv_entry(delimiter=None, drop_columns=[0])
    table = parse_delimited(entry, {"data": raw_file("NAME_A  0.5 1 CYT\n\nNAME_B  2  3 NUC \n")})
    np.testing.assert_array_equal(table["data"].X, [[0.5, 1], [2, 3]])
    assert table["data"].class_names == ("CYT", "NUC")


@pytest.mark.parametrize("line", ["1,2", "1,2,a,b", "1,x,a", "-inf,1,a", "1,2,", "1,2, ?"])
def test_faults_name_file_and_line(csv_entry, raw_file, line):
    with pytest.raises(ParseError, match=f"{re.escape(repr(line))}; expected 3 columns") as caught:
        parse_delimited(csv_entry(), {"data": raw_file(f"1,2,a\n\n3,4,b\n{line}\n", "bad.csv")})
    assert (caught.value.file, caught.value.line) == ("bad.csv", 4)


@pytest.mark.parametrize(
    ("text", "found"),
    [("1,2\n", "line 1: .* a class in column 5"), ("\n\n", "no rows")],
)
def test_a_file_without_the_class_or_without_rows(csv_entry, raw_file, text, found):
    with pytest.raises(ParseError, match=found):
        parse_delimited(csv_entry(class_column=5), {"data": raw_file(text)})
