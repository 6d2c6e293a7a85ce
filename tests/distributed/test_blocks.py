"""Blocks of rows on the workers; no Dask is needed."""

import numpy as np
import pytest
import scipy.sparse
from numpy.testing import assert_allclose

from beyond_accuracy.distributed.dask_blocks import _block, _decisions

Y = np.array([0, 1])


@pytest.mark.parametrize("form", [np.array, scipy.sparse.csr_matrix])
@pytest.mark.parametrize("kind", [np.float32, np.int8, bool, float])
def test_real_numbers_are_taken(form, kind):
    assert _block(form(np.eye(2, dtype=kind)), Y, 1).n_features == 2


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
