"""The claims on seconds, oracle calls and runs over C, B and the training size."""

import numpy as np
import pandas as pd

from beyond_accuracy.papers.li2013.names import (
    CAPO,
    COLLECTIONS,
    FIVE,
    IJCNN1,
    MEASURES,
    METHODS,
    REUTERS,
    STAR,
    SVM_PERF,
    USPS,
    measure_label,
)
from beyond_accuracy.papers.li2013.studies import sweep_seconds
from beyond_accuracy.papers.li2013.tables import selection_seconds
from beyond_accuracy.papers.li2013.values import CELL, paper_values
from beyond_accuracy.papers.li2013.verdicts import (
    HALF,
    all_or_most,
    not_testable,
    task_name,
    verdict,
)
from beyond_accuracy.reporting.report import Report
from beyond_accuracy.reporting.verdict import Verdict, grade

THREE_QUARTERS = 0.75
# Growth with the training size, as a power of it.
ALMOST_LINEAR, QUADRATIC = 1.2, 2.0
OUR_SVM_PERF = (
    "Both are this package's: SVM-perf keeps its cutting planes along C and has a line search, so "
    "that there is less to save than in the paper."
)


def faster_than_linear_svm_perf(report: Report) -> Verdict:
    """The cross-validation of CAPO takes fewer seconds than that of linear SVM-perf."""
    expected = [name for name in COLLECTIONS if name != REUTERS]
    methods = [*CAPO, SVM_PERF]
    finished = paper_values(report)[methods].dropna()
    seconds = selection_seconds(report).unstack("method").reindex(columns=methods)
    seconds = seconds.reindex(finished.index).dropna()
    own = seconds[seconds.index.get_level_values("data_set").isin(expected)]
    if own.empty:
        return not_testable(report, methods, expected)
    fewer = own[list(CAPO)].lt(own[SVM_PERF], axis=0)
    share = float(fewer.to_numpy().mean())
    name = grade((fewer.mean() > HALF).all() and share >= THREE_QUARTERS, share > HALF)
    numbers = {
        f"{METHODS[method]}: fewer seconds": f"{int(fewer[method].sum())} of {len(own)}"
        for method in CAPO
    }
    numbers["all together: share"] = share
    for task in seconds.index:
        ratio = float(seconds.at[task, SVM_PERF] / seconds.at[task, STAR])
        numbers[f"{task_name(task)}: SVM-perf / CAPO*"] = ratio
    published = report.published("table3").set_index(CELL)["cpu_seconds"]
    published = published.unstack("method").reindex(own.index)
    printed = published[list(CAPO)].lt(published[SVM_PERF], axis=0)
    numbers["share, published"] = float(printed.to_numpy().mean())
    how = "processor seconds of the cross-validation, without the auxiliaries'"
    data_sets = own.index.unique("data_set")
    return verdict(report, name, numbers, how, data_sets, OUR_SVM_PERF, expected)


def fewer_oracle_calls(report: Report) -> Verdict:
    """At the largest C on Usps*, CAPO needs fewer calls than SVM-perf."""
    rows = _of_the_paper(report.results.study("oracle_calls_by_C"))
    rows = rows[(rows["data_set"] == USPS) & rows["oracle_calls"].notna()]
    largest = rows["C"].max()
    rows = rows[rows["C"] == largest]
    calls = rows.pivot(index="measure", columns="method", values="oracle_calls")
    calls = calls.reindex(columns=[SVM_PERF, "capo_cvm", STAR]).dropna()
    if calls.empty:
        return not_testable(report, expected=[USPS])
    fewer = calls[["capo_cvm", STAR]].lt(calls[SVM_PERF], axis=0)
    numbers = {
        f"{measure_label(measure)}, {METHODS[method]}": int(n_calls)
        for (measure, method), n_calls in calls.stack().items()
    }
    how = f"calls of the oracle at C = {largest:g}, SVM-perf's"
    stopped = ", ".join(
        f"{measure_label(row.measure)}, {METHODS[row.method]}"
        for row in rows[rows["status"] != "ok"].itertuples()
    )
    remark = f"Stopped at the limit: {stopped}." if stopped else ""
    name = all_or_most(fewer.to_numpy().ravel())
    return verdict(report, name, numbers, how, [USPS], remark, [USPS])


