"""Tables 1 and 2 of Deng et al. (2006), average ranks, and averages over data sets."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import pandas as pd
import scipy

from beyond_accuracy_pipeline.reporting.cells import cell_values
from beyond_accuracy_pipeline.reporting.formats import count, decimals, slashed
from beyond_accuracy_pipeline.reporting.page_tables import (
    Rows,
    median_and_range,
    points,
    read_table,
)
from beyond_accuracy_pipeline.reporting.readings import table_readings
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.reporting.statistics import DECIMALS
from beyond_accuracy_pipeline.reporting.tables import Across, Column, Table, with_derived
from beyond_accuracy_pipeline.results.variants import headline_states

from .names import (
    AVERAGE_COST,
    BASELINE,
    BASES,
    CALIBRATED_COST,
    DESCENT,
    ERROR_RATE,
    EXPECTED_COST,
    GENETIC,
    LEVEL,
    MEASURES,
    METHOD_NOTE,
    METHODS,
    PAPER_COLUMNS,
    SIX,
    compared_measures,
    measured_value,
)
from .values import Tally, Values, ranks, tally

WORSE_MARK = "*"
LOWER, HIGHER = "lower", "higher"
FOOT = {
    "Wins/losses": ("wins", "losses"),
    "Significant": ("significant_wins", "significant_losses"),
    "Significant, corrected test": ("corrected_wins", "corrected_losses"),
}
COLUMNS = (
    *("data_set", "n_classes", "method", "value", "status", "reason"),
    *("difference", "p_value", "p_value_corrected", "published", "_significant"),
)


def table1(report: Report) -> Table:
    """Return Table 1 of Deng et al. (2006): error rates in percent, by data set and method."""
    return _table(report, "table1", ERROR_RATE, "Table 1. Error rate in percent: averages of")


def table2(report: Report) -> Table:
    """Return Table 2 of Deng et al. (2006): average costs of a test example."""
    n_costs = report.configuration["cost_matrices"]["number"]
    title = "Table 2. Average cost of a test example: averages over"
    return _table(report, "table2", AVERAGE_COST, f"{title} {n_costs} random cost matrices and")


def _table(report: Report, name: str, measure: str, caption: str) -> Table:
    columns = [*PAPER_COLUMNS, DESCENT]
    if measure == AVERAGE_COST:
        columns += [EXPECTED_COST, CALIBRATED_COST]
    values = report.once(Values, measure)
    methods = values.methods(columns)
    published = report.published_values(name, "data_set", "method")
    sizes = report.data_set_sizes(["n_classes"])
    rows = []
    for data_set, n_classes in zip(sizes["data_set"], sizes["n_classes"], strict=True):
        for method in methods:
            cell = values.cell(data_set, method)
            plain, corrected = values.tests(data_set, method)
            rows.append(
                (
                    *(data_set, n_classes, method, cell.mean, cell.status, cell.reason),
                    *(plain.difference, plain.p_value, corrected.p_value),
                    published.get((data_set, method)),
                    LOWER if plain.is_win else HIGHER if plain.is_loss else "",
                )
            )
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    frame = frame.astype({"n_classes": "Int64", "value": "float64"})
    frame["_status"] = frame["status"].replace("missing", "unavailable")
    problems = [
        f"{report.method_label(row.method)} on {row.data_set}, {row.status}: {row.reason}"
        for row in frame.itertuples()
        if row.status in ("timeout", "failed")
    ]
    tallies = {method: tally(values, method) for method in methods if method != BASELINE}
    derived = {"_worse": lambda row: row["_significant"] == HIGHER}
    among = {"_lowest": is_lowest}
    looks = {"marks": {"_worse": WORSE_MARK}, "bold": "_significant", "underline": "_lowest"}
    cell = Column("", "value", partial(measured_value, measure=measure), status="_status", **looks)
    return Table(
        frame=with_derived(frame, derived).assign(**among),
        derived=derived,
        among=among,
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


def is_lowest(frame: pd.DataFrame) -> pd.Series:
    """Return whether each value is the lowest on its data set among the paper's methods.

    `frame` has one row per data set and method, with the columns `data_set`, `method`, `value` and
    `_status`. Values whose `_status` is not "ok" are ignored.
    """
    shown = frame["method"].isin(PAPER_COLUMNS) & (frame["_status"] == "ok")
    comparable = frame["value"].where(shown)
    lowest = comparable.groupby(frame["data_set"]).transform("min")
    return (comparable - lowest).round(DECIMALS) == 0


def _notes(report: Report, measure: str, nothing_published: bool) -> Iterator[str]:
    n_folds = report.configuration["cross_validation"]["n_folds"]
    pairs, folds = f"{n_folds} pairs of one fold", f"{n_folds} folds"
    if measure == AVERAGE_COST:
        n_pairs = n_folds * report.configuration["cost_matrices"]["number"]
        pairs = f"{n_pairs} pairs of one fold and cost matrix"
        folds += ", cost matrices averaged before"
    yield (
        "Bold is a significant difference to NB (two-sided paired Student t at "
        f"{LEVEL:.0%} over {pairs} each; {WORSE_MARK}: higher); the paper does "
        "not say that its t-test is paired. Underlined is the lowest number of the row, before "
        "rounding, among the paper's own columns."
    )
    yield (
        f"Corrected test: the corrected resampled t-test (Nadeau and Bengio), over {folds}; the "
        "plain one takes overlapping training parts for independent."
    )
    if measure == AVERAGE_COST:
        yield (
            "NB predicts the most probable class, whatever the costs; NB, least expected cost "
            "(beyond the paper) weighs its probabilities with them, without any re-weighting; "
            "calibrated, after a sigmoid fitted in an inner cross-validation."
        )
    if nothing_published:
        yield "The paper's own numbers are not at hand: published values are empty."


def table_ranks(report: Report) -> Table:
    """Return a table of each method's average rank, and of its wins and losses."""
    rows, tests, partly_fitted = [], [], set()
    measures = compared_measures(report)
    for measure, label in measures.items():
        values = report.once(Values, measure)
        # Ranks use data sets that all methods share. Added methods with few data sets are left out.
        methods = values.methods((BASELINE, *SIX))
        partly_fitted |= {
            m for m in methods if m not in METHODS and not values.is_fitted_everywhere(m)
        }
        methods = [method for method in methods if method not in partly_fitted]
        means = values.means(methods)
        ranked = ranks(means)
        average = ranked.mean()
        if len(means) > 1 and len(methods) > 2 and ranked.nunique(axis=1).max() > 1:
            samples = (means[method].round(DECIMALS) for method in methods)
            p = scipy.stats.friedmanchisquare(*samples).pvalue
            tests.append(f"{label.lower()} p = {p:.2g}")
        rows += [
            (measure, method, len(means), average[method], *tally(values, method))
            for method in methods
        ]
    columns = ["measure", "method", "n_data_sets", "average_rank", *Tally._fields]

    def against(method: str, wins: float, losses: float) -> str:
        return "" if method == BASELINE else slashed(wins, losses)

    lines = [
        Column("Average rank", "average_rank", decimals(2)),
        Column("Significant", ("method", "significant_wins", "significant_losses"), against),
        Column("Corrected", ("method", "corrected_wins", "corrected_losses"), against),
    ]
    return Table(
        frame=pd.DataFrame(rows, columns=columns),
        index=[Column("Method", "method", report.method_label)],
        columns=[Across("measure", measures.get, lines, beside=True)],
        caption=(
            "Average ranks over the data sets (1: lowest), and significant wins/losses against NB "
            "by Student's and by the corrected t-test."
        ),
        notes=[
            f"Friedman's test that all methods are alike: {', '.join(tests) or 'no data'}.",
            METHOD_NOTE,
            *(f"Without rank, since for some data sets only: {m}." for m in sorted(partly_fitted)),
            *report.data_set_notes(report.data_sets),
        ],
    )


