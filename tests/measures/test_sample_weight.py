"""The table of sample weight support against the code, and why some measures have none."""

import re

import numpy as np
import pytest
from sklearn.utils.validation import has_fit_parameter

import beyond_accuracy.measures
from beyond_accuracy import (
    CAPOClassifier,
    MetroClassifier,
    MultivariateSVC,
    MultivariateSVCCV,
)
from beyond_accuracy.measures import MEASURE_NAMES, get_measure

ANY_OTHER = "any other `table_measure`"
VALUES = {"beta": "2", "k": "2", "p": "0.5", "r": "0.5", "a": "0.1", "b": "0.6"}


def rows():
    """Yield name, whether scoring takes weights, and whether training does, from the table."""
    for line in beyond_accuracy.measures.__doc__.splitlines():
        match = re.match(r"(\S.*?)\s{2,}(yes|no)\s+(yes|no)\s{2,}\S", line)
        names = match[1].split(", ") if match else []
        if ANY_OTHER in names:
            continue
        for name in names:
            yield (
                re.sub(r"<(\w+)>", lambda m: VALUES[m[1]], name),
                match[2] == "yes",
                match[3] == "yes",
            )


def test_the_table_names_every_measure_or_its_family():
    names = [name for name, _, _ in rows()]
    assert len(names) == len(set(names))
    assert ANY_OTHER in beyond_accuracy.measures.__doc__
    for name in set(MEASURE_NAMES) - set(names):
        assert get_measure(name).table_function is not None


@pytest.mark.parametrize(("name", "scores", "trains"), list(rows()))
def test_the_table_is_right(name, scores, trains):
    measure = get_measure(name)
    assert (measure.loss is not None) == trains
    rng = np.random.default_rng(0)
    y, decision, weight = rng.random(30) < 0.4, rng.normal(size=30), rng.integers(1, 4, 30)
    weighted = measure.score(y, decision, sample_weight=weight)
    repeated = measure.score(np.repeat(y, weight), np.repeat(decision, weight))
    assert (weighted == pytest.approx(repeated)) == scores
    assert weighted != pytest.approx(measure.score(y, decision))


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
    with pytest.raises(TypeError, match=f"^{name}.fit takes X and y, and no sample_weight"):
        estimator.fit([[0.0], [1.0]], [0, 1], sample_weight=[1.0, 1.0])
