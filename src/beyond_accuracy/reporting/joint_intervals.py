"""Bootstrap intervals of all methods of a paper, and of differences, from one set of resamples."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from beyond_accuracy.reporting.bootstrap import (
    macro_averages,
    percentile_interval,
    resampled_values,
)
from beyond_accuracy.reporting.comparison import Pair
from beyond_accuracy.reporting.intervals_table import ALL, joint_difference_name
from beyond_accuracy.reporting.results import PaperResults


def complete_values(measurements: pd.DataFrame, data_set: str) -> dict[tuple[str, str], pd.Series]:
    """Values by task for each (measure, method) that succeeded on all tasks of the data set."""
    own = measurements[measurements["data_set"] == data_set]
    return {
        key: rows.groupby("task", sort=False)["value"].mean()
        for key, rows in own.groupby(["measure", "method"], sort=False)
        if (rows["status"] == "ok").all() and rows["value"].notna().all()
    }


def joint_intervals(
    results: PaperResults,
    data_set: str,
    values: Mapping[tuple[str, str], pd.Series],
    labels: Mapping[str, np.ndarray],
    pairs: Sequence[Pair],
    bootstrap: Mapping[str, Any],
    seed: list[int],
) -> list[dict[str, Any]]:
    """Return rows of each (measure, method) of `values`, and of each pair that is there.

    `labels` are by task; `bootstrap` has `n_resamples` and `level`.
    """
    scores = {}
    for method in dict.fromkeys(method for _, method in values):
        stored = results.scores(data_set, method)
        for measure, other in values:
            if other == method:
                tasks = values[measure, method].index
                scores[measure, method] = {task: stored.row(measure, task) for task in tasks}
    resampled = resampled_values(labels, scores, n_resamples=bootstrap["n_resamples"], seed=seed)
    averages = {key: macro_averages(resampled[key], one.to_numpy()) for key, one in values.items()}
    estimates = {key: float(one.mean()) for key, one in values.items()}
    for measure in dict.fromkeys(measure for measure, _ in values):
        for pair in pairs:
            proposed, baseline = (measure, pair.proposed), (measure, pair.baseline)
            if proposed in values and baseline in values:
                key = (measure, joint_difference_name(pair))
                averages[key] = averages[proposed] - averages[baseline]
                estimates[key] = estimates[proposed] - estimates[baseline]
    rows = []
    for (measure, name), estimate in estimates.items():
        interval = percentile_interval(estimate, averages[measure, name], bootstrap["level"])
        rows.append(
            {
                "data_set": data_set,
                "measure": measure,
                "method": name,
                "group": ALL,
                "n_tasks": len(labels),
                "estimate": interval.estimate,
                "low": interval.low,
                "high": interval.high,
                "n_resamples": interval.n_resamples,
            }
        )
    return rows
