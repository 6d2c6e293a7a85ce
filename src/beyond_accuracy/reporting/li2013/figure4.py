"""Figure 4: performance, and time, against B at fixed C."""

from collections.abc import Mapping
from typing import Any

from matplotlib.figure import Figure

from beyond_accuracy.reporting.li2013.panels import panels
from beyond_accuracy.reporting.li2013.sweeps import sweep, sweep_seconds
from beyond_accuracy.results import PaperResults

FIGURE4_CAPTION = (
    "Figure 4, performance. Test values against the penalty B of the auxiliaries' weights at "
    "C = 1 (SVM-perf's): CAPO with one core vector machine and with five."
)
FIGURE4_SECONDS_CAPTION = (
    "Figure 4, time. Processor seconds of the same fits, without those of the auxiliaries."
)


def figure4(results: PaperResults, configuration: Mapping[str, Any]) -> Figure:
    """Test values against B."""
    rows = sweep(results, "by_B")
    return panels(results, rows, x="B", y="value", log_x=True, x_label="B", y_label="Test value")


def figure4_seconds(results: PaperResults, configuration: Mapping[str, Any]) -> Figure:
    """Processor seconds against B."""
    rows = sweep_seconds(results, "by_B")
    labels = {"x_label": "B", "y_label": "Processor seconds"}
    return panels(results, rows, x="B", y="cpu_seconds", log_x=True, log_y=True, **labels)
