"""Tables on the page of Dembczyński et al. (2011), as rows of Markdown cells."""

import pandas as pd

from beyond_accuracy_pipeline.papers.dembczynski2011.names import (
    BEYOND,
    F_MEASURE,
    ROWS,
    row_label,
)
from beyond_accuracy_pipeline.reporting.formats import percent_interval
from beyond_accuracy_pipeline.reporting.page_tables import (
    Rows,
    median_and_range,
    points,
    read_table,
)
from beyond_accuracy_pipeline.reporting.report import Report


def page_table(report: Report) -> Rows:
    """Return a table of the mean F-measure, its interval, and the published value."""
    frame = read_table(report, "table1")
    frame = frame[frame["measure"] == F_MEASURE]
    data_sets = list(frame["data_set"].unique())
    values = frame.set_index(["model", "inference", "data_set"])
    return [
        ["method", *(report.label(name) for name in data_sets)],
        *(
            [row_label(*row), *(_cell(values.loc[(*row, name)]) for name in data_sets)]
            for row in ROWS
        ),
    ]


def beyond_table(report: Report) -> Rows:
    """Return a table of the F-measure of the most useful methods that the paper does not have."""
    frame = read_table(report, "table_beyond")
    data_sets = list(frame["data_set"].unique())
    values = frame.set_index(["model", "inference", "data_set"])
    return [
        ["beyond the paper", *(report.label(name) for name in data_sets)],
        *(
            [
                row_label(*row, between=": "),
                *(
                    median_and_range(values.loc[(*row, name)], F_MEASURE, points)
                    for name in data_sets
                ),
            ]
            for row in BEYOND
        ),
    ]


def _cell(row: pd.Series) -> str:
    interval = percent_interval(row["low"], row["high"])
    published = "" if pd.isna(row["published"]) else f" / {points(row['published'])}"
    return f"{points(row['value'])} {interval}{published}"
