"""Kernel SVM with a cost model against LIBSVM on repeated rows, and along a path."""

import numpy as np
import pytest
import scipy.sparse
from sklearn.datasets import make_moons
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC

from beyond_accuracy.estimators.kernels import Kernel
from beyond_accuracy_pipeline.reproduction import KernelCostModelSVC, kernel_cost_model_svc
from beyond_accuracy_pipeline.reproduction.kernel_cost_model_svc import SharedKernelValues


@pytest.fixture(scope="module")
def moons():
    X, y = make_moons(120, noise=0.3, random_state=0)
    return X, np.where(y == 1, "up", "down")


def test_positives_weigh_j_times_as_much(moons):
    X, y = moons
    repeated = np.concatenate([np.arange(len(y)), np.flatnonzero(y == "up")])
    weighted = KernelCostModelSVC(2.0, 2.0, gamma=1.5, tol=1e-8).fit(X, y)
    plain = SVC(C=2.0, gamma=1.5, tol=1e-8).fit(X[repeated], y[repeated])
    assert weighted.decision_function(X) == pytest.approx(plain.decision_function(X), abs=1e-5)
    assert (weighted.predict(X) == np.where(weighted.decision_function(X) > 0, "up", "down")).all()
    assert weighted.kernel_error_ == 0.0


def test_bad_parameters_and_early_stops_are_named(moons):
    X, y = moons
    with pytest.raises(ValueError, match="'j' parameter"):
        KernelCostModelSVC(j=0).fit(X, y)
    with pytest.raises(ValueError, match="Only binary classification"):
        KernelCostModelSVC().fit(X, np.arange(len(X)) % 3)
    with pytest.warns(ConvergenceWarning):
        KernelCostModelSVC(C=100.0, max_iter=2).fit(X, y)


@pytest.mark.parametrize("kind", [np.asarray, scipy.sparse.csr_matrix])
def test_machines_share_kernel_values_of_new_rows(monkeypatch, kind):
    """Compare with sums over all pairs, in blocks of three kernel columns."""
    rng = np.random.default_rng(0)
    X, new = rng.standard_normal((40, 3)), rng.standard_normal((7, 3))
    monkeypatch.setattr(kernel_cost_model_svc, "_VALUES_AT_ONCE", 3 * len(new))
    shared = SharedKernelValues(Kernel("rbf", 0.4), kind(new), len(X))
    K = np.exp(-0.4 * ((X[:, None] - new) ** 2).sum(axis=2))
    for size in (10, 5, 0, 40):
        support = np.sort(rng.choice(len(X), size, replace=False))
        coefficients = rng.standard_normal(size)
        decisions = shared.decisions(coefficients, support, kind(X)[support])
        assert decisions == pytest.approx(coefficients @ K[support], abs=1e-12)


@pytest.mark.parametrize("kind", [np.asarray, scipy.sparse.csr_matrix])
def test_widths_share_distances_to_the_last_bit(moons, kind):
    X, y = moons
    X, candidates = kind(X), [{"gamma": 0.5, "C": 3.0}, {"gamma": 2.0}, {"gamma": 0.1}]
    for index, model, _ in KernelCostModelSVC().fit_path(X, y, X, candidates):
        alone = KernelCostModelSVC(**candidates[index]).fit(X, y)
        assert vars(model).keys() == vars(alone).keys()
        for name in ("support_", "dual_coef_", "intercept_"):
            assert (getattr(model, name) == getattr(alone, name)).all()


def test_the_kernel_matrix_changes_nothing_but_the_time(imbalanced):
    X, y = imbalanced
    kept = KernelCostModelSVC(gamma=0.3, tol=1e-7).fit(X, y)
    recomputed = KernelCostModelSVC(gamma=0.3, tol=1e-7, cache_size=1).fit(X, y)
    assert kept.support_.tolist() == recomputed.support_.tolist()
    assert kept.decision_function(X) == pytest.approx(recomputed.decision_function(X), abs=1e-5)
