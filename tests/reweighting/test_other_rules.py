"""The boundary matrix and the tree of metaclasses, which are not weight vectors."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beyond_accuracy.reweighting import (
    BoundaryMatrixReweighter,
    MetaClassReweighter,
    SequentialReweighter,
)
from beyond_accuracy.reweighting.meta_class import MetaClassNode, balanced_split


@pytest.mark.parametrize("m", [2, 3, 6])
def test_boundary_matrix_is_no_worse_than_least_expected_cost(problem, m):
    scores, y, costs = problem(300, m, 2)
    for matrix in (1.0 - np.eye(m), costs):
        model = BoundaryMatrixReweighter().fit(scores, y, matrix)
        assert model.objective_ <= matrix[y, (scores @ matrix).argmin(axis=1)].mean()
        predicted = (scores @ model.boundary_matrix_).argmin(axis=1)
        np.testing.assert_array_equal(model.predict(scores), predicted)
        assert model.objective_ == pytest.approx(matrix[y, predicted].mean())
        np.testing.assert_allclose(model.boundary_matrix_, matrix * model.multipliers_)


def test_no_single_column_can_be_improved(problem):
    scores, y, costs = problem(200, 4, 1)
    model = BoundaryMatrixReweighter(max_rounds=100).fit(scores, y, costs)
    for column in range(4):
        for factor in np.exp(np.linspace(-5, 5, 201)):
            changed = model.boundary_matrix_.copy()
            changed[:, column] *= factor
            cost = costs[y, (scores @ changed).argmin(axis=1)].mean()
            assert cost >= model.objective_ - 1e-12


@given(st.lists(st.integers(0, 30), min_size=2, max_size=8))
def test_split_is_the_most_balanced(frequencies):
    frequencies = np.array(sorted(frequencies, reverse=True))
    classes = np.arange(len(frequencies))
    left, right = balanced_split(classes, frequencies)
    assert sorted([*left, *right]) == list(classes)
    assert len(left) > 0
    assert len(right) > 0
    total = frequencies.sum()
    least = min(
        abs(total - 2 * frequencies[list(group)].sum())
        for size in range(1, len(classes))
        for group in combinations(range(len(classes)), size)
    )
    assert abs(frequencies[left].sum() - frequencies[right].sum()) == least


def test_tree_of_nursery():
    frequencies = np.array([4320, 4266, 4044, 328, 2])
    y = np.repeat(np.arange(5), frequencies)
    scores = np.full((len(y), 5), 0.05)
    scores[np.arange(len(y)), y] = 0.8
    model = MetaClassReweighter().fit(scores, y)
    assert model.objective_ == 0.0
    assert model.tree_.n_examples == 12960
    # As in the paper's Figure 1: priority and very_recom (C4 and C3 there) are on the left.
    assert (model.tree_.left.classes, model.tree_.right.classes) == ((1, 3), (0, 2, 4))
    balanced = MetaClassReweighter(split="balanced").fit(scores, y).tree_
    assert {balanced.left.classes, balanced.right.classes} == {(1, 2), (0, 3, 4)}
    text = model.export_text(["not_recom", "priority", "spec_prior", "very_recom", "recommend"])
    assert len(text.splitlines()) == 9
    assert "{not_recom, spec_prior, recommend}  (8366 examples)" in text
    with pytest.raises(ValueError, match="class_names has 2 entries"):
        model.export_text(["a", "b"])


@pytest.mark.parametrize("seed", range(3))
def test_root_threshold_is_the_best(problem, seed):
    scores, y, costs = problem(150, 4, seed)
    model = MetaClassReweighter().fit(scores, y, costs)
    left, right = list(model.tree_.left.classes), list(model.tree_.right.classes)
    ratio = scores[:, left].sum(axis=1) / scores[:, right].sum(axis=1)
    is_left = np.isin(y, left)
    missed, taken = costs[np.ix_(left, right)].mean(), costs[np.ix_(right, left)].mean()

    def paid(threshold):
        goes_left = ratio > threshold
        return missed * (is_left & ~goes_left).sum() + taken * (~is_left & goes_left).sum()

    least = min(paid(t) for t in [0.0, *ratio])
    threshold = np.exp(model.tree_.threshold)
    assert paid(threshold) == pytest.approx(least)
    # The threshold is the average of the ratios on both sides.
    below, above = ratio[ratio < threshold], ratio[ratio > threshold]
    if len(below) and len(above):
        assert threshold == pytest.approx((below.max() + above.min()) / 2)


@pytest.mark.parametrize("method", [BoundaryMatrixReweighter, MetaClassReweighter])
@pytest.mark.parametrize("costs", [None, [[2.0, 3.0], [7.0, 6.5]]])
def test_two_classes_are_exact(problem, method, costs):
    """Correct predictions may have a cost, too."""
    scores, y, drawn = problem(100, 2, 4)
    costs = drawn if costs is None else np.array(costs)
    model = method().fit(scores, y, costs)
    weights = SequentialReweighter().fit(scores, y, costs)
    assert model.objective_ == pytest.approx(weights.objective_)
    assert model.objective_ == pytest.approx(costs[y, model.predict(scores)].mean())


def test_a_ratio_at_the_threshold_goes_left(problem):
    """The printed rule says the same."""
    model = MetaClassReweighter().fit(*problem(20, 2))
    leaves = {"left": MetaClassNode((0,), 10), "right": MetaClassNode((1,), 10)}
    model.tree_ = MetaClassNode((0, 1), 20, 0.0, **leaves)
    assert model.predict([[0.5, 0.5], [0.4, 0.6], [0.6, 0.4]]).tolist() == [0, 1, 0]
    assert "left if score ratio ≥ 1" in model.export_text()
