"""Tables that the paper has no room for."""

import pandas as pd

from beyond_accuracy.measures import get_measure
from beyond_accuracy_pipeline.papers.joachims2005.names import (
    collection_and_measure,
    cutting_plane_iterations,
)
from beyond_accuracy_pipeline.reporting.comparison import CELL
from beyond_accuracy_pipeline.reporting.formats import count, decimals, percent, scientific
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.reporting.tables import Across, Column, Table
from beyond_accuracy_pipeline.results.scores import TRUE_LABELS, Scores


def table_methods(report: Report) -> Table:
    """Macro-averages of every selected method on every data set and measure, with intervals."""
    rows = []
    for key, values in report.results.measurements.groupby(CELL, sort=False):
        ok = values["status"] == "ok"
        low, high = report.intervals(*key)
        row = dict(zip(CELL, key, strict=True))
        row["substitute_for"] = report.results.record(key[0]).get("substitute_for")
        row |= {"n_tasks": int(ok.sum()), "n_excluded": int((~ok & (values["task"] != "")).sum())}
        row |= {"average": values.loc[ok, "value"].mean(), "low": low, "high": high}
        rows.append(row | {"reason": "; ".join(dict.fromkeys(filter(None, values["reason"])))})
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


ALGORITHMS = {
    "coordinate_descent": "coordinate descent",
    "interior_point": "an interior-point method",
}


def table_error_rate(report: Report) -> Table:
    """Compare the multivariate SVM for the error rate with the ordinary SVM."""
    study = report.results.study("error_rate")
    excess = study["objective_multivariate"] / study["objective_ordinary"] - 1
    study = study.assign(difference=excess.abs(), distance=study["distance"] / study["norm"])
    frame = study.groupby("data_set", sort=False).agg(
        n_classes=("task", "size"),
        algorithm_ordinary=("algorithm_ordinary", "first"),
        largest_difference=("difference", "max"),
        largest_distance=("distance", "max"),
        n_predictions=("n_test", "sum"),
        n_different=("n_different", "sum"),
    )
    return Table(
        frame=report.in_order(frame.reset_index()),
        index=[report.data_set_column("Collection")],
        columns=[
            Column("Classes", "n_classes", count),
            Column("Ordinary SVM by", "algorithm_ordinary", ALGORITHMS.get),
            Column("Objectives differ by", "largest_difference", scientific),
            Column("Weights differ by", "largest_distance", scientific),
            Column("Test predictions", "n_predictions", count),
            Column("of which differ", "n_different", count),
        ],
        caption=(
            "The multivariate SVM for the error rate and the ordinary SVM, of which "
            "the paper proves that they are the same: largest relative differences over the "
            "classes, and predictions on the test examples."
        ),
        notes=[
            "Both at the same C and to the same relative duality gap: the multivariate SVM by "
            "cutting planes of labellings, the ordinary one over the examples."
        ],
    )


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


def table_oracle_thresholds(report: Report) -> Table:
    """Macro-averages at thresholds chosen with the test labels, beside those as fitted."""
    rows = []
    for key, values in report.results.measurements.groupby(CELL, sort=False):
        data_set, measure, method = key
        if get_measure(measure).table_function is None:
            continue
        ok = values[values["status"] == "ok"]
        scores = report.results.scores(data_set, method)
        best = [_at_best_threshold(scores, measure, task) for task in ok["task"]]
        row = dict(zip(CELL, key, strict=True)) | {"n_tasks": len(ok)}
        row["substitute_for"] = report.results.record(data_set).get("substitute_for")
        rows.append(row | {"average": ok["value"].mean(), "oracle": pd.Series(best).mean()})
    names = [*CELL, "n_tasks", "substitute_for", "average", "oracle"]
    lines = [
        Column("as fitted", "average", percent),
        Column("oracle", "oracle", percent),
    ]
    return Table(
        frame=report.in_order(pd.DataFrame(rows, columns=names)),
        index=collection_and_measure(report),
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


def _at_best_threshold(scores: Scores, measure: str, task: str) -> float:
    truth, decision = scores.row(TRUE_LABELS, task), scores.row(measure, task)
    known = get_measure(measure)
    return known.score(truth, decision - known.best_threshold(truth, decision))
