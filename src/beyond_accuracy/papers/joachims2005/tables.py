"""Table 1, and those that the paper has no room for."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from beyond_accuracy.papers.joachims2005.names import (
    AT_MOST_K,
    BASELINE,
    METHODS,
    PAIR,
    PROPOSED,
    collection_and_measure,
    cutting_plane_iterations,
    measure_label,
)
from beyond_accuracy.reporting.comparison import Pair, training_positives
from beyond_accuracy.reporting.formats import (
    UNAVAILABLE,
    count,
    decimals,
    p_value,
    percent,
    scientific,
)
from beyond_accuracy.reporting.report import Report
from beyond_accuracy.reporting.tables import Across, Column, Table

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
    """Sizes of the collections, ours beside the paper's where these are known."""
    published = report.published_values("table1", "data_set", "quantity")
    frame = report.data_set_sizes(QUANTITIES)
    for quantity in QUANTITIES:
        printed = [published.get((name, quantity)) for name in report.data_sets]
        position = frame.columns.get_loc(quantity) + 1
        frame.insert(position, f"published_{quantity}", pd.array(printed, dtype="Int64"))
    for name, share in POSITIVES.items():
        frame[name] = [
            training_positives(report.results.fits, data_set).quantile(share)
            for data_set in report.data_sets
        ]
    columns: list[Column] = []
    for quantity, title in QUANTITIES.items():
        columns.append(Column(f"{title}\tours", quantity, count, status="status"))
        if len(published):
            columns.append(Column(f"{title}\tpublished", f"published_{quantity}", count))
    title = "Training positives of a class\tleast / median / most"
    columns.append(Column(title, tuple(POSITIVES), _spread))
    known = "Published: as far as the paper's sizes are known; empty where they are not."
    unknown = "The sizes that the paper prints are not at hand: published columns are empty."
    return Table(
        frame=frame,
        index=[report.data_set_column("Collection")],
        columns=columns,
        caption="Table 1. Collections: classes, examples and features.",
        notes=[known if len(published) else unknown],
    )


def _spread(*positives: float) -> str:
    """Show numbers of examples; the median of an even number of classes may end in one half."""
    if any(map(pd.isna, positives)):
        return UNAVAILABLE
    return " / ".join(f"{n:,.0f}" if float(n).is_integer() else f"{n:,.1f}" for n in positives)


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
    for method in PAIR.methods:
        frame[f"_{method}"] = [_value(row, method) for row in frame.to_dict("records")]
    both = Column("", tuple(f"_{method}" for method in PAIR.methods), "{} / {}".format)
    return Table(
        frame=frame,
        index=[report.data_set_column("Collection"), Column("Class", "task")],
        columns=[
            Column("Train", "n_train_positives", count),
            Column("Test", "n_test_positives", count),
            Across("measure", measure_label, [both]),
        ],
        caption=(
            "The classes behind Table 2, in percent: "
            f"{METHODS[PROPOSED]} / {METHODS[BASELINE]}, "
            "and the number of positive training and test examples."
        ),
        notes=[*notes, *(f"failed: {reason}" for reason in failures[failures != ""].unique())],
    )


def _value(row: Mapping[str, Any], method: str) -> str:
    if row[f"{method}_status"] != "ok":
        return str(row[f"{method}_status"])
    marks = {"fallback": FALLBACK_MARK, "degenerate": DEGENERATE_MARK}
    flags = [mark for name, mark in marks.items() if row[f"{method}_{name}"] is True]
    return percent(row[method]) + "".join(flags)


def table_methods(report: Report) -> Table:
    """Macro-averages of every selected method on every data set and measure, with intervals."""
    keys = ["data_set", "measure", "method"]
    rows = []
    for key, values in report.results.measurements.groupby(keys, sort=False):
        ok = values["status"] == "ok"
        low, high = report.intervals(*key)
        rows.append(
            {
                **dict(zip(keys, key, strict=True)),
                "substitute_for": report.results.record(key[0]).get("substitute_for"),
                "n_tasks": int(ok.sum()),
                "n_excluded": int((~ok & (values["task"] != "")).sum()),
                "average": values.loc[ok, "value"].mean(),
                "low": low,
                "high": high,
                "reason": "; ".join(dict.fromkeys(filter(None, values["reason"]))),
            }
        )
    average = Column("", ("average", "n_tasks", "n_excluded"), _average, ("low", "high"))
    return Table(
        frame=report.in_order(pd.DataFrame(rows)),
        index=collection_and_measure(report),
        columns=[Across("method", report.method_label, [average])],
        caption=(
            "Macro-averages over classes in percent of every method, each selected by the measure "
            "itself; bootstrap intervals in brackets."
        ),
        notes=[
            "An average is over the classes on which the method succeeded; where this leaves "
            "classes out, their number is in parentheses.",
            "Empty: the method is not fitted for this measure.",
        ],
    )


