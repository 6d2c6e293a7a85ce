"""Every reweighter names what is wrong with its input."""

import warnings

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from beyond_accuracy.reweighting import (
    BoundaryMatrixReweighter,
    ExactThreeClassReweighter,
    FractionalReweighter,
    GeneticReweighter,
    InvalidCostMatrixError,
    InvalidLabelsError,
    InvalidScoresError,
    LinearProgramReweighter,
    MetaClassReweighter,
    MixedIntegerReweighter,
    SequentialReweighter,
)

METHODS = [
    BoundaryMatrixReweighter(),
    ExactThreeClassReweighter(),
    FractionalReweighter(random_state=0),
    GeneticReweighter(random_state=0),
    LinearProgramReweighter(),
    MetaClassReweighter(),
    MixedIntegerReweighter(),
    SequentialReweighter(),
]
every_method = pytest.mark.parametrize("method", METHODS, ids=lambda method: type(method).__name__)


def changed(array, index, value):
    array = np.array(array, dtype=float)
    array[index] = value
    return array


@every_method
def test_bad_scores(problem, method):
    scores, y, _ = problem(12, 3)
    for wrong, message in (
        (changed(scores, (4, 1), np.nan), r"scores\[4, 1\] is nan"),
        (changed(scores, (4, 1), np.inf), r"scores\[4, 1\] is inf"),
        (changed(scores, (4, 1), -0.1), r"scores\[4, 1\] is -0.1"),
        (changed(scores, 5, 0.0), "row 5 of the scores holds only zeros"),
        (scores[:, 0], "shape"),
        (scores[:, :1], "one class there is nothing to reweight"),
        (scores[:0], "no row"),
    ):
        with pytest.raises(InvalidScoresError, match=message):
            method.fit(wrong, y[: len(wrong)])


@every_method
def test_bad_labels(problem, method):
    scores, y, _ = problem(12, 3)
    for wrong, message in (
        (changed(y, 2, 3), "holds class 3"),
        (changed(y, 2, -1), "holds class -1"),
        (changed(y, 2, 0.5), "class indices"),
        (y.astype(str), "class indices"),
        (y[:-1], "must have shape"),
    ):
        with pytest.raises(InvalidLabelsError, match=message):
            method.fit(scores, wrong)


@every_method
def test_bad_cost_matrices(problem, method):
    scores, y, costs = problem(12, 3)
    for wrong, message in (
        (changed(costs, (0, 1), -1), r"cost_matrix\[0, 1\] is -1"),
        (changed(costs, (0, 1), np.nan), r"cost_matrix\[0, 1\] is nan"),
        (costs[:2], "must be square"),
        (costs[0], "must be square"),
        ([["a", "b", "c"]] * 3, r"must hold numbers.*found \[\['a', 'b', 'c'\]"),
        ([[0, 1, 2], [1, 0]], "rows of equal length"),
        (np.ones((4, 4)), "for 4 classes, the scores for 3"),
    ):
        with pytest.raises(InvalidCostMatrixError, match=message):
            method.fit(scores, y, wrong)


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
    "parameters", [{"population_size": 2}, {"n_elites": 20}, {"crossover_fraction": 1.5}]
)
def test_bad_parameters_of_the_genetic_algorithm(problem, parameters):
    with pytest.raises(ValueError, match=next(iter(parameters))):
        GeneticReweighter(**parameters).fit(*problem(12, 3))
