"""Core and ball vector machines: random numbers, kernels, and the solved problem."""

import numpy as np
import pytest
import scipy.sparse
from scipy.spatial.distance import cdist, pdist
from sklearn.svm import LinearSVC

from beyond_accuracy.solvers.data_matrix import squared_norms
from beyond_accuracy_pipeline.reproduction.libcvm import core_set, train_machine
from beyond_accuracy_pipeline.reproduction.libcvm.core_set import (
    next_number,
    start_generator,
)
from beyond_accuracy_pipeline.reproduction.libcvm.kernels import (
    KERNEL_NAMES,
    Kernel,
    inner_products,
    libcvm_gamma,
)

MACHINES = ["cvm", "bvm"]


def test_first_numbers_are_those_of_the_program():
    numbers = start_generator(0)
    drawn = [next_number(*numbers) for _ in range(4)]
    assert drawn == [826837439, 875085451, 912245678, 314319397]


def _values(name, X, Z, gamma):
    distance = cdist(X, Z)
    p = gamma * X @ Z.T + 0.5
    norms = [np.sqrt(gamma * (A**2).sum(axis=1) + 0.5) for A in (X, Z)]
    return {
        "rbf": np.exp(-gamma * distance**2),
        "laplacian": np.exp(-np.sqrt(gamma) * distance),
        "inverse_distance": 1 / (1 + np.sqrt(gamma) * distance),
        "inverse_square_distance": 1 / (1 + gamma * distance**2),
        "poly": (p / np.outer(*norms)) ** 3,
        "unnormalized_poly": p**3,
    }[name]


def _kernel_matrix(kernel, X, Z):
    return kernel.of_products(inner_products(X, Z), squared_norms(X), squared_norms(Z))


@pytest.mark.parametrize("name", KERNEL_NAMES)
@pytest.mark.parametrize("convert", [np.asarray, scipy.sparse.csr_matrix])
def test_kernels_are_their_formulas(name, convert):
    rng = np.random.default_rng(1)
    X, Z = rng.normal(size=(7, 4)) * rng.integers(0, 2, (7, 4)), rng.normal(size=(5, 4))
    kernel = Kernel(name, 0.3, degree=3, coef0=0.5)
    assert _kernel_matrix(kernel, convert(X), convert(Z)) == pytest.approx(_values(name, X, Z, 0.3))
    diagonal = np.diag(_kernel_matrix(kernel, convert(Z), convert(Z)))
    assert kernel.largest_value(squared_norms(Z)) == pytest.approx(diagonal.max(), abs=1e-7)
    if kernel.has_constant_diagonal:
        assert diagonal == pytest.approx(np.ones(5), abs=1e-7)


def test_polynomial_of_an_empty_row_is_orthogonal_to_all():
    X = np.array([[0.0, 0.0], [1.0, 2.0]])
    found = _kernel_matrix(Kernel("poly", 1.0), X, X)
    assert found == pytest.approx(np.array([[0.0, 0.0], [0.0, 1.0]]))


@pytest.mark.parametrize(("n", "step"), [(40, 1), (5000, 1), (5001, 2), (10_001, 3)])
def test_default_width_of_libcvm_looks_at_every_kth_row(n, step):
    X = np.random.default_rng(3).normal(size=(n, 2)) * [1.0, 5.0] + 7.0
    expected = 2.0 / pdist(X[::step], "sqeuclidean").mean()
    for convert in (np.asarray, scipy.sparse.csr_matrix):
        assert libcvm_gamma(convert(X)) == pytest.approx(expected)
        assert libcvm_gamma(convert(np.full((4, 2), 0.1))) == 1.0


@pytest.fixture
def problem():
    """Return rows with many zeros; the first row is of the negative class."""
    rng = np.random.default_rng(7)
    X = rng.normal(size=(300, 5)) * rng.integers(0, 2, (300, 5))
    positive = X[:, 0] ** 2 + 0.5 * rng.normal(size=300) > 0.7
    first = np.argmin(positive)
    order = np.r_[first, np.delete(np.arange(300), first)]
    return X[order], positive[order]


def _Q(X, positive, kernel, C):
    signs = np.where(positive, 1.0, -1.0)
    K = _kernel_matrix(kernel, X, X)
    return np.outer(signs, signs) * (K + 1.0) + np.eye(len(signs)) / C


def _alpha(solution, n):
    alpha = np.zeros(n)
    alpha[solution.core] = abs(solution.coefficients)
    return alpha


