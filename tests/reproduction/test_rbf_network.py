"""The RBF network: basis against SciPy's densities, regression against an optimizer."""

import numpy as np
import pytest
import scipy.sparse
from scipy.optimize import minimize
from scipy.stats import norm

from beyond_accuracy_pipeline.reproduction import RBFNetwork, rbf_network

MEANS = np.array([[0, 0, 1], [6, 6, 1], [0, 3, 1], [6, 3, 1]])
SIZES = (40, 60, 30, 70)


@pytest.fixture(scope="module")
def four_groups():
    rng = np.random.default_rng(0)
    parts = [rng.normal(m, [1.2, 1.2, 0.05], (n, 3)) for m, n in zip(MEANS, SIZES, strict=True)]
    X = np.vstack(parts) * [1.0, 10.0, 100.0]
    return X, np.repeat(["left", "right"], [100, 100])


def test_basis_and_regression_are_those_of_the_definition(four_groups, monkeypatch):
    X, y = four_groups
    for name, value in {"_MIN_STD": 0.45, "_RIDGE": 0.1}.items():
        monkeypatch.setattr(rbf_network, name, value)
    # With this seed, k-means finds the four groups.
    model = RBFNetwork(random_state=1).fit(X, y)
    Z = (X - X.mean(axis=0)) / X.std(axis=0, ddof=1)
    groups = np.repeat(np.arange(4), SIZES)
    densities = []
    for g in range(4):
        group, own_class = Z[groups == g], Z[:100] if g < 2 else Z[100:]
        width = group.std(axis=0)
        # Narrow attributes take the standard deviation of the class.
        width = np.where(width <= 0.45, own_class.std(axis=0, ddof=1), width)
        width = np.maximum(width, 0.45)
        nearest = np.argmin(abs(model.centers_ - X[groups == g].mean(axis=0)).sum(axis=1))
        assert model.centers_[nearest] == pytest.approx(X[groups == g].mean(axis=0))
        assert model.widths_[nearest] == pytest.approx(width * X.std(axis=0, ddof=1))
        weight = 0.5 * (SIZES[g] + 1) / 102
        densities.append(weight * norm.pdf(Z, group.mean(axis=0), width).prod(axis=1))
    basis = np.array(densities).T / np.sum(densities, axis=0)[:, None]
    scaled = (basis - basis.mean(axis=0)) / basis.std(axis=0, ddof=1)
    signs = np.where(y == "right", 1.0, -1.0)

    def objective(parameters):
        scores = scaled @ parameters[:4] + parameters[4]
        return np.logaddexp(0, -signs * scores).sum() + 0.1 * (parameters[:4] ** 2).sum()

    best = minimize(objective, np.zeros(5), method="BFGS", options={"gtol": 1e-7}).x
    expected = scaled @ best[:4] + best[4]
    assert model.decision_function(X) == pytest.approx(expected, abs=1e-3)
    probability = model.predict_proba(X)[:, 1]
    assert probability == pytest.approx(1 / (1 + np.exp(-expected)), abs=1e-4)


def test_sparse_rows_give_the_same_network(four_groups):
    X, y = four_groups
    X = np.where(abs(X) > 1.5, X, 0.0)
    dense = RBFNetwork(random_state=1).fit(X, y)
    sparse = RBFNetwork(random_state=1).fit(scipy.sparse.csr_matrix(X), y)
    expected = dense.predict_proba(X)
    assert sparse.predict_proba(scipy.sparse.csr_matrix(X)) == pytest.approx(expected, abs=1e-4)


def test_constant_attributes_and_single_cases_do_no_harm():
    X = np.array([[0.0, 5.0], [0.1, 5.0], [0.2, 5.0], [9.0, 5.0]])
    model = RBFNetwork().fit(X, [0, 0, 0, 1])
    assert np.isfinite(model.widths_).all()
    np.testing.assert_array_equal(model.predict(X), [0, 0, 0, 1])


def test_several_classes(four_groups):
    X, _ = four_groups
    groups = np.repeat(np.arange(4), SIZES)
    model = RBFNetwork().fit(X, groups)
    assert model.decision_function(X).shape == (200, 4)
    assert model.predict_proba(X).sum(axis=1) == pytest.approx(np.ones(200))
    assert (model.predict(X) == groups).mean() > 0.8
