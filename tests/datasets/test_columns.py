"""Columns of Parquet and CSV files whose values are not plain numbers or texts."""

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
def table(make_entry, raw_file):
    """Return a function that writes columns to a file and parses it; column `y` is the class."""

    def read(columns, kind="parquet", **keys):
        if kind == "parquet":
            buffer = pa.BufferOutputStream()
            pq.write_table(pa.table(columns), buffer)
            content = buffer.getvalue().to_pybytes()
        else:
            rows = zip(*columns.values(), strict=True)
            lines = [",".join(columns), *(",".join(map(str, row)) for row in rows)]
            content = "\n".join(lines).encode() + b"\n"
        entry = make_entry(parser={"kind": kind, **keys}, target="y")
        return parse(entry, {"data": raw_file(content)})["data"]

    return read


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_whole_numbers_that_floats_merge_stay_apart(table, kind):
    numbers = [_LARGE + 1, _LARGE, _LARGE + 2]
    read = table({"x": [1.0, 2.0, 3.0], "y": numbers}, kind)
    assert set(read.class_names) == set(map(str, numbers))
    assert [read.class_names[code] for code in read.y] == list(map(str, numbers))
    coded = table({"x": numbers, "y": ["a", "b", "a"]}, kind, nominal=["x"])
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
    ],
)
def test_what_pandas_passes_over_is_named(make_entry, raw_file, content, line, found):
    entry = make_entry(parser={"kind": "csv"}, target="y")
    with pytest.raises(ParseError, match=found) as caught:
        parse(entry, {"data": raw_file(content)})
    assert caught.value.line == line


@pytest.mark.parametrize(
    "content",
    [
        b"y,a\na,\n  \nb,2\n",
        b'y,a\r\n"a, b",1\r\n\r\nb,"2"\r\n',
        b'y,"a\nb"\n' + b'"%b",1\nb,2' % (b"a" * 200_000),
    ],
)
def test_rows_that_are_whole(make_entry, raw_file, content):
    entry = make_entry(parser={"kind": "csv"}, target="y")
    assert len(parse(entry, {"data": raw_file(content)})["data"].y) == 2


def test_a_row_is_counted_without_blank_lines(make_entry, raw_file):
    entry = make_entry(parser={"kind": "csv"}, target="y")
    missing = r"no 'y' in 2 of 4 rows \(the first is row 2 of the data\)"
    infinite = "an infinite number in row 2 "
    contents = {b"x,y\n\n1,a\n2,\n3,\n4,b\n": missing, b"x,y\n1,a\n\ninf,b\n": infinite}
    for content, found in contents.items():
        with pytest.raises(ParseError, match=found):
            parse(entry, {"data": raw_file(content)})


@pytest.mark.parametrize(
    "values",
    [
        [_DAY, _DAY + datetime.timedelta(1)],
        [_DAY, None],
        [datetime.datetime(2026, 1, 1), datetime.datetime(2026, 1, 2)],
        [datetime.time(1), datetime.time(2)],
        [datetime.timedelta(1), datetime.timedelta(2)],
    ],
)
def test_dates_and_times_are_no_categories(table, values):
    with pytest.raises(ParseError, match=r"dates in column 'x'.*numbers first.*--drop x"):
        table({"x": values, "y": ["a", "b"]})
