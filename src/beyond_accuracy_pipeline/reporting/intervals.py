"""Bootstrap intervals of a paper's averages: results/<paper>/intervals.parquet.

All measures, methods and tasks of a data set share the resamples of the test examples. So the
difference of two methods also has an interval.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial, reduce
from itertools import combinations
from operator import sub

import numpy as np
import pandas as pd

from beyond_accuracy.measures import get_measure
from beyond_accuracy.measures.multilabel import get_multilabel_measure
from beyond_accuracy_pipeline.results.scores import PREDICTION, TRUE_LABELS

from .bootstrap import Evaluator, macro_averages, percentile_interval, resampled_values
from .cells import ALL, apply_missing
from .comparison import frequency_bins, training_positives
from .report import Report

COLUMNS = {
    **dict.fromkeys(("data_set", "measure", "method", "baseline", "group"), "string"),
    "n_tasks": "int64",
    **dict.fromkeys(("estimate", "low", "high"), "float64"),
    "n_resamples": "int64",
}


@dataclass(frozen=True)
class _Average:
    """Average over tasks, with functions that compute the tasks' values in resamples."""

    # Averages with equal keys have the same resampled values.
    key: tuple
    measure: str
    method: str
    # "all" tasks, or the decision rule of a multi-label method.
    group: str
    # The value of each task on the whole test set.
    values: pd.Series
    # A function per task that makes a function from repetition counts to values.
    evaluators: list[Callable[[], Evaluator]]


def bootstrap_variants(report: Report, seed: int) -> pd.DataFrame:
    """Return bootstrap intervals for all seeds and all variants of a paper's protocol.

    The rows are as in `bootstrap_intervals`, and `seed` is the seed of the resampling.
    """
    resampled: dict[tuple, np.ndarray] = {}
    return report.over_variants(lambda variant: bootstrap_intervals(variant, seed, resampled))


def bootstrap_intervals(
    report: Report, seed: int, resampled: dict[tuple, np.ndarray]
) -> pd.DataFrame:
    """Return bootstrap intervals of averages over tasks, and of differences between methods.

    A task is one class against the rest. There is one row per interval, with its ends and
    `estimate`, the value on the test set. The column `baseline` has the second method of a
    difference, and "" for an average. For multi-class experiments, the result is empty.

    `report` has the results for one seed and one variant of the protocol. `seed` is the seed of the
    resampling. `resampled` is a cache that several calls can share; it is updated in place.
    """
    rows = []
    protocol = report.configuration["protocol"]
    averages_of = {"binary": _binary, "multilabel": _multilabel}.get(protocol)
    measurements = apply_missing(report.results.measurements, "drop")
    for data_set in report.data_sets if averages_of else ():
        own = measurements[measurements["data_set"] == data_set]
        if len(own):
            stream = [seed, *report.paper.id.encode(), 0, *data_set.encode()]
            rows += _rows(report, data_set, list(averages_of(report, own)), stream, resampled)
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype(COLUMNS)


def _binary(report: Report, measurements: pd.DataFrame) -> Iterator[_Average]:
    for (data_set, method), own in measurements.groupby(["data_set", "method"], sort=False):
        scores = report.results.scores(data_set, method)
        fits = report.results.fits_of(data_set, method)
        for measure, rows in own.groupby("measure", sort=False):
            values = rows.set_index("task")["value"]
            evaluators = [
                partial(
                    get_measure(measure).resampled,
                    scores.row(TRUE_LABELS, task),
                    scores.row(measure, task),
                )
                for task in values.index
            ]
            key = (fits, measure, *values.index)
            yield _Average(key, measure, method, ALL, values, evaluators)


def _multilabel(report: Report, measurements: pd.DataFrame) -> Iterator[_Average]:
    for (data_set, method), own in measurements.groupby(["data_set", "method"], sort=False):
        arrays = report.results.scores(data_set, method).arrays
        fits = report.results.fits_of(data_set, method)
        for decision, rows in own.groupby("task", sort=False):
            labels = arrays[TRUE_LABELS], arrays[PREDICTION + decision]
            for measure, value in zip(rows["measure"], rows["value"], strict=True):
                key, values = (fits, measure, decision), pd.Series({decision: value})
                evaluators = [partial(get_multilabel_measure(measure).resampled, *labels)]
                yield _Average(key, measure, method, decision, values, evaluators)


def _rows(
    report: Report,
    data_set: str,
    averages: list[_Average],
    stream: list[int],
    resampled: dict[tuple, np.ndarray],
) -> Iterator[tuple]:
    """Yield one row per average and per pair of methods; `stream` is the seed of the resampling."""
    bootstrap = report.configuration["bootstrap"]
    new = [average for average in averages if average.key not in resampled]
    if new:
        truth = report.results.scores(data_set, new[0].method).arrays[TRUE_LABELS]
        n_examples = truth.shape[1 if report.configuration["protocol"] == "binary" else 0]
        evaluators = [[make() for make in average.evaluators] for average in new]
        drawn = resampled_values(evaluators, n_examples, bootstrap["n_resamples"], stream)
        resampled.update(zip((average.key for average in new), drawn, strict=True))
    bins = None
    if report.paper.frequency_edges:
        positives = training_positives(report.results.fits, data_set)
        bins = frequency_bins(positives, report.paper.frequency_edges)
    by_group: dict[tuple[str, str], list] = {}
    for average in averages:
        member = average, resampled[average.key]
        by_group.setdefault((average.measure, average.group), []).append(member)
    for (measure, group), members in by_group.items():
        for sides in [*((member,) for member in members), *combinations(members, 2)]:
            # The difference of two methods is over the tasks on which both succeeded.
            tasks = sides[0][0].values.index
            for average, _ in sides[1:]:
                tasks = tasks.intersection(average.values.index, sort=False)
            names = [average.method for average, _ in sides]
            for name, inside in _groups(tasks, bins, group).items():
                estimates, draws = zip(*(_average(*side, inside) for side in sides), strict=True)
                interval = percentile_interval(reduce(sub, draws), bootstrap["level"])
                methods = [*names, ""][:2]
                estimate = reduce(sub, estimates)
                yield data_set, measure, *methods, name, len(inside), estimate, *interval


def _average(average: _Average, resampled: np.ndarray, tasks: pd.Index) -> tuple[float, np.ndarray]:
    """Return the average over `tasks`, and this average in each resample."""
    columns = average.values.index.get_indexer(tasks)
    values = average.values.to_numpy()[columns]
    return float(values.mean()), macro_averages(resampled[:, columns], values)


def _groups(tasks: pd.Index, bins: pd.Series | None, group: str) -> dict[str, pd.Index]:
    """Return {group: tasks}: all tasks, and their bins if `group` is "all"."""
    groups = {group: tasks} if len(tasks) else {}
    if bins is not None and group == ALL:
        own = bins.reindex(tasks)
        groups |= {label: tasks[own == label] for label in sorted(set(own.dropna()) - {""})}
    return groups
