"""The claims of the paper; each rule stands, in words, in paper.yaml."""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from beyond_accuracy.papers.cheng2016.convergence import final_rows
from beyond_accuracy.papers.cheng2016.names import (
    COLLECTIONS,
    MEASURE,
    METHODS,
    PAPER_METHODS,
    PROPOSED,
    seconds_by_method,
    values_by_method,
)
from beyond_accuracy.reporting.comparison import Pair
from beyond_accuracy.reporting.report import Report
from beyond_accuracy.reporting.verdict import Verdict, VerdictName

SVM_PERF = "svm_perf"
NEWS20, SATIMAGE = "news20", "satimage"
TEN_TIMES, A_HUNDRED_TIMES = 10.0, 100.0
MOST_ITERATIONS = 0.9

OUR_SVM_PERF = (
    "SVM-perf's seconds are those of this package's multivariate SVM without line search, whose "
    "search for the most violated labelling takes O(n) expected time where the original "
    "enumerates all contingency tables."
)


def no_method_wins_everywhere(report: Report) -> Verdict:
    """No method has the largest F1 on all data sets."""
    values = _values(report)
    if len(values) < 2:
        return Verdict("not testable", note=_missing(report, values.index))
    largest = values.eq(values.max(axis=1), axis=0)
    winners = largest.all()
    if not winners.any():
        verdict: VerdictName = "reproduced"
    else:
        shared = (largest.sum(axis=1) > 1).any()
        verdict = "partly" if shared else "not reproduced"
    numbers = {f"{data_set}: best": _names(row) for data_set, row in largest.iterrows()}
    return _verdict(report, verdict, numbers, "largest F1 on each data set", values.index)


def cost_sensitive_at_least_svm_perf(report: Report) -> Verdict:
    """BM-ls-CS has at least the F1 of SVM-perf."""
    values = _values(report)
    if values.empty:
        return Verdict("not testable", note=_missing(report, values.index))
    differences = values[PROPOSED] - values[SVM_PERF]
    pair = Pair(PROPOSED, SVM_PERF)
    intervals = {name: report.intervals.difference(name, MEASURE, pair) for name in values.index}
    lower = [name for name in values.index if differences[name] < 0]
    if not lower:
        verdict: VerdictName = "reproduced"
    else:
        verdict = "partly" if all(intervals[name][1] >= 0 for name in lower) else "not reproduced"
    numbers = {}
    for name in values.index:
        numbers[f"{name}: difference"] = float(differences[name])
        low, high = intervals[name]
        numbers |= {f"{name}: interval from": low, f"{name}: interval to": high}
    test = "F1 of BM-ls-CS less that of SVM-perf, paired bootstrap intervals over test examples"
    return _verdict(report, verdict, numbers, test, values.index, _learned_nothing(report))


def fastest_on_all_but_news20(report: Report) -> Verdict:
    """BM-ls-CS takes the fewest seconds on all data sets but news20."""
    seconds = _seconds(report)
    others = seconds.drop(index=NEWS20, errors="ignore")
    if others.empty:
        return Verdict("not testable", note=_missing(report, seconds.index))
    fastest = others.idxmin(axis=1) == PROPOSED
    numbers = {
        f"{data_set}, {METHODS[method]}: seconds": float(seconds.at[data_set, method])
        for data_set in seconds.index
        for method in seconds.columns
    }
    test = "median processor seconds of training at the chosen parameters"
    remark = _about_svm_perf(report)
    return _verdict(report, _all_or_most(fastest), numbers, test, seconds.index, remark)


def primal_decreases_strictly(report: Report) -> Verdict:
    """Every iteration of BM-ls-CS decreases the primal."""
    curves = report.results.study("convergence")
    curves = curves[curves["method"] == PROPOSED]
    data_sets = [name for name in COLLECTIONS if name in set(curves["data_set"])]
    if not data_sets:
        return Verdict("not testable", note=_missing(report, data_sets))
    steps = curves.groupby(["data_set", "task", "C"], sort=False)["primal"].diff().dropna()
    decreasing, increasing = float((steps < 0).mean()), int((steps > 0).sum())
    if decreasing == 1.0:
        verdict: VerdictName = "reproduced"
    else:
        most = increasing == 0 and decreasing >= MOST_ITERATIONS
        verdict = "partly" if most else "not reproduced"
    numbers = {
        "iterations": len(steps),
        "decreasing": int((steps < 0).sum()),
        "without change": int((steps == 0).sum()),
        "increasing": increasing,
    }
    test = "change of the primal of the best point in every iteration of the convergence runs"
    return _verdict(report, verdict, numbers, test, data_sets)


def more_than_ten_times_fewer_iterations(report: Report) -> Verdict:
    """BM-nls-CS needs more than ten times the iterations of BM-ls-CS."""
    final = final_rows(report)
    ratios = {}
    for (data_set, C, method), row in final.items():
        if method == PROPOSED:
            without = final[data_set, C, "bm_nls_cs"].iterations
            ratios[f"{data_set}, C = {C:g}"] = without / max(row.iterations, 1)
    known = {key.partition(",")[0] for key in ratios}
    data_sets = [name for name in COLLECTIONS if name in known]
    if not ratios:
        return Verdict("not testable", note=_missing(report, data_sets))
    reached = [ratio > TEN_TIMES for ratio in ratios.values()]
    verdict: VerdictName = (
        "reproduced" if all(reached) else "partly" if any(reached) else "not reproduced"
    )
    test = "iterations of BM-nls-CS over those of BM-ls-CS, same objective and gap"
    return _verdict(report, verdict, ratios, test, data_sets)