def _average(average: float, n_tasks: int, n_excluded: int) -> str:
    left_out = f" ({n_tasks} of {n_tasks + n_excluded})" if n_excluded else ""
    return percent(average) + left_out


def table_iterations(report: Report) -> Table:
    """Iterations (cutting planes) of the multivariate SVM's final fits."""
    fits = cutting_plane_iterations(report.results.fits)
    grouped = fits.assign(unfinished=~fits["sufficed"]).groupby(["data_set", "measure"])
    frame = grouped.agg(
        n_fits=("iterations", "size"),
        median=("iterations", "median"),
        quantile_90=("iterations", lambda iterations: iterations.quantile(0.9)),
        maximum=("iterations", "max"),
        n_not_converged=("unfinished", "sum"),
        median_with_line_search=("n_iter", "median"),
        largest_dual_gap=("dual_gap", "max"),
    ).reindex(pd.MultiIndex.from_product([report.data_sets, report.measures], names=grouped.keys))
    counts = ["n_fits", "n_not_converged"]
    frame[counts] = frame[counts].fillna(0).astype(int)
    counted = "as the solver runs"
    if fits["n_iter_without_line_search"].notna().any():
        counted = "without line search and to SVM-perf's tolerance of 0.1 points, as in the paper"
    return Table(
        frame=frame.reset_index(),
        index=collection_and_measure(report),
        columns=[
            Column("Fits", "n_fits", count),
            Column("Median", "median", decimals(0)),
            Column("90 %", "quantile_90", decimals(0)),
            Column("Most", "maximum", decimals(0)),
            Column("Not converged", "n_not_converged", count),
            Column("Median of the solver", "median_with_line_search", decimals(0)),
            Column("Largest relative duality gap", "largest_dual_gap", scientific),
        ],
        caption=(
            "Iterations (one cutting plane each) of the multivariate SVM's fits on the whole "
            f"training set, counted {counted}."
        ),
        notes=["Median of the solver and duality gap: the fits behind Table 2 as they were run."],
    )


def table_at_most_k(report: Report) -> Table:
    """Macro-averages of Rec@2p under both constraints, and at most k against the baseline."""
    measure = "recall_at_2p"
    rows = []
    for data_set in report.data_sets:
        exactly = report.compare(data_set, measure, PAIR)
        at_most = report.compare(data_set, measure, Pair(AT_MOST_K, BASELINE))
        counts = at_most.counts
        rows.append(
            {
                "data_set": data_set,
                "n_tasks": at_most.n_tasks,
                PROPOSED: exactly.average(PROPOSED),
                AT_MOST_K: at_most.average(AT_MOST_K),
                BASELINE: (at_most if at_most.available else exactly).average(BASELINE),
                "wins": counts.wins,
                "losses": counts.losses,
                "p_value": at_most.test.p_value,
            }
        )
    levels = report.configuration["significance"]["stars"]
    return Table(
        frame=pd.DataFrame(rows),
        index=[report.data_set_column("Collection")],
        columns=[
            Column("Classes", "n_tasks", count),
            Column("Exactly k", PROPOSED, percent),
            Column("At most k", AT_MOST_K, percent),
            Column(METHODS[BASELINE], BASELINE, percent),
            Column("Wins / losses", ("wins", "losses"), "{} / {}".format),
            Column("p", "p_value", p_value(levels)),
        ],
        caption=(
            f"Macro-averages of {measure_label(measure)} in percent: the multivariate SVM over "
            "labellings with exactly k predicted positives, as the paper writes, and with at most "
            f"k, as SVM-perf has it, beside the {METHODS[BASELINE]}."
        ),
        notes=[
            "With exactly k = 2p the true labelling is not admissible: w = 0 with the intercept "
            "−n/p already has no loss, so that nothing is learned at large C.",
            "Wins, losses and p (Wilcoxon): at most k against the cost model, over classes.",
        ],
    )
