"""Tables 1 and 2 of Joachims (2005), and macro-averages at the best possible thresholds."""

from functools import partial
from itertools import product
from typing import Any

import pandas as pd

from beyond_accuracy.measures import get_measure
from beyond_accuracy_pipeline.reporting.comparison import CELL, Pair, training_positives
from beyond_accuracy_pipeline.reporting.formats import (
    UNAVAILABLE,
    count,
    if_known,
    percent,
    percent_change,
    star_note,
    stars,
    win_counts,
)
from beyond_accuracy_pipeline.reporting.names import measure_name
from beyond_accuracy_pipeline.reporting.page_tables import (
    Rows,
    cross_table,
    median_and_range,
    p_value,
    points,
    read_table,
)
from beyond_accuracy_pipeline.reporting.readings import table_readings
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.reporting.statistics import holm
from beyond_accuracy_pipeline.reporting.tables import Across, Column, Table, with_derived
from beyond_accuracy_pipeline.results.scores import TRUE_LABELS

from .names import BASELINE, COLLECTIONS, MEASURES, METHODS, PAIR, PROPOSED, TUNED

QUANTITIES = {
    "n_classes": "Classes",
    "n_train": "Training examples",
    "n_test": "Test examples",
    "n_features": "Features",
}
POSITIVES = {"min_positives": 0, "median_positives": 0.5, "max_positives": 1}


def table1(report: Report) -> Table:
    """Return Table 1 of Joachims (2005): numbers of classes, examples and features per data set."""
    frame = report.data_set_sizes(QUANTITIES)
    positives = [training_positives(report.results.fits, name) for name in report.data_sets]
    for name, share in POSITIVES.items():
        frame[name] = [of_classes.quantile(share) for of_classes in positives]
    columns = [
        Column(title, quantity, count, status="status") for quantity, title in QUANTITIES.items()
    ]
    title = "Training positives of a class\tleast / median / most"
    columns.append(Column(title, tuple(POSITIVES), _spread))
    return Table(
        frame=frame,
        index=[report.data_set_column("Collection")],
        columns=columns,
        caption="Table 1. Collections: classes, examples and features.",
        notes=["The paper's own numbers are not at hand."],
    )


def _spread(*positives: float) -> str:
    if any(map(pd.isna, positives)):
        return UNAVAILABLE
    return " / ".join(f"{n:,.0f}" if float(n).is_integer() else f"{n:,.1f}" for n in positives)


def table2(report: Report) -> Table:
    """Return Table 2 of Joachims (2005): values of two SVMs, averaged over the classes."""
    published = report.published_values("table2", "data_set", "measure", "method")
    cells = product(report.data_sets, report.measures)
    levels = report.configuration["significance"]["stars"]
    derived = {
        "stars": lambda row: stars(row["p_value"], levels),
        "tuned_stars": lambda row: stars(row["tuned_p_value"], levels),
    }
    frame = pd.DataFrame([_row(report, *cell, published) for cell in cells])
    frame = with_derived(frame, derived)
    # Added cells have a separate correction, so that they do not change the paper's cells.
    frame["p_value_holm"] = frame.groupby("of_the_paper")["p_value"].transform(holm)

    def averaged(n_tasks: int, n_excluded: int) -> str:
        all_tasks = f" of {n_tasks + n_excluded}" if n_excluded else ""
        return f"{n_tasks}{all_tasks}" if n_tasks else UNAVAILABLE

    lines = []
    for method in PAIR.methods:
        interval = (f"{method}_low", f"{method}_high")
        lines.append(Column(METHODS[method], method, percent, interval))
        title = f"{METHODS[method]}, published"
        lines.append(Column(title, f"published_{method}", if_known(percent)))
    lines += [
        Column(
            "Improvement",
            "difference",
            percent_change,
            ("difference_low", "difference_high"),
            signed_interval=True,
            stars="stars",
            bold="stars",
        ),
        Column("Wins/losses/ties", ("wins", "losses", "ties"), win_counts),
        Column("Wilcoxon p", "p_value", report.p_text),
        Column("Wilcoxon p, Holm", "p_value_holm", report.p_text),
        Column("Classes averaged", ("n_tasks", "n_excluded"), averaged),
        Column(METHODS[TUNED], TUNED, if_known(percent), (f"{TUNED}_low", f"{TUNED}_high")),
        Column(
            "Improvement over it",
            "tuned_difference",
            if_known(percent_change),
            ("tuned_difference_low", "tuned_difference_high"),
            signed_interval=True,
            stars="tuned_stars",
        ),
        Column("Wilcoxon p, over it", "tuned_p_value", if_known(report.p_text)),
    ]
    return Table(
        frame=frame,
        index=[report.data_set_column("Collection")],
        columns=[Across("measure", measure_name, lines)],
        caption=(
            "Table 2. Macro-averages over classes in percent, each measure optimized by "
            f"{METHODS[PAIR.proposed]} and, through its costs, by {METHODS[PAIR.baseline]}; "
            "bootstrap intervals in brackets."
        ),
        notes=_notes(report, any_published=not published.empty),
        derived=derived,
    )


