"""Figure 3: performance, and time, against C."""

from collections.abc import Mapping
from typing import Any

from matplotlib.figure import Figure

from beyond_accuracy.reporting.li2013.panels import panels
from beyond_accuracy.reporting.li2013.sweeps import sweep, sweep_seconds
from beyond_accuracy.results import PaperResults

FIGURE3_CAPTION = (
    "Figure 3, performance. Test values against C: CAPO with one core vector machine and with "
    "five, SVM-perf linear and with an RBF kernel."
)
FIGURE3_SECONDS_CAPTION = (
    "Figure 3, time. Processor seconds of the same fits, without those of the auxiliaries."
)
X_LABEL = "C (SVM-perf's)"


def figure3(results: PaperResults, configuration: Mapping[str, Any]) -> Figure:
    """Test values against C."""
    rows = sweep(results, "by_C")
    return panels(
        results, rows, x="C", y="value", log_x=True, x_label=X_LABEL, y_label="Test value"
    )


def figure3_seconds(results: PaperResults, configuration: Mapping[str, Any]) -> Figure:
    """Processor seconds against C."""
    rows = sweep_seconds(results, "by_C")
    labels = {"x_label": X_LABEL, "y_label": "Processor seconds"}
    return panels(results, rows, x="C", y="cpu_seconds", log_x=True, log_y=True, **labels)
