"""Wilcoxon's signed-rank tests over all tasks, and over the data sets for each measure."""

from collections.abc import Sequence

import pandas as pd

from beyond_accuracy.papers.li2013.names import (
    DELTA_FUNCTION,
    ENSEMBLE,
    MEASURES,
    STAR,
    TESTED_PAIRS,
    measure_label,
    not_selected,
)
from beyond_accuracy.papers.li2013.values import compare_pairs, published_values, task_values
from beyond_accuracy.reporting.comparison import Pair
from beyond_accuracy.reporting.formats import UNAVAILABLE, count, p_value, slashed, star_note
from beyond_accuracy.reporting.report import Report
from beyond_accuracy.reporting.tables import Across, Column, Table

ALL = "all"
OURS, PUBLISHED = "ours", "published"
COUNTS = ("wins", "losses", "ties")
UNADJUSTED = (
    "The p-values shown are not adjusted for the number of tests; the column p_holm of the CSV "
    "file has Holm's."
)
DEPENDENT = (
    "The tasks are few data sets, each of them once a measure: they are not independent, so that "
    "p-values over all tasks are too small. Those for each measure, over at most five data sets, "
    "cannot be below 0.0625, and Holm's correction leaves none of them below 0.05: no test for "
    "one measure can be significant."
)


def table_tests(report: Report) -> Table:
    """Each CAPO against its auxiliaries and the rivals over the paper's tasks."""
    frame = _tests(report, [ALL])
    p_text = p_value(report.configuration["significance"]["stars"])
    n_tasks = frame.groupby("source")["n_tasks"].max()
    columns = {
        "Tasks": ("n_tasks", count),
        "Wins/losses/ties": (("n_tasks", *COUNTS), _signs),
        "p": ("p_value", p_text),
        "p, Holm": ("p_holm", p_text),
    }
    return Table(
        frame=frame,
        index=_pair_columns(report),
        columns=[
            Across("source", f"{title}\t{{}}".format, [Column("", *content)])
            for title, content in columns.items()
        ],
        caption=(
            "Wilcoxon's signed-rank tests of each CAPO against what it adapts and against the "
            f"rivals: over {n_tasks[OURS]} tasks here and up to {n_tasks[PUBLISHED]} that "
            "the paper prints."
        ),
        notes=_notes(report),
    )


def table_tests_by_measure(report: Report) -> Table:
    """The same for each measure by itself, over data sets."""
    frame = _tests(report, report.measures)
    frame["_heading"] = [
        f"{source.capitalize()}\t{measure_label(measure)}"
        for source, measure in zip(frame["source"], frame["measure"], strict=True)
    ]
    p_text = p_value(report.configuration["significance"]["stars"])

    def text(n_tasks: int, wins: int, losses: int, ties: int, p: float) -> str:
        return f"{slashed(wins, losses, ties)}, {p_text(p)}" if n_tasks else UNAVAILABLE

    return Table(
        frame=frame,
        index=_pair_columns(report),
        columns=[Across("_heading", str, [Column("", ("n_tasks", *COUNTS, "p_value"), text)])],
        caption=(
            "Wins/losses/ties over the data sets and the p-value of Wilcoxon's signed-rank test, "
            "for each measure by itself."
        ),
        notes=[UNADJUSTED, *_notes(report)],
    )


def _tests(report: Report, measures: Sequence[str]) -> pd.DataFrame:
    """Return the tests of our values and of the published ones, for each measure or `ALL`."""
    zero_method = report.configuration["significance"]["zero_method"]
    added = [Pair(STAR, method) for method in report.methods(())]
    pairs = [*TESTED_PAIRS, *added, DELTA_FUNCTION]
    sources = {OURS: task_values(report.of_the_paper()), PUBLISHED: published_values(report)}
    parts = {}
    for source, values in sources.items():
        for measure in measures:
            measured_by = MEASURES if measure == ALL else [measure]
            tasks = values[values.index.isin(measured_by, level="measure")]
            parts[source, measure] = compare_pairs(tasks, pairs, zero_method)
    tests = pd.concat(parts, names=["source", "measure"])
    return tests.reset_index(["source", "measure"]).reset_index(drop=True)


def _pair_columns(report: Report) -> list[Column]:
    return [
        Column("CAPO", "proposed", report.method_label),
        Column("against", "baseline", report.method_label),
    ]


def _signs(n_tasks: int, *counts: int) -> str:
    return slashed(*counts) if n_tasks else UNAVAILABLE


def _notes(report: Report) -> list[str]:
    significance = report.configuration["significance"]
    return [
        "Two-tailed; zero differences: "
        f"{significance['zero_method']!r}; {star_note(significance['stars'])}. Holm's correction "
        "is over all rows of one source (and measure). Cells that the paper marks N/A are left "
        "out of its tests, so that these rest on fewer tasks. The auxiliaries' PRBEP and ROC area "
        "are of their real-valued outputs. The last row is of Table 5: the "
        f"{report.method_label(ENSEMBLE).partition(',')[0].lower()} has no delta function.",
        DEPENDENT,
        *not_selected(report),
        *report.data_set_notes(report.of_the_paper().data_sets),
    ]