def _row(report: Report, data_set: str, measure: str, published: pd.Series) -> dict[str, Any]:
    place, pair, intervals = (data_set, measure), Pair(PROPOSED, TUNED), report.intervals
    comparison, tuned = report.compare(*place, PAIR), report.compare(*place, pair)
    row: dict[str, Any] = {
        "data_set": data_set,
        "substitute_for": report.results.record(data_set).get("substitute_for"),
        "measure": measure,
        "of_the_paper": data_set in COLLECTIONS and measure in MEASURES,
        "n_tasks": comparison.n_tasks,
        "n_excluded": comparison.n_excluded,
    }

    def add(name: str, value: float, ends: tuple[float, float]) -> None:
        row.update({name: value, f"{name}_low": ends[0], f"{name}_high": ends[1]})

    for method in PAIR.methods:
        add(method, comparison.average(method), intervals(*place, method))
        row[f"published_{method}"] = published.get((*place, method))
    add("difference", comparison.difference, intervals.difference(*place, PAIR))
    row |= comparison.counts._asdict()
    row |= {"p_value": comparison.test.p_value, "p_value_holm": None, "reason": comparison.reason}
    add(TUNED, tuned.average(TUNED), intervals(*place, TUNED))
    row |= {"tuned_difference": tuned.difference, "tuned_p_value": tuned.test.p_value}
    add("tuned_difference", tuned.difference, intervals.difference(*place, pair))
    return row


def _notes(report: Report, any_published: bool) -> list[str]:
    significance, fits = report.configuration["significance"], report.results.fits
    notes = [
        "Two-tailed Wilcoxon signed-rank test over classes, zero differences: "
        f"{significance['zero_method']!r}; {star_note(significance['stars'])}; bold: changes with "
        f"a star. Holm's correction is over the cells of the paper's {len(COLLECTIONS)} "
        f"collections and {len(MEASURES)} measures, and apart from them over those added here.",
        "Averages are over the classes on which both methods succeeded.",
        f"{METHODS[TUNED]}: not the paper's; its threshold is that of the best F1 on the holdout, "
        "0 for a class without one. The other measures do not depend on a threshold.",
    ]
    if fits["fallback"].eq(True).any():
        notes.append(
            "Classes with too few positives for a holdout use the values most often selected on "
            "their collection."
        )
    of_both = fits[fits["method"].isin(PAIR.methods)]
    unfinished = []
    for method in PAIR.methods:
        own = of_both[(of_both["method"] == method) & (of_both["status"] == "ok")]
        converged = own["converged"]
        if n_unfinished := converged.eq(False).sum():
            unfinished.append(f"{METHODS[method]} {n_unfinished} of {len(converged)}")
    if unfinished:
        notes.append(
            "Fits that reached the limit of iterations before the tolerance: "
            f"{', '.join(unfinished)}."
        )
    limited = of_both[of_both["grid_limit"].fillna("") != ""]
    grids = dict.fromkeys(
        f"{METHODS[row.method]} on {row.data_set}, {measure_name(row.measure)}: {row.grid_limit}"
        for row in limited.itertuples()
    )
    if grids:
        notes.append(
            "Grids that ended at their limit of growth (max_extensions), the value chosen most "
            f"often being the last: {'; '.join(grids)}."
        )
    if not any_published:
        notes.append("The paper's own numbers are not at hand: published columns are empty.")
    return notes


