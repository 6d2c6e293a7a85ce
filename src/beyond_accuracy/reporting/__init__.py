"""Statistics, tables, figures, claims and the results site, from the results folder alone."""

from beyond_accuracy.reporting.builders import build_claims, build_figure, build_table
from beyond_accuracy.reporting.claims import combine_claims
from beyond_accuracy.reporting.intervals import build_intervals
from beyond_accuracy.reporting.results import PaperResults
from beyond_accuracy.reporting.site import build_site

__all__ = [
    "PaperResults",
    "build_claims",
    "build_figure",
    "build_intervals",
    "build_site",
    "build_table",
    "combine_claims",
]
