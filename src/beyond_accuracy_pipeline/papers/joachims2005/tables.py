"""Tables 1 and 2, and the classes behind Table 2."""

from itertools import product
from typing import Any

import pandas as pd

from beyond_accuracy_pipeline.papers.joachims2005.names import (
    COLLECTIONS,
    MEASURES,
    METHODS,
    PAIR,
    PROPOSED,
    TUNED,
)
from beyond_accuracy_pipeline.reporting.comparison import Pair, training_positives
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
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.reporting.statistics import holm
from beyond_accuracy_pipeline.reporting.tables import Across, Column, Table, with_derived

QUANTITIES = {
    "n_classes": "Classes",
    "n_train": "Training examples",
    "n_test": "Test examples",
    "n_features": "Features",
}
POSITIVES = {"min_positives": 0, "median_positives": 0.5, "max_positives": 1}
FALLBACK_MARK = "‡"
DEGENERATE_MARK = "§"
FIT_COLUMNS = ("selected", "fallback", "converged", "degenerate", "n_iter", "dual_gap")


def table1(report: Report) -> Table:
    """Sizes of the collections; those of the paper's table are not legible."""
    frame = report.data_set_sizes(QUANTITIES)
    for name, share in POSITIVES.items():
        frame[name] = [
            training_positives(report.results.fits, data_set).quantile(share)
            for data_set in report.data_sets
        ]
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
    """Show numbers of examples; the median of an even number of classes may end in one half."""
    if any(map(pd.isna, positives)):
        return UNAVAILABLE
    return " / ".join(f"{n:,.0f}" if float(n).is_integer() else f"{n:,.1f}" for n in positives)


def table2(report: Report) -> Table:
    """Macro-averages, improvement, wins, losses and the signed-rank test, with intervals."""
    published = report.published_values("table2", "data_set", "measure", "method")
    cells = product(report.data_sets, report.measures)
    levels = report.configuration["significance"]["stars"]
    derived = {
        "stars": lambda row: stars(row["p_value"], levels),
        "tuned_stars": lambda row: stars(row["tuned_p_value"], levels),
    }
    frame = pd.DataFrame([_row(report, *cell, published) for cell in cells])
    frame = with_derived(frame, derived)
    # Over the paper's cells, and apart from them over those that were added.
    frame["p_value_holm"] = frame.groupby("of_the_paper")["p_value"].transform(holm)
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
        Column("Classes averaged", ("n_tasks", "n_excluded"), _averaged),
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
    comparison = report.compare(data_set, measure, PAIR)
    row: dict[str, Any] = {
        "data_set": data_set,
        "substitute_for": report.results.record(data_set).get("substitute_for"),
        "measure": measure,
        "of_the_paper": data_set in COLLECTIONS and measure in MEASURES,
        "n_tasks": comparison.n_tasks,
        "n_excluded": comparison.n_excluded,
    }
    for method in PAIR.methods:
        low, high = report.intervals(data_set, measure, method)
        row |= {method: comparison.average(method), f"{method}_low": low, f"{method}_high": high}
        row[f"published_{method}"] = published.get((data_set, measure, method))
    low, high = report.intervals.difference(data_set, measure, PAIR)
    p, counts = comparison.test.p_value, comparison.counts
    row |= {"difference": comparison.difference, "difference_low": low, "difference_high": high}
    row |= {"wins": counts.wins, "losses": counts.losses, "ties": counts.ties, "p_value": p}
    row |= {"p_value_holm": None, "reason": comparison.reason}
    pair = Pair(PROPOSED, TUNED)
    tuned = report.compare(data_set, measure, pair)
    low, high = report.intervals(data_set, measure, TUNED)
    row |= {TUNED: tuned.average(TUNED), f"{TUNED}_low": low, f"{TUNED}_high": high}
    low, high = report.intervals.difference(data_set, measure, pair)
    row |= {"tuned_difference": tuned.difference, "tuned_p_value": tuned.test.p_value}
    return row | {"tuned_difference_low": low, "tuned_difference_high": high}


def _averaged(n_tasks: int, n_excluded: int) -> str:
    if not n_tasks:
        return UNAVAILABLE
    return f"{n_tasks} of {n_tasks + n_excluded}" if n_excluded else f"{n_tasks}"


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
            "their collection; Table 2 per class marks them."
        )
    own = fits[fits["method"].isin(PAIR.methods)]
    unfinished = []
    for method in PAIR.methods:
        converged = own.loc[(own["method"] == method) & (own["status"] == "ok"), "converged"]
        if n_unfinished := converged.eq(False).sum():
            unfinished.append(f"{METHODS[method]} {n_unfinished} of {len(converged)}")
    if unfinished:
        notes.append(
            "Fits that reached the limit of iterations before the tolerance: "
            f"{', '.join(unfinished)}; the values of Table 2 per class say of which."
        )
    limited = own[own["grid_limit"].fillna("") != ""]
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


def table2_per_class(report: Report) -> Table:
    """The value of every class behind the macro-averages, failures and fallbacks marked."""
    keys = ["data_set", "task", "measure"]
    measurements, fits = (
        frame[frame["method"].isin(PAIR.methods) & (frame["task"].fillna("") != "")]
        for frame in (report.results.measurements, report.results.fits)
    )
    values = measurements.merge(
        fits[[*keys, "method", "n_train_positives", "n_test_positives", *FIT_COLUMNS]],
        on=[*keys, "method"],
        how="left",
        validate="many_to_one",
    )
    columns = ["value", "status", "reason", *FIT_COLUMNS]
    wide = values.pivot(index=keys, columns="method", values=columns)
    # Every column is there, also when no data set is.
    wide = wide.reindex(columns=pd.MultiIndex.from_product([columns, PAIR.methods]))
    wide.columns = [
        method if column == "value" else f"{method}_{column}" for column, method in wide.columns
    ]
    wide = wide.infer_objects()
    counts = values.groupby(keys)[["n_train_positives", "n_test_positives"]].max().astype("Int64")
    frame = counts.join(wide).reset_index()
    # Within a data set the rarest class stands last.
    frame["_rarity"] = -frame["n_train_positives"]
    frame = report.in_order(frame, "_rarity", "task")
    failures = frame[[f"{method}_reason" for method in PAIR.methods]].stack()
    notes = [
        f"{FALLBACK_MARK} too few positives for a holdout: most often selected values.",
        f"{DEGENERATE_MARK} the optimum is w = 0: the ranking of the test examples is arbitrary.",
    ]
    values = [
        Column(
            METHODS[method],
            method,
            percent,
            marks={f"{method}_fallback": FALLBACK_MARK, f"{method}_degenerate": DEGENERATE_MARK},
            status=f"{method}_status",
        )
        for method in PAIR.methods
    ]
    return Table(
        frame=frame,
        index=[report.data_set_column("Collection"), Column("Class", "task")],
        columns=[
            Column("Train", "n_train_positives", count),
            Column("Test", "n_test_positives", count),
            Across("measure", measure_name, values, beside=True),
        ],
        caption=(
            "The classes behind Table 2, in percent, and the number of positive training and test "
            "examples."
        ),
        notes=[*notes, *(f"failed: {reason}" for reason in failures[failures != ""].unique())],
    )
