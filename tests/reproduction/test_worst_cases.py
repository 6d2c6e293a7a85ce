"""Propositions 2.1 and 2.3 on example families."""

import numpy as np
import pytest

from beyond_accuracy.inference import expected_f, gfm, gfm_threshold
from beyond_accuracy_pipeline.reproduction.worst_cases import (
    Distribution,
    all_or_nothing,
    largest_threshold_regret,
    meuf_of_all_or_nothing,
    meuf_regret,
    misleading_order,
    threshold_regret,
    threshold_regret_bound,
)

_LABELS = (4, 6, 8, 10, 20, 50, 100)


def test_regret_of_meuf_tends_to_one():
    regrets = [meuf_regret(all_or_nothing(m)) for m in (4, 9, 16, 25, 49, 100)]
    # The empty prediction has the expected F1 1 − m^(−½); MEUF predicts all labels, with m^(−½).
    assert regrets == pytest.approx([1 - 2 * m**-0.5 for m in (4, 9, 16, 25, 49, 100)], abs=1e-12)
    assert meuf_regret(all_or_nothing(2500)) > 0.95


def test_meuf_needs_no_joint_distribution_on_a_million_labels():
    for m in (4, 25, 100):
        value, optimum = meuf_of_all_or_nothing(m)
        assert optimum - value == pytest.approx(meuf_regret(all_or_nothing(m)), abs=1e-12)
    value, optimum = meuf_of_all_or_nothing(10**6)
    assert optimum - value == pytest.approx(1 - 2e-3)


@pytest.mark.parametrize(("m", "regret"), [(3, 1 / 42), (4, 0.0448), (5, 0.0584), (6, 0.0682)])
def test_largest_regret_of_thresholds(m, regret):
    assert largest_threshold_regret(m) == pytest.approx(regret, abs=5e-5)
    # No drawn distribution has a larger regret, and neither has the family of Proposition 2.3.
    rng = np.random.default_rng(m)
    labelings = (np.arange(2**m)[:, None] >> np.arange(m)) & 1
    largest = largest_threshold_regret(m)
    for _ in range(200):
        weights = rng.dirichlet(np.full(2**m, 0.1))
        regret_here = threshold_regret(Distribution(labelings.astype(np.uint8), weights))
        assert regret_here <= largest + 1e-9
    if m % 2 == 0:
        assert threshold_regret_bound(m) <= largest


@pytest.mark.parametrize("m", _LABELS)
def test_regret_of_thresholding_attains_the_bound(m):
    bound = max(0, 1 / 6 - 2 / (m + 4))
    assert threshold_regret_bound(m) == bound
    for epsilon in (1e-3, 1e-6, 1e-9):
        # The best thresholds, {1, 2}, gain at most ε, and the optimum, {1}, loses ε.
        assert threshold_regret(misleading_order(m, epsilon)) == pytest.approx(
            bound, abs=3 * epsilon
        )


@pytest.mark.parametrize("m", _LABELS)
def test_families_are_distributions_with_the_marginals_they_claim(m):
    family = misleading_order(m, 0.01)
    assert family.probabilities.sum() == pytest.approx(1)
    assert family.marginals[:2] == pytest.approx([0.49, 0.51])
    assert family.marginals[2:] == pytest.approx(0.255)
    joint, p_empty = family.joint()
    assert p_empty == 0
    if m > 8:
        assert (gfm(joint, p_empty)[0] == np.eye(m)[0]).all()
        assert gfm_threshold(joint, p_empty)[0][:2].all()
        assert expected_f(joint, p_empty, np.eye(m)[0]) == pytest.approx(0.49)
    family = all_or_nothing(m)
    assert family.marginals == pytest.approx(m**-0.5)