def bm_nls_cs_is_faster_than_svm_perf(report: Report) -> Verdict:
    """BM-nls-CS takes fewer seconds than SVM-perf."""
    seconds = _seconds(report)
    if seconds.empty:
        return Verdict("not testable", note=_missing(report, seconds.index))
    ratios = seconds[SVM_PERF] / seconds["bm_nls_cs"]
    test = "seconds of SVM-perf over those of BM-nls-CS"
    remark = _about_svm_perf(report)
    numbers = ratios.to_dict()
    return _verdict(report, _all_or_most(ratios > 1), numbers, test, seconds.index, remark)


def speed_ups_of_hundreds(report: Report) -> Verdict:
    """SVM-perf takes hundreds of times the seconds of BM-ls-CS somewhere."""
    seconds = _seconds(report)
    if seconds.empty:
        return Verdict("not testable", note=_missing(report, seconds.index))
    ratios = seconds[SVM_PERF] / seconds[PROPOSED]
    if ratios.max() >= A_HUNDRED_TIMES:
        verdict: VerdictName = "reproduced"
    else:
        verdict = "partly" if ratios.max() >= TEN_TIMES else "not reproduced"
    test = "seconds of SVM-perf over those of BM-ls-CS"
    remark = _about_svm_perf(report)
    return _verdict(report, verdict, ratios.to_dict(), test, seconds.index, remark)


def lr_f_best_on_satimage_and_worst_on_news20(report: Report) -> Verdict:
    """LR-F is the best on satimage and the worst on news20."""
    values = _values(report)
    if not {SATIMAGE, NEWS20} <= set(values.index):
        return Verdict("not testable", note=_missing(report, values.index))
    best = values.at[SATIMAGE, "lr_f"] >= values.loc[SATIMAGE].max()
    worst = values.at[NEWS20, "lr_f"] < values.loc[NEWS20].drop("lr_f").min()
    verdict: VerdictName = (
        "reproduced" if best and worst else "partly" if best or worst else "not reproduced"
    )
    numbers = {
        f"{data_set}, {METHODS[method]}": float(values.at[data_set, method])
        for data_set in (SATIMAGE, NEWS20)
        for method in values.columns
    }
    substitutes = report.substitutes([SATIMAGE, NEWS20])
    return Verdict(verdict, numbers, "F1 on both data sets", substitutes)


CLAIMS: dict[str, Callable[[Report], Verdict]] = {
    function.__name__: function
    for function in (
        no_method_wins_everywhere,
        cost_sensitive_at_least_svm_perf,
        fastest_on_all_but_news20,
        primal_decreases_strictly,
        more_than_ten_times_fewer_iterations,
        bm_nls_cs_is_faster_than_svm_perf,
        speed_ups_of_hundreds,
        lr_f_best_on_satimage_and_worst_on_news20,
    )
}
TIMED_CLAIMS = (
    fastest_on_all_but_news20.__name__,
    bm_nls_cs_is_faster_than_svm_perf.__name__,
    speed_ups_of_hundreds.__name__,
)


def _values(report: Report) -> pd.DataFrame:
    """F1 of the paper's methods on those of its data sets on which all of them succeeded."""
    values = values_by_method(report)
    return _of_the_paper(values)


def _seconds(report: Report) -> pd.DataFrame:
    """Training seconds of the paper's methods, where all of them have results."""
    seconds = seconds_by_method(report)
    finished = _values(report).index
    return _of_the_paper(seconds["fit"].unstack("method")).reindex(index=finished).dropna()


def _of_the_paper(values: pd.DataFrame) -> pd.DataFrame:
    data_sets = [name for name in COLLECTIONS if name in values.index]
    return values.reindex(index=data_sets, columns=list(PAPER_METHODS)).dropna()


def _all_or_most(true: pd.Series) -> VerdictName:
    share = float(np.mean(true))
    return "reproduced" if share == 1.0 else "partly" if share > 0.5 else "not reproduced"


def _about_svm_perf(report: Report) -> str:
    return " ".join(filter(None, (OUR_SVM_PERF, _learned_nothing(report))))


def _learned_nothing(report: Report) -> str:
    """Say on which data sets the optimum of SVM-perf is w = 0."""
    fits = report.results.fits
    degenerate = fits[(fits["method"] == SVM_PERF) & fits["degenerate"].eq(True)]
    names = [name for name in COLLECTIONS if name in set(degenerate["data_set"])]
    if not names:
        return ""
    return (
        f"On {', '.join(names)} the optimum of SVM-perf is w = 0 for the chosen C: it learns "
        "nothing, and soon."
    )


def _names(chosen: pd.Series) -> str:
    return ", ".join(METHODS[method] for method in chosen.index[chosen])


def _verdict(
    report: Report,
    verdict: VerdictName,
    numbers,
    test: str,
    data_sets: Sequence[str],
    remark: str = "",
) -> Verdict:
    missing = _missing(report, data_sets)
    notes = (remark, missing, report.substitutes(list(data_sets)))
    return Verdict(verdict, numbers, test, "; ".join(filter(None, notes)))


def _missing(report: Report, data_sets: Sequence[str]) -> str:
    """Say which of the paper's data sets the verdict does not rest on, and why."""
    absent = [name for name in COLLECTIONS if name not in set(data_sets)]
    frame = report.results.measurements
    reasons = []
    for name in absent:
        rows = frame[(frame["data_set"] == name) & frame["method"].isin(PAPER_METHODS)]
        reason = "; ".join(filter(None, rows["reason"].dropna().unique()))
        reasons.append(f"{name}: {reason or 'not measured in this run'}")
    return "; ".join(reasons)
