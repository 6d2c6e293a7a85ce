"""Whether the F that a decision expects is the F that it achieves."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from beyond_accuracy.reporting.data_set_names import data_set_label, data_set_notes
from beyond_accuracy.reporting.dembczynski2011.evidence import LabelResults
from beyond_accuracy.reporting.dembczynski2011.names import (
    BR,
    BR_BOOSTING,
    PCC,
    PCC_BOOSTING,
    row_label,
)
from beyond_accuracy.reporting.tables import Table, percent, percent_interval
from beyond_accuracy.results import PaperResults

CALIBRATED = (
    (PCC, "gfm"),
    (PCC, "gfm_threshold"),
    (PCC, "meuf"),
    (BR, "meuf"),
    (PCC_BOOSTING, "gfm"),
    (BR_BOOSTING, "meuf"),
)
NORMAL_95 = 1.959963984540054


def table_calibration(results: PaperResults, configuration: Mapping[str, Any]) -> Table:
    """Expected and achieved F-measure of each method that maximizes its expectation."""
    run = LabelResults(results, configuration)
    rows, shown = [], {}
    for data_set in run.data_sets:
        for model, inference in CALIBRATED:
            if not run.has(data_set, model, inference):
                continue
            expected = run.expected(data_set, model, inference)
            achieved = run.achieved(data_set, model, inference)
            excess = expected - achieved
            half = NORMAL_95 * excess.std(ddof=1) / np.sqrt(len(excess)) if len(excess) > 1 else 0.0
            varies = expected.std() > 0 and achieved.std() > 0
            correlation = np.corrcoef(expected, achieved)[0, 1] if varies else np.nan
            row = {
                "data_set": data_set,
                "model": model,
                "inference": inference,
                "expected": expected.mean(),
                "achieved": achieved.mean(),
                "excess": excess.mean(),
                "low": excess.mean() - half,
                "high": excess.mean() + half,
                "correlation": correlation,
            }
            rows.append(row)
            shown[data_set_label(results, data_set), row_label(model, inference)] = {
                "Expected": percent(row["expected"]),
                "Achieved": percent(row["achieved"]),
                "Expected − achieved": (
                    f"{percent(row['excess'], sign=True)} "
                    f"{percent_interval(row['low'], row['high'], sign=True)}"
                ),
                "Correlation": "" if np.isnan(correlation) else f"{correlation:.2f}",
            }
    display = pd.DataFrame(list(shown.values()))
    if shown:
        display.index = pd.MultiIndex.from_tuples(list(shown))
    columns = ["data_set", "model", "inference", "expected", "achieved", "excess", "low", "high"]
    return Table(
        frame=pd.DataFrame(rows, columns=[*columns, "correlation"]),
        display=display,
        caption=(
            "Beyond the paper: the F-measure that a method expects of its predictions on the test "
            "examples, and what it achieves."
        ),
        notes=(
            "GFM expects under the joint distribution of its model, MEUF under independence. In "
            "brackets: 95 % normal interval of the mean difference over test examples. "
            "Correlation: over test examples.",
            *data_set_notes(results, run.data_sets),
        ),
    )
