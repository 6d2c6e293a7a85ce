"""Figure 5: performance, and time, against the share of the training part."""

from collections.abc import Mapping
from typing import Any

from matplotlib.figure import Figure

from beyond_accuracy.reporting.li2013.panels import panels
from beyond_accuracy.reporting.li2013.sweeps import sweep, sweep_seconds
from beyond_accuracy.results import PaperResults

FIGURE5_CAPTION = (
    "Figure 5, performance. Test values against the share of the training part that is used, "
    "B = C = 1."
)
FIGURE5_SECONDS_CAPTION = (
    "Figure 5, time. Processor seconds of the same fits, without those of the auxiliaries; both "
    "axes logarithmic."
)
X_LABEL = "Share of the training part"


def figure5(results: PaperResults, configuration: Mapping[str, Any]) -> Figure:
    """Test values against the share."""
    rows = sweep(results, "by_training_size")
    labels = {"x_label": X_LABEL, "y_label": "Test value"}
    return panels(results, rows, x="train_fraction", y="value", **labels)


def figure5_seconds(results: PaperResults, configuration: Mapping[str, Any]) -> Figure:
    """Processor seconds against the number of training examples."""
    rows = sweep_seconds(results, "by_training_size")
    labels = {"x_label": "Training examples", "y_label": "Processor seconds"}
    return panels(results, rows, x="n_train", y="cpu_seconds", log_x=True, log_y=True, **labels)
