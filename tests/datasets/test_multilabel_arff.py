import numpy as np
import pytest
import scipy.sparse as sp

from beyond_accuracy_pipeline.datasets.errors import ParseError
from beyond_accuracy_pipeline.datasets.parsers.multilabel_arff import (
    parse_multilabel_arff,
    read_label_names,
)

XML = """<?xml version="1.0" encoding="utf-8"?>
<labels xmlns="http://mulan.sourceforge.net/labels">
<label name="sea"></label><label name="sky"></label>
</labels>"""
DENSE = (
    "@relation r\n@attribute x real\n@attribute sky {0,1}\n@attribute y real\n"
    "@attribute sea {1,0}\n@data\n1,0,2,1\n3,1,4,0\n"
)


@pytest.fixture
def parse(make_entry, raw_file):
    def run(text, xml=XML, dense=True, **options):
        parser = {"kind": "multilabel_arff", "dense": dense, **options}
        entry = make_entry(task="multilabel", parser=parser)
        files = {"data": raw_file(text, "a.arff"), "labels": raw_file(xml, "a.xml")}
        return parse_multilabel_arff(entry, files)["data"]

    return run


def test_labels_are_matched_by_name_and_read_by_value(parse):
    table = parse(DENSE, label_order="header")
    assert table.class_names == ("sea", "sky")
    assert table.y.tolist() == [[1, 0], [0, 1]]
    assert table.y.dtype == np.uint8
    assert table.feature_names == ("x", "y")
    np.testing.assert_array_equal(table.X, [[1, 2], [3, 4]])
    by_columns = parse(DENSE)
    assert by_columns.class_names == ("sky", "sea")
    assert by_columns.y.tolist() == [[0, 1], [1, 0]]


def test_sparse_text(parse):
    text = (
        "@relation r\n@attribute w1 {0,1}\n@attribute sky {0,1}\n@attribute w2 {0,1}\n"
        "@attribute sea {0,1}\n@data\n{0 1,3 1}\n{1 1, 2 1}\n"
    )
    table = parse(text, dense=False)
    assert sp.isspmatrix_csr(table.X)
    np.testing.assert_array_equal(table.X.toarray(), [[1, 0], [0, 1]])
    assert table.y.tolist() == [[0, 1], [1, 0]]
    np.testing.assert_array_equal(parse(text, dense=True).X, [[1, 0], [0, 1]])


@pytest.mark.parametrize(
    ("text", "xml", "found"),
    [
        (DENSE, XML.replace("sea", "sun"), r"no attribute for the labels \['sun'\]"),
        (DENSE.replace("1,0,2,1", "1,?,2,1"), XML, "'sky' with values other than 0 and 1"),
        (DENSE.replace("3,1,4,0", "?,1,4,0"), XML, "a missing value"),
        (f"{DENSE.partition('@data')[0]}@data\n{{0 ?,1 1}}\n", XML, "a missing value"),
    ],
)
def test_what_is_missing_is_named(parse, text, xml, found):
    with pytest.raises(ParseError, match=f"a.arff.* {found}"):
        parse(text, xml)


@pytest.mark.parametrize(
    ("xml", "found"),
    [
        ("<labels><label name='a'></labels>", "bad XML"),
        ("<labels><label name='a'/><label name='a'/></labels>", "label names"),
        ('<!DOCTYPE x [<!ENTITY e "b">]><labels><label name="&e;"/></labels>', "bad XML"),
    ],
)
def test_bad_headers(raw_file, xml, found):
    with pytest.raises(ParseError, match=found):
        read_label_names(raw_file(xml, "a.xml"))
