import io
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from sklearn.datasets import dump_svmlight_file

from beyond_accuracy_pipeline.datasets.errors import ParseError
from beyond_accuracy_pipeline.datasets.parsers.svmlight import parse_svmlight
from beyond_accuracy_pipeline.datasets.raw_files import RawFile
from beyond_accuracy_pipeline.datasets.steps import SvmlightParser


@pytest.fixture
def svm_entry(make_entry):
    def make(n_features=4, dense=False):
        return make_entry(parser={"kind": "svmlight", "n_features": n_features, "dense": dense})

    return make


def test_parts_share_features_and_classes(svm_entry, raw_file):
    files = {
        "train": raw_file("-1.0 1:0.5 3:2\n# nothing\n+1 2:1 # said\n", "train"),
        "test": raw_file("10 4:-1e-3\n\n1\n", "test"),
    }
    tables = parse_svmlight(svm_entry(), files)
    assert tables["train"].class_names == tables["test"].class_names == ("-1", "1", "10")
    assert tables["train"].y.tolist() == [0, 1]
    assert tables["test"].y.tolist() == [2, 1]
    np.testing.assert_array_equal(tables["train"].X.toarray(), [[0.5, 0, 2, 0], [0, 1, 0, 0]])
    assert sp.isspmatrix_csr(tables["test"].X)
    assert tables["test"].X.shape == (2, 4)
    assert tables["test"].X.indices.dtype == tables["test"].X.indptr.dtype == np.int32


@pytest.mark.parametrize(
    "line",
    ["1 3:x", "one 1:2", "1 2:1 1:1", "1 0:1", "1 9:1", "1 2:inf", "nan 2:1"],
)
def test_faults_name_file_and_line(svm_entry, raw_file, line):
    content = f"1 1:1\n# comment\n\n-1 2:1\n{line}\n1 1:1\n"
    with pytest.raises(ParseError) as caught:
        parse_svmlight(svm_entry(), {"data": raw_file(content, "bad.txt")})
    assert (caught.value.file, caught.value.line) == ("bad.txt", 5)
    assert "expected `label index:value" in str(caught.value)


@given(
    X=npst.arrays(
        np.float64,
        npst.array_shapes(min_dims=2, max_dims=2, max_side=6),
        elements=st.floats(-1e300, 1e300) | st.just(0.0),
    ),
    seed=st.integers(0, 99),
)
def test_what_scikit_learn_writes_is_read_back(folder, X, seed):
    labels = np.random.default_rng(seed).integers(-2, 3, len(X))
    buffer = io.BytesIO()
    dump_svmlight_file(X, labels, buffer, zero_based=False)
    path = folder / "data"
    path.write_bytes(buffer.getvalue())
    parser = SvmlightParser(kind="svmlight", n_features=X.shape[1], dense=True)
    entry = SimpleNamespace(parser=parser)
    table = parse_svmlight(entry, {"data": RawFile(path, "data", ())})["data"]
    np.testing.assert_allclose(table.X, X, rtol=1e-14)
    assert [int(table.class_names[code]) for code in table.y] == labels.tolist()


@pytest.mark.parametrize("line", ["2 qid:3 1:0.5", "2\tqid:7 # said"])
def test_ranking_files_are_refused(svm_entry, raw_file, line):
    content = f"1 1:1 # qid:1 in a comment\n\n{line}\n"
    with pytest.raises(ParseError, match=r"rank.txt, line 3: found a query \(qid:\) of a rank"):
        parse_svmlight(svm_entry(), {"data": raw_file(content, "rank.txt")})


def test_large_and_fractional_labels_stay_apart(svm_entry, raw_file):
    content = "1000001 1:1\n1000002 1:1\n0.1 1:1\n0.1000001 1:1\n-0 1:1\n"
    table = parse_svmlight(svm_entry(), {"data": raw_file(content)})["data"]
    assert table.class_names == ("0", "0.1", "0.1000001", "1000001", "1000002")
