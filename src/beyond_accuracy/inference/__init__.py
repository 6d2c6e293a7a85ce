"""Predictions that maximize the expected F-measure, computed from probabilities of labels."""

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
from beyond_accuracy.inference.meuf import meuf, meuf_approx

__all__ = [
    "expected_f",
    "gfm",
    "gfm_from_samples",
    "gfm_threshold",
    "gfm_threshold_from_samples",
    "independent_joint",
    "joint_from_distribution",
    "joint_from_samples",
    "meuf",
    "meuf_approx",
]
