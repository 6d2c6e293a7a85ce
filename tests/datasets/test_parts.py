"""Parts of a data set must have the same columns in the same order."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from beyond_accuracy_pipeline.datasets.errors import ParseError
from beyond_accuracy_pipeline.datasets.parsers import parse

LABELS = '<labels><label name="L1"/><label name="L2"/></labels>'
ROWS = ("1,1,1,0", "2,2,0,1")


def arff(*attributes, rows):
    lines = ["@relation r", *(f"@attribute {each}" for each in attributes), "@data", *rows]
    return "\n".join(lines) + "\n"


@pytest.fixture
def parts(make_entry, raw_file):
    def read(train, test, parser, **keys):
        contents = {"train": train, "test": test}
        files = {role: raw_file(content, role) for role, content in contents.items()}
        if parser["kind"] == "multilabel_arff":
            files["labels"] = raw_file(LABELS, "labels")
            keys |= {"task": "multilabel"}
        else:
            keys = {"target": "y"} | keys
        return parse(make_entry(parser=parser, **keys), files)

    return read


@pytest.mark.parametrize(
    ("test", "found"),
    [
        (
            ("a {y,x}", "b numeric"),
            "found feature 'a' with the values y, x; expected feature 'a' with the values x, y",
        ),
        (("b numeric", "a {x,y}"), "'b' with numbers; expected feature 'a' with .*, as in train"),
        (("a {x,y}",), "found 2 labels and 1 features"),
    ],
)
def test_arff_that_declares_other_features_is_refused(parts, test, found):
    row = ",".join([*({"a": "x", "b": "1"}[attribute[0]] for attribute in test), "p"])
    train = arff("a {x,y}", "b numeric", "y {p,q}", rows=["x,1,p", "y,2,q"])
    with pytest.raises(ParseError, match=f"^test: .*{found}"):
        parts(train, arff(*test, "y {p,q}", rows=[row]), {"kind": "arff"})


def test_classes_of_arff_are_told_by_name(parts):
    train = arff("a numeric", "y {p,q}", rows=["1,p", "2,q"])
    test = arff("a numeric", "y {r,q,p}", rows=["1,r", "2,q", "3,p"])
    read = parts(train, test, {"kind": "arff"})
    assert read["train"].class_names == read["test"].class_names == ("p", "q", "r")
    assert [read["test"].class_names[code] for code in read["test"].y] == ["r", "q", "p"]


FEATURES, BINARY = ("a numeric", "b numeric"), ("L1 {0,1}", "L2 {0,1}")


@pytest.mark.parametrize(
    ("order", "test", "found"),
    [
        ("columns", (*FEATURES, *reversed(BINARY)), "found label 'L2'; expected label 'L1'"),
        ("header", (*reversed(FEATURES), *BINARY), "found feature 'b'"),
    ],
    ids=["labels", "features"],
)
def test_multilabel_arff_of_another_order_is_refused(parts, order, test, found):
    parser = {"kind": "multilabel_arff", "dense": True, "label_order": order}
    with pytest.raises(ParseError, match=f"^test: .*{found}"):
        parts(arff(*FEATURES, *BINARY, rows=ROWS), arff(*test, rows=ROWS), parser)


def test_labels_in_the_order_of_the_header_are_matched_by_name(parts):
    parser = {"kind": "multilabel_arff", "dense": True, "label_order": "header"}
    test = arff(*FEATURES, *reversed(BINARY), rows=ROWS)
    read = parts(arff(*FEATURES, *BINARY, rows=ROWS), test, parser)
    np.testing.assert_array_equal(read["test"].y, read["train"].y[:, ::-1])


@pytest.mark.parametrize(
    ("train", "test"),
    [
        (("01", "02", "01"), ("01", "0x", "02")),
        (("1", "2", ""), ("1", "B7", "2")),
        (("true", "false", "true"), ("true", "maybe", "")),
    ],
)
@pytest.mark.parametrize("swapped", [False, True])
def test_a_text_of_csv_is_the_same_value_in_all_parts(parts, train, test, swapped):
    """In only one of the parts, pandas reads the column as numbers or truth values."""
    written = [test, train] if swapped else [train, test]
    contents = (
        "a,y\n" + "".join(f"{value},{'pqp'[i]}\n" for i, value in enumerate(part))
        for part in written
    )
    read = parts(*contents, {"kind": "csv"})
    for table, values in zip(read.values(), written, strict=True):
        names = table.categories[0]
        found = ["" if np.isnan(code) else names[int(code)] for code in table.X[:, 0]]
        assert found == list(values)


def test_a_class_of_csv_is_the_same_in_all_parts(parts):
    read = parts("a,y\n1,01\n2,02\n", "a,y\n1,02\n2,0x\n3,01\n", {"kind": "csv"})
    names = read["train"].class_names
    assert names == ("01", "02", "0x")
    assert [names[code] for code in read["train"].y] == ["01", "02"]
    assert [names[code] for code in read["test"].y] == ["02", "0x", "01"]


def test_a_number_of_parquet_is_the_text_of_another_part(parts):
    def content(values):
        buffer = pa.BufferOutputStream()
        pq.write_table(pa.table({"a": values, "y": ["p", "q"]}), buffer)
        return buffer.getvalue().to_pybytes()

    read = parts(content([1.0, 2.5]), content(["2.5", "1"]), {"kind": "parquet"})
    assert read["train"].categories == read["test"].categories == {0: ("1", "2.5")}
    np.testing.assert_array_equal(read["train"].X[:, 0], [0, 1])
    np.testing.assert_array_equal(read["test"].X[:, 0], [1, 0])
