"""Sample weights of any size in measures, and estimators that take none."""

import numpy as np
import pytest
from sklearn.utils.validation import has_fit_parameter

from beyond_accuracy import (
    CAPOClassifier,
    MetroClassifier,
    MultivariateSVC,
    MultivariateSVCCV,
)
from beyond_accuracy.measures import MEASURE_NAMES, get_measure

NAMES = (
    *(*MEASURE_NAMES, "f2", "precision_at_2", "recall_at_2", "recall_at_precision_0.5"),
    *("precision_at_recall_0.5", "partial_roc_area_0.1_0.6"),
)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("exponent", [-1074, -550, 512, 1020])
@pytest.mark.parametrize("name", NAMES)
def test_a_factor_of_all_weights_changes_nothing_or_is_refused(name, exponent):
    """Sums of such weights, or products of two, leave the range of float64."""
    measure = get_measure(name)
    rng = np.random.default_rng(0)
    y, decision, weight = rng.random(30) < 0.4, rng.normal(size=30), rng.integers(1, 4, 30)
    scaled = np.ldexp(weight.astype(float), exponent)
    if measure.scale_free:
        assert measure.score(y, decision, scaled) == measure.score(y, decision, weight)
    elif exponent == 1020:
        with pytest.raises(ValueError, match="sum of sample_weight exceeds"):
            measure.score(y, decision, scaled)
    assert measure.scale_free == (name not in ("precision_at_2", "recall_at_2"))


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        ([1.0, -1.0, 1.0], "holds -1; every weight must be finite and at least 0"),
        ([1.0, 1.0, np.nan], "holds nan; "),
        ([1.0, np.inf, 1.0], "holds inf; "),
        ([1.0, 1.0], r"the shape \(3,\), found \(2,\)"),
    ],
)
def test_weights_that_are_none_are_named(weight, message):
    with pytest.raises(ValueError, match=f"sample_weight .*{message}"):
        get_measure("f1").score([1, -1, 1], [0.5, 0.1, -0.3], weight)


@pytest.mark.parametrize(
    "estimator",
    [
        MultivariateSVC(),
        MultivariateSVCCV(),
        CAPOClassifier(),
        MetroClassifier(),
    ],
)
def test_where_none_are_taken_the_error_names_the_estimator(estimator):
    assert not has_fit_parameter(estimator, "sample_weight")
    name = type(estimator).__name__
    with pytest.raises(TypeError, match=f"{name}.fit.* unexpected keyword .*'sample_weight'"):
        estimator.fit([[0.0], [1.0]], [0, 1], sample_weight=[1.0, 1.0])
