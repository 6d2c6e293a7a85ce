"""Best thresholds on scores, under constraints, with estimates for new data."""

from beyond_accuracy.operating_points.certification import certified_thresholds
from beyond_accuracy.operating_points.choice import (
    OperatingPoint,
    best_operating_point,
    bootstrap_intervals,
    explain_infeasible,
)
from beyond_accuracy.operating_points.constraints import Constraint, parse_constraints
from beyond_accuracy.operating_points.display import OperatingPointDisplay
from beyond_accuracy.operating_points.objectives import Objective, make_objective

__all__ = [
    "Constraint",
    "Objective",
    "OperatingPoint",
    "OperatingPointDisplay",
    "best_operating_point",
    "bootstrap_intervals",
    "certified_thresholds",
    "explain_infeasible",
    "make_objective",
    "parse_constraints",
]
