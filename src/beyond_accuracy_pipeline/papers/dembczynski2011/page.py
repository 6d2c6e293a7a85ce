"""The tables of values on the paper's page."""

import pandas as pd

from beyond_accuracy_pipeline.papers.dembczynski2011.names import (
    DATA_SETS,
    F_MEASURE,
    ROWS,
    row_label,
)
from beyond_accuracy_pipeline.reporting.formats import percent_interval
from beyond_accuracy_pipeline.reporting.names import spaced
from beyond_accuracy_pipeline.reporting.page_tables import Rows, points, read_table
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.results.variants import HEADLINE


def page_table(report: Report) -> Rows:
    """The mean F-measure of each row of Table 1, its interval and the published value."""
    frame = read_table(report, "table1")
    frame = frame[frame["measure"] == F_MEASURE]
    data_sets = list(frame["data_set"].unique())
    values = frame.set_index(["model", "inference", "data_set"])
    return [
        ["method", *map(report.label, data_sets)],
        *(
            [row_label(*row), *(_cell(values.loc[(*row, name)]) for name in data_sets)]
            for row in ROWS
        ),
    ]


def readings_table(report: Report) -> Rows:
    """The F-measure under each reading but the headline, on scene, yeast and enron."""
    frame = read_table(report, "table_readings_values")
    frame = frame[(frame["measure"] == F_MEASURE) & frame["data_set"].isin(DATA_SETS[:3])]
    readings = [name for name in frame["reading"].unique() if name != HEADLINE]
    values = frame.set_index(["model", "inference", "reading", "data_set"])["value"]
    rows = [row for row in ROWS if row in set(zip(frame["model"], frame["inference"], strict=True))]
    return [
        ["under readings", *(spaced(name) for name in readings)],
        *(
            [
                row_label(*row),
                *(
                    " / ".join(
                        points(values.get((*row, reading, name), float("nan")))
                        for name in DATA_SETS[:3]
                    )
                    for reading in readings
                ),
            ]
            for row in rows
        ),
    ]


def _cell(row: pd.Series) -> str:
    interval = percent_interval(row["low"], row["high"])
    published = "" if pd.isna(row["published"]) else f" / {points(row['published'])}"
    return f"{points(row['value'])} {interval}{published}"
