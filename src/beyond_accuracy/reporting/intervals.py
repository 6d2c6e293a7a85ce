"""The table of bootstrap intervals of one paper: results/<paper>/intervals.parquet."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from beyond_accuracy.datasets.prepared import PreparedDataSet, load_prepared
from beyond_accuracy.reporting.bootstrap import (
    macro_averages,
    percentile_interval,
    resampled_values,
)
from beyond_accuracy.reporting.comparison import (
    Comparison,
    Pair,
    compare,
    measured_together,
    training_positives,
)
from beyond_accuracy.reporting.frequency import bin_labels, frequency_bins
from beyond_accuracy.reporting.intervals_table import ALL, DIFFERENCE, difference_name
from beyond_accuracy.reporting.joint_intervals import complete_values, joint_intervals
from beyond_accuracy.reporting.papers import PaperDefinition, paper_definition
from beyond_accuracy.reporting.results import PaperResults

COLUMNS = {
    "data_set": "str",
    "measure": "str",
    "method": "str",
    "group": "str",
    "n_tasks": "int64",
    "estimate": "float64",
    "low": "float64",
    "high": "float64",
    "n_resamples": "int64",
}


def build_intervals(
    results_folder: str | Path,
    resources_folder: str | Path,
    paper: str,
    paper_configuration: Mapping[str, Any],
    seed: int,
    output: str | Path,
) -> None:
    """Write the bootstrap intervals of a paper's macro-averages.

    One row per data set, measure, method (or "difference", of the two methods compared, and
    "difference from <method>" of the proposed method from any other) and group: "all" tasks, or
    those with a number of training positives such as "3–9". Data sets that are unavailable, or have
    no test set of their own, have no rows. A paper with `comparisons` has rows of all its methods
    and of each pair's difference.
    """
    results = PaperResults(results_folder, paper)
    definition = paper_definition(paper)
    if definition.intervals is not None:
        write_intervals(definition.intervals(results, paper_configuration, seed), output)
        return
    rows: list[dict[str, Any]] = []
    for data_set in results.data_set_names(paper_configuration["data_sets"]):
        common = {
            "results": results,
            "data_set": data_set,
            "folder": Path(resources_folder) / "prepared" / data_set,
            "configuration": paper_configuration,
            "edges": definition.frequency_edges,
            "seed": [seed, *paper.encode(), 0, *data_set.encode()],
        }
        if definition.comparisons:
            rows += _joint_intervals(definition.comparisons, **common)
            continue
        rows += _pair_intervals(definition.pair, **common)
        for pair in _further_pairs(definition, results.measurements["method"].unique()):
            name = difference_name(definition.pair, pair)
            rows += [
                row | ({"method": name} if row["method"] == DIFFERENCE else {})
                for row in _pair_intervals(pair, **common)
                if row["method"] != pair.proposed
            ]
    write_intervals(rows, output)


def _further_pairs(definition: PaperDefinition, methods: Sequence[str]) -> list[Pair]:
    """Return the paper's further pairs, and one for each method that was added to its own."""
    further = list(definition.further_pairs)
    known = {method for pair in (definition.pair, *further) for method in pair.methods}
    added = [Pair(definition.pair.proposed, method) for method in methods if method not in known]
    return [*further, *added]


def _pair_intervals(
    pair: Pair,
    *,
    results: PaperResults,
    data_set: str,
    folder: Path,
    configuration: Mapping[str, Any],
    edges: Sequence[int],
    seed: list[int],
) -> list[dict[str, Any]]:
    """Return the interval rows of one pair of methods on one data set."""
    comparisons = {
        measure: compare(results.measurements, data_set, measure, pair)
        for measure in configuration["measures"]
        if measured_together(results.measurements, data_set, measure, pair)
    }
    comparisons = {key: one for key, one in comparisons.items() if one.available}
    prepared = load_prepared(folder) if comparisons else None
    if prepared is None or prepared.y_test is None:
        return []
    return data_set_intervals(
        comparisons,
        _labels(prepared, comparisons.values()),
        _scores(results, data_set, comparisons, pair),
        training_positives(results.fits, data_set),
        edges=edges,
        n_resamples=configuration["bootstrap"]["n_resamples"],
        level=configuration["bootstrap"]["level"],
        seed=seed,
    )