ALL_DATA_SETS, WITH_BASES = "all", "with other base classifiers"
VEHICLE = "vehicle"


def table_averages(report: Report) -> Table:
    """Return the table of each method's error rate and average cost, averaged over data sets."""
    rows = []
    for measure in MEASURES:
        values = report.once(Values, measure)
        present = [name for name in report.data_sets if values.cell(name, BASELINE).status == "ok"]
        others = [
            name
            for name in present
            if any(values.cell(name, base).status != "missing" for base in BASES)
        ]
        for group, names in ((ALL_DATA_SETS, present), (WITH_BASES, others)):
            for method in values.methods([*METHODS]):
                means = [values.cell(name, method).mean for name in names]
                if names and not np.isnan(means).any():
                    rows.append((measure, group, len(names), method, float(np.mean(means))))
    columns = ["measure", "data_sets", "n_data_sets", "method", "value"]
    cell = Column("", ("value", "measure"), measured_value)
    return Table(
        frame=pd.DataFrame(rows, columns=columns).astype({"value": "float64"}),
        index=[Column("Measure", "measure", MEASURES.get), Column("Data sets", "data_sets")],
        columns=[Across("method", report.method_label, [cell])],
        caption=(
            "Error rates in percent and average costs, averaged over the data sets on which a "
            "method has all its values (beyond the paper)."
        ),
        notes=[METHOD_NOTE],
    )


