"""Measures of multi-class decisions against scikit-learn."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics

from beyond_accuracy.measures.multiclass import MULTICLASS_MEASURES

SCIKIT_LEARN = {
    "error_rate": metrics.zero_one_loss,
    "error_rate_out_of_fold": metrics.zero_one_loss,
    "balanced_error_rate": lambda *labels: 1 - metrics.balanced_accuracy_score(*labels),
    "macro_f1_loss": lambda *labels: 1 - metrics.f1_score(*labels, average="macro"),
}


@given(st.integers(1, 30), st.integers(2, 6), st.integers(0, 10**6))
@settings(max_examples=100)
def test_equal_to_scikit_learn(n, m, seed):
    """Some classes may not occur, may never be predicted, or both."""
    y_true, y_pred = np.random.default_rng(seed).integers(0, m, (2, n)).astype(np.int16)
    costs = 1.0 - np.eye(m)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="y_pred contains classes not in y_true")
        warnings.filterwarnings("ignore", message="A single label was found")
        for name, function in SCIKIT_LEARN.items():
            value = MULTICLASS_MEASURES[name].score(y_true, y_pred, costs)
            assert value == pytest.approx(function(y_true, y_pred), abs=1e-12)


def test_average_cost_is_the_confusion_matrix_times_the_costs():
    rng = np.random.default_rng(0)
    y_true, y_pred = rng.integers(0, 4, (2, 200))
    costs = rng.integers(1, 10, (4, 4)) * (1.0 - np.eye(4))
    expected = (metrics.confusion_matrix(y_true, y_pred) * costs).sum() / 200
    measure = MULTICLASS_MEASURES["average_cost"]
    assert measure.under_costs
    assert measure.score(y_true, y_pred, costs) == pytest.approx(expected)
