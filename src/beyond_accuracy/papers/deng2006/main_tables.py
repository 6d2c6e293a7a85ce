"""Tables 1 and 2: error rate and average cost of every method on every data set."""

from collections.abc import Sequence
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
    n_folds = report.configuration["cross_validation"]["n_folds"]
    return _table(
        report,
        ERROR_RATE,
        list(PAPER_COLUMNS),
        "table1",
        f"Table 1. Error rate in percent: averages of {n_folds}-fold cross-validation",
        [
            _convention(f"{n_folds} pairs of one fold each"),
            _corrected(f"{n_folds} folds"),
        ],
    )


def table2(report: Report) -> Table:
    """Average costs of a test example."""
    n_folds = report.configuration["cross_validation"]["n_folds"]
    n_costs = report.configuration["cost_matrices"]["number"]
    return _table(
        report,
        AVERAGE_COST,
        [*PAPER_COLUMNS, EXPECTED_COST[BASELINE]],
        "table2",
        f"Table 2. Average cost of a test example: averages over {n_costs} random cost matrices "
        f"and {n_folds}-fold cross-validation",
        [
            _convention(f"{n_folds * n_costs} pairs of one fold and cost matrix each"),
            _corrected(f"{n_folds} folds, cost matrices averaged before"),
            "NB predicts the most probable class, whatever the costs; NB, least expected cost "
            "(beyond the paper) weighs its probabilities with them, without any re-weighting.",
        ],
    )


def _convention(pairs: str) -> str:
    return (
        "Bold: lowest of the row among the paper's own columns. Underlined: significantly lower "
        f"than NB; {WORSE_MARK}: significantly higher (two-sided paired Student t at {LEVEL:.0%} "
        f"over {pairs}). The paper's own convention is not known in detail."
    )


def _corrected(folds: str) -> str:
    return (
        f"Corrected test: the corrected resampled t-test (Nadeau and Bengio), over {folds}; the "
        "plain one takes overlapping training parts for independent."
    )


def _table(
    report: Report,
    measure: str,
    own: Sequence[str],
    name: str,
    caption: str,
    notes: Sequence[str],
) -> Table:
    values = Values(report, measure)
    methods = values.methods(own)
    printed = report.published(name)
    published = {} if printed.empty else printed.set_index(["data_set", "method"])["value"]
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
    frame = pd.DataFrame(rows, columns=list(COLUMNS)).astype({"n_classes": "Int64", "value": "float64"})
    comparable = frame["value"].where(frame["method"].isin(PAPER_COLUMNS))
    lowest = comparable.groupby(frame["data_set"]).transform("min")
    frame["_lowest"] = (comparable - lowest).round(DECIMALS) == 0
    frame["_status"] = frame["status"].replace("missing", "unavailable")
    problems = [
        f"{report.method_label(row.method)} on {row.data_set}, {row.status}: {row.reason}"
        for row in frame.itertuples()
        if row.status in ("timeout", "failed")
    ]
    if not len(printed):
        notes = [*notes, "The paper's own numbers are not at hand: published values are empty."]
    tallies = {method: tally(values, method) for method in methods if method != BASELINE}
    cell = Column(
        "",
        "value",
        partial(measured_value, measure=measure),
        marks={"_worse": WORSE_MARK},
        bold="_lowest",
        underline="_better",
        status="_status",
    )
    return Table(
        frame=frame,
        index=[report.data_set_column("")],
        columns=[Column("m", "n_classes", count), Across("method", report.method_label, [cell])],
        caption=f"{caption}. m: number of classes. Foot: against NB, over the data sets.",
        notes=[METHOD_NOTE, *notes, *problems],
        foot={
            title: {
                report.method_label(method): slashed(*(getattr(counts, name) for name in names))
                for method, counts in tallies.items()
            }
            for title, names in FOOT.items()
            if tallies
        },
    )
