"""Paths of fits against single fits, for every estimator with a path."""

import numpy as np
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.tree import DecisionTreeClassifier

from beyond_accuracy.estimators import (
    CAPOClassifier,
    CostModelSVC,
    CostSensitiveSVC,
    MultivariateSVC,
    TargetCostSVC,
)
from beyond_accuracy_pipeline.reproduction import KernelCostModelSVC

EXACT = {"tol": 1e-7, "max_iter": 10**5}
TREE = DecisionTreeClassifier(max_depth=2, random_state=0)
STUMP = DecisionTreeClassifier(max_depth=1, random_state=0)
COSTS = [{"C": 1.0, "cost_positive": 3.0}, {"C": 0.01, "cost_positive": 0.5}, {"C": 0.1}]
TARGETS = [{"t": t, "C": C, "mu": mu} for mu in (0.1, 0.5) for t in (0.9, 0.2) for C in (1.0, 0.01)]
FAMILY = {
    "linear": (MultivariateSVC("f1", **EXACT), [{"C": 1.0}, {"C": 0.1}, {"C": 10.0}]),
    "of an example": (
        MultivariateSVC("accuracy", C_convention="liblinear", **EXACT),
        [{"C": 1.0}, {"C": 0.01}],
    ),
    "kernel": (
        MultivariateSVC("prbep", kernel="rbf", trace_tol=1e-6, **EXACT),
        [{"C": C, "gamma": gamma} for C in (5.0, 0.5) for gamma in (0.3, 0.05)],
    ),
    "capo": (
        CAPOClassifier([TREE, STUMP], "f1", **EXACT),
        [{"C": C, "B": B} for B in (4.0, 0.5) for C in (1.0, 0.05)],
    ),
    "forms of capo": (
        CAPOClassifier([TREE], "roc_area", B=2.0, **EXACT),
        [{"C": C, "form": form} for C in (1.0, 0.05) for form in ("fixed", "single")],
    ),
    "ensemble": (
        CAPOClassifier([TREE, STUMP], "f1", delta_features="drop", **EXACT),
        [{"C": 1.0}, {"C": 0.05}],
    ),
    "costs": (CostSensitiveSVC(**EXACT), COSTS),
    **{
        algorithm: (TargetCostSVC(algorithm=algorithm, **EXACT), TARGETS)
        for algorithm in ("bundle", "coordinate_descent", "interior_point")
    },
    "cost model": (CostModelSVC(**EXACT), [{"C": C, "j": j} for j in (4, 1) for C in (1.0, 0.01)]),
    "kernel cost model": (
        KernelCostModelSVC(tol=1e-7),
        [{"C": C, "j": j, "gamma": 0.3} for j in (4, 1) for C in (1.0, 0.1)] + [{"gamma": 0.1}],
    ),
}


@pytest.mark.parametrize("kind", [np.asarray, scipy.sparse.csr_matrix])
@pytest.mark.parametrize("name", FAMILY)
def test_a_path_decides_as_single_fits_do(imbalanced, name, kind):
    model, candidates = FAMILY[name]
    X, y = imbalanced
    X, X_new, y = kind(X[:300]), kind(X[400:]), y[:300]
    fits = list(model.fit_path(X, y, X_new, candidates))
    assert sorted(index for index, _, _ in fits) == list(range(len(candidates)))
    for index, fitted, decisions in fits:
        single = clone(model).set_params(**candidates[index]).fit(X, y)
        assert fitted.get_params() == model.get_params() | candidates[index]
        for attribute in ("objective_", "degenerate_"):
            if hasattr(single, attribute):
                expected = pytest.approx(getattr(single, attribute), rel=1e-6)
                assert getattr(fitted, attribute) == expected
        assert decisions == pytest.approx(single.decision_function(X_new), abs=0.01)
        assert fitted.decision_function(X_new) == pytest.approx(decisions, abs=1e-9)
    with pytest.raises(NotFittedError):
        model.predict(X)


def test_a_path_warns_of_each_candidate_that_did_not_converge(imbalanced):
    X, y = imbalanced
    model = TargetCostSVC(algorithm="bundle", tol=1e-9, max_iter=1)
    with pytest.warns(ConvergenceWarning) as caught:
        list(model.fit_path(X, y, X, [{"C": 1.0}, {"C": 2.0}]))
    assert len(caught) == 2


def test_candidates_are_validated_as_parameters_are(imbalanced):
    X, y = imbalanced
    with pytest.raises(ValueError, match="'C' parameter of MultivariateSVC"):
        list(MultivariateSVC().fit_path(X, y, X, [{"C": 1.0}, {"C": -1.0}]))
    with pytest.raises(ValueError, match="Invalid parameter 'B'"):
        list(MultivariateSVC().fit_path(X, y, X, [{"B": 1.0}]))