def _joint_intervals(
    pairs: Sequence[Pair],
    *,
    results: PaperResults,
    data_set: str,
    folder: Path,
    configuration: Mapping[str, Any],
    seed: list[int],
    **_: Any,
) -> list[dict[str, Any]]:
    """Return the interval rows of all methods and pairs on one data set."""
    values = complete_values(results.measurements, data_set)
    prepared = load_prepared(folder) if values else None
    if prepared is None or prepared.y_test is None:
        return []
    tasks = dict.fromkeys(task for one in values.values() for task in one.index)
    labels = {task: positive_examples(prepared, task) for task in tasks}
    return joint_intervals(
        results, data_set, values, labels, pairs, configuration["bootstrap"], seed
    )


def write_intervals(rows: Sequence[Mapping[str, Any]], output: str | Path) -> None:
    """Write interval rows as Parquet, with all columns even if there are no rows."""
    frame = pd.DataFrame(list(rows), columns=list(COLUMNS)).astype(COLUMNS)
    Path(output).parent.mkdir(parents=True, exist_ok=True)
    frame.to_parquet(output, index=False)


def data_set_intervals(
    comparisons: Mapping[str, Comparison],
    labels: Mapping[str, np.ndarray],
    scores: Mapping[tuple[str, str], Mapping[str, np.ndarray]],
    positives: pd.Series,
    *,
    edges: Sequence[int],
    n_resamples: int,
    level: float,
    seed: int | list[int],
) -> list[dict[str, Any]]:
    """Return the interval rows of one data set.

    `comparisons` are by measure, `labels` by task, `scores` by (measure, method) and task;
    `positives` counts training positives by task. All measures, methods and tasks see the same
    resamples of the test examples.
    """
    resampled = resampled_values(labels, scores, n_resamples=n_resamples, seed=seed)
    rows = []
    for measure, comparison in comparisons.items():
        proposed, baseline = comparison.pair.methods
        for group, members in _groups(comparison, positives, edges).items():
            values = comparison.values[members]
            averages = {
                method: macro_averages(
                    resampled[measure, method][:, members], values[method].to_numpy()
                )
                for method in comparison.pair.methods
            }
            averages[DIFFERENCE] = averages[proposed] - averages[baseline]
            estimates = values.mean().to_dict()
            estimates[DIFFERENCE] = estimates[proposed] - estimates[baseline]
            for method, estimate in estimates.items():
                interval = percentile_interval(estimate, averages[method], level)
                rows.append(
                    {
                        "data_set": comparison.data_set,
                        "measure": measure,
                        "method": method,
                        "group": group,
                        "n_tasks": len(values),
                        "estimate": interval.estimate,
                        "low": interval.low,
                        "high": interval.high,
                        "n_resamples": interval.n_resamples,
                    }
                )
    return rows


def _groups(
    comparison: Comparison, positives: pd.Series, edges: Sequence[int]
) -> dict[str, np.ndarray]:
    groups = {ALL: np.ones(comparison.n_tasks, dtype=bool)}
    if edges:
        bins = frequency_bins(positives.reindex(comparison.values.index).fillna(0), edges)
        members = {label: (bins == label).to_numpy() for label in bin_labels(edges)}
        groups |= {label: inside for label, inside in members.items() if inside.any()}
    return groups


def _scores(
    results: PaperResults,
    data_set: str,
    comparisons: Mapping[str, Comparison],
    pair: Pair,
) -> dict[tuple[str, str], dict[str, np.ndarray]]:
    by_method = {method: results.scores(data_set, method) for method in pair.methods}
    return {
        (measure, method): {task: scores.row(measure, task) for task in comparison.values.index}
        for measure, comparison in comparisons.items()
        for method, scores in by_method.items()
    }


def _labels(prepared: PreparedDataSet, comparisons: Sequence[Comparison]) -> dict[str, np.ndarray]:
    tasks = dict.fromkeys(task for one in comparisons for task in one.values.index)
    return {task: positive_examples(prepared, task) for task in tasks}


def positive_examples(prepared: PreparedDataSet, task: str) -> np.ndarray:
    """Return which test examples are positive in a task, bool, shape (n_test,).

    A binary data set has a single task; otherwise a task is named after its class.
    """
    if prepared.task == "binary":
        return np.asarray(prepared.y_test) > 0
    if task not in prepared.class_names:
        raise ValueError(
            f"{prepared.name}: the scores have a task {task!r}, but the data set has the classes "
            f"{', '.join(prepared.class_names)}. Remove its results and run snakemake again."
        )
    column = prepared.class_names.index(task)
    if prepared.task == "multiclass":
        return np.asarray(prepared.y_test) == column
    indicator = prepared.y_test[:, [column]]
    dense = indicator.toarray() if hasattr(indicator, "toarray") else indicator
    return np.asarray(dense).ravel() > 0