TABLES = {
    "table1": table1,
    "table2": table2,
    "table_ranks": table_ranks,
    "table_averages": table_averages,
    "table_readings": table_readings,
}


PAGE_ROWS = {ERROR_RATE: "errors", AVERAGE_COST: "costs"}
TESTS = {"significant": "significant wins/losses", "corrected": "corrected test"}


def page_table(report: Report) -> Rows:
    """Return average ranks and numbers of wins and losses as rows of Markdown cells."""
    frame = read_table(report, "table_ranks").set_index(["measure", "method"])
    rows = [["ranks and wins", *PAPER_COLUMNS.values()]]
    for measure, name in PAGE_ROWS.items():
        by_method = [frame.loc[(measure, method)].to_dict() for method in PAPER_COLUMNS]
        ranks = [median_and_range(row, "average_rank", decimals(2)) for row in by_method]
        rows.append([f"{name}: average rank", *ranks])
        for test, label in TESTS.items():
            # The stored table has the ranges of the corrected test.
            beyond = np.inf if test == "corrected" else 0
            wins, losses = (
                [
                    median_and_range(row, f"{test}_{count}", "{:g}".format, beyond)
                    for row in by_method[1:]
                ]
                for count in ("wins", "losses")
            )
            rows.append([f"{name}: {label}", "", *map("/".join, zip(wins, losses, strict=True))])
    return rows


def averages_table(report: Report) -> Rows:
    """Return error rates and costs, averaged over all data sets, as rows of Markdown cells."""
    methods = [*PAPER_COLUMNS, DESCENT, EXPECTED_COST, CALIBRATED_COST]
    shown = {"error rate, %": (ERROR_RATE, points), "cost": (AVERAGE_COST, decimals(3))}
    rows = [["average", *(METHODS[method] for method in methods)]]
    for name, (measure, format_value) in shown.items():
        frame = _averages(report, measure, ALL_DATA_SETS)
        rows.append([name, *_cells(frame, methods, format_value)])
    return rows


def base_classifiers_table(report: Report) -> Rows:
    """Return average costs of several classifiers as rows of Markdown cells.

    There is one column per rule that decides from a classifier's scores. The last rows leave out
    the data set vehicle, on which naive Bayes is far behind the other classifiers.
    """
    frame = _averages(report, AVERAGE_COST, WITH_BASES)
    rules = (GENETIC, DESCENT)
    heading = ["most probable class", "least expected cost", *(METHODS[rule] for rule in rules)]
    rows = [[f"cost, {frame['n_data_sets'].max()} data sets", *heading]]
    for values, suffix in ((frame, ""), (_costs_without(report, VEHICLE), f", without {VEHICLE}")):
        for base, label in ({BASELINE: "Naive Bayes"} | BASES).items():
            prefix = "" if base == BASELINE else f"{base}_"
            methods = [base, f"{base}_expected_cost", *(prefix + rule for rule in rules)]
            rows.append([label + suffix, *_cells(values, methods, decimals(3))])
    return rows


def _costs_without(report: Report, left_out: str) -> pd.DataFrame:
    """Return average costs by method over the data sets with other base classifiers but one.

    Values are medians over the seeds of averages over the data sets.
    """
    means = []
    for state in headline_states(report.results.whole):
        frame = report.under(state).results.measurements
        frame = frame[frame["measure"] == AVERAGE_COST]
        names = set(frame.loc[frame["method"].isin(list(BASES)), "data_set"]) - {left_out}
        cells = cell_values(frame[frame["data_set"].isin(names)], "nan").unstack("method")
        means.append(cells.mean(skipna=False))
    return pd.concat(means).groupby(level="method").median().to_frame("value")


def _cells(frame: pd.DataFrame, methods: list[str], form: Callable[[float], str]) -> list[str]:
    values = frame["value"]
    return [form(values[method]) if method in values else "–" for method in methods]


def _averages(report: Report, measure: str, group: str) -> pd.DataFrame:
    frame = read_table(report, "table_averages").set_index("method")
    return frame[(frame["measure"] == measure) & (frame["data_sets"] == group)]
