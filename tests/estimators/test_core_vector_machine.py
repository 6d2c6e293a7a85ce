"""The core vector machine as a classifier: against LIBLINEAR's exact squared hinge."""

import numpy as np
import pytest
import scipy.sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC

from beyond_accuracy.estimators.reproduction.core_vector_machine import CoreVectorMachine
from beyond_accuracy.experiments.memory import ResultMemory


@pytest.fixture(scope="module")
def cancer(cancer):
    return tuple(part[:200] for part in cancer)


def _exact(K, y, C):
    """Decision values of the L2-SVM with C/2 on explicit features of the kernel matrix."""
    eigenvalues, basis = np.linalg.eigh(K)
    features = basis * np.sqrt(np.maximum(eigenvalues, 0.0))
    svc = LinearSVC(C=C / 2, loss="squared_hinge", dual=False, tol=1e-10, max_iter=10_000)
    return svc.fit(features, y).decision_function(features)


@pytest.mark.parametrize("C", [0.5, 10.0])
@pytest.mark.parametrize("kernel", ["rbf", "laplacian", "poly"])
def test_with_small_epsilon_it_is_the_exact_l2_svm_with_half_its_C(cancer, kernel, C):
    X, y = cancer
    model = CoreVectorMachine(C, kernel=kernel, degree=2, coef0=1.0, epsilon=1e-9).fit(X, y)
    squares = (X**2).sum(axis=1)
    D = model.gamma_ * np.maximum(squares[:, None] + squares - 2 * X @ X.T, 0.0)
    np.fill_diagonal(D, 0.0)
    p = model.gamma_ * X @ X.T + 1.0
    kernels = {
        "rbf": np.exp(-D),
        "laplacian": np.exp(-np.sqrt(D)),
        "poly": (p / np.sqrt(np.outer(np.diag(p), np.diag(p)))) ** 2,
    }
    expected = _exact(kernels[kernel], y, C)
    assert model.decision_function(X) == pytest.approx(expected, abs=2e-3)
    assert model.dual_gap_ < 1e-4


def test_the_seed_chooses_the_samples_and_nothing_else_is_random(cancer):
    X, y = cancer
    first, again, other = (
        CoreVectorMachine(random_state=seed, sample_size=10).fit(X, y).decision_function(X)
        for seed in (3, 3, 4)
    )
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


def test_sparse_dense_and_shifted_rows_give_the_same_classifier(cancer):
    X, y = cancer
    X = np.where(abs(X) > 0.5, X, 0.0)
    dense = CoreVectorMachine(epsilon=1e-8).fit(X, y)
    sparse = CoreVectorMachine(epsilon=1e-8).fit(scipy.sparse.csr_matrix(X), y)
    shifted = CoreVectorMachine(epsilon=1e-8).fit(X + 1e6, y)
    expected = dense.decision_function(X)
    assert sparse.decision_function(X) == pytest.approx(expected, abs=1e-3)
    assert dense.decision_function(scipy.sparse.csr_matrix(X)) == pytest.approx(expected)
    assert shifted.decision_function(X + 1e6) == pytest.approx(expected, abs=1e-3)


def test_a_core_set_that_is_too_small_is_reported(cancer):
    with pytest.warns(ConvergenceWarning, match="stopped at max_core_vectors=4"):
        CoreVectorMachine(max_core_vectors=4).fit(*cancer)


def test_gamma_by_name_is_that_number(cancer):
    X, y = cancer
    model = CoreVectorMachine(gamma="libcvm").fit(X, y)
    assert model.gamma_ == pytest.approx(1.0 / X.var(axis=0, ddof=1).sum())
    same = CoreVectorMachine(gamma=model.gamma_).fit(X, y)
    np.testing.assert_array_equal(model.decision_function(X), same.decision_function(X))


@pytest.mark.parametrize("convert", [np.asarray, scipy.sparse.csr_matrix])
@pytest.mark.parametrize("kernel", ["rbf", "poly"])
def test_fits_to_the_same_rows_share_their_products(cancer, kernel, convert):
    X, y = cancer
    X, new = convert(X[:150]), convert(X[150:])
    memory = ResultMemory()
    for gamma in (0.01, 0.1):
        plain, shared = (
            CoreVectorMachine(kernel=kernel, gamma=gamma, memory=given).fit(X, y[:150])
            for given in (None, memory)
        )
        np.testing.assert_array_equal(shared.support_, plain.support_)
        for rows in (X, new, X.toarray()[:31] if scipy.sparse.issparse(X) else X[:31]):
            expected = plain.decision_function(rows)
            assert shared.decision_function(rows) == pytest.approx(expected, rel=1e-10)


def test_features_beyond_the_range_of_their_squares_are_an_error():
    X = np.random.default_rng(0).normal(size=(60, 3))
    y = X[:, 0] > 0
    with pytest.raises(ValueError, match="scale the features"), np.errstate(all="ignore"):
        CoreVectorMachine().fit(X * 1e160, y)
    classifier = CoreVectorMachine().fit(X, y)
    with pytest.raises(ValueError, match="scale the features"), np.errstate(all="ignore"):
        classifier.predict(np.sign(X) * 1.5e308)
