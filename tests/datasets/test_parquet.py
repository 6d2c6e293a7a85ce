"""Parquet files: duplicate column names, texts that are not UTF-8, all column types."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from beyond_accuracy_pipeline.datasets.errors import ParseError
from beyond_accuracy_pipeline.datasets.parsers import parse


@pytest.fixture
def table(make_entry, raw_file):
    """Return a function that parses file content; column `y` is the class."""

    def read(content, kind):
        entry = make_entry(parser={"kind": kind}, target="y")
        return parse(entry, {"data": raw_file(content)})["data"]

    return read


def parquet(frame):
    buffer = pa.BufferOutputStream()
    pq.write_table(frame if isinstance(frame, pa.Table) else pa.table(frame), buffer)
    return buffer.getvalue().to_pybytes()


@pytest.mark.parametrize("names", [["x", "x", "y"], ["x", "y", "y"]])
def test_columns_of_one_name_are_refused_in_parquet_too(table, names):
    columns = [pa.array([1, 2]), pa.array([3, 4]), pa.array(["a", "b"])]
    with pytest.raises(ParseError, match=f"the columns {names[1]} twice"):
        table(parquet(pa.Table.from_arrays(columns, names=names)), "parquet")


def test_texts_of_parquet_files_that_are_no_utf8_are_named(table):
    texts = pa.array([b"a", b"caf\xe9", b"b"]).view(pa.string())
    content = parquet(pa.table({"x": [1.0, 2.0, 3.0], "y": texts}))
    with pytest.raises(ParseError, match="no Parquet .*UTF8"):
        table(content, "parquet")


def test_a_parquet_file_is_read_as_before(table):
    frame = pd.DataFrame(
        {
            "text": ["u", None, "v", "u"],
            "number": [1.5, None, 2.0, 3.0],
            "kind": pd.Categorical(["p", "q", "p", "p"]),
            "y": [True, False, True, True],
        }
    )
    read = table(
        parquet(pa.Table.from_pandas(frame).to_pydict() | {"kind": ["p", "q", "p", "p"]}), "parquet"
    )
    assert read.categories == {0: ("u", "v"), 2: ("p", "q")}
    np.testing.assert_array_equal(read.X, [[0, 1.5, 0], [np.nan, np.nan, 1], [1, 2, 0], [0, 3, 0]])
    assert read.class_names == ("false", "true")
