"""Exact thresholds for any scores, under constraints, with estimates for new data."""

from beyond_accuracy.operating_points.certification import certified_thresholds
from beyond_accuracy.operating_points.choice import (
    OperatingPoint,
    best_operating_point,
    bootstrap_intervals,
    explain_infeasible,
)
from beyond_accuracy.operating_points.constraints import Constraint, parse_constraints
from beyond_accuracy.operating_points.display import OperatingPointDisplay
from beyond_accuracy.operating_points.new_data import ConstraintEstimate
from beyond_accuracy.operating_points.objectives import Objective, make_objective
from beyond_accuracy.operating_points.three_way import TwoThresholds, best_two_thresholds

__all__ = [
    "Constraint",
    "ConstraintEstimate",
    "Objective",
    "OperatingPoint",
    "OperatingPointDisplay",
    "TwoThresholds",
    "best_operating_point",
    "best_two_thresholds",
    "bootstrap_intervals",
    "certified_thresholds",
    "explain_infeasible",
    "make_objective",
    "parse_constraints",
]
