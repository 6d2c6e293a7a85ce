"""Errors of every reweighter name the invalid input."""

import warnings

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from beyond_accuracy.reweighting import (
    BoundaryMatrixReweighter,
    CoordinateDescentReweighter,
    ExactThreeClassReweighter,
    FractionalReweighter,
    GeneticReweighter,
    InvalidCostMatrixError,
    InvalidLabelsError,
    InvalidScoresError,
    MetaClassReweighter,
    SequentialReweighter,
)
from beyond_accuracy_pipeline.reproduction import LinearProgramReweighter

METHODS = [
    BoundaryMatrixReweighter(),
    CoordinateDescentReweighter(),
    ExactThreeClassReweighter(),
    FractionalReweighter(random_state=0),
    GeneticReweighter(random_state=0),
    LinearProgramReweighter(),
    MetaClassReweighter(),
    SequentialReweighter(),
]
every_method = pytest.mark.parametrize("method", METHODS, ids=lambda method: type(method).__name__)


def changed(array, index, value):
    array = np.array(array, dtype=float)
    array[index] = value
    return array


@every_method
def test_what_is_wrong_is_named(problem, method):
    scores, y, costs = problem(12, 3)
    given = {"scores": scores, "y": y, "cost_matrix": costs}
    for wrong, error, message in (
        ({"scores": changed(scores, (4, 1), np.nan)}, InvalidScoresError, r"\[4, 1\] is nan"),
        ({"scores": changed(scores, (4, 1), np.inf)}, InvalidScoresError, r"\[4, 1\] is inf"),
        ({"scores": changed(scores, (4, 1), -0.1)}, InvalidScoresError, r"scores\[4, 1\] is -0.1"),
        ({"scores": changed(scores, 5, 0.0)}, InvalidScoresError, "row 5 .* holds only zeros"),
        ({"scores": scores[:, 0]}, InvalidScoresError, "shape"),
        ({"scores": scores[:, :1]}, InvalidScoresError, "one class there is nothing to reweight"),
        ({"scores": scores[:0]}, InvalidScoresError, "no row"),
        ({"y": changed(y, 2, 3)}, InvalidLabelsError, "holds class 3"),
        ({"y": changed(y, 2, -1)}, InvalidLabelsError, "holds class -1"),
        ({"y": changed(y, 2, 0.5)}, InvalidLabelsError, "class indices"),
        ({"y": y.astype(str)}, InvalidLabelsError, "class indices"),
        ({"y": y[:-1]}, InvalidLabelsError, "must have shape"),
        ({"cost_matrix": changed(costs, (0, 1), -1)}, InvalidCostMatrixError, r"\[0, 1\] is -1"),
        ({"cost_matrix": changed(costs, (0, 1), np.nan)}, InvalidCostMatrixError, "is nan"),
        ({"cost_matrix": costs[:2]}, InvalidCostMatrixError, "must be square"),
        ({"cost_matrix": costs[0]}, InvalidCostMatrixError, "must be square"),
        ({"cost_matrix": [["a", "b", "c"]] * 3}, InvalidCostMatrixError, r"numbers.*\[\['a', 'b'"),
        ({"cost_matrix": [[0, 1, 2], [1, 0]]}, InvalidCostMatrixError, "rows of equal length"),
        ({"cost_matrix": np.ones((4, 4))}, InvalidCostMatrixError, "4 classes, the scores for 3"),
    ):
        takes_it = isinstance(method, CoordinateDescentReweighter) and "cost_matrix" in wrong
        if takes_it and message.endswith("-1"):
            continue
        with pytest.raises(error, match=message):
            method.fit(**{**given, **wrong})


@every_method
def test_scores_that_do_not_sum_to_one_are_accepted_and_said(problem, method):
    scores, y, costs = problem(12, 3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        expected = method.fit(scores, y, costs).predict(scores)
    factors = np.random.default_rng(0).integers(1, 9, size=(12, 1)) / 2.0
    with pytest.warns(UserWarning, match="the rows of the scores sum to .*, not to 1"):
        found = method.fit(scores * factors, y, costs).predict(scores)
    np.testing.assert_array_equal(found, expected)


@every_method
def test_bad_prediction(problem, method):
    scores, y, _ = problem(12, 3)
    with pytest.raises(NotFittedError):
        type(method)().predict(scores)
    method.fit(scores, y)
    with pytest.raises(InvalidScoresError, match="2 columns, but the reweighter was fitted to 3"):
        method.predict(scores[:, :2])
    assert method.predict(scores.tolist()).shape == (12,)


@pytest.mark.parametrize(
    ("method", "name", "value"),
    [
        (GeneticReweighter, "population_size", 2),
        (GeneticReweighter, "n_elites", 20),
        (GeneticReweighter, "crossover_fraction", 1.5),
        (BoundaryMatrixReweighter, "max_rounds", 0),
    ],
)
def test_bad_parameters(problem, method, name, value):
    with pytest.raises(ValueError, match=name):
        method(**{name: value}).fit(*problem(12, 3))
