"""What the workflow calls: one function for each kind of result, all by keyword.

Each has a module of its own, so that a change of what writes tables redraws no figure.
"""

from beyond_accuracy.reporting.builders.claims import build_claims
from beyond_accuracy.reporting.builders.figures import build_figure
from beyond_accuracy.reporting.builders.tables import build_table

__all__ = ["build_claims", "build_figure", "build_table"]
