"""Decisions from probabilities: maximizers of the expected F-measure over sets of labels."""

from beyond_accuracy.inference.approximations import (
    lewis_threshold,
    meuf_approx,
    meuf_multinomial,
)
from beyond_accuracy.inference.distributions import (
    expected_f,
    independent_joint,
    joint_from_distribution,
    joint_from_samples,
)
from beyond_accuracy.inference.gfm import (
    gfm,
    gfm_from_samples,
    gfm_threshold,
    gfm_threshold_from_samples,
)
from beyond_accuracy.inference.meuf import meuf
from beyond_accuracy.inference.worst_cases import (
    Distribution,
    all_or_nothing,
    largest_threshold_regret,
    meuf_of_all_or_nothing,
    meuf_regret,
    misleading_order,
    threshold_regret,
    threshold_regret_bound,
)

__all__ = [
    "Distribution",
    "all_or_nothing",
    "expected_f",
    "gfm",
    "gfm_from_samples",
    "gfm_threshold",
    "gfm_threshold_from_samples",
    "independent_joint",
    "joint_from_distribution",
    "joint_from_samples",
    "largest_threshold_regret",
    "lewis_threshold",
    "meuf",
    "meuf_approx",
    "meuf_multinomial",
    "meuf_of_all_or_nothing",
    "meuf_regret",
    "misleading_order",
    "threshold_regret",
    "threshold_regret_bound",
]
