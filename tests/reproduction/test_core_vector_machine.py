"""The core vector machine as a classifier."""

import numpy as np
import pytest
import scipy.sparse
from sklearn.exceptions import ConvergenceWarning

from beyond_accuracy_pipeline.reproduction.core_vector_machine import CoreVectorMachine
from beyond_accuracy_pipeline.reproduction.libcvm import core_set


@pytest.fixture(scope="module")
def cancer(cancer):
    return tuple(part[:200] for part in cancer)


@pytest.mark.parametrize("machine", ["cvm", "bvm"])
def test_random_state_is_the_seed_and_nothing_else_is_random(cancer, machine):
    X, y = cancer
    default, zero, none, other = (
        CoreVectorMachine(machine=machine, **given).fit(X, y).decision_function(X)
        for given in ({}, {"random_state": 0}, {"random_state": None}, {"random_state": 4})
    )
    np.testing.assert_array_equal(default, zero)
    np.testing.assert_array_equal(default, none)
    assert not np.array_equal(default, other)
    generator = np.random.RandomState(1)
    model = CoreVectorMachine(machine=machine, random_state=generator).fit(X, y)
    seed = np.random.RandomState(1).randint(2**31)
    same = CoreVectorMachine(machine=machine, random_state=seed).fit(X, y)
    np.testing.assert_array_equal(model.support_, same.support_)


@pytest.mark.parametrize("machine", ["cvm", "bvm"])
@pytest.mark.parametrize("labels", [(0, 1), (1, 0)])
def test_predicts_the_classes_it_was_given(cancer, machine, labels):
    X, y = cancer
    y = np.where(y == y[0], *labels)
    model = CoreVectorMachine(machine=machine).fit(X, y)
    assert model.score(X, y) > 0.95
    values = np.exp(-model.gamma_ * ((X[:, None] - model.support_vectors_) ** 2).sum(axis=2))
    expected = values @ model.dual_coef_[0] + model.intercept_[0]
    assert model.decision_function(X) == pytest.approx(expected)


def test_margins_are_1_as_in_the_l2_svm(cancer):
    """At the optimum, rows with weight have y·f(x) < 1, and rows without weight do not."""
    X, y = cancer
    model = CoreVectorMachine(epsilon=1e-7).fit(X, y)
    margins = model.decision_function(X) * np.where(y == model.classes_[1], 1.0, -1.0)
    used = np.isin(np.arange(len(y)), model.support_)
    assert margins[used].max() < 1 + 1e-2
    assert margins[~used].min() > 1 - 1e-2


def test_sparse_and_dense_rows_give_the_same_classifier(cancer):
    X, y = cancer
    X = np.where(abs(X) > 0.5, X, 0.0)
    dense = CoreVectorMachine(gamma=0.05).fit(X, y)
    sparse = CoreVectorMachine(gamma=0.05).fit(scipy.sparse.csr_matrix(X), y)
    np.testing.assert_array_equal(sparse.support_, dense.support_)
    expected = dense.decision_function(X)
    assert sparse.decision_function(X) == pytest.approx(expected)
    assert dense.decision_function(scipy.sparse.csr_matrix(X)) == pytest.approx(expected)


def test_a_core_set_that_is_too_small_is_reported(cancer, monkeypatch):
    monkeypatch.setattr(core_set, "_MOST_CORE_VECTORS", 25)
    with pytest.warns(ConvergenceWarning, match="stopped at 25 core vectors"):
        CoreVectorMachine().fit(*cancer)


@pytest.mark.parametrize(("name", "ddof", "factor"), [("libcvm", 1, 1.0), ("inverse_mean", 0, 0.5)])
def test_gamma_by_name_is_that_number(cancer, name, ddof, factor):
    X, y = cancer
    model = CoreVectorMachine(gamma=name).fit(X, y)
    assert model.gamma_ == pytest.approx(factor / X.var(axis=0, ddof=ddof).sum())
    same = CoreVectorMachine(gamma=model.gamma_).fit(X, y)
    np.testing.assert_array_equal(model.decision_function(X), same.decision_function(X))


def test_values_out_of_range_are_errors():
    X = np.random.default_rng(0).normal(size=(60, 3))
    y = X[:, 0] > 0
    with pytest.raises(ValueError, match="scale the features"), np.errstate(all="ignore"):
        CoreVectorMachine().fit(X * 1e160, y)
    with pytest.raises(ValueError, match="range of float32; scale"), np.errstate(all="ignore"):
        CoreVectorMachine(kernel="unnormalized_poly", gamma=1.0).fit(X * 1e30, y)
    classifier = CoreVectorMachine().fit(X, y)
    with pytest.raises(ValueError, match="scale the features"), np.errstate(all="ignore"):
        classifier.predict(np.sign(X) * 1.5e308)
