"""Coordinate descent against grids of single weights, the exact optimum and other starts."""

import numpy as np
import pytest

from beyond_accuracy.reweighting import (
    CoordinateDescentReweighter,
    ExactThreeClassReweighter,
    SequentialReweighter,
    average_cost,
)
from beyond_accuracy.reweighting.threshold import find_two_lowest, update_two_lowest


def test_three_classes_end_near_the_exact_optimum(problem):
    excess = []
    for seed in range(10):
        scores, y, costs = problem(100, 3, seed)
        least = ExactThreeClassReweighter().fit(scores, y, costs).objective_
        reached = CoordinateDescentReweighter().fit(scores, y, costs).objective_
        assert reached >= least - 1e-12
        excess.append(reached / least - 1)
    assert np.mean(excess) < 0.02


def test_further_starts_are_used_where_they_are_lower(problem):
    fewer_costs = []
    for seed in range(5):
        scores, y, costs = problem(150, 6, seed)
        reached = [
            CoordinateDescentReweighter(n_starts=n).fit(scores, y, costs).objective_
            for n in range(1, 5)
        ]
        assert reached[0] <= average_cost(scores, y, np.ones(6), costs)
        assert (np.diff(reached) <= 0).all()
        fewer_costs.append(reached[-1] < reached[0])
        for order in ("frequency_descending", "frequency_ascending"):
            start = SequentialReweighter(order).fit(scores, y, costs).objective_
            assert reached[-1] <= start
    assert any(fewer_costs)


@pytest.mark.filterwarnings("ignore:the rows of the scores sum")
def test_zeros_and_classes_that_do_not_occur(problem):
    """Even if scores or classes vanish, the minimized value is the cost of the predictions."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        scores = rng.integers(0, 3, (30, 4)).astype(float)
        scores[scores.max(axis=1) == 0, 3] = 1.0
        y, costs = rng.integers(0, 3, 30), rng.integers(0, 6, (4, 4)).astype(float)
        model = CoordinateDescentReweighter().fit(scores, y, costs)
        assert model.objective_ == pytest.approx(costs[y, model.predict(scores)].mean())
        assert model.objective_ <= average_cost(scores, y, np.ones(4), costs) + 1e-12


def test_two_lowest_after_a_change_of_one_row():
    rng = np.random.default_rng(0)
    for trial in range(200):
        values = rng.integers(0, 5, (int(rng.integers(2, 6)), 30)).astype(float)
        values[rng.random(values.shape) < 0.2] = np.inf
        rows, lowest = find_two_lowest(values)
        j = trial % len(values)
        values[j] += rng.integers(-3, 4)
        update_two_lowest(values, rows, lowest, j)
        expected = find_two_lowest(values)
        np.testing.assert_array_equal(lowest, expected[1])
        np.testing.assert_array_equal(rows, expected[0])


def test_more_starts_are_no_worse_where_one_lies_on_a_tie():
    """Inverse frequencies make products tie, and logarithms order the ties by rounding."""
    scores = np.array(
        [[0.2, 0.6, 0.2], [0.4, 0.4, 0.2], [0.6, 0.2, 0.2], [0.6, 0.4, 0], [0.2, 0.2, 0.6]]
        + [[0, 0.6, 0.4]]
    )
    y = np.array([1, 0, 2, 0, 1, 0])
    found = [
        CoordinateDescentReweighter(n_starts=n, scoring="balanced_accuracy").fit(scores, y)
        for n in (1, 2, 3, 4)
    ]
    assert [model.objective_ for model in found] == sorted(model.objective_ for model in found)
    assert found[0].objective_ == pytest.approx(0.5)
