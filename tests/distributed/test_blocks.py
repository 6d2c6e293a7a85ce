"""Blocks of rows on the workers; no Dask is needed."""

import numpy as np
import pytest
import scipy.sparse

from beyond_accuracy.distributed.dask_blocks import _block

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
