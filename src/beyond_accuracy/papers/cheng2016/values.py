"""F1 and seconds by method, ours and the published ones, and the convergence runs."""

import pandas as pd

from beyond_accuracy.papers.cheng2016.names import MEASURE
from beyond_accuracy.reporting.comparison import method_values
from beyond_accuracy.reporting.published import PRINTED
from beyond_accuracy.reporting.report import Report
from beyond_accuracy.results.variants import HEADLINE, Variant, selected_readings


def values_by_method(report: Report) -> pd.DataFrame:
    """Mean F1 over the tasks of each data set, one column a method; NaN where not all are ok."""
    measurements = report.results.measurements
    values = method_values(measurements[measurements["measure"] == MEASURE])
    return values.droplevel("measure").reindex(report.data_sets, columns=report.methods())


def seconds_by_method(report: Report) -> pd.DataFrame:
    """CPU seconds of `fit`, `predict` (medians of the repetitions) and `select` (in all).

    Columns are the stages; the index is (data_set, method). Tasks of a data set are added up. The
    seconds that the paper prints are those of `fit`.
    """
    frame = report.results.seconds.replace({"stage": {PRINTED: "fit"}})
    keys = ["data_set", "method", "task", "stage"]
    medians = frame[frame["stage"] != "select"].groupby(keys, dropna=False)["cpu_seconds"].median()
    selection = frame[frame["stage"] == "select"].groupby(keys, dropna=False)["cpu_seconds"].sum()
    both = pd.concat([medians, selection]).groupby(["data_set", "method", "stage"]).sum()
    index = pd.MultiIndex.from_product(
        [report.data_sets, report.methods()], names=["data_set", "method"]
    )
    return both.unstack("stage").reindex(index=index, columns=["fit", "select", "predict"])


def published_f1(report: Report) -> pd.Series:
    """The paper's own values of F1 by data set and method."""
    printed = report.published_values("table3", "measure", "data_set", "method")
    return printed.xs("f1_percent") / 100


def published_seconds(report: Report) -> pd.Series:
    """The paper's own seconds by data set and method."""
    return report.published("table3_seconds").set_index(["data_set", "method"])["cpu_seconds"]


def shown_fits(report: Report) -> list[tuple[str, str, Report]]:
    """Each method, and again under each reading that changes it: (method, reading, its report)."""
    readings = selected_readings(report.results.whole)
    under = {name: report.under(Variant(name)) for name in readings}
    return [
        (method, reading, source)
        for method in report.methods()
        for reading, source in {HEADLINE: report, **under}.items()
        if reading == HEADLINE or method in readings[reading]["changes"].get("methods", {})
    ]


def fit_label(report: Report, method: str, reading: str) -> str:
    """How tables call one of `shown_fits`."""
    label = report.method_label(method)
    return label if reading == HEADLINE else f"{label}, {reading.replace('_', ' ')}"


def relative_gaps(curves: pd.DataFrame) -> pd.Series:
    """(primal − bound)/primal of every row, the bound being the best of all methods."""
    keys = ["data_set", "task", "C"]
    bound = curves.groupby(keys)["dual"].transform("max")
    return (curves["primal"] - bound).clip(lower=0.0) / curves["primal"]


def lowest_objectives(report: Report) -> pd.DataFrame:
    """The lowest primal of every minimization by data set and C, one column a method."""
    keys = ["data_set", "task", "C", "method"]
    lowest = report.results.study("convergence").groupby(keys)["primal"].min()
    return lowest.groupby(["data_set", "C", "method"]).sum().unstack("method")


def final_rows(report: Report) -> pd.DataFrame:
    """The end of every minimization by data set, C and method; tasks are added up.

    Columns are `iterations`, `relative_gap` and whether that is small enough, `converged`. For
    LIBLINEAR, which knows no gap, the end is the first row within `tol` of the best bound.
    """
    tol = report.configuration["studies"]["convergence"]["tol"]
    keys = ["data_set", "C", "method"]
    curves = report.results.study("convergence")
    own = (curves["primal"] - curves["dual"]) / curves["primal"]
    gaps = own.fillna(relative_gaps(curves))
    within = own.isna() & (gaps <= tol)
    converged = within.where(own.isna(), curves["converged"].eq(True))
    last = ~curves.duplicated([*keys, "task"], keep="last")
    ends = curves.assign(relative_gap=gaps, converged=converged)[within | last]
    ends = ends.drop_duplicates([*keys, "task"]).groupby(keys, sort=False)
    return ends.agg(
        iterations=("iteration", "sum"),
        relative_gap=("relative_gap", "max"),
        converged=("converged", "all"),
    )
