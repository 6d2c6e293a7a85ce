"""F1 and times by method, ours and published, and the steps of minimizations."""

import pandas as pd

from beyond_accuracy_pipeline.reporting.comparison import method_values
from beyond_accuracy_pipeline.reporting.published import PRINTED
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.results.variants import (
    HEADLINE,
    MEDIAN,
    Variant,
    reading_states,
    selected_readings,
)

from .names import MEASURE, SVM_PERF

SELECTED_PARAMETERS = "chosen t and C"
ALGORITHM_1 = "last_iterate"
"""Reading (variant of the protocol) in which SVM-perf runs Algorithm 1 of Joachims (2005)."""


def values_by_method(report: Report) -> pd.DataFrame:
    """Return F1 on the test part by data set and method; NaN if a fit failed."""
    measurements = report.results.measurements
    values = method_values(measurements[measurements["measure"] == MEASURE])
    return values.droplevel("measure").reindex(report.data_sets, columns=report.methods())


def seconds_by_method(report: Report) -> pd.DataFrame:
    """Return CPU seconds by (data_set, method), in columns `fit`, `select` and `predict`.

    `fit` is training with the chosen hyperparameters, `select` is choosing them, and `predict` is
    prediction on the test part. Each is summed over a data set's tasks. `fit` and `predict` are
    medians over repetitions.
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
    """Return the printed F1 by (data_set, method), as fractions and not in percent."""
    printed = report.published_values("table3", "measure", "data_set", "method")
    return printed.xs("f1_percent") / 100


def seconds_of_algorithm_1(report: Report) -> pd.DataFrame:
    """Return the training times of multivariate SVMs by Algorithm 1 of Joachims (2005).

    There is one row per data set, with `seconds` and the number of iterations `n_iter`. If
    Algorithm 1 was not run with the report's seed, the result is empty.
    """
    whole, state = report.results.whole, report.results.variant.state
    if ALGORITHM_1 not in selected_readings(whole) or (
        state not in reading_states(whole, ALGORITHM_1)
    ):
        return pd.DataFrame(columns=["seconds", "n_iter"])
    under = report.under(Variant(ALGORITHM_1, state))
    seconds = seconds_by_method(under)["fit"].unstack("method").get(SVM_PERF)
    fits = under.results.fits.query("method == @SVM_PERF")
    iterations = fits.groupby("data_set")["n_iter"].sum(min_count=1)
    return pd.DataFrame({"seconds": seconds, "n_iter": iterations}).dropna().astype(float)


def measured_seconds(report: Report) -> pd.DataFrame:
    """Return training seconds of Joachims' program SVM-perf, with one row per timed data set."""
    frame = report.paper_file("measured/svm_perf_seconds.csv").set_index("data_set")
    return frame[frame.index.isin(report.data_sets)]


def shown_fits(report: Report) -> list[tuple[str, str, Report]]:
    """Return (method, reading, report) for all fits that the paper's tables show.

    A reading is a variant of the protocol. Each method is listed for the protocol as configured,
    and for each reading that changes its settings. The report in an item has the results of the
    reading for the seed of the argument `report` or, if the reading was not run with this seed, the
    first seed.
    """
    whole, state = report.results.whole, report.results.variant.state
    readings = selected_readings(whole)
    under = {}
    for name in readings:
        in_state = state in (MEDIAN, *reading_states(whole, name))
        under[name] = report.under(Variant(name, state if in_state else 1))
    return [
        (method, reading, source)
        for method in report.methods()
        for reading, source in {HEADLINE: report, **under}.items()
        if reading == HEADLINE or method in readings[reading]["changes"].get("methods", {})
    ]


def fit_label(report: Report, method: str, reading: str) -> str:
    """Return a label such as "SVM-perf, last iterate" for a method and a protocol variant."""
    label = report.method_label(method)
    return label if reading == HEADLINE else f"{label}, {reading.replace('_', ' ')}"


def minimizations(report: Report) -> pd.DataFrame:
    """Return the training objective after each iteration, for all methods, data sets and C.

    The column `case` names the hyperparameters, such as "C = 1".
    """
    curves = report.results.study("convergence")
    case = curves["C"].map("C = {:g}".format).astype(object)
    return curves.assign(case=case.mask(curves["selected"], SELECTED_PARAMETERS))


def cases(report: Report) -> list[str]:
    """Return names of the hyperparameters for which the objective was recorded, such as "C = 1".

    The last is "chosen t and C" if the hyperparameters that a method chose were used, too.
    """
    settings = report.configuration["studies"]["convergence"]
    names = [f"C = {C:g}" for C in settings["C"]]
    return [*names, SELECTED_PARAMETERS] if settings.get("selected_by") else names


def suboptimality(curves: pd.DataFrame, column: str) -> pd.Series:
    """Return how far the objectives in `column` exceed the best lower bound of their minimum.

    The best bound is the largest in rows with the same `data_set`, `task` and `case`.
    """
    bound = curves[["bound", "dual"]].max(axis=1)
    best = bound.groupby([curves[key] for key in ("data_set", "task", "case")]).transform("max")
    return (curves[column] - best).clip(lower=0.0)


def lowest_objectives(report: Report) -> pd.DataFrame:
    """Return the lowest primal objective that each method reached in training.

    There is one column per method, and one row per data set and case. A case names hyperparameters,
    such as "C = 1". Objectives are summed over the tasks of a data set.
    """
    keys = ["data_set", "task", "case", "method"]
    lowest = minimizations(report).groupby(keys)["primal"].min()
    return lowest.groupby(["data_set", "case", "method"]).sum().unstack("method")


def final_rows(report: Report) -> pd.DataFrame:
    """Return how many iterations each training took, and its relative gap at the end.

    The relative gap is (objective − lower bound) / objective. LIBLINEAR computes no lower bound, so
    the best bound of the other methods is used, and iterations are counted until the gap is within
    the tolerance. The index is (data_set, case, method). A case names hyperparameters, such as "C =
    1". The columns are `iterations`, `relative_gap` and `converged`.
    """
    # A study that is null has no rows.
    tol = (report.configuration["studies"]["convergence"] or {"tol": 0.0})["tol"]
    keys = ["data_set", "case", "method"]
    curves = minimizations(report)
    certified = (curves["primal"] - curves["dual"]) / curves["primal"]
    gaps = certified.fillna(suboptimality(curves, "primal") / curves["primal"])
    within = certified.isna() & (gaps <= tol)
    converged = within.where(certified.isna(), curves["converged"].eq(True))
    last = ~curves.duplicated([*keys, "task"], keep="last")
    ends = curves.assign(relative_gap=gaps, converged=converged)[within | last]
    ends = ends.drop_duplicates([*keys, "task"]).groupby(keys, sort=False)
    return ends.agg(
        iterations=("iteration", "sum"),
        relative_gap=("relative_gap", "max"),
        converged=("converged", "all"),
    )
