"""Tables that would take quadratic time, or far more memory than their bytes: refused by name."""

import json
import re
import time

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from beyond_accuracy.datasets.errors import ParseError
from beyond_accuracy.datasets.parsers import parse
from beyond_accuracy.datasets.parsers.reuters_sgml import read_documents


@pytest.fixture
def table(make_entry, raw_file):
    """Parse the content of a file, whose class is in the column `y`."""

    def read(content, kind):
        entry = make_entry(parser={"kind": kind}, target="y")
        return parse(entry, {"data": raw_file(content)})["data"]

    return read


def parquet(frame):
    buffer = pa.BufferOutputStream()
    pq.write_table(frame if isinstance(frame, pa.Table) else pa.table(frame), buffer)
    return buffer.getvalue().to_pybytes()


def _two_rows(n):
    header = b",".join(b"c%d" % column for column in range(n))
    return header + b",y\n" + b"1," * n + b"a\n" + b"2," * n + b"b\n"


def test_many_columns_take_linear_time(table):
    def seconds(n):
        content = _two_rows(n)
        started = time.process_time()
        assert table(content, "csv").X.shape == (2, n)
        return time.process_time() - started

    # Eight times as many: linear time is eight times as long, quadratic 64.
    assert seconds(20_000) < 24 * min(seconds(2_500) for _ in range(3))
    content = _two_rows(5_000)
    with pytest.raises(ParseError, match="the columns c5 twice"):
        table(content.replace(b"c7,", b"c5,", 1), "csv")


@pytest.mark.parametrize("names", [["x", "x", "y"], ["x", "y", "y"]])
def test_columns_of_one_name_are_refused_in_parquet_too(table, names):
    columns = [pa.array([1, 2]), pa.array([3, 4]), pa.array(["a", "b"])]
    with pytest.raises(ParseError, match=f"the columns {names[1]} twice"):
        table(parquet(pa.Table.from_arrays(columns, names=names)), "parquet")


@pytest.mark.parametrize("said", ["{}", "5", "[]", "[" * 100_000])
def test_what_parquet_says_to_pandas_may_be_anything(table, said):
    own = pa.table({"x": [1.0, 2.0], "y": ["a", "b"]})
    read = table(parquet(own.replace_schema_metadata({b"pandas": said.encode()})), "parquet")
    assert read.X.tolist() == [[1.0], [2.0]]
    assert read.class_names == ("a", "b")


def test_many_attributes_take_linear_time():
    started = time.process_time()
    with pytest.raises(ParseError, match="a <REUTERS> with two A"):
        read_documents("<REUTERS " + "a=b " * 40_000 + ">", "a.sgm")
    assert time.process_time() - started < 4


def test_what_parquet_calls_its_columns_for_pandas_need_not_be_unique(table):
    columns = [{"name": "x", "field_name": name, "pandas_type": "unicode", "numpy_type": "object",
                "metadata": None} for name in ("x", "z")]  # fmt: skip
    said = json.dumps({"columns": columns, "index_columns": [], "column_indexes": []})
    own = pa.table({"x": ["p", "q"], "z": ["r", "s"], "y": ["a", "b"]})
    read = table(parquet(own.replace_schema_metadata({b"pandas": said.encode()})), "parquet")
    assert read.feature_names == ("x", "z")


def test_texts_of_parquet_files_that_are_no_utf8_are_named(table):
    texts = pa.array([b"a", b"caf\xe9", b"b"]).view(pa.string())
    content = parquet(pa.table({"x": [1.0, 2.0, 3.0], "y": texts}))
    with pytest.raises(ParseError, match="no Parquet .*UTF8"):
        table(content, "parquet")


def test_a_parquet_file_that_stands_for_far_more_is_refused(table):
    n = 20_000_000
    x = pa.DictionaryArray.from_arrays(np.zeros(n, dtype=np.int8), [0])
    y = pa.DictionaryArray.from_arrays(np.repeat(np.int8([0, 1]), n // 2), ["a", "b"])
    content = parquet({"x": x, "y": y})
    assert len(content) < 1_000_000
    with pytest.raises(ParseError, match=r"20000000 rows, \d+ bytes in memory.*at most 67108864"):
        table(content, "parquet")


@pytest.mark.parametrize("kind", [pa.dictionary(pa.int8(), pa.string()), pa.string()])
def test_texts_of_a_parquet_file_count_as_what_they_take(table, kind):
    """Each of a million and a half in two columns would take some fifty bytes."""
    n = 1_500_000
    codes = np.repeat(np.int8([0, 1]), n // 2)
    texts = pa.DictionaryArray.from_arrays(codes, ["a", "b"]).cast(kind)
    with pytest.raises(ParseError, match="1500000 rows, 192.* bytes in memory"):
        table(parquet({"x": texts, "y": texts}), "parquet")


def test_rows_that_a_group_of_a_parquet_file_claims_count_as_well(table):
    """The file says three rows, its group sixteen million: memory would be taken for these."""
    content = parquet({"x": [1.0, 2.0, 3.0], "y": ["a", "b", "a"]})
    length = int.from_bytes(content[-8:-4], "little")
    data, footer = content[: -8 - length], content[-8 - length : -8]
    # A 64-bit field of the value 3 in Thrift's compact protocol, and the same of 2 ** 24.
    three, many = b"\x16\x06", b"\x16\x80\x80\x80\x10"
    for start in [found.start() for found in re.finditer(re.escape(three), footer)]:
        longer = footer[:start] + many + footer[start + len(three) :]
        damaged = data + longer + len(longer).to_bytes(4, "little") + b"PAR1"
        said = pq.ParquetFile(pa.BufferReader(damaged)).metadata
        if (said.num_rows, said.row_group(0).num_rows) == (3, 2**24):
            break
    else:
        pytest.fail("no field holds the rows of the group")
    with pytest.raises(ParseError, match="found 16777216 rows"):
        table(damaged, "parquet")


def test_texts_of_parquet_files_stand_in_memory_once(table):
    # 64 GB, were each a text of its own.
    long = "x" * 1_000_000
    texts = pa.DictionaryArray.from_arrays(np.arange(64_000) % 2, [long, "y"])
    labels = ["a", "b"] * 32_000
    before = pa.total_allocated_bytes()
    read = table(parquet({"x": texts, "y": labels}), "parquet")
    assert read.categories == {0: (long, "y")}
    assert pa.total_allocated_bytes() - before < 100_000_000
    assert read.class_names == ("a", "b")


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
