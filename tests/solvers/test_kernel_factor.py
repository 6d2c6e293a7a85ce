"""The incomplete Cholesky factor against full matrices and LAPACK's pivoted factor."""

from functools import partial

import numpy as np
import pytest
import scipy.linalg.lapack
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics.pairwise import linear_kernel, polynomial_kernel, rbf_kernel

from beyond_accuracy.solvers.kernel_factor import factor_kernel

rbf = partial(rbf_kernel, gamma=0.3)


def rows(n=150, d=4, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


@pytest.mark.parametrize("seed", range(3))
def test_pivots_are_those_of_lapack(seed):
    # Different lengths of rows keep residuals apart, so rounding cannot swap pivots.
    X = rows(seed=seed)
    kernel = partial(polynomial_kernel, degree=3, coef0=1.0)
    _, expected, *_ = scipy.linalg.lapack.dpstrf(kernel(X, X))
    factor = factor_kernel(X, kernel, max_rank=25)
    assert factor.pivots.tolist() == (expected[:25] - 1).tolist()


def test_approximation_is_the_projection_on_the_pivots_with_the_stated_error():
    """G·Gᵀ = K[:, p]·K[p, p]⁻¹·K[p, :], the Nyström approximation with the same pivots."""
    X = rows()
    K = rbf(X, X)
    factor = factor_kernel(X, rbf, max_rank=40)
    p = factor.pivots
    projected = K[:, p] @ np.linalg.solve(K[np.ix_(p, p)], K[p])
    assert len(p) == len(set(p.tolist())) == 40
    assert factor.features @ factor.features.T == pytest.approx(projected, abs=1e-9)
    assert factor.trace == pytest.approx(150.0)
    assert factor.trace_error == pytest.approx(np.trace(K - projected), rel=1e-9)
    assert factor.relative_error == pytest.approx(factor.trace_error / 150)
    assert np.abs(K - projected).max() <= factor.trace_error


@pytest.mark.parametrize("trace_tol", [0.5, 0.1, 1e-3])
def test_stops_at_the_first_rank_that_reaches_the_tolerance(trace_tol):
    X = rows()
    factor = factor_kernel(X, rbf, trace_tol=trace_tol)
    assert factor.relative_error <= trace_tol
    assert factor_kernel(X, rbf, max_rank=len(factor.pivots) - 1).relative_error > trace_tol


def single_precision(X, Y):
    return rbf(X, Y).astype(np.float32)


@pytest.mark.parametrize(
    ("n", "d", "kernel", "rank", "tolerance"),
    [
        (80, 4, rbf, 80, 1e-10),
        (100, 5, linear_kernel, 5, 1e-10),
        (200, 4, single_precision, 200, 2e-2),
    ],
)
def test_full_rank_is_exact(n, d, kernel, rank, tolerance):
    X = rows(n, d)
    factor = factor_kernel(X, kernel)
    assert factor.features @ factor.features.T == pytest.approx(kernel(X, X), abs=tolerance)
    assert factor.relative_error < tolerance
    assert len(factor.pivots) <= rank


@given(
    n=st.integers(1, 40),
    n_distinct=st.integers(1, 12),
    seed=st.integers(0, 10**6),
    max_rank=st.integers(1, 40),
)
def test_repeated_rows_add_nothing_to_the_rank(n, n_distinct, seed, max_rank):
    rng = np.random.default_rng(seed)
    chosen = rng.integers(0, n_distinct, size=n)
    X = rng.normal(size=(n_distinct, 3))[chosen]
    factor = factor_kernel(X, rbf, max_rank=max_rank)
    assert len(factor.pivots) <= min(max_rank, len(np.unique(chosen)))
    left = np.trace(rbf(X, X) - factor.features @ factor.features.T)
    assert factor.trace_error == pytest.approx(left, abs=1e-9)
    # Among equal rows, the first becomes the pivot.
    assert all(p == np.flatnonzero(chosen == chosen[p])[0] for p in factor.pivots)


def test_map_reproduces_the_training_features_and_expand_their_products():
    X, new = rows(), rows(n=30, seed=1)
    factor = factor_kernel(X, rbf, trace_tol=1e-3)
    pivots = X[factor.pivots]
    assert factor.map(rbf(pivots, X)) == pytest.approx(factor.features, abs=1e-9)
    w = np.random.default_rng(2).normal(size=len(factor.pivots))
    beta = factor.expand(w)
    assert rbf(new, pivots) @ beta == pytest.approx(factor.map(rbf(pivots, new)) @ w, abs=1e-8)
    # New features are projections, so their products with features of pivots are exact.
    products = factor.map(rbf(pivots, new)) @ factor.pivot_block.T
    assert products == pytest.approx(rbf(new, pivots), abs=1e-9)


def recorded(sizes):
    def kernel(A, B):
        sizes.append(A.shape[0] * B.shape[0])
        return rbf(A, B)

    return kernel


def test_sparse_rows_and_columns_on_demand():
    X = rows(n=400, d=6)
    X[np.abs(X) < 1] = 0
    sizes = []
    dense = factor_kernel(X, recorded(sizes), max_rank=20)
    assert sum(sizes) < 400 * 400 / 1.5
    sparse = factor_kernel(scipy.sparse.csr_matrix(X), rbf, max_rank=20)
    assert sparse.features @ sparse.features.T == pytest.approx(
        dense.features @ dense.features.T, abs=1e-9
    )


def bad_constant(value):
    return lambda A, B: np.full((A.shape[0], B.shape[0]), value)


@pytest.mark.parametrize(
    ("kernel", "message"),
    [
        (lambda A, B: rbf(A, B)[:, 0], r"returned shape \(30,\) .* expected \(30, 30\)"),
        (lambda A, B: 1.0, r"returned shape \(\)"),
        (bad_constant(np.nan), "returned nan"),
        (bad_constant(np.inf), "returned inf"),
        (bad_constant("a"), "expected real numbers"),
        (bad_constant(1j), "expected real numbers"),
        (bad_constant(0.0), "K.x, x. is 0 for every row"),
        (bad_constant(-1.0), r"not positive semidefinite: K\(x, x\) = -1 for row 0"),
        (lambda A, B: -rbf(A, B) + 1.5, "not positive semidefinite"),
        (lambda A, B: np.tanh(3 * A @ B.T - 1) + 1, "not positive semidefinite"),
        (lambda A, B: rbf(A, B) * np.exp(0.1 * A[:, :1]), "not symmetric"),
        (
            lambda A, B: scipy.sparse.csr_matrix(rbf(A, B)),
            "returned a sparse matrix, expected a dense array",
        ),
    ],
)
def test_bad_kernels_are_refused(kernel, message):
    with pytest.raises(ValueError, match=message):
        factor_kernel(rows(n=30), kernel)
