"""Parquet and CSV files: types of columns, names, missing values, and malformed content."""

import datetime

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from beyond_accuracy_pipeline.datasets.entry import Entry
from beyond_accuracy_pipeline.datasets.errors import ParseError
from beyond_accuracy_pipeline.datasets.parsers import parse

_LARGE = 2**53
_DAY = datetime.date(2026, 1, 1)


@pytest.fixture
def read(make_entry, raw_file):
    """Return a function that parses file content; column `y` is the class."""

    def read(content, kind="csv", **options):
        entry = make_entry(parser={"kind": kind, **options}, target="y")
        return parse(entry, {"data": raw_file(content)})["data"]

    return read


def parquet(table):
    buffer = pa.BufferOutputStream()
    pq.write_table(table if isinstance(table, pa.Table) else pa.table(table), buffer)
    return buffer.getvalue().to_pybytes()


def csv(columns):
    rows = zip(*columns.values(), strict=True)
    return "\n".join([",".join(columns), *(",".join(map(str, row)) for row in rows)]) + "\n"


@pytest.mark.parametrize(("kind", "write"), [("parquet", parquet), ("csv", csv)])
def test_whole_numbers_that_floats_merge_stay_apart(read, kind, write):
    numbers = [_LARGE + 1, _LARGE, _LARGE + 2]
    table = read(write({"x": [1.0, 2.0, 3.0], "y": numbers}), kind)
    assert [table.class_names[code] for code in table.y] == list(map(str, numbers))
    coded = read(write({"x": numbers, "y": ["a", "b", "a"]}), kind, nominal=["x"])
    assert set(coded.categories[0]) == set(map(str, numbers))
    assert len(np.unique(coded.X[:, 0])) == len(numbers)


@pytest.mark.parametrize("name", ["churn.csv", "churn.CSV.gz", "my.churn.csv.xz"])
def test_the_parser_of_a_compressed_file_is_that_of_its_content(name):
    sources = [{"kind": "file", "files": {"data": name}}]
    given = {"name": "churn", "sources": sources, "target": "y", "task": "binary"}
    assert Entry.model_validate(given).parser.kind == "csv"


@pytest.mark.parametrize(
    ("content", "line", "found"),
    [
        (b"y,a,b\na,1,2\n\nb,3\n", 4, "2 of 3 values"),
        (b'y,a,b\n"a\nb",1,2\n"b",3\n', 4, "2 of 3 values"),
        ("y,a\na,1\nb,2\n".encode("utf-16"), None, "no UTF-8 text"),
        (b"x,y\n\n1,a\n2,\n3,\n4,b\n", None, r"no 'y' in 2 of 4 rows \(the first is row 2 of the"),
        (b"x,y\n1,a\n\ninf,b\n", None, "an infinite number in row 2 "),
        (b"y,x,x\na,1,2\n", 1, "the columns x twice"),
        (b"y;x\na;1\n", 1, "It is the only column: separators are"),
        (b"a,1.5,-2\nb,2,3\n", 1, "has the file no header?"),
    ],
)
def test_what_pandas_passes_over_is_named(read, content, line, found):
    with pytest.raises(ParseError, match=found) as caught:
        read(content)
    assert caught.value.line == line


@pytest.mark.parametrize(
    "content",
    [
        b"y,a\na,\n  \nb,2\n",
        b'y,a\r\n"a, b",1\r\n\r\nb,"2"\r\n',
        b'y,"a\nb"\n' + b'"%b",1\nb,2' % (b"a" * 200_000),
    ],
)
def test_rows_that_are_whole(read, content):
    assert len(read(content).y) == 2


@pytest.mark.parametrize(
    "values",
    [
        [_DAY, None],
        [datetime.datetime(2026, 1, 1), datetime.datetime(2026, 1, 2)],
        [datetime.time(1), datetime.time(2)],
        [datetime.timedelta(1), datetime.timedelta(2)],
    ],
)
def test_dates_and_times_are_no_categories(read, values):
    with pytest.raises(ParseError, match=r"dates in column 'x'.*numbers first.*--drop x"):
        read(parquet({"x": values, "y": ["a", "b"]}), "parquet")


@pytest.mark.parametrize("names", [["x", "x", "y"], ["x", "y", "y"]])
def test_columns_of_one_name_are_refused_in_parquet_too(read, names):
    columns = [pa.array([1, 2]), pa.array([3, 4]), pa.array(["a", "b"])]
    with pytest.raises(ParseError, match=f"the columns {names[1]} twice"):
        read(parquet(pa.Table.from_arrays(columns, names=names)), "parquet")


def test_texts_of_parquet_files_that_are_no_utf8_are_named(read):
    texts = pa.array([b"a", b"caf\xe9", b"b"]).view(pa.string())
    with pytest.raises(ParseError, match="no Parquet .*UTF8"):
        read(parquet({"x": [1.0, 2.0, 3.0], "y": texts}), "parquet")


def test_types_of_parquet_columns(read):
    columns = {
        "text": ["u", None, "v", "u"],
        "number": [1.5, None, 2.0, 3.0],
        "kind": pa.array(["p", "q", "p", "p"]).dictionary_encode(),
        "y": [True, False, True, True],
    }
    table = read(parquet(columns), "parquet")
    assert table.categories == {0: ("u", "v"), 2: ("p", "q")}
    np.testing.assert_array_equal(table.X, [[0, 1.5, 0], [np.nan, np.nan, 1], [1, 2, 0], [0, 3, 0]])
    assert table.class_names == ("false", "true")
