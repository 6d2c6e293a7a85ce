"""Tables 1 and 2: error rate and average cost of every method on every data set."""

from collections.abc import Iterator
from functools import partial

import pandas as pd

from beyond_accuracy.papers.deng2006.names import (
    AVERAGE_COST,
    BASELINE,
    ERROR_RATE,
    EXPECTED_COST,
    LEVEL,
    METHOD_NOTE,
    PAPER_COLUMNS,
    measured_value,
)
from beyond_accuracy.papers.deng2006.values import Values, tally
from beyond_accuracy.reporting.formats import count, slashed
from beyond_accuracy.reporting.report import Report
from beyond_accuracy.reporting.statistics import DECIMALS
from beyond_accuracy.reporting.tables import Across, Column, Table

WORSE_MARK = "*"
FOOT = {
    "Wins/losses": ("wins", "losses"),
    "Significant": ("significant_wins", "significant_losses"),
    "Significant, corrected test": ("corrected_wins", "corrected_losses"),
}
COLUMNS = (
    *("data_set", "n_classes", "method", "value", "status", "reason"),
    *("difference", "p_value", "p_value_corrected", "published", "_better", "_worse"),
)


def table1(report: Report) -> Table:
    """Error rates in percent."""
    return _table(report, "table1", ERROR_RATE, "Table 1. Error rate in percent: averages of")


def table2(report: Report) -> Table:
    """Average costs of a test example."""
    n_costs = report.configuration["cost_matrices"]["number"]
    title = "Table 2. Average cost of a test example: averages over"
    return _table(report, "table2", AVERAGE_COST, f"{title} {n_costs} random cost matrices and")


def _table(report: Report, name: str, measure: str, caption: str) -> Table:
    own = list(PAPER_COLUMNS)
    if measure == AVERAGE_COST:
        own.append(EXPECTED_COST[BASELINE])
    values = Values(report, measure)
    methods = values.methods(own)
    published = report.published_values(name, "data_set", "method")
    rows = []
    for data_set in report.data_sets:
        record = report.results.record(data_set)
        n_classes = record.get("n_classes_found") if record.get("status") == "ok" else None
        for method in methods:
            cell = values.cell(data_set, method)
            plain, corrected = values.tests(data_set, method)
            rows.append(
                (
                    *(data_set, n_classes, method, cell.mean, cell.status, cell.reason),
                    *(plain.difference, plain.p_value, corrected.p_value),
                    *(published.get((data_set, method)), plain.is_win, plain.is_loss),
                )
            )
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    frame = frame.astype({"n_classes": "Int64", "value": "float64"})
    comparable = frame["value"].where(frame["method"].isin(PAPER_COLUMNS))
    lowest = comparable.groupby(frame["data_set"]).transform("min")
    frame["_lowest"] = (comparable - lowest).round(DECIMALS) == 0
    frame["_status"] = frame["status"].replace("missing", "unavailable")
    problems = [
        f"{report.method_label(row.method)} on {row.data_set}, {row.status}: {row.reason}"
        for row in frame.itertuples()
        if row.status in ("timeout", "failed")
    ]
    tallies = {method: tally(values, method) for method in methods if method != BASELINE}
    looks = {"marks": {"_worse": WORSE_MARK}, "bold": "_lowest", "underline": "_better"}
    cell = Column("", "value", partial(measured_value, measure=measure), status="_status", **looks)
    return Table(
        frame=frame,
        index=[report.data_set_column("")],
        columns=[Column("m", "n_classes", count), Across("method", report.method_label, [cell])],
        caption=(
            f"{caption} {report.configuration['cross_validation']['n_folds']}-fold "
            "cross-validation. m: number of classes. Foot: against NB, over the data sets."
        ),
        notes=[METHOD_NOTE, *_notes(report, measure, published.empty), *problems],
        foot={
            title: {
                report.method_label(method): slashed(*(getattr(counts, name) for name in names))
                for method, counts in tallies.items()
            }
            for title, names in FOOT.items()
            if tallies
        },
    )


def _notes(report: Report, measure: str, nothing_published: bool) -> Iterator[str]:
    n_folds = report.configuration["cross_validation"]["n_folds"]
    pairs, folds = f"{n_folds} pairs of one fold", f"{n_folds} folds"
    if measure == AVERAGE_COST:
        n_pairs = n_folds * report.configuration["cost_matrices"]["number"]
        pairs = f"{n_pairs} pairs of one fold and cost matrix"
        folds += ", cost matrices averaged before"
    yield (
        "Bold: lowest of the row among the paper's own columns. Underlined: significantly lower "
        f"than NB; {WORSE_MARK}: significantly higher (two-sided paired Student t at {LEVEL:.0%} "
        f"over {pairs} each). The paper's own convention is not known in detail."
    )
    yield (
        f"Corrected test: the corrected resampled t-test (Nadeau and Bengio), over {folds}; the "
        "plain one takes overlapping training parts for independent."
    )
    if measure == AVERAGE_COST:
        yield (
            "NB predicts the most probable class, whatever the costs; NB, least expected cost "
            "(beyond the paper) weighs its probabilities with them, without any re-weighting."
        )
    if nothing_published:
        yield "The paper's own numbers are not at hand: published values are empty."
