"""Blocks of rows on the workers. These tests need no Dask."""

import pickle
import threading

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.base import clone

from benchmarks.local_blocks import LocalBlocks
from beyond_accuracy.distributed import MultivariateSVC
from beyond_accuracy.distributed.block_data import BlockData, scaled_unit_of_blocks
from beyond_accuracy.distributed.dask_blocks import _block, _decisions, _labels
from beyond_accuracy.solvers.data_matrix import DataMatrix
from beyond_accuracy.solvers.multivariate_svm import scaled_unit

Y = np.array([0, 1])


@pytest.mark.parametrize("X", [np.array([[1 + 5j], [2 - 7j]]), np.array([["1"], ["2"]])])
def test_other_types_are_named(X):
    with pytest.raises(ValueError, match="X must hold real numbers, found the type [c<]"):
        _block(X, Y, 1)


@pytest.mark.parametrize("y", [np.array([0, 1, 1]), np.array([[0, 1]]), np.array([[0, 1], [1, 0]])])
def test_labels_of_another_shape_are_named(y):
    with pytest.raises(ValueError, match="shape"):
        _block(np.eye(2), y, 1)


def test_decisions_are_of_whole_blocks_and_finite_numbers():
    block = scipy.sparse.random(20, 3, 0.5, "csr", random_state=0)
    assert_allclose(_decisions(block, np.ones(3), 0.5), block.toarray().sum(axis=1) + 0.5)
    dense = block.toarray()
    dense[4, 1] = np.nan
    with pytest.raises(ValueError, match="X holds NaN or infinity"):
        _decisions(dense, np.ones(3), 0.0)
    with pytest.raises(ValueError, match="scale the features"), np.errstate(all="ignore"):
        _decisions(np.full((2, 3), 1e308), np.ones(3), 0.0)
    block.indices[0] = 2**31 - 2
    with pytest.raises(ValueError, match="sparse matrix X is damaged"):
        _decisions(block, np.ones(3), 0.0)


KINDS = ["float64", "Float64", "float64[pyarrow]", "object", "float32"]


@pytest.mark.parametrize("kind", KINDS)
def test_decisions_take_the_columns_that_fit_takes(kind):
    frame = pd.DataFrame({"a": [1.0, 2.0], "b": [0.5, -1.0]}).astype(kind)
    expected = [1.5, 1.0]
    assert_allclose(_decisions(frame, np.ones(2), 0.0), expected)
    assert_allclose(_decisions(frame.to_numpy(), np.ones(2), 0.0), expected)
    assert _block(frame, Y, 1).arrays[0].dtype == (np.float32 if kind == "float32" else np.float64)


@pytest.mark.parametrize("missing", ["Float64", "float64[pyarrow]"])
def test_missing_values_of_columns_are_nan(missing):
    frame = pd.DataFrame({"a": [1.0, None]}).astype(missing)
    assert np.isnan(_block(frame, Y, 1).arrays[0][1, 0])
    with pytest.raises(ValueError, match="X holds NaN or infinity"):
        _decisions(frame, np.ones(1), 0.0)


def test_values_that_are_no_numbers_are_named():
    with pytest.raises(ValueError, match="X must hold numbers, none of them missing: .*'a'"):
        _block(pd.DataFrame({"a": [1.0, "a"]}), Y, 1)
    with pytest.raises(ValueError, match="y holds values without an order, such as missing ones"):
        _labels(np.array(["a", None], dtype=object))


def in_blocks(X, positive, sizes):
    parts = np.split(np.arange(len(positive)), np.cumsum(sizes)[:-1])
    blocks = [DataMatrix(X[part], positive[part]) for part in parts if len(part)]
    n_positives = int(positive.sum())
    return BlockData(LocalBlocks(), blocks, n_positives, len(positive) - n_positives, X.shape[1])


@pytest.mark.parametrize("measure", ["f1", "roc_area"])
@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csr_array])
@given(
    seed=st.integers(0, 1000),
    sizes=st.lists(st.integers(0, 30), min_size=1, max_size=5).filter(lambda sizes: sum(sizes) > 1),
    offset=st.sampled_from([0.0, 1e6]),
)
def test_the_unit_of_blocks_is_that_of_all_rows(measure, form, seed, sizes, offset):
    random = np.random.default_rng(seed)
    positive = random.permutation(np.arange(sum(sizes)) < random.integers(1, sum(sizes)))
    X = form(random.normal(size=(sum(sizes), 3)) + offset)
    found = scaled_unit_of_blocks(in_blocks(X, positive, sizes), measure)
    assert found == pytest.approx(scaled_unit(X, positive, measure), rel=1e-6)


def test_clones_share_the_client_and_pickles_are_without_it():
    client = threading.Lock()
    model = MultivariateSVC("prbep", C=3.0, client=client)
    copy = clone(model)
    assert copy.client is client
    assert {**copy.get_params(), "client": None} == {**model.get_params(), "client": None}
    again = pickle.loads(pickle.dumps(model))
    assert again.client is None
    assert (again.measure, again.C) == ("prbep", 3.0)
    assert model.client is client
