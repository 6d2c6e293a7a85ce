"""Compute statistics, tables, figures, claims and web pages from a run's folder of results."""

from beyond_accuracy_pipeline.reporting.agreement import write_agreement
from beyond_accuracy_pipeline.reporting.claims import combine_claims, evaluate_claims
from beyond_accuracy_pipeline.reporting.figures import write_figure
from beyond_accuracy_pipeline.reporting.intervals import bootstrap_variants
from beyond_accuracy_pipeline.reporting.measurements import measure_variants
from beyond_accuracy_pipeline.reporting.paper import Chart, MainClaim, Paper
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.reporting.site import build_site
from beyond_accuracy_pipeline.reporting.states import table_over_states
from beyond_accuracy_pipeline.reporting.table_files import write_table

__all__ = [
    "Chart",
    "MainClaim",
    "Paper",
    "Report",
    "bootstrap_variants",
    "build_site",
    "combine_claims",
    "evaluate_claims",
    "measure_variants",
    "table_over_states",
    "write_agreement",
    "write_figure",
    "write_table",
]
