"""The table of values on the paper's page."""

from beyond_accuracy_pipeline.papers.li2013.names import (
    COLLECTIONS,
    METHODS,
    STAR,
    TABLE2_METHODS,
    measure_label,
)
from beyond_accuracy_pipeline.reporting.page_tables import (
    Rows,
    in_bold_the_largest,
    median_and_range,
    points,
    read_table,
)
from beyond_accuracy_pipeline.reporting.report import Report

# Ranges over the states are shown where they are wider than a point.
WIDE = 0.01
FILLED, NOT_ADAPTED, LEFT_OUT = "‡", "§", "‖"


def page_table(report: Report) -> Rows:
    """Table 2 with the best of each row in bold, and CAPO* as published."""
    frame = read_table(report, "table2")
    frame = frame[frame["data_set"].isin(COLLECTIONS)]
    head = ["data set", "measure", *(METHODS[name] for name in TABLE2_METHODS)]
    rows = [[text.replace("*", r"\*") for text in [*head, f"{METHODS[STAR]}, published"]]]
    for (data_set, measure), own in frame.groupby(["data_set", "measure"], sort=False):
        cells = own.set_index("method").loc[list(TABLE2_METHODS)]
        # What adapts nothing is linear SVM-perf.
        values = cells["value"].mask(cells["not_adapted"]).tolist()
        texts = in_bold_the_largest(values, list(map(_cell, cells.to_dict("records"))))
        published = points(cells.loc[STAR, "published"])
        rows.append([report.label(data_set), measure_label(measure), *texts, published])
    return rows


def _cell(row):
    # Where its only auxiliary is left out of all parts, it adapts nothing.
    partly = isinstance(row["left_out"], str) and bool(row["left_out"]) and not row["not_adapted"]
    marks = {FILLED: row["not_published"], NOT_ADAPTED: row["not_adapted"], LEFT_OUT: partly}
    mark = "".join(text for text, holds in marks.items() if holds)
    value, _, states = median_and_range(row, "value", points, WIDE).partition(" ")
    return f"{value}{mark} {states}".strip()
