"""The table of values on the paper's page."""

from beyond_accuracy_pipeline.papers.deng2006.names import PAPER_COLUMNS
from beyond_accuracy_pipeline.reporting.formats import decimals
from beyond_accuracy_pipeline.reporting.page_tables import Rows, median_and_range, read_table
from beyond_accuracy_pipeline.reporting.report import Report

MEASURES = {"error_rate": "errors", "average_cost": "costs"}
TESTS = {"significant": "significant wins/losses", "corrected": "by the corrected test"}


def page_table(report: Report) -> Rows:
    """Average ranks of the paper's columns, and wins and losses against naive Bayes."""
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
