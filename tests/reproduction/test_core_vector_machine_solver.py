"""Core and ball vector machines: random numbers, kernels, and the solved problem."""

import ctypes
import platform

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist, pdist
from sklearn.svm import LinearSVC

from beyond_accuracy.solvers.data_matrix import squared_norms
from beyond_accuracy_pipeline.reproduction.libcvm import (
    KERNEL_NAMES,
    Kernel,
    core_set,
    inner_products,
    inverse_mean_squared_distance,
    libcvm_gamma,
    train_machine,
)
from beyond_accuracy_pipeline.reproduction.libcvm.random_numbers import RandomNumbers, next_number

MACHINES = ["cvm", "bvm"]


def _draw(numbers, count):
    return [next_number(numbers.words, numbers.count) for _ in range(count)]


def test_first_numbers_are_those_of_the_programs():
    bundled, gnu = RandomNumbers(0), RandomNumbers(0, "gnu")
    assert _draw(bundled, 4) == [826837439, 875085451, 912245678, 314319397]
    assert _draw(gnu, 4) == [1804289383, 846930886, 1681692777, 1714636915]
    assert bundled.n_drawn == 4


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="needs the GNU C library")
@given(st.integers(0, 2**32 - 1))
def test_gnu_numbers_are_those_of_the_c_library(seed):
    library = ctypes.CDLL(None)
    library.random.restype = ctypes.c_long
    library.srandom(ctypes.c_uint(seed))
    expected = [library.random() for _ in range(50)]
    assert _draw(RandomNumbers(seed, "gnu"), 50) == expected


def test_levels_of_epsilon():
    levels = core_set.epsilon_levels(1e-3)
    assert levels == [0.1, 0.05, 0.025, 0.0125, 0.00625, 0.003125, 0.0015625, 0.001]
    assert core_set.epsilon_levels(0.05) == [0.1, 0.05]
    assert core_set.epsilon_levels(0.3) == [0.3]


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


def test_inverse_mean_is_over_all_pairs():
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
    scores = _kernel_matrix(kernel, X, X[found.core]) @ found.coefficients + found.intercept
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
    numbers, radius = RandomNumbers(seed), Q[0, 0]
    classes = [np.flatnonzero(positive == positive[0]), np.flatnonzero(positive != positive[0])]
    # The centre is the weighted sum of the rows' points. `height` is its extra coordinate.
    alpha, height = np.eye(len(Q))[0], np.sqrt(radius)
    for level in core_set.epsilon_levels(epsilon):
        n_passes = 0
        while n_passes < 10:
            n_passes += 1
            draws = _draw(numbers, 60)
            rows = [
                classes[s >= 30][number % len(classes[s >= 30])] for s, number in enumerate(draws)
            ]
            distances = alpha @ Q @ alpha + radius - 2.0 * Q[rows] @ alpha + height**2
            if distances.max() > radius * (1 + level) ** 2:
                keep = np.sqrt(radius / distances.max())
                alpha, height = keep * alpha, keep * height
                alpha[rows[distances.argmax()]] += 1.0 - keep
                n_passes = 0
    return alpha, numbers.n_drawn


@pytest.mark.parametrize("seed", range(3))
def test_ball_vector_machine_is_the_plain_one(problem, seed):
    X, positive = problem
    kernel = Kernel("rbf", 0.3)
    found = train_machine(X, positive, kernel, machine="bvm", epsilon=3e-3, seed=seed)
    expected, n_drawn = _ball_vectors(_Q(X, positive, kernel, 1.0), positive, 3e-3, seed)
    assert found.level_draws[-1] == n_drawn
    assert _alpha(found, 300) == pytest.approx(expected / expected.sum(), abs=1e-6)


def test_first_core_vectors_alternate_between_the_classes(problem):
    X, positive = problem
    numbers, rows = RandomNumbers(3), []
    # The machine codes the first row's class as +1; draws begin with the other class.
    classes = np.flatnonzero(positive), np.flatnonzero(~positive)
    while len(rows) < 20:
        members = classes[len(rows) % 2]
        row = members[next_number(numbers.words, numbers.count) % len(members)]
        if row not in rows:
            rows.append(row)
    found = train_machine(X, positive, Kernel("rbf", 0.3), seed=3)
    np.testing.assert_array_equal(found.core[:20], rows)
    assert len(set(found.core)) == len(found.core)


@pytest.mark.parametrize("machine", MACHINES)
def test_seed_and_generator_decide_the_core_set(problem, machine):
    kernel = Kernel("rbf", 0.3)
    cores = [
        train_machine(
            *problem, kernel, seed=seed, generator=generator, machine=machine
        ).core.tolist()
        for seed, generator in [(1, "bundled"), (1, "bundled"), (2, "bundled"), (1, "gnu")]
    ]
    assert cores[0] == cores[1]
    assert cores[0] not in cores[2:]


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
def test_exchanged_classes_exchange_signs(problem, machine):
    X, positive = problem
    one, other = (
        train_machine(X, labels, Kernel("rbf", 0.3), machine=machine)
        for labels in (positive, ~positive)
    )
    np.testing.assert_array_equal(one.core, other.core)
    np.testing.assert_array_equal(one.coefficients, -other.coefficients)
    used = one.coefficients != 0
    np.testing.assert_array_equal(one.coefficients[used] > 0, positive[one.core[used]])


@pytest.mark.parametrize("machine", MACHINES)
def test_few_rows_and_a_class_of_one_row_end(problem, machine):
    X, positive = problem
    rare = np.arange(300) == 7
    for rows, labels in [(X, rare), (X[:8], rare[:8]), (X[6:8], rare[6:8])]:
        found = train_machine(rows, labels, Kernel("rbf", 0.3), machine=machine)
        assert np.isfinite(found.squared_norm)
        assert not found.reached_limit


@pytest.mark.parametrize("machine", MACHINES)
def test_a_full_core_set_ends_the_training(problem, machine):
    found = train_machine(*problem, Kernel("rbf", 0.3), max_core_vectors=25, machine=machine)
    assert len(found.core) == 25
    assert found.reached_limit
