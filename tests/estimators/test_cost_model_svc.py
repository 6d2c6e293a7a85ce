"""Linear SVM with a cost model against LIBSVM, which does not penalize the intercept either."""

import warnings

import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC

from beyond_accuracy.estimators import CostModelSVC


@pytest.mark.parametrize("j", [1.0, 7.0])
def test_equals_libsvm(cancer, j):
    X, y = cancer
    model = CostModelSVC(0.3, j, tol=1e-8).fit(X, y)
    libsvm = SVC(kernel="linear", C=0.3, class_weight={"malignant": j}, tol=1e-8).fit(X, y)
    assert model.decision_function(X) == pytest.approx(libsvm.decision_function(X), abs=1e-3)
    assert model.dual_gap_ <= 1e-8


def test_j_shifts_towards_recall_and_a_stop_is_reported(cancer):
    X, y = cancer
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        light = CostModelSVC(0.001, 1.0, pos_label="malignant").fit(X, y).predict(X)
        heavy = CostModelSVC(0.001, 20.0, pos_label="malignant").fit(X, y).predict(X)
    assert (heavy == "malignant").sum() > (light == "malignant").sum()
    with pytest.warns(
        ConvergenceWarning, match=r"stopped after 3 iterations .* more than tol=0\.001 allows"
    ):
        assert CostModelSVC(10.0, max_iter=3).fit(X, y).dual_gap_ > 1e-3


def test_without_intercept(cancer):
    X, y = cancer
    model = CostModelSVC(1.0, fit_intercept=False).fit(X, y)
    assert model.intercept_[0] == 0.0
