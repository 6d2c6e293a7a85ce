"""Core vector machine: its ball against an exact L2-SVM, its kernels against their formulas."""

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist, pdist

from beyond_accuracy.solvers.core_vector_machine import (
    KERNEL_NAMES,
    NormalizedKernel,
    all_products,
    core_set,
    inner_products,
    inverse_mean_squared_distance,
    libcvm_width,
    solve_ball,
)
from beyond_accuracy.solvers.core_vector_machine.smallest_ball import SmallestBall
from beyond_accuracy.solvers.moments import squared_norms


@given(st.integers(0, 10_000))
def test_ball_of_the_core_set_is_optimal(seed):
    """In the convex program no point has a smaller product with the centre than the centre."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 9))
    points = rng.normal(size=(n, 3))
    matrix = points @ points.T
    np.fill_diagonal(matrix, 30.0)
    ball = SmallestBall()
    for i in range(n):
        ball.add(matrix[i, : i + 1])
        assert ball.solve(1e-10)
    assert ball.square == pytest.approx(ball.alpha @ matrix @ ball.alpha)
    assert (matrix @ ball.alpha).min() >= ball.square - 1e-9
    assert ball.alpha.sum() == pytest.approx(1.0)
    assert (ball.alpha >= 0).all()


def test_a_ball_of_what_is_no_number_ends():
    ball = SmallestBall()
    ball.add(np.array([30.0]))
    ball.add(np.array([np.nan, np.nan]))
    ball.add(np.full(3, np.nan))
    ball.solve(1e-10)
    assert np.isnan(ball.square)


def _values(name, X, Z, gamma):
    distance = cdist(X, Z)
    if name == "poly":
        p = gamma * X @ Z.T + 0.5
        norms = [np.sqrt(gamma * (A**2).sum(axis=1) + 0.5) for A in (X, Z)]
        return (p / np.outer(*norms)) ** 2
    return {
        "rbf": np.exp(-gamma * distance**2),
        "laplacian": np.exp(-np.sqrt(gamma) * distance),
        "inverse_distance": 1 / (1 + np.sqrt(gamma) * distance),
        "inverse_square_distance": 1 / (1 + gamma * distance**2),
    }[name]


@pytest.mark.parametrize("name", KERNEL_NAMES)
@pytest.mark.parametrize("convert", [np.asarray, scipy.sparse.csr_matrix])
def test_kernels_are_their_formulas(name, convert):
    rng = np.random.default_rng(1)
    X, Z = rng.normal(size=(7, 4)) * rng.integers(0, 2, (7, 4)), rng.normal(size=(5, 4))
    kernel = NormalizedKernel(name, 0.3, degree=2, coef0=0.5)
    A, B = convert(X), convert(Z)
    found = kernel.of_products(inner_products(A, B), squared_norms(A), squared_norms(B))
    assert found == pytest.approx(_values(name, X, Z, 0.3))
    own = kernel.of_products(inner_products(B, B), squared_norms(B), squared_norms(B))
    assert np.diag(own) == pytest.approx(np.ones(5), abs=1e-7)


def test_polynomial_of_an_empty_row_is_orthogonal_to_all():
    X = np.array([[0.0, 0.0], [1.0, 2.0]])
    kernel = NormalizedKernel("poly", 1.0, degree=3)
    found = kernel.of_products(inner_products(X, X), squared_norms(X), squared_norms(X))
    assert found == pytest.approx(np.array([[0.0, 0.0], [0.0, 1.0]]))


def test_width_is_the_mean_over_all_pairs():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(40, 3)) * [1.0, 5.0, 0.0] + 7.0
    expected = 1.0 / (cdist(X, X) ** 2).mean()
    for convert in (np.asarray, scipy.sparse.csr_matrix):
        assert inverse_mean_squared_distance(convert(X)) == pytest.approx(expected)
        assert inverse_mean_squared_distance(convert(np.full((4, 2), 0.1))) == 1.0


@pytest.mark.parametrize(("n", "step"), [(40, 1), (5000, 1), (5001, 2), (10_001, 3)])
def test_default_width_of_libcvm_looks_at_every_kth_row(n, step):
    X = np.random.default_rng(3).normal(size=(n, 2)) * [1.0, 5.0] + 7.0
    expected = 2.0 / pdist(X[::step], "sqeuclidean").mean()
    for convert in (np.asarray, scipy.sparse.csr_matrix):
        assert libcvm_width(convert(X)) == pytest.approx(expected)
        assert libcvm_width(convert(np.full((4, 2), 0.1))) == 1.0


def _all_points(X, positive, kernel, C):
    signs = np.where(positive, 1.0, -1.0)
    K = kernel.of_products(inner_products(X, X), squared_norms(X), squared_norms(X))
    np.fill_diagonal(K, 1.0)
    return np.outer(signs, signs) * (K + 1.0) + np.eye(len(signs)) / C


@given(st.integers(0, 10_000), st.sampled_from(KERNEL_NAMES), st.sampled_from([1e-1, 1e-2, 1e-3]))
def test_all_points_are_inside_of_the_enlarged_ball(seed, name, epsilon):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(80, 3))
    positive = X[:, 0] + rng.normal(size=80) > 0.5
    kernel, C = NormalizedKernel(name, 0.2), float(rng.choice([0.1, 1.0, 100.0]))
    found = solve_ball(X, positive, kernel, C=C, epsilon=epsilon, sample_size=10, seed=seed)
    points = _all_points(X, positive, kernel, C)
    alpha = np.zeros(80)
    alpha[found.core] = abs(found.coefficients) / abs(found.coefficients).sum()
    square = alpha @ points @ alpha
    distances = np.sqrt(square + np.diag(points) - 2 * points @ alpha)
    assert found.radius == pytest.approx(np.sqrt(2 + 1 / C - square), rel=1e-6)
    assert distances.max() <= (1 + epsilon) * found.radius * (1 + 1e-7)
    assert len(set(found.core)) == len(found.core)
    # The core set's ball is no larger than that of all points, and nearly as large.
    ball = SmallestBall()
    for i in range(80):
        ball.add(points[i, : i + 1])
    ball.solve(1e-9)
    assert found.radius <= np.sqrt(2 + 1 / C - ball.square) * (1 + 1e-7)
    assert found.radius * (1 + epsilon) >= np.sqrt(2 + 1 / C - ball.square) * (1 - 1e-7)


def test_objectives_enclose_the_optimum_and_a_full_core_set_is_reported():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(60, 3))
    positive = X[:, 0] ** 2 + rng.normal(size=60) > 1
    kernel = NormalizedKernel("rbf", 0.3)
    exact = solve_ball(X, positive, kernel, epsilon=1e-10)
    assert exact.objective == pytest.approx(exact.dual_objective, rel=1e-5)
    loose = solve_ball(X, positive, kernel, epsilon=0.03)
    assert loose.dual_objective <= exact.objective <= loose.objective
    assert len(loose.core) < len(exact.core)
    assert exact.converged
    assert not solve_ball(X, positive, kernel, epsilon=1e-6, max_core_vectors=5).converged


@pytest.mark.parametrize("convert", [np.asarray, scipy.sparse.csr_matrix])
@pytest.mark.parametrize("shape", [(6, 5), (7, 6), (59, 40), (1, 8), (9, 1), (2, 2)])
def test_all_products_are_those_of_all_pairs(convert, shape):
    rng = np.random.default_rng(6)
    X, Z = (rng.normal(size=(n, 13)) for n in shape)
    assert all_products(convert(X), convert(Z)) == pytest.approx(X @ Z.T, abs=1e-12)


@pytest.mark.parametrize("name", KERNEL_NAMES)
def test_values_of_transposed_products_are_the_transposed_values_to_the_bit(name):
    rng = np.random.default_rng(8)
    X, Z = rng.normal(size=(50, 4)), rng.normal(size=(31, 4))
    kernel, squares = NormalizedKernel(name, 0.3, coef0=0.1), (squared_norms(X), squared_norms(Z))
    products, found = X @ Z.T, np.empty((31, 50))
    kernel.write_values(products.T.copy(), *reversed(squares), found, others_first=True)
    np.testing.assert_array_equal(found, kernel.of_products(products, *squares).T)


@pytest.mark.parametrize("name", KERNEL_NAMES)
@pytest.mark.parametrize("convert", [np.asarray, scipy.sparse.csr_matrix])
def test_known_products_change_nothing(name, convert, monkeypatch):
    monkeypatch.setattr(core_set, "_COLUMNS", 16)
    rng = np.random.default_rng(7)
    X = rng.normal(size=(451, 5)) * rng.integers(0, 2, (451, 5))
    positive = X[:, 0] + rng.normal(size=451) > 0.2
    X, kernel = convert(X), NormalizedKernel(name, 0.3, coef0=0.5)
    options = {"C": 10.0, "epsilon": 1e-4, "seed": 1}
    expected = solve_ball(X, positive, kernel, **options)
    found = solve_ball(X, positive, kernel, **options, products=all_products(X, X))
    np.testing.assert_array_equal(found.core, expected.core)
    assert found.coefficients == pytest.approx(expected.coefficients, abs=1e-12)
    # Beyond the room that there is at first.
    assert len(found.core) > 2 * 16
