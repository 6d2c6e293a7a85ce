"""Tables on the page of Li et al. (2013), as rows of Markdown cells."""

from collections.abc import Iterator, Sequence
from itertools import compress
from typing import Any

from beyond_accuracy_pipeline.reporting.names import measure_name
from beyond_accuracy_pipeline.reporting.page_tables import (
    Rows,
    in_bold_the_largest,
    median_and_range,
    points,
    read_table,
)
from beyond_accuracy_pipeline.reporting.report import Report

from .names import (
    BASELINES,
    COLLECTIONS,
    LINEAR,
    METHODS,
    STAR,
    TABLE2_METHODS,
)
from .values import TASK

# Ranges over seeds are shown if they are wider than one point.
WIDE = 0.01
FILLED, NOT_ADAPTED, LEFT_OUT = "‡", "§", "‖"


def _rows_of_table2(report: Report, methods: Sequence[str]) -> Iterator[tuple]:
    """Yield (label of the data set, label of the measure, rows of Table 2 by method)."""
    frame = read_table(report, "table2")
    frame = frame[frame["data_set"].isin(COLLECTIONS)]
    for (data_set, measure), rows in frame.groupby(TASK, sort=False):
        cells = rows.set_index("method").loc[list(methods)]
        yield report.label(data_set).replace(", 0 to 4", ""), measure_name(measure), cells


def page_table(report: Report) -> Rows:
    """Return test values of CAPO and of SVMs with an RBF kernel, with ranges over the seeds.

    The result is a list of rows of Markdown cells, the header first. The best value of a task among
    all methods of Table 2 of Li et al. (2013) is in bold.
    """
    shown = [name not in LINEAR for name in TABLE2_METHODS]
    rows = [["task", *compress((METHODS[name] for name in TABLE2_METHODS), shown)]]
    for data_set, measure, cells in _rows_of_table2(report, TABLE2_METHODS):
        # A CAPO without auxiliaries is linear SVM-perf.
        values = cells["value"].mask(cells["not_adapted"]).tolist()
        texts = in_bold_the_largest(values, list(map(_cell, cells.to_dict("records"))))
        rows.append([f"{data_set}: {measure}", *compress(texts, shown)])
    return [[text.replace("CAPO*", r"CAPO\*") for text in row] for row in rows]


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
    return [[text.replace("CAPO*", r"CAPO\*") for text in row] for row in rows]


def _cell(row: dict[str, Any]) -> str:
    # If all auxiliaries are left out, another mark says that nothing is adapted.
    partly = isinstance(row["left_out"], str) and bool(row["left_out"]) and not row["not_adapted"]
    marks = {FILLED: row["not_published"], NOT_ADAPTED: row["not_adapted"], LEFT_OUT: partly}
    mark = "".join(text for text, holds in marks.items() if holds)
    value, _, states = median_and_range(row, "value", points, WIDE).partition(" ")
    return f"{value}{mark} {states}".strip()
