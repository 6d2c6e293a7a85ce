"""Scores, average ranks and pairwise comparisons, for each measure by itself."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from beyond_accuracy_pipeline.reporting.arena.ranks import (
    ROPE,
    average_ranks,
    best_ranked,
    difference_interval,
    pairwise_tests,
    posterior,
    significance_matrix,
    smallest_p,
    worse_by_pair,
)
from beyond_accuracy_pipeline.reporting.arena.values import (
    LOSSES,
    Situation,
    better_is_positive,
    by_data_set,
    kinds_of_data,
    situations,
    task_values,
    unfitted,
)
from beyond_accuracy_pipeline.reporting.formats import (
    decimals,
    if_known,
    percent,
    percent_change,
    percent_interval,
    win_counts,
)
from beyond_accuracy_pipeline.reporting.names import measure_name
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.reporting.tables import Across, Column, Table, largest

BLOCKS = (
    "Tasks of a data set are averaged. Methods that take no sparse features are compared on dense "
    "ones, the others on both kinds apart; a fit that failed counts as the worst value."
)
_POSTERIOR = (
    "P: by the Bayesian signed-rank test; worse or better: by more than "
    f"{100 * ROPE:g} percentage point."
)
_LEVEL = 0.05
_PROBABILITIES = [
    Column("P(worse)", "worse", decimals(2)),
    Column("P(equivalent)", "equivalent", decimals(2)),
    Column("P(better)", "better", decimals(2)),
]
_TESTED = (
    "Bold: the best; underlined: those that Wilcoxon's signed-rank test, after Holm's correction "
    "over all pairs, does not tell from it at the 5 % level."
)


def table_scores(report: Report) -> Table:
    """Averages over the tasks of each data set."""
    rows = report.once(task_values)
    cell = ["data_set", "measure", "method"]
    frame = rows.groupby(cell, sort=False)["value"].mean().reset_index()
    missing = unfitted(report)
    missing = missing[missing["data_set"].isin(frame["data_set"])]
    frame = pd.concat([frame, missing], ignore_index=True)
    frame["_comparable"] = frame["value"].where(
        ~frame["measure"].isin(list(LOSSES)), -frame["value"]
    )
    frame["_best"] = largest(frame, "_comparable", ["data_set", "measure"])
    line = Column("", "value", percent, bold="_best")
    return Table(
        frame=frame,
        index=[report.data_set_column(), Column("Measure", "measure", measure_name)],
        columns=[Across("method", report.method_label, [line])],
        caption="Averages over the tasks of a data set and the random states, in percent.",
        notes=["n/a: the method takes no sparse features."] if len(missing) else [],
    )


def table_tasks(report: Report) -> Table:
    """What stands behind each kind of task: the tasks and what is known of them."""
    rows = report.once(task_values)
    cell = ["data_set", "task"]
    facts = ["share", "n_train", "n_features", "sparse"]
    frame = rows.groupby(cell, sort=False, dropna=False)[facts].first().reset_index()
    kinds = [each for each in situations(rows) if each.name != "all"]
    held = {each.label: each.holds(frame) for each in kinds}
    frame["kinds"] = [
        "; ".join(label for label, holds in held.items() if holds[row]) for row in frame.index
    ]
    return Table(
        frame=frame,
        index=[report.data_set_column(), Column("Task", "task")],
        columns=[
            Column("Positives (%)", "share", if_known(percent)),
            Column("Training examples", "n_train", if_known(decimals(0))),
            Column("Features", "n_features", if_known(decimals(0))),
            Column("Counts as", "kinds"),
        ],
        caption="The tasks, means over the random states, and the kinds of tasks they count as.",
    )


def table_ranks(report: Report) -> Table:
    """Average ranks by measure and kind of data."""
    kinds = kinds_of_data(report.once(task_values))
    return _ranks(report, kinds, "Average ranks over data sets, 1 the best.", tested=True)


def table_situations(report: Report) -> Table:
    """Average ranks by measure, of the tasks of each kind."""
    # All pairs of all kinds of tasks would be thousands of tests, which nobody reads.
    kinds = situations(report.once(task_values))
    caption = "Average ranks over data sets, by kind of task."
    return _ranks(report, kinds, caption, tested=False)


def _too_few(tables: Sequence[tuple[str, str, pd.DataFrame]]) -> list[str]:
    """Say of which comparisons no pair of methods can be told apart, whatever the values."""
    unable = {
        (kind, len(table))
        for _, kind, table in tables
        if len(table) and smallest_p(*table.shape) > _LEVEL
    }
    return [
        f"{kind}, {n} data sets: too few for a test of all pairs; no p-value after Holm's "
        f"correction can be below {_LEVEL:g}."
        for kind, n in sorted(unable)
    ]


def _tables(report: Report, kinds: Sequence[Situation]) -> list[tuple[str, str, pd.DataFrame]]:
    """Measure, kind of tasks and averages by data set, those without any left out."""
    rows = report.once(task_values)
    found = [
        (measure, kind.label, by_data_set(rows[kind.holds(rows)], measure))
        for measure in report.measures
        for kind in kinds
    ]
    return [each for each in found if len(each[2])]


def _ranks(report: Report, kinds: Sequence[Situation], caption: str, *, tested: bool) -> Table:
    found: list[dict[str, Any]] = []
    tables = _tables(report, kinds)
    for measure, kind, table in tables:
        ranks, best = average_ranks(table), best_ranked(table)
        p_values = significance_matrix(table)[best] if tested else ranks * float("nan")
        for method in table.columns:
            found.append(
                {
                    "measure": measure,
                    "situation": kind,
                    "n_data_sets": len(table),
                    "method": method,
                    "rank": ranks[method],
                    "p_value_holm": p_values[method],
                    "_best": method == best,
                    "_not_different": p_values[method] > _LEVEL,
                }
            )
    names = ["measure", "situation", "n_data_sets", "method", "rank", "p_value_holm"]
    frame = pd.DataFrame(found, columns=[*names, "_best", "_not_different"])
    line = Column("", "rank", if_known(decimals(2)), bold="_best", underline="_not_different")
    return Table(
        frame=frame,
        index=[
            Column("Measure", "measure", measure_name),
            Column("Tasks", "situation"),
            Column("Data sets", "n_data_sets", decimals(0)),
        ],
        columns=[Across("method", report.method_label, [line])],
        caption=caption,
        notes=[
            *([_TESTED, *_too_few(tables)] if tested else ["Bold: the best."]),
            BLOCKS,
            *_at_zero(report),
        ],
    )


def _at_zero(report: Report) -> list[str]:
    """Say of which fits w = 0 is an optimum, by method and measure; nothing without any."""
    fits = report.results.fits
    fits = fits[fits["method"].isin(report.methods()) & fits["degenerate"].notna()]
    numbers = fits.groupby(["method", "measure"], sort=False)["degenerate"].agg(["sum", "size"])
    found = [
        f"{row['sum']} of {row['size']} fits of {report.method_label(method)} for "
        f"{measure_name(measure)}"
        for (method, measure), row in numbers[numbers["sum"] > 0].astype(int).iterrows()
    ]
    if not found:
        return []
    return [
        f"w = 0 is optimal for every C in {', '.join(found)} (first random state). Such a fit "
        "gives all examples one score. A threshold tuned for another classifier helps there."
    ]


def table_pairs(report: Report) -> Table:
    """All pairs of methods by Wilcoxon's test and the Bayesian one."""
    # A measure that fewer than two methods have has no pairs.
    tables = _tables(report, kinds_of_data(report.once(task_values)))
    parts = [
        _pairs(table).assign(measure=measure, situation=kind) for measure, kind, table in tables
    ]
    nothing = _pairs(pd.DataFrame()).assign(measure="", situation="")
    frame = pd.concat([part for part in parts if len(part)] or [nothing], ignore_index=True)
    names = ["measure", "situation"]
    return Table(
        frame=frame[[*names, *frame.columns.drop(names)]],
        index=[
            Column("Measure", "measure", measure_name),
            Column("Tasks", "situation"),
            Column("Method", "first", report.method_label),
            Column("Against", "second", report.method_label),
        ],
        columns=[
            Column("Difference", "difference", percent_change),
            Column("Wins/losses/ties", ("wins", "losses", "ties"), win_counts),
            Column("Wilcoxon p", "p_value", report.p_text),
            Column("Wilcoxon p, Holm", "p_value_holm", report.p_text),
            *_PROBABILITIES,
        ],
        caption="Pairs of methods: mean difference over data sets in percentage points, and tests.",
        notes=[_POSTERIOR, *better_is_positive(report), *_too_few(tables), BLOCKS],
    )


