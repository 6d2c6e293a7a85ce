"""Compute statistics, tables, figures, claims and web pages from a run's folder of results."""

from .agreement import write_agreement
from .claims import combine_claims, evaluate_claims
from .figures import write_figure
from .intervals import bootstrap_variants
from .measurements import measure_variants
from .paper import Chart, MainClaim, Paper
from .report import Report
from .site import build_site
from .states import table_over_states
from .table_files import write_table

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