def table_oracle_thresholds(report: Report) -> Table:
    """Return a table of how much better test values would be with the best thresholds.

    The best thresholds are chosen on the test labels.
    """
    rows = []
    for key, values in report.results.measurements.groupby(CELL, sort=False):
        data_set, measure, method = key
        if get_measure(measure).table_function is None:
            continue
        ok = values[values["status"] == "ok"]
        scores = report.results.scores(data_set, method)
        known, best = get_measure(measure), []
        for task in ok["task"]:
            truth, decision = scores.row(TRUE_LABELS, task), scores.row(measure, task)
            threshold = known.best_threshold(truth, decision)
            best.append(known.score(truth, decision - threshold))
        row = dict(zip(CELL, key, strict=True)) | {"n_tasks": len(ok)}
        row["substitute_for"] = report.results.record(data_set).get("substitute_for")
        rows.append(row | {"average": ok["value"].mean(), "oracle": pd.Series(best).mean()})
    names = [*CELL, "n_tasks", "substitute_for", "average", "oracle"]
    lines = [Column("as fitted", "average", percent), Column("oracle", "oracle", percent)]
    return Table(
        frame=report.in_order(pd.DataFrame(rows, columns=names)),
        index=[report.data_set_column("Collection"), Column("Measure", "measure", measure_name)],
        columns=[Across("method", report.method_label, lines)],
        caption=(
            "Macro-averages over classes in percent, as fitted and with the threshold of each "
            "class chosen by an oracle. A diagnosis that uses TEST LABELS, and no result of any "
            "method: it shows how much of a difference lies in the threshold alone."
        ),
        notes=[
            "Oracle: the threshold on the test scores at which the measure of the test labels is "
            "highest.",
            "Measures that do not depend on a threshold are left out.",
        ],
    )


TABLES = {
    "table1": table1,
    "table2": table2,
    "table_oracle_thresholds": table_oracle_thresholds,
    "table_readings": table_readings,
}


def page_table(report: Report) -> Rows:
    """Return Markdown rows that compare test values of multivariate SVM and cost-model SVM.

    ROC areas have two decimals, because some of their differences are below 0.1 points.
    """
    frame = read_table(report, "table2")
    head = ["collection", "measure", METHODS[PROPOSED], METHODS[BASELINE]]
    head += ["improvement, {range over seeds}", "p, {range over seeds}"]
    rows = []
    for row in frame[frame["of_the_paper"]].to_dict("records"):
        in_percent = partial(percent, digits=2 if row["measure"] == "roc_area" else 1)
        rows.append(
            [
                report.label(row["data_set"]),
                measure_name(row["measure"]),
                in_percent(row[PROPOSED]),
                in_percent(row[BASELINE]),
                median_and_range(row, "difference", partial(in_percent, sign=True)),
                median_and_range(row, "p_value", p_value),
            ]
        )
    return [head, *rows]


def threshold_table(report: Report) -> Rows:
    """Return Markdown rows: test F1 with fitted thresholds and with thresholds best on test."""
    frame = read_table(report, "table_oracle_thresholds")
    frame = frame[(frame["measure"] == "f1") & frame["data_set"].isin(COLLECTIONS)]
    cells = {
        (row.data_set, row.method): f"{points(row.average)} → {points(row.oracle)}"
        for row in frame.itertuples()
    }
    rows = {name: report.label(name) for name in frame["data_set"].unique()}
    return cross_table("F1: own → best thresholds", rows, METHODS, cells)
