"""The exact optimum for three classes equals enumeration; no other method is better."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from beyond_accuracy.reweighting import ExactThreeClassReweighter

pytestmark = pytest.mark.filterwarnings("ignore:the rows of the scores sum")


def midpoints(values):
    values = np.unique(np.asarray(values)[np.isfinite(values)])
    if not values.size:
        return np.zeros(1)
    inner = 0.5 * (values[1:] + values[:-1])
    return np.concatenate([values[:1] - 1, inner[np.diff(values) > 1e-9], values[-1:] + 1])


def least_cost(scores, y, costs):
    """Return the least average cost over a point in every cell, and over weights with zeros."""
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(scores)
        a, b, d = logs[:, 0] - logs[:, 1], logs[:, 0] - logs[:, 2], logs[:, 1] - logs[:, 2]
        crossings = (b[:, None] - d[None, :]).ravel()
    candidates = []
    for u in midpoints(np.concatenate([a, crossings])):
        candidates += [(1.0, np.exp(u), v) for v in np.exp(midpoints(np.concatenate([b, u + d])))]
    axes = np.eye(3)
    for ratios, (one, other) in ((a, (0, 1)), (b, (0, 2)), (d, (1, 2))):
        candidates += [axes[one] + np.exp(t) * axes[other] for t in midpoints(ratios)]
    weights = np.array([*candidates, *axes])
    predicted = (scores * weights[:, None]).argmax(axis=2)
    return costs[y, predicted].mean(axis=1).min()


@st.composite
def problems(draw):
    n = draw(st.integers(1, 8))
    scores = draw(arrays(np.float64, (n, 3), elements=st.integers(0, 6).map(float)))
    assume((scores.max(axis=1) > 0).all())
    y = draw(arrays(np.int64, n, elements=st.integers(0, 2)))
    costs = draw(arrays(np.float64, (3, 3), elements=st.integers(0, 5).map(float)))
    return scores, y, draw(st.sampled_from([1.0 - np.eye(3), costs]))


@given(problems())
@settings(max_examples=150)
def test_equals_enumeration(problem):
    """The scores are small integers, so there are many ties and zeros."""
    scores, y, costs = problem
    exact = ExactThreeClassReweighter().fit(scores, y, costs)
    assert exact.objective_ == pytest.approx(least_cost(scores, y, costs), abs=1e-12)
    assert exact.objective_ == pytest.approx(costs[y, exact.predict(scores)].mean(), abs=1e-12)


def test_does_not_depend_on_the_order_of_classes_or_examples(problem):
    scores, y, costs = problem(300, 3, 5)
    least = ExactThreeClassReweighter().fit(scores, y, costs).objective_
    rows = np.random.default_rng(0).permutation(300)
    for order in ([1, 2, 0], [2, 1, 0], [0, 2, 1]):
        relabelled = np.argsort(order)[y]
        turned = ExactThreeClassReweighter().fit(
            scores[rows][:, order], relabelled[rows], costs[np.ix_(order, order)]
        )
        assert turned.objective_ == pytest.approx(least, abs=1e-12)
