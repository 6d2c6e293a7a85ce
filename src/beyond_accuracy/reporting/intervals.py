"""Bootstrap intervals of a paper's averages: results/<paper>/intervals.parquet.

One set of resamples of the test examples serves all measures, methods and tasks of a data set, so
that every difference of two methods has an interval too, over the tasks on which both succeeded.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from beyond_accuracy.reporting.bootstrap import (
    Evaluator,
    macro_averages,
    percentile_interval,
    resampled_values,
)
from beyond_accuracy.reporting.comparison import training_positives
from beyond_accuracy.reporting.frequency import frequency_bins
from beyond_accuracy.reporting.interval_lookup import ALL
from beyond_accuracy.reporting.report import Report
from beyond_accuracy.reporting.resampled_label_measures import resampled_label_measure
from beyond_accuracy.reporting.resampled_measures import resampled_measure
from beyond_accuracy.results.scores import PREDICTION, TRUE_LABELS

COLUMNS = {
    "data_set": "string",
    "measure": "string",
    "method": "string",
    "baseline": "string",
    "group": "string",
    "n_tasks": "int64",
    "estimate": "float64",
    "low": "float64",
    "high": "float64",
    "n_resamples": "int64",
}


@dataclass(frozen=True)
class _Average:
    """An average over tasks, and what makes its resampled values.

    `values` are those of the whole test set by task; `evaluators` are in the same order.
    """

    measure: str
    method: str
    group: str
    values: pd.Series
    evaluators: list[Evaluator]


def bootstrap_intervals(report: Report, seed: int) -> pd.DataFrame:
    """Return one row a data set, measure, method or difference of two, and group.

    `baseline` is empty for a method and names the other one for a difference. The group is "all"
    tasks, those with a number of training positives such as "3–9", or, of a multi-label model, the
    decision. A data set without test part or results has no rows, a protocol whose measure of
    spread are folds (multiclass) none at all.
    """
    rows = []
    protocol = report.configuration["protocol"]
    averages_of = {"binary": _binary, "multilabel": _multilabel}.get(protocol)
    for data_set in report.data_sets if averages_of else ():
        averages = list(averages_of(report, data_set))
        if averages:
            stream = [seed, *report.paper.id.encode(), 0, *data_set.encode()]
            rows += _rows(report, data_set, averages, stream)
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype(COLUMNS)


def _binary(report: Report, data_set: str) -> Iterator[_Average]:
    measurements = report.results.measurements
    own = measurements[(measurements["data_set"] == data_set) & (measurements["status"] == "ok")]
    for method, of_method in own.groupby("method", sort=False):
        scores = report.results.scores(data_set, method)
        for measure, rows in of_method.groupby("measure", sort=False):
            values = rows.set_index("task")["value"]
            evaluators = [
                resampled_measure(measure, scores.row(TRUE_LABELS, task), scores.row(measure, task))
                for task in values.index
            ]
            yield _Average(measure, method, ALL, values, evaluators)


def _multilabel(report: Report, data_set: str) -> Iterator[_Average]:
    measurements = report.results.measurements
    own = measurements[(measurements["data_set"] == data_set) & (measurements["status"] == "ok")]
    for (method, decision), rows in own.groupby(["method", "task"], sort=False):
        arrays = report.results.scores(data_set, method).arrays
        truth, prediction = arrays[TRUE_LABELS], arrays[PREDICTION + decision]
        for row in rows.itertuples():
            evaluator = resampled_label_measure(row.measure, truth, prediction)
            values = pd.Series([row.value], index=[decision])
            yield _Average(row.measure, method, decision, values, [evaluator])


def _rows(report: Report, data_set: str, averages: list[_Average], stream) -> Iterator[dict]:
    """Yield the rows of all methods of a data set, and of each two of them."""
    bootstrap = report.configuration["bootstrap"]
    n_examples = len(_any_truth(report, data_set, averages[0].method))
    resampled = resampled_values(
        [average.evaluators for average in averages], n_examples, bootstrap["n_resamples"], stream
    )
    bins = _bins(report, data_set)
    by_group: dict[tuple[str, str], list] = {}
    for average, values in zip(averages, resampled, strict=True):
        by_group.setdefault((average.measure, average.group), []).append((average, values))
    for (measure, group), members in by_group.items():
        pairs = [(member, None) for member in members] + list(combinations(members, 2))
        for (first, first_values), other in pairs:
            tasks = first.values.index
            if other is not None:
                tasks = tasks.intersection(other[0].values.index, sort=False)
            for name, inside in _groups(tasks, bins, group).items():
                estimate, draws = _average(first, first_values, inside)
                if other is not None:
                    baseline, baseline_draws = _average(*other, inside)
                    estimate, draws = estimate - baseline, draws - baseline_draws
                interval = percentile_interval(estimate, draws, bootstrap["level"])
                yield {
                    "data_set": data_set,
                    "measure": measure,
                    "method": first.method,
                    "baseline": "" if other is None else other[0].method,
                    "group": name,
                    "n_tasks": len(inside),
                    "estimate": interval.estimate,
                    "low": interval.low,
                    "high": interval.high,
                    "n_resamples": interval.n_resamples,
                }


def _average(average: _Average, resampled: np.ndarray, tasks: pd.Index) -> tuple[float, np.ndarray]:
    """Return the macro-average over tasks, and its resampled values."""
    columns = average.values.index.get_indexer(tasks)
    values = average.values.to_numpy()[columns]
    return float(values.mean()), macro_averages(resampled[:, columns], values)


def _any_truth(report: Report, data_set: str, method: str) -> np.ndarray:
    """Return labels of the test examples, first axis the examples."""
    truth = report.results.scores(data_set, method).arrays[TRUE_LABELS]
    return truth.T if report.configuration["protocol"] == "binary" else truth


def _bins(report: Report, data_set: str) -> pd.Series | None:
    """Return the bin of each task's number of training positives, None without bins."""
    if not report.paper.frequency_edges:
        return None
    positives = training_positives(report.results.fits, data_set)
    return frequency_bins(positives, report.paper.frequency_edges)


def _groups(tasks: pd.Index, bins: pd.Series | None, group: str) -> dict[str, pd.Index]:
    """Return the tasks of all groups that have any."""
    groups = {group: tasks} if len(tasks) else {}
    if bins is not None and group == ALL:
        own = bins.reindex(tasks)
        groups |= {label: tasks[own == label] for label in sorted(set(own.dropna()) - {""})}
    return groups
