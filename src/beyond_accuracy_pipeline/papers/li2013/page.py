"""Tables on the page of Li et al. (2013), as rows of Markdown cells."""

from collections.abc import Iterator, Sequence
from typing import Any

from beyond_accuracy_pipeline.reporting.agreement import DISTANCES
from beyond_accuracy_pipeline.reporting.claims import read_claims
from beyond_accuracy_pipeline.reporting.names import measure_name
from beyond_accuracy_pipeline.reporting.page_tables import (
    Rows,
    in_bold_the_largest,
    median_and_range,
    points,
    read_table,
)
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.results import layout
from beyond_accuracy_pipeline.results.damage import existing
from beyond_accuracy_pipeline.results.variants import HEADLINE

from .names import BASELINES, COLLECTIONS, METHODS, RIVALS_BEATEN_IN_PRINT, STAR, TABLE2_METHODS
from .values import TASK

# Ranges over seeds are shown if they are wider than one point.
WIDE = 0.01
FILLED, NOT_ADAPTED, LEFT_OUT = "‡", "§", "‖"
# For each verdict: the counted quantity, the claim and its number with the count, and the count
# that its rule needs, first for "reproduced", then for "partly".
CLOSE_VERDICTS = (
    (
        "rivals that CAPO* beats, by the rule of the first claim on the tasks in print alone",
        *("more-effective-than-rivals", RIVALS_BEATEN_IN_PRINT),
        *(f"{len(BASELINES)}", f"{len(BASELINES) - 1}"),
    ),
    (
        "tasks on which CAPO* is better than linear SVM-perf and takes less time",
        *("better-at-lower-cost", "larger value and fewer seconds"),
        *("more than half", "more than half better, more than half with less time"),
    ),
    (
        "tasks on which CAPO* has the published value",
        *("values-of-capo-star", "near", "at least four fifths", "more than half"),
    ),
)


def _rows_of_table2(report: Report, methods: Sequence[str]) -> Iterator[tuple]:
    """Yield (label of the data set, label of the measure, rows of Table 2 by method)."""
    frame = read_table(report, "table2")
    frame = frame[frame["data_set"].isin(COLLECTIONS)]
    for (data_set, measure), rows in frame.groupby(TASK, sort=False):
        cells = rows.set_index("method").loc[list(methods)]
        yield report.label(data_set), measure_name(measure), cells


def page_table(report: Report) -> Rows:
    """Return Table 2 of Li et al. (2013) as rows of Markdown cells, the header first.

    The last cell of a row is the published value of CAPO*.
    """
    head = ["data set", "measure", *(METHODS[name] for name in TABLE2_METHODS)]
    rows = [[text.replace("*", r"\*") for text in [*head, f"{METHODS[STAR]}, published"]]]
    for *names, cells in _rows_of_table2(report, TABLE2_METHODS):
        # A CAPO without auxiliaries is linear SVM-perf.
        values = cells["value"].mask(cells["not_adapted"]).tolist()
        texts = in_bold_the_largest(values, list(map(_cell, cells.to_dict("records"))))
        rows.append([*names, *texts, points(cells.loc[STAR, "published"])])
    return rows


def rivals_table(report: Report) -> Rows:
    """Return test values of CAPO* and of four SVMs that the paper compares it with.

    CAPO* is an SVM with the outputs of three auxiliary classifiers as additional features. The
    result is a list of rows of Markdown cells, the header first. The last cell is the published
    value of CAPO*.
    """
    methods = (STAR, *BASELINES)
    rows = [["task", *(METHODS[name] for name in methods), f"{METHODS[STAR]}, published"]]
    for data_set, measure, cells in _rows_of_table2(report, methods):
        values = cells["value"].tolist()
        texts = in_bold_the_largest(values, list(map(points, values)))
        rows.append([f"{data_set}: {measure}", *texts, points(cells.loc[STAR, "published"])])
    return [[text.replace(r"CAPO*", r"CAPO\*") for text in row] for row in rows]


def distances_table(report: Report) -> Rows:
    """Return how near our test values are to the published ones, as rows of Markdown cells."""
    frame = read_table(report, "table_distances")
    data_sets = [name for name in COLLECTIONS if f"mean_distance_{name}" in frame]
    head = ["reading", *(f"within {limit:g}" for limit in DISTANCES)]
    rows = [head + [f"mean distance, {report.label(name)}" for name in data_sets]]
    for row in frame.to_dict("records"):
        name = row["reading"]
        counts = (f"{row[f'within_{limit:g}']:g}" for limit in DISTANCES)
        means = (points(row[f"mean_distance_{name}"]) for name in data_sets)
        rows.append([name if name == HEADLINE else f"`{name}`", *counts, *means])
    return rows


def close_verdicts_table(report: Report) -> Rows:
    """Return three counts on which verdicts rest, such as the number of rivals that CAPO* beats.

    The result is a list of rows of Markdown cells, the header first. A row has a description, our
    count, and the counts required for the verdicts "reproduced" and "partly".
    """
    path = report.results.path(layout.PAPER_CLAIMS)
    numbers = read_claims(existing(path)).set_index("id")["numbers"]
    rows = [
        [counted.replace("*", r"\*"), numbers[claim][name], reproduced, partly]
        for counted, claim, name, reproduced, partly in CLOSE_VERDICTS
    ]
    return [["counted for a verdict", "here", 'needed for "reproduced"', 'for "partly"'], *rows]


def _cell(row: dict[str, Any]) -> str:
    # If all auxiliaries are left out, another mark says that nothing is adapted.
    partly = isinstance(row["left_out"], str) and bool(row["left_out"]) and not row["not_adapted"]
    marks = {FILLED: row["not_published"], NOT_ADAPTED: row["not_adapted"], LEFT_OUT: partly}
    mark = "".join(text for text, holds in marks.items() if holds)
    value, _, states = median_and_range(row, "value", points, WIDE).partition(" ")
    return f"{value}{mark} {states}".strip()