def robust_in_C_and_B(report: Report) -> Verdict:
    """CAPO with five CVMs varies no more along C and B than SVM-perf and CAPO with one."""
    expected = (REUTERS, USPS)
    by_C, by_B = (_ranges(_of_the_paper(report.results.study(name))) for name in ("by_C", "by_B"))
    steady, data_sets = [], []
    numbers = {}
    for along, ranges, others in (("C", by_C, [SVM_PERF, "capo_cvm"]), ("B", by_B, ["capo_cvm"])):
        ranges = ranges.reindex(columns=[FIVE, *others]).dropna()
        for task, row in ranges.iterrows():
            data_sets.append(task[0])
            steady += [row[FIVE] <= row[other] for other in others]
            for method in (FIVE, *others):
                numbers[f"{task_name(task)}, {along}: {METHODS[method]}"] = float(row[method])
    if not steady:
        return not_testable(report, expected=expected)
    numbers = {"comparisons": f"{sum(map(bool, steady))} of {len(steady)}", **numbers}
    how = "largest less smallest test value along C, and along B"
    name = all_or_most(steady)
    return verdict(report, name, numbers, how, data_sets, expected=expected)


def scales_in_training_size(report: Report) -> Verdict:
    """Seconds grow moderately with the training examples, and values do not fall."""
    rows = _of_the_paper(sweep_seconds(report, "by_training_size"))
    capo = rows["method"].str.startswith("capo")
    rows = rows[(rows["data_set"] == IJCNN1) & (rows["status"] == "ok") & capo]
    slopes, gains = {}, {}
    for (measure, method), own in rows.groupby(["measure", "method"], sort=False):
        if own["n_train"].nunique() < 2:
            continue
        key = f"{measure_label(measure)}, {METHODS[method]}"
        own = own.sort_values("n_train")
        seconds = np.log(own["cpu_seconds"].clip(lower=1e-6))
        slopes[key] = float(np.polyfit(np.log(own["n_train"]), seconds, 1)[0])
        gains[key] = float(own["value"].iloc[-1] - own["value"].iloc[0])
    if not slopes:
        return not_testable(report, expected=[IJCNN1])
    steepest = max(slopes.values())
    name = grade(steepest <= ALMOST_LINEAR and min(gains.values()) >= 0, steepest < QUADRATIC)
    numbers = {f"{key}: slope": slope for key, slope in slopes.items()}
    numbers |= {f"{key}: gain": gain for key, gain in gains.items()}
    how = (
        "least-squares slope of log seconds on log examples; value at the largest share less that "
        "at the smallest"
    )
    return verdict(report, name, numbers, how, [IJCNN1], expected=[IJCNN1])


def _of_the_paper(rows: pd.DataFrame) -> pd.DataFrame:
    """Leave out measures and methods that were added to the paper's."""
    return rows[rows["measure"].isin(MEASURES) & rows["method"].isin(METHODS)]


def _ranges(rows: pd.DataFrame) -> pd.DataFrame:
    """Largest less smallest value by (data_set, measure), one column a method."""
    values = rows["value"].where(rows["status"] == "ok")
    grouped = values.groupby([rows[name] for name in CELL], sort=False)
    # As printed: four decimals.
    return (grouped.max() - grouped.min()).round(4).unstack("method")


STUDY_CLAIMS = (
    faster_than_linear_svm_perf,
    fewer_oracle_calls,
    robust_in_C_and_B,
    scales_in_training_size,
)
TIMED_CLAIMS = (faster_than_linear_svm_perf.__name__, scales_in_training_size.__name__)
