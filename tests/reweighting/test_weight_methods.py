"""Sequential weights and exact thresholds against enumeration."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beyond_accuracy.reweighting import SequentialReweighter, average_cost
from beyond_accuracy.reweighting.threshold import best_threshold


@pytest.mark.filterwarnings("ignore:the rows of the scores sum")
def test_ties_go_to_the_lowest_index_whatever_rounding_says():
    """With these weights, each row is a tie between the classes 1 and 2."""
    scores = np.array([[0.0, x, 3 * x] for x in np.random.default_rng(0).random(200) + 0.01])
    weights = np.array([1.0, 3.0, 1.0])
    model = SequentialReweighter().fit(scores, np.ones(200, dtype=int))
    model.weights_ = weights
    assert (model.predict(scores) == 1).all()
    assert average_cost(scores, np.ones(200, dtype=int), weights) == 0.0
    model.weights_ = np.zeros(3)
    assert (model.predict(scores) == 0).all()


@given(
    st.lists(
        st.tuples(st.sampled_from([-np.inf, -1.0, 0.0, 0.5, 2.0, np.inf]), st.integers(-3, 3)),
        min_size=1,
        # With few falls and many rises, only some examples are sorted.
        max_size=40,
    )
)
def test_threshold_equals_brute_force(examples):
    positions = np.array([position for position, _ in examples])
    changes = np.array([float(change) for _, change in examples])
    threshold, change, _ = best_threshold(positions, changes)
    tried = [changes[positions < t].sum() for t in (-9.0, -0.5, 0.25, 1.0, 9.0)]
    assert change == min(tried)
    assert changes[positions < threshold].sum() == change
    # On request, ties go to the gap nearest to 0.
    nearest, same, _ = best_threshold(positions, changes, nearest_to_zero=True)
    assert (same, changes[positions < nearest].sum()) == (change, change)
    inside = np.unique(positions[np.isfinite(positions)])
    if len(inside):
        ends = [-np.inf, *inside, np.inf]
        middles = [inside[0] - 1, *(inside[1:] + inside[:-1]) / 2, inside[-1] + 1]
        grid = np.linspace(-3, 3, 13)
        gaps = [
            (min(abs(t) for t in grid if low <= t <= high), middle, low < 0 < high)
            for low, high, middle in zip(ends[:-1], ends[1:], middles, strict=True)
            if changes[positions < middle].sum() == change
        ]
        _, middle, holds_zero = min(gaps, key=lambda gap: gap[0])
        assert nearest == (0.0 if holds_zero else middle)


def all_sorted(positions, changes):
    """Return the best threshold and its sum, from all examples in stable order."""
    order = np.argsort(positions, kind="stable")
    rising, sums = positions[order], np.cumsum(np.r_[0.0, changes[order]])
    lower, upper = np.searchsorted(rising, -np.inf, "right"), np.searchsorted(rising, np.inf)
    inside = rising[lower:upper]
    widths = np.r_[2.0, np.diff(inside), 2.0]
    thresholds = np.r_[inside[0] - 1.0, inside[:-1] + 0.5 * np.diff(inside), inside[-1] + 1.0]
    wide = np.flatnonzero(widths > 1e-11)
    sums = sums[lower : upper + 1]
    best = wide[sums[wide] == sums[wide].min()]
    place = best[np.argmax(widths[best])]
    return thresholds[place], sums[place]


@pytest.mark.parametrize("rounded", [False, True])
@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("seed", range(2))
def test_threshold_of_many_examples(seed, whole, rounded):
    """Most examples are not sorted; some positions are equal or nearly equal."""
    rng = np.random.default_rng(seed)
    positions = rng.normal(size=3000) * 10.0 ** rng.integers(0, 3)
    positions = np.round(positions, 2) + 1e-13 * rng.random(3000) if rounded else positions
    changes = rng.integers(-3, 7, 3000) + 8.0 * rng.normal(size=3000) * (positions > 0.5 * seed)
    changes = np.round(changes) if whole else changes
    positions[rng.random(3000) < 0.1] = -np.inf
    positions[rng.random(3000) < 0.1] = np.inf
    for sign in (1.0, -1.0):
        threshold, change, _ = best_threshold(positions, sign * changes)
        assert (threshold, change) == all_sorted(positions, sign * changes)


@pytest.mark.parametrize("examples", ["seen_classes", "all"])
@pytest.mark.parametrize("seed", range(3))
def test_each_weight_is_the_best_of_all_that_can_be_tried(problem, examples, seed):
    """Later classes have weight 0, and only the selected examples count."""
    scores, y, costs = problem(40, 4, seed)
    order = np.array([1, 3, 0, 2])
    found = SequentialReweighter(order, examples=examples).fit(scores, y, costs).weights_
    for number in range(1, 4):
        so_far, new = order[:number], order[number]
        own = np.isin(y, order[: number + 1]) if examples == "seen_classes" else np.full(40, True)
        weights = np.zeros(4)
        weights[so_far] = found[so_far]
        turns = np.sort((scores[own] * weights).max(axis=1) / scores[own, new])
        tried = [turns[0] / 2, *(turns[1:] + turns[:-1]) / 2, turns[-1] * 2]
        least = min(
            average_cost(scores[own], y[own], weights + w * (np.arange(4) == new), costs)
            for w in tried
        )
        weights[new] = found[new]
        assert average_cost(scores[own], y[own], weights, costs) == pytest.approx(least, abs=1e-12)


def test_orders(problem):
    scores, y, costs = problem(300, 4)
    y = np.array([2, 0, 3, 1])[y]
    counts = np.bincount(y)
    down = SequentialReweighter().fit(scores, y, costs).order_
    up = SequentialReweighter("frequency_ascending").fit(scores, y, costs).order_
    assert (np.diff(counts[down]) <= 0).all()
    assert (np.diff(counts[up]) >= 0).all()
    named = SequentialReweighter(order=up).fit(scores, y, costs)
    np.testing.assert_array_equal(
        named.weights_, SequentialReweighter("frequency_ascending").fit(scores, y, costs).weights_
    )
    for order in ("frequency", [0, 1, 2], [0, 1, 1, 2]):
        with pytest.raises(ValueError, match="order is"):
            SequentialReweighter(order).fit(scores, y)
