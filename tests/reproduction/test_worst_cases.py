"""Propositions 2.1 and 2.3 on example families."""

import numpy as np
import pytest

from beyond_accuracy.inference import gfm, gfm_threshold
from beyond_accuracy_pipeline.reproduction.worst_cases import (
    Distribution,
    all_or_nothing,
    largest_threshold_regret,
    meuf_of_all_or_nothing,
    misleading_order,
    threshold_regret_bound,
)

_LABELS = (4, 6, 8, 10, 20, 50, 100)


def threshold_regret(distribution):
    joint, p_empty = distribution.joint()
    return gfm(joint, p_empty)[1] - gfm_threshold(joint, p_empty)[1]


@pytest.mark.parametrize("m", [4, 25, 100, 10**6])
def test_regret_of_meuf_tends_to_one(m):
    """The empty prediction has the expected F1 1 − m^(−½); MEUF predicts all labels."""
    value, optimum = meuf_of_all_or_nothing(m)
    assert optimum - value == pytest.approx(1 - 2 * m**-0.5)


@pytest.mark.parametrize(("m", "regret"), [(3, 1 / 42), (4, 0.0448), (5, 0.0584), (6, 0.0682)])
def test_largest_regret_of_thresholds(m, regret):
    largest = largest_threshold_regret(m)
    assert largest == pytest.approx(regret, abs=5e-5)
    # No drawn distribution has a larger regret, and neither has the family of Proposition 2.3.
    rng = np.random.default_rng(m)
    labelings = (np.arange(2**m)[:, None] >> np.arange(m)) & 1
    for _ in range(200):
        weights = rng.dirichlet(np.full(2**m, 0.1))
        assert threshold_regret(Distribution(labelings.astype(np.uint8), weights)) <= largest + 1e-9
    if m % 2 == 0:
        assert threshold_regret_bound(m) <= largest


@pytest.mark.parametrize("m", _LABELS)
def test_families_have_the_marginals_and_regrets_they_claim(m):
    family = misleading_order(m)
    assert family.probabilities.sum() == pytest.approx(1)
    assert family.marginals == pytest.approx(np.repeat([0.5, 0.25], [2, m - 2]))
    assert threshold_regret(family) == pytest.approx(max(0, 1 / 6 - 2 / (m + 4)), abs=3e-9)
    assert all_or_nothing(m).marginals == pytest.approx(m**-0.5)