def _pairs(table: pd.DataFrame) -> pd.DataFrame:
    pairs, worse = pairwise_tests(table), worse_by_pair(table)
    keys = list(zip(pairs["first"], pairs["second"], strict=True))
    pairs["worse"] = [worse.at[first, second] for first, second in keys]
    pairs["better"] = [worse.at[second, first] for first, second in keys]
    pairs["equivalent"] = (1 - pairs["worse"] - pairs["better"]).round(6)
    return pairs


def table_against_best(report: Report) -> Table:
    """Every method against the best-ranked one, with a region of practical equivalence."""
    found = []
    for measure, kind, table in _tables(report, kinds_of_data(report.once(task_values))):
        best = best_ranked(table)
        for method in table.columns.drop(best):
            low, high = difference_interval(table, method, best)
            compared = posterior(table, method, best)
            row = {"measure": measure, "situation": kind, "best": best, "method": method}
            row |= {"n_data_sets": len(table)}
            row["difference"] = float((table[method] - table[best]).mean())
            found.append(row | {"low": low, "high": high} | compared._asdict())
    names = ["measure", "situation", "best", "method", "n_data_sets", "difference", "low", "high"]
    frame = pd.DataFrame(found, columns=[*names, "worse", "equivalent", "better"])
    interval = Column("95 % interval", ("low", "high"), _interval)
    return Table(
        frame=frame,
        index=[
            Column("Measure", "measure", measure_name),
            Column("Tasks", "situation"),
            Column("Best-ranked", "best", report.method_label),
            Column("Method", "method", report.method_label),
        ],
        columns=[
            Column("Difference", "difference", percent_change),
            interval,
            *_PROBABILITIES,
            Column("Data sets", "n_data_sets", decimals(0)),
        ],
        caption=(
            "Every method against the best-ranked one: mean difference over data sets in "
            "percentage points, and the Bayesian signed-rank test."
        ),
        notes=[
            _POSTERIOR,
            *better_is_positive(report),
            "95 % interval: percentiles of 2,000 resamples of the data sets.",
            BLOCKS,
        ],
    )


def _interval(low: float, high: float) -> str:
    return percent_interval(low, high, sign=True)
