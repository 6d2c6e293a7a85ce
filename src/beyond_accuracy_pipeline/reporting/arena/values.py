"""Values of each method on each task of an arena, with the size and kind of the task."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import pandas as pd

from beyond_accuracy_pipeline.results.columns import MISSING
from beyond_accuracy_pipeline.results.variants import Variant, headline_states

from ..cells import LOSSES, apply_missing
from ..names import measure_name
from ..report import Report


class Situation(NamedTuple):
    """Kind of tasks for which methods are recommended, such as tasks with sparse features.

    A task is, for example, one class of a data set against the rest. The function `holds` takes a
    table with one row per task, and returns which tasks are of this kind. The table has the columns
    `share` (of positives), `n_train`, `n_features` and `sparse`.
    """

    name: str
    label: str
    holds: Callable[[pd.DataFrame], pd.Series]


_EVERYWHERE = Situation("all", "all tasks", lambda rows: rows["n_train"] > 0)
_DENSE = Situation("dense", "dense features", lambda rows: ~rows["sparse"])
_SPARSE = Situation("sparse", "sparse features", lambda rows: rows["sparse"])
SLICES = (
    Situation("rare", "below 10 % positives", lambda rows: rows["share"] < 0.1),
    Situation("frequent", "10 % positives or more", lambda rows: rows["share"] >= 0.1),
    Situation("small", "below 1,000 examples", lambda rows: rows["n_train"] < 1000),
    Situation("large", "1,000 examples or more", lambda rows: rows["n_train"] >= 1000),
    Situation("narrow", "below 50 features", lambda rows: rows["n_features"] < 50),
    Situation("wide", "50 features or more", lambda rows: rows["n_features"] >= 50),
)


def kinds_of_data(rows: pd.DataFrame) -> list[Situation]:
    """Return two kinds of tasks, with dense and with sparse features, or one kind for all tasks.

    `rows` has one row per task. One kind is returned if all tasks have the same kind of features.
    """
    if rows["sparse"].any() and not rows["sparse"].all():
        return [_DENSE, _SPARSE]
    return [_EVERYWHERE]


def situations(rows: pd.DataFrame) -> list[Situation]:
    """Return the kinds of tasks for which methods are recommended.

    `rows` has one row per task. The first kinds are tasks with dense and tasks with sparse features
    or, if all tasks have the same kind of features, all tasks. Then follow tasks (without sparse
    features, if some have dense ones) with few or many positives, training examples or features.
    """

    def of_dense(kind: Situation) -> Situation:
        label = f"dense, {kind.label}"
        return Situation(kind.name, label, lambda rows: ~rows["sparse"] & kind.holds(rows))

    kinds = kinds_of_data(rows)
    return [*kinds, *(SLICES if len(kinds) == 1 else map(of_dense, SLICES))]


def task_values(report: Report) -> pd.DataFrame:
    """Return the value of each method on each task by each measure, as a mean over the seeds.

    A task is, for example, one class of a data set against the rest. There is one row per task,
    method and measure. Failed fits count as the worst value of the measure. Further columns
    describe the task, such as its share of positives.
    """
    states = headline_states(report.results.whole)
    keys = ["data_set", "task", "method", "measure", "fold"]
    frames = []
    for state in states:
        frame = report.under(state).results.measurements
        # Binary tasks are drawn anew in each state. Other tasks are the same in all states.
        described = state if report.configuration["protocol"] == "binary" else states[0]
        fits = report.under(described).results.fits.drop_duplicates(keys)
        fits = fits[[*keys, "n_train", "n_train_positives", "sparse"]]
        frames.append(frame[~frame["status"].isin(MISSING)].merge(fits, "left", keys))
    rows = apply_missing(pd.concat(frames, ignore_index=True), "worst")
    rows = _with_decisions(report, _in_order(report, rows))
    records = report.results.data_sets
    sizes = {name: pd.to_numeric(records[f"{name}_found"]) for name in ("n_train", "n_features")}
    rows["n_train"] = rows["n_train"].astype(float).fillna(rows["data_set"].map(sizes["n_train"]))
    rows["n_features"] = rows["data_set"].map(sizes["n_features"])
    rows["share"] = rows["n_train_positives"].astype(float) / rows["n_train"]
    rows["sparse"] = rows["sparse"].eq(True).fillna(False).astype(bool)
    cell = ["data_set", "task", "method", "measure"]
    means = ["value", "share", "n_train", "n_features"]
    grouped = rows.groupby(cell, sort=False, dropna=False)
    return grouped[means].mean().assign(sparse=grouped["sparse"].first()).reset_index()


def _in_order(report: Report, rows: pd.DataFrame) -> pd.DataFrame:
    """Sort rows by data set, method and decision rule, as in the configuration."""
    methods = report.configuration["methods"]
    decisions = {
        (name, task): number
        for name in methods
        for number, task in enumerate(methods[name].get("inference", []))
    }
    keys = zip(rows["method"], rows["task"], strict=True)
    numbers = rows[["data_set", "method", "task"]].assign(
        data_set=pd.Index(report.data_sets).get_indexer(rows["data_set"]),
        method=pd.Index(report.methods()).get_indexer(rows["method"]),
        decision=[decisions.get(key, 0) for key in keys],
    )
    order = numbers.sort_values(["data_set", "method", "decision", "task"], kind="stable")
    return rows.loc[order.index]


def unfitted(report: Report) -> pd.DataFrame:
    """Return one row per data set, measure and method that could not be fitted."""
    rows = report.under(Variant()).results.measurements
    rows = rows[rows["status"].isin(MISSING)]
    rows = _with_decisions(report, _in_order(report, rows))
    return rows[["data_set", "measure", "method"]].drop_duplicates()


def _with_decisions(report: Report, rows: pd.DataFrame) -> pd.DataFrame:
    """Return rows in which each decision rule of a multi-label method counts as a method."""
    if report.configuration["protocol"] != "multilabel":
        return rows
    methods = [
        f"{report.method_label(method)}, {task}" if task else method
        for method, task in zip(rows["method"], rows["task"], strict=True)
    ]
    return rows.assign(method=methods, task="")


def better_is_positive(report: Report) -> list[str]:
    """Return a list with a note that positive differences are better, even for losses.

    Losses are measures for which smaller values are better. Without losses, return [].
    """
    losses = [measure for measure in report.measures if measure in LOSSES]
    if not losses:
        return []
    names = ", ".join(map(measure_name, losses))
    costs = any("cost" in measure for measure in losses)
    unit = " Costs are in hundredths: a percentage point is 0.01." if costs else ""
    return [f"Positive differences are better, those of losses ({names}) as well.{unit}"]


def by_data_set(rows: pd.DataFrame, measure: str, methods: Sequence[str] = ()) -> pd.DataFrame:
    """Return averages of a measure over tasks, one row per data set and one column per method.

    `rows` is a table made by `task_values`. If `methods` is not empty, only these are used. Losses
    are negated, so that larger values are better. Methods without any value are left out, and then
    data sets that lack a value of a method.
    """
    of_measure = rows[rows["measure"] == measure]
    if methods:
        of_measure = of_measure[of_measure["method"].isin(list(methods))]
    sign = -1 if measure in LOSSES else 1
    table = of_measure.pivot_table("value", "data_set", "method", aggfunc="mean", sort=False) * sign
    order = list(dict.fromkeys(of_measure["method"]))
    return table.reindex(columns=[name for name in order if name in table]).dropna()


def tables_by_kind(report: Report) -> list[tuple[str, str, pd.DataFrame]]:
    """Return (measure, kind, table) for each measure and kind of data (dense or sparse features).

    A table has averages, one row per data set and one column per method.
    """
    rows = report.once(task_values)
    tables = [
        (measure, kind.label, by_data_set(rows[kind.holds(rows)], measure))
        for measure in report.measures
        for kind in kinds_of_data(rows)
    ]
    return [entry for entry in tables if len(entry[2])]
