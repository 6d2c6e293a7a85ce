"""Tables on the page of Deng et al. (2006), as rows of Markdown cells."""

import pandas as pd

from beyond_accuracy_pipeline.papers.deng2006.names import (
    AVERAGE_COST,
    BASELINE,
    BASES,
    CALIBRATED_COST,
    DESCENT,
    ERROR_RATE,
    EXPECTED_COST,
    GENETIC,
    METHODS,
    PAPER_COLUMNS,
)
from beyond_accuracy_pipeline.papers.deng2006.tables import ALL_DATA_SETS, WITH_BASES
from beyond_accuracy_pipeline.reporting.formats import decimals
from beyond_accuracy_pipeline.reporting.page_tables import (
    Rows,
    median_and_range,
    points,
    read_table,
)
from beyond_accuracy_pipeline.reporting.report import Report

MEASURES = {ERROR_RATE: "errors", AVERAGE_COST: "costs"}
TESTS = {"significant": "significant wins/losses", "corrected": "by the corrected test"}


def page_table(report: Report) -> Rows:
    """Return a table of average ranks, and of wins and losses against naive Bayes, by method."""
    frame = read_table(report, "table_ranks").set_index(["measure", "method"])
    rows = [["ranks and wins", *PAPER_COLUMNS.values()]]
    for measure, name in MEASURES.items():
        own = [frame.loc[(measure, method)].to_dict() for method in PAPER_COLUMNS]
        ranks = [median_and_range(row, "average_rank", decimals(2)) for row in own]
        rows.append([f"{name}: average rank", *ranks])
        for test, label in TESTS.items():
            counts = [
                "/".join(
                    median_and_range(row, f"{test}_{count}", "{:g}".format)
                    for count in ("wins", "losses")
                )
                for row in own[1:]
            ]
            rows.append([f"{name}: {label}", "", *counts])
    return rows


def averages_table(report: Report) -> Rows:
    """Return a table of error rate and cost of methods with naive Bayes, over all data sets."""
    methods = [*PAPER_COLUMNS, DESCENT, EXPECTED_COST, CALIBRATED_COST]
    shown = {"error rate, %": (ERROR_RATE, points), "cost": (AVERAGE_COST, decimals(3))}
    rows = [["average over the data sets", *(METHODS[method] for method in methods)]]
    for name, (measure, format_value) in shown.items():
        means = _averages(report, measure, ALL_DATA_SETS)["value"]
        rows.append([name, *(format_value(means[own]) if own in means else "–" for own in methods)])
    return rows


def base_classifiers_table(report: Report) -> Rows:
    """Return a table of the average cost of each base classifier with each decision rule."""
    frame = _averages(report, AVERAGE_COST, WITH_BASES)
    means, n_data_sets = frame["value"], frame["n_data_sets"].max()
    re_weighted = {METHODS[method]: method for method in (GENETIC, DESCENT)}
    heading = ["as it is", "least expected cost", *re_weighted]
    rows = [[f"cost, {n_data_sets} data sets", *heading]]
    for base, label in ({BASELINE: "Naive Bayes"} | BASES).items():
        prefix = "" if base == BASELINE else f"{base}_"
        methods = [base, f"{base}_expected_cost", *(prefix + name for name in re_weighted.values())]
        rows.append([label, *(decimals(3)(means[own]) if own in means else "–" for own in methods)])
    return rows


def _averages(report: Report, measure: str, group: str) -> pd.DataFrame:
    """Return the rows of table_averages for one measure and one group of data sets, by method."""
    frame = read_table(report, "table_averages").set_index("method")
    return frame[(frame["measure"] == measure) & (frame["data_sets"] == group)]
