"""Figure 1: calls of the search for the most violated labelling against C."""

from collections.abc import Mapping
from typing import Any

from matplotlib.figure import Figure

from beyond_accuracy.reporting.li2013.panels import panels
from beyond_accuracy.reporting.li2013.sweeps import sweep
from beyond_accuracy.results import PaperResults

FIGURE1_CAPTION = (
    "Figure 1. Calls of the search for the most violated labelling in Algorithm 1 (cutting planes "
    "without line search, to SVM-perf's accuracy) against C, both axes logarithmic. An open marker "
    "is a run that was stopped at the limit of iterations."
)


def figure1(results: PaperResults, configuration: Mapping[str, Any]) -> Figure:
    """One panel a data set and measure: SVM-perf, CAPO_cvm and CAPO*."""
    rows = sweep(results, "oracle_calls_by_C")
    labels = {"x_label": "C (SVM-perf's)", "y_label": "Calls of the oracle"}
    return panels(results, rows, x="C", y="oracle_calls", log_x=True, log_y=True, **labels)
