import hashlib

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from beyond_accuracy_pipeline.datasets.errors import DataSetError, DataSetMissing
from beyond_accuracy_pipeline.datasets.prepared import (
    PreparedDataSet,
    load_prepared,
    save_prepared,
)
from beyond_accuracy_pipeline.datasets.record import read_record, write_record

RECORD = {"name": "tiny", "task": "multiclass", "status": "ok", "title": "Größe"}


def tiny(X=None, **keys):
    X = np.array([[1.0, np.nan], [2, 0]]) if X is None else X
    defaults = {
        "name": "tiny",
        "task": "multiclass",
        "X_train": X,
        "y_train": np.arange(X.shape[0], dtype=np.int64),
        "X_test": None,
        "y_test": None,
        "class_names": ("a", "Ω", "?"),
        "feature_names": ("x", "y z"),
        "categories": {1: ("'?'", "no")},
        "record": RECORD,
    }
    return PreparedDataSet(**defaults | keys)


def same(left, right):
    assert type(left) is type(right)
    assert left.dtype == right.dtype
    if sp.issparse(left):
        assert left.indices.dtype == right.indices.dtype
        left, right = left.toarray(), right.toarray()
    np.testing.assert_array_equal(left, right)


def digest(folder):
    files = sorted(folder.iterdir())
    return [(file.name, hashlib.sha256(file.read_bytes()).hexdigest()) for file in files]


def test_everything_comes_back(tmp_path):
    data = tiny(X_test=np.zeros((1, 2)), y_test=np.array([2], dtype=np.int64))
    save_prepared(tmp_path / "tiny", data)
    back = vars(load_prepared(tmp_path / "tiny"))
    assert back["record"].pop("sha256_arrays") == data.sha256_arrays
    for key, value in vars(data).items():
        if isinstance(value, np.ndarray):
            same(value, back[key])
        else:
            assert value == back[key]


@given(
    X=npst.arrays(np.float64, npst.array_shapes(min_dims=2, max_dims=2, max_side=5)),
    sparse=st.booleans(),
)
def test_any_matrix_comes_back_and_saving_is_deterministic(folder, X, sparse):
    if sparse:
        X = sp.csr_matrix(X)
        X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)
    save_prepared(folder / "tiny", tiny(X))
    first = digest(folder / "tiny")
    back = load_prepared(folder / "tiny")
    same(back.X_train, X)
    save_prepared(folder / "tiny", back)
    assert digest(folder / "tiny") == first


def test_an_unavailable_data_set_says_why(tmp_path):
    record = RECORD | {"status": "unavailable", "reason": "no mirror", "how_to_get": "set one"}
    write_record(tmp_path / "tiny", record)
    assert read_record(tmp_path / "tiny") == record
    assert [path.name for path in (tmp_path / "tiny").iterdir()] == ["record.json"]
    with pytest.raises(DataSetMissing, match="tiny is unavailable: no mirror.*set one"):
        load_prepared(tmp_path / "tiny")


def test_a_folder_that_is_missing_or_damaged(tmp_path):
    with pytest.raises(DataSetError, match="has not been prepared"):
        load_prepared(tmp_path / "tiny")
    (tmp_path / "tiny").mkdir()
    (tmp_path / "tiny" / "record.json").write_bytes(b'{"name": "\xff"}')
    with pytest.raises(DataSetError, match="damaged JSON"):
        read_record(tmp_path / "tiny")


def test_an_interrupted_save_is_no_prepared_folder(tmp_path, monkeypatch):
    save_prepared(tmp_path / "tiny", tiny())

    def broken(path, **arrays):
        path.write_bytes(b"half")
        raise KeyboardInterrupt

    monkeypatch.setattr(np, "savez_compressed", broken)
    with pytest.raises(KeyboardInterrupt):
        save_prepared(tmp_path / "tiny", tiny(class_names=("other",)))
    with pytest.raises(DataSetError, match="has not been prepared"):
        load_prepared(tmp_path / "tiny")
