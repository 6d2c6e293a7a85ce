"""Scores, average ranks and pairwise comparisons, for each measure by itself."""

from typing import Any

import pandas as pd

from beyond_accuracy.reporting.arena.ranks import (
    ROPE,
    average_ranks,
    best_ranked,
    difference_interval,
    pairwise_tests,
    posterior,
    significance_matrix,
)
from beyond_accuracy.reporting.arena.values import (
    EVERYWHERE,
    LOSSES,
    SITUATIONS,
    Situation,
    by_data_set,
    measure_title,
    task_values,
)
from beyond_accuracy.reporting.formats import (
    decimals,
    if_known,
    percent,
    percent_change,
    percent_interval,
    win_counts,
)
from beyond_accuracy.reporting.report import Report
from beyond_accuracy.reporting.tables import Across, Column, Table, largest

BLOCKS = (
    "Tasks of a data set are averaged, and data sets on which a method cannot be fitted, such as "
    "sparse ones, are left out where it takes part; a fit that failed counts as the worst value."
)
_TESTED = (
    "Bold: the best; underlined: those that Wilcoxon's signed-rank test, after Holm's correction "
    "over all pairs, does not tell from it at the 5 % level."
)


def table_scores(report: Report) -> Table:
    """Averages over the tasks of each data set."""
    rows = report.once(task_values)
    cell = ["data_set", "measure", "method"]
    frame = rows.groupby(cell, sort=False)["value"].mean().reset_index()
    frame["_comparable"] = frame["value"].where(
        ~frame["measure"].isin(list(LOSSES)), -frame["value"]
    )
    frame["_best"] = largest(frame, "_comparable", ["data_set", "measure"])
    line = Column("", "value", if_known(percent), bold="_best")
    return Table(
        frame=frame,
        index=[report.data_set_column(), Column("Measure", "measure", measure_title)],
        columns=[Across("method", report.method_label, [line])],
        caption="Averages over the tasks of a data set and the random states, in percent.",
    )


def table_ranks(report: Report) -> Table:
    """Average ranks by measure."""
    return _ranks(report, [EVERYWHERE], "Average ranks over data sets, 1 the best.")


def table_situations(report: Report) -> Table:
    """Average ranks by measure, of the tasks of each kind."""
    return _ranks(report, SITUATIONS, "Average ranks over data sets, by kind of task.")


def _ranks(report: Report, situations: "tuple[Situation, ...] | list[Situation]", caption) -> Table:
    rows = report.once(task_values)
    found: list[dict[str, Any]] = []
    for measure in report.measures:
        for situation in situations:
            table = by_data_set(rows[situation.holds(rows)], measure)
            if len(table) == 0:
                continue
            ranks, best = average_ranks(table), best_ranked(table)
            # All pairs of all kinds of tasks would be thousands of tests, which nobody reads.
            tested = len(situations) == 1
            p_values = significance_matrix(table)[best] if tested else ranks * float("nan")
            for method in table.columns:
                found.append(
                    {
                        "measure": measure,
                        "situation": situation.label,
                        "n_data_sets": len(table),
                        "method": method,
                        "rank": ranks[method],
                        "p_value_holm": p_values[method],
                        "_best": method == best,
                        "_not_different": p_values[method] > 0.05,
                    }
                )
    names = ["measure", "situation", "n_data_sets", "method", "rank", "p_value_holm"]
    frame = pd.DataFrame(found, columns=[*names, "_best", "_not_different"])
    line = Column("", "rank", if_known(decimals(2)), bold="_best", underline="_not_different")
    return Table(
        frame=frame,
        index=[
            Column("Measure", "measure", measure_title),
            Column("Tasks", "situation"),
            Column("Data sets", "n_data_sets", decimals(0)),
        ],
        columns=[Across("method", report.method_label, [line])],
        caption=caption,
        notes=["Bold: the best." if len(situations) > 1 else _TESTED, BLOCKS],
    )


def table_pairs(report: Report) -> Table:
    """All pairs of methods by Wilcoxon's test."""
    rows = report.once(task_values)
    # A measure that fewer than two methods have has no pairs.
    parts = [
        own.assign(measure=measure)
        for measure in report.measures
        if len(own := pairwise_tests(by_data_set(rows, measure)))
    ]
    nothing = pairwise_tests(pd.DataFrame()).assign(measure="")
    frame = pd.concat(parts or [nothing], ignore_index=True)
    return Table(
        frame=frame[["measure", *frame.columns.drop("measure")]],
        index=[
            Column("Measure", "measure", measure_title),
            Column("Method", "first", report.method_label),
            Column("Against", "second", report.method_label),
        ],
        columns=[
            Column("Difference", "difference", percent_change),
            Column("Wins/losses/ties", ("wins", "losses", "ties"), win_counts),
            Column("Wilcoxon p", "p_value", report.p_text),
            Column("Wilcoxon p, Holm", "p_value_holm", report.p_text),
        ],
        caption="Pairs of methods: mean difference over data sets in percentage points, and tests.",
        notes=[BLOCKS],
    )


def table_against_best(report: Report) -> Table:
    """Every method against the best-ranked one, with a region of practical equivalence."""
    rows = report.once(task_values)
    found = []
    for measure in report.measures:
        table = by_data_set(rows, measure)
        if len(table) == 0:
            continue
        best = best_ranked(table)
        for method in table.columns.drop(best):
            low, high = difference_interval(table, method, best)
            compared = posterior(table, method, best)
            row = {"measure": measure, "best": best, "method": method, "n_data_sets": len(table)}
            row["difference"] = float((table[method] - table[best]).mean())
            found.append(row | {"low": low, "high": high} | compared._asdict())
    names = ["measure", "best", "method", "n_data_sets", "difference", "low", "high"]
    frame = pd.DataFrame(found, columns=[*names, "worse", "equivalent", "better"])
    interval = Column("95 % interval", ("low", "high"), _interval)
    return Table(
        frame=frame,
        index=[
            Column("Measure", "measure", measure_title),
            Column("Best-ranked", "best", report.method_label),
            Column("Method", "method", report.method_label),
        ],
        columns=[
            Column("Difference", "difference", percent_change),
            interval,
            Column("P(worse)", "worse", decimals(2)),
            Column("P(equivalent)", "equivalent", decimals(2)),
            Column("P(better)", "better", decimals(2)),
            Column("Data sets", "n_data_sets", decimals(0)),
        ],
        caption=(
            "Every method against the best-ranked one: mean difference over data sets in "
            "percentage points, and the Bayesian signed-rank test; equivalent: within "
            f"{100 * ROPE:g} point."
        ),
        notes=["95 % interval: percentiles of 2,000 resamples of the data sets.", BLOCKS],
    )


def _interval(low: float, high: float) -> str:
    return percent_interval(low, high, sign=True)