@pytest.mark.parametrize("C", [0.5, 10.0])
@pytest.mark.parametrize("name", KERNEL_NAMES)
def test_small_epsilon_gives_the_l2_svm_with_half_the_C(problem, name, C):
    """Compare with LIBLINEAR on explicit features of the kernel and a constant 1 (intercept)."""
    X, positive = (part[:150] for part in problem)
    kernel = Kernel(name, 0.3, degree=2, coef0=1.0)
    found = train_machine(X, positive, kernel, C=C, epsilon=1e-7)
    eigenvalues, basis = np.linalg.eigh(_kernel_matrix(kernel, X, X) + 1.0)
    features = basis * np.sqrt(np.maximum(eigenvalues, 0.0))
    exact = LinearSVC(
        C=C / 2, loss="squared_hinge", dual=False, fit_intercept=False, tol=1e-10, max_iter=10_000
    ).fit(features, positive)
    margins = exact.decision_function(features) * np.where(positive, 1.0, -1.0)
    losses = np.maximum(1.0 - margins, 0.0)
    optimum = 0.5 * float((exact.coef_**2).sum()) + 0.5 * C * float(losses @ losses)
    assert optimum * (1 - 1e-3) <= 0.5 / found.squared_norm <= optimum * (1 + 1e-6)
    scores = (
        _kernel_matrix(kernel, X, X[found.core]) @ found.coefficients + found.coefficients.sum()
    )
    expected = exact.decision_function(features)
    assert scores / found.squared_norm == pytest.approx(expected, abs=0.02 * abs(expected).max())


@pytest.mark.parametrize("epsilon", [0.2, 0.03, 1e-3])
def test_all_rows_are_inside_of_the_enlarged_ball(problem, epsilon):
    """There are so few rows that the last passes draw each of them."""
    X, positive = (part[:40] for part in problem)
    kernel = Kernel("rbf", 0.2)
    for seed in range(5):
        found = train_machine(X, positive, kernel, epsilon=epsilon, seed=seed)
        Q, alpha = _Q(X, positive, kernel, 1.0), _alpha(found, 40)
        assert alpha @ Q @ alpha == pytest.approx(found.squared_norm, rel=1e-4)
        distances = found.squared_norm + 3.0 - 2.0 * Q @ alpha
        assert distances.max() <= (3.0 - found.squared_norm) * (1 + epsilon) ** 2 * (1 + 1e-3)


def _ball_vectors(Q, positive, epsilon, seed):
    """Return weights and draws of a plain ball vector machine without refining rounds."""
    numbers, radius = start_generator(seed), Q[0, 0]
    classes = [np.flatnonzero(positive == positive[0]), np.flatnonzero(positive != positive[0])]
    # The centre is the weighted sum of the rows' points. `height` is its extra coordinate.
    alpha, height = np.eye(len(Q))[0], np.sqrt(radius)
    for level in core_set.epsilon_levels(epsilon):
        n_passes = 0
        while n_passes < 10:
            n_passes += 1
            draws = [next_number(*numbers) for _ in range(60)]
            rows = [
                classes[s >= 30][number % len(classes[s >= 30])] for s, number in enumerate(draws)
            ]
            distances = alpha @ Q @ alpha + radius - 2.0 * Q[rows] @ alpha + height**2
            if distances.max() > radius * (1 + level) ** 2:
                keep = np.sqrt(radius / distances.max())
                alpha, height = keep * alpha, keep * height
                alpha[rows[distances.argmax()]] += 1.0 - keep
                n_passes = 0
    return alpha, numbers[1][0]


@pytest.mark.parametrize("seed", range(3))
def test_ball_vector_machine_is_the_plain_one(problem, seed):
    X, positive = problem
    kernel = Kernel("rbf", 0.3)
    found = train_machine(X, positive, kernel, machine="bvm", epsilon=3e-3, seed=seed)
    expected, n_drawn = _ball_vectors(_Q(X, positive, kernel, 1.0), positive, 3e-3, seed)
    assert found.n_drawn == n_drawn
    assert _alpha(found, 300) == pytest.approx(expected / expected.sum(), abs=1e-6)


@pytest.mark.parametrize("name", KERNEL_NAMES)
@pytest.mark.parametrize("machine", MACHINES)
def test_sparse_rows_and_room_change_nothing(problem, machine, name, monkeypatch):
    X, positive = problem
    kernel = Kernel(name, 0.3, coef0=0.5)
    if machine == "bvm" and not kernel.has_constant_diagonal:
        with pytest.raises(ValueError, match=r"needs constant k\(x, x\)"):
            train_machine(X, positive, kernel, machine=machine)
        return
    expected = train_machine(X, positive, kernel, C=10.0, machine=machine)
    monkeypatch.setattr(core_set, "_CAPACITY", 21)
    monkeypatch.setattr(core_set, "_CACHED_VALUES", 1000)
    sparse = scipy.sparse.csr_matrix(X)
    unsorted = scipy.sparse.csr_matrix(X[:, ::-1])[:, ::-1]
    for rows in (X, sparse, unsorted):
        found = train_machine(rows, positive, kernel, C=10.0, machine=machine)
        np.testing.assert_array_equal(found.core, expected.core)
        np.testing.assert_array_equal(found.coefficients, expected.coefficients)
    assert len(expected.core) > 21


@pytest.mark.parametrize("machine", MACHINES)
def test_few_rows_and_a_class_of_one_row_end(problem, machine):
    X, positive = problem
    rare = np.arange(300) == 7
    for rows, labels in [(X, rare), (X[:8], rare[:8]), (X[6:8], rare[6:8])]:
        found = train_machine(rows, labels, Kernel("rbf", 0.3), machine=machine)
        assert np.isfinite(found.squared_norm)
        assert not found.reached_limit
