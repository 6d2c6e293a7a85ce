"""METRO: the reduction to costs, the best ratio by enumeration, and another solver."""

import itertools
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

from beyond_accuracy.estimators import MetroClassifier
from beyond_accuracy.measures import contingency, get_measure
from beyond_accuracy.measures.linear_ratio import error_costs


def _unequal_errors(tp, fp, fn, tn):
    return (tp + 0.1 * tn) / (tp + 0.1 * tn + 0.3 * fp + 2 * fn)


FUNCTIONS = {
    "f1": contingency.f_beta,
    "f2": partial(contingency.f_beta, beta=2.0),
    "jaccard": contingency.jaccard,
    "balanced_accuracy": contingency.balanced_accuracy,
    _unequal_errors: _unequal_errors,
}


@given(
    measure=st.sampled_from(list(FUNCTIONS)),
    counts=st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=5),
)
def test_the_best_ratio_is_the_one_of_all_labellings_and_a_fixed_point(measure, counts):
    # With an indicator per group, a regression can give every labelling of the groups.
    positives, negatives = np.array([*counts, (1, 0), (0, 1)]).T
    groups = np.arange(len(positives))
    X = np.eye(len(groups))[np.concatenate([groups.repeat(positives), groups.repeat(negatives)])]
    y = np.arange(len(X)) < positives.sum()
    labellings = np.array(list(itertools.product([0, 1], repeat=len(groups))))
    tp, fp = labellings @ positives, labellings @ negatives
    best = np.max(FUNCTIONS[measure](tp, fp, positives.sum() - tp, negatives.sum() - fp))
    everything = np.arange(len(X))
    cv = [(everything, everything)]
    model = MetroClassifier(measure, C=1e6, n_steps=20, cv=cv, tol=1e-9).fit(X, y)
    reached = get_measure(measure).score(y, model.decision_function(X))
    assert reached == pytest.approx(best, abs=1e-12)
    assert model.validation_scores_.max() == pytest.approx(best, abs=1e-12)
    if measure != "balanced_accuracy":
        assert model.ratio_ == pytest.approx(best, abs=1e-5)


@pytest.mark.parametrize(
    ("name", "missed", "false_alarm"),
    [
        ("f2", 5 - 0.3, 0.3),
        ("jaccard", 1, 0.3),
        ("precision", 1 - 0.3, 0.3),
        ("accuracy", 1, 1),
        ("balanced_accuracy", 1 / 20, 1 / 70),
    ],
)
def test_costs_are_those_of_the_formulas(name, missed, false_alarm):
    _, costs = error_costs(name, 20, 70)
    mean = (missed + false_alarm) / 2
    np.testing.assert_allclose(costs(0.3)[:, 0], [missed / mean, false_alarm / mean], rtol=1e-9)


def test_the_final_fit_is_scikit_learns_with_class_weights(imbalanced):
    X, y = imbalanced
    model = MetroClassifier("f1", C=[0.01, 0.3], tol=1e-9).fit(X, y)
    weights = dict(zip(model.classes_, [model.ratio_, 2 - model.ratio_], strict=True))
    other = LogisticRegression(C=model.C_, class_weight=weights, tol=1e-9, max_iter=10_000)
    np.testing.assert_allclose(model.coef_, other.fit(X, y).coef_, atol=1e-5)
    np.testing.assert_allclose(model.intercept_, other.intercept_, atol=1e-5)


@pytest.mark.parametrize(
    ("measure", "message"),
    [
        ("geometric_mean", "not a ratio of two linear"),
        ("roc_area", "not a ratio of two linear"),
        ("f1_score", "did you mean 'f1'"),
        (lambda tp, fp, fn, tn: np.ones_like(tp), "not a ratio of two linear"),
        (lambda tp, fp, fn, tn: np.where(tp > fn, 1.0, 0.0), "not a ratio of two linear"),
        ("recall", "rises with fewer errors of each kind"),
        (
            lambda tp, fp, fn, tn: (fp + fn) / (tp + fp + fn + tn),
            "rises with fewer errors of each kind",
        ),
    ],
)
def test_measures_that_imply_no_costs_are_refused(imbalanced, measure, message):
    with pytest.raises(ValueError, match=message):
        MetroClassifier(measure).fit(*imbalanced)
