"""Judge claims on test values along C and the penalty B (Figures 3 and 4).

CAPO (classifier adaptation) is a multivariate SVM on the features and the outputs of auxiliary
classifiers, here one CVM (core vector machine) or five. B is the penalty of the auxiliaries'
weights. PRBEP is the precision/recall break-even point.
"""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product

import numpy as np
import pandas as pd

from beyond_accuracy_pipeline.reporting.comparison import CELL
from beyond_accuracy_pipeline.reporting.names import measure_name
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.reporting.verdict import (
    Numbers,
    Verdict,
    VerdictName,
    all_or_most,
    grade,
)

from ..names import FIVE, METHODS, NEAR, ONE, RBF, REUTERS, SVM_PERF, USPS
from ..values import TASK, sizes_of_test
from .judging import CLAIMS, HALF, THREE_QUARTERS, by_method, how_many, judge, of_the_paper

BOTH = (ONE, FIVE)
MACHINES = (SVM_PERF, RBF)
# Tasks that the paper excludes: for the RBF kernel, and for the linear machine above this C.
EXCEPT_RBF = ((USPS, "prbep"), (USPS, "roc_area"))
EXCEPT_AT_LARGE_C, LARGE_C = (REUTERS, "roc_area"), 1.0


def along_C(report: Report) -> pd.DataFrame:
    """Return test values, one row per (data_set, measure, C of the SVM), one column per method."""
    rows = of_the_paper(report.results.study("by_C"))
    values = rows[rows["status"] == "ok"].set_index([*CELL, "C"])["value"].unstack("method")
    return values.reindex(columns=[*BOTH, *MACHINES])


def join_along_B(along_B: pd.DataFrame, along_C: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return the results of CAPO at each B, and beside them the results of SVM-perf.

    CAPO (classifier adaptation) is an SVM that gets the outputs of other, auxiliary classifiers as
    extra features. B is the penalty of these features' weights. SVM-perf has no such features and
    no B, so its result at CAPO's C is repeated for each B. `along_B` has one row per fit of CAPO,
    and `along_C` one row per fit of SVM-perf. `column` names their column with the result, such as
    "value". There is one row per (data_set, measure, B) and one column per method.
    """
    capo = of_the_paper(along_B).set_index([*CELL, "B"])[column].unstack("method")
    rows = of_the_paper(along_C)
    rows = rows[rows["C"].isin(along_B["C"]) & rows["method"].isin(MACHINES)]
    machines = rows.set_index(CELL)[column].unstack("method")
    both = capo.reindex(columns=list(BOTH)).join(machines.reindex(columns=list(MACHINES)))
    return both.reorder_levels([*TASK, "B"])


def _along_B(report: Report) -> pd.DataFrame:
    """Return test values by (data_set, measure, B); SVM-perf has the same values for each B."""
    finished = (
        rows[rows["status"] == "ok"] for rows in map(report.results.study, ("by_B", "by_C"))
    )
    return join_along_B(*finished, "value")


def mostly(shares: Sequence[float]) -> VerdictName:
    """Return the verdict on a claim, given in which share of cases the claim holds.

    `shares` has one share per comparison of two methods. The verdict is "reproduced" if each share
    is at least ¾, "partly" if the mean share is larger than ½, and otherwise "not reproduced".
    """
    return grade(min(shares) >= THREE_QUARTERS, float(np.mean(shares)) > HALF)


@CLAIMS.add(judge, along_C, expected=[REUTERS, USPS])
def better_along_C(report: Report, values: pd.DataFrame) -> Verdict | None:
    def is_excepted(rival: str, task: tuple[str, str], C: float) -> bool:
        if rival == RBF:
            return task in EXCEPT_RBF
        return task == EXCEPT_AT_LARGE_C and C > LARGE_C

    how = "test values at the same C, without what the paper excepts"
    return _judge_larger_values(report, values, is_excepted, how)


@CLAIMS.add(judge, _along_B, expected=[REUTERS, USPS])
def better_along_B(report: Report, values: pd.DataFrame) -> Verdict | None:
    how = "test values at C = 1, without what the paper excepts"
    return _judge_larger_values(
        report, values, lambda rival, task, B: task == EXCEPT_AT_LARGE_C, how
    )


def _judge_larger_values(
    report: Report,
    values: pd.DataFrame,
    is_excepted: Callable[[str, tuple[str, str], float], bool],
    how: str,
) -> Verdict | None:
    """Judge whether CAPO, with one auxiliary and with five, has larger values than SVM-perf.

    SVM-perf is linear or has an RBF kernel. `is_excepted(rival, task, C or B)` says which cases do
    not count.
    """
    numbers, shares = {}, []
    for rival in MACHINES:
        cases = values.dropna(subset=[*BOTH, rival])
        counted = [not is_excepted(rival, tuple(task), at) for *task, at in cases.index]
        cases = cases.loc[np.array(counted, dtype=bool)]
        for method in BOTH if len(cases) else ():
            more = cases[method] > cases[rival]
            shares.append(float(more.mean()))
            key = f"{METHODS[method]} above {METHODS[rival]}"
            trivial = more & is_trivial(report, cases[rival])
            numbers |= {key: how_many(more), f"{key}, a trivial one": int(trivial.sum())}
    return Verdict(mostly(shares), numbers, how) if shares else None


def is_trivial(report: Report, values: pd.Series) -> pd.Series:
    """Return for each test value whether it equals the value of never predicting a positive.

    `values` is indexed by (data_set, measure) and possibly further levels. Without predicted
    positives, F1 and PRBEP (the precision/recall break-even point) are 0, the ROC area is 1/2, and
    accuracy is the share of negatives.
    """
    nothing = {"f1": 0.0, "prbep": 0.0, "roc_area": 0.5}
    sizes = {name: sizes_of_test(report, name) for name in values.index.unique("data_set")}
    shares = {name: 1 - positives / n for name, (n, positives) in sizes.items()}
    trivial = [nothing.get(measure, shares[data_set]) for data_set, measure, *_ in values.index]
    return pd.Series(np.isclose(values, trivial, rtol=0, atol=1e-9), index=values.index)


def _at(values: pd.DataFrame, task: tuple[str, str]) -> pd.DataFrame:
    """Return one task's test values by C and method, for each C with all values."""
    return values[values.index.droplevel("C").isin([task])].droplevel(TASK).dropna()


@CLAIMS.add(judge, along_C, expected=[USPS])
def rbf_comparable_on_usps(report: Report, values: pd.DataFrame) -> Verdict | None:
    numbers, shares = {}, []
    for task in EXCEPT_RBF:
        at_C = _at(values, task)
        for method in BOTH if len(at_C) else ():
            less = (at_C[RBF] - at_C[method]).round(4)
            near = less.abs() <= NEAR
            shares.append(float(near.mean()))
            key = f"{measure_name(task[1])}: {METHODS[RBF]}, {METHODS[method]}"
            numbers[f"{key} comparable"] = how_many(near)
            numbers[f"{key}, median difference"] = float(less.median())
    return Verdict(mostly(shares), numbers, "test values at the same C") if shares else None


@CLAIMS.add(judge, along_C, expected=[REUTERS])
def svm_perf_better_at_large_C(report: Report, values: pd.DataFrame) -> Verdict | None:
    at_C = _at(values, EXCEPT_AT_LARGE_C)
    at_C = at_C[at_C.index > LARGE_C]
    if at_C.empty:
        return None
    numbers: Numbers = {}
    for rival, method in product(MACHINES, BOTH):
        key = f"{METHODS[rival]} above {METHODS[method]}"
        numbers[key] = how_many(at_C[rival] > at_C[method])
        numbers[f"{key}, median difference"] = float((at_C[rival] - at_C[method]).median())
    better = [above for method in BOTH for above in at_C[SVM_PERF] > at_C[method]]
    return Verdict(all_or_most(better), numbers, "test values at the same C")


def _ranges(report: Report, studies: Sequence[str]) -> pd.DataFrame:
    """Return the range of test values over all C, and over all B, by task and method."""
    parts = {}
    for study in studies:
        rows = of_the_paper(report.results.study(study))
        values = rows["value"].where(rows["status"] == "ok")
        grouped = values.groupby([rows[name] for name in CELL], sort=False)
        # The paper prints four decimals.
        ranges = (grouped.max() - grouped.min()).round(4).unstack("method")
        parts[study.removeprefix("by_")] = ranges
    return pd.concat(parts, names=["along"]).dropna(how="all")


def _varies_less(ranges: pd.DataFrame, pairs: Sequence[tuple[str, str]]) -> Verdict | None:
    """Judge by pairs of methods whether the first one's values vary at most as much."""
    steady, counts, numbers = [], {}, {}
    for along, at in ranges.groupby("along", sort=False):
        for method, other in pairs:
            pair = at.droplevel("along").reindex(columns=[method, other]).dropna()
            numbers |= by_method(pair, f", {along}: ")
            less = list(pair[method] <= pair[other])
            steady += less
            if less:
                key = f"{METHODS[method]} against {METHODS[other]}, along {along}"
                counts[key] = how_many(less)
    how = "largest less smallest test value along C, and along B"
    return Verdict(all_or_most(steady), counts | numbers, how) if steady else None


@CLAIMS.add(judge, partial(_ranges, studies=["by_C"]), expected=[REUTERS, USPS])
def more_robust_in_C(report: Report, ranges: pd.DataFrame) -> Verdict | None:
    return _varies_less(ranges, list(product(BOTH, MACHINES)))


@CLAIMS.add(judge, partial(_ranges, studies=["by_C", "by_B"]), expected=[REUTERS, USPS])
def five_more_robust_than_one(report: Report, ranges: pd.DataFrame) -> Verdict | None:
    return _varies_less(ranges, [(FIVE, ONE)])


@CLAIMS.add(judge, partial(_ranges, studies=["by_B"]), expected=[REUTERS, USPS])
def robust_in_B(report: Report, ranges: pd.DataFrame) -> Verdict | None:
    ranges = ranges.droplevel("along").reindex(columns=list(BOTH)).dropna()
    if ranges.empty:
        return None
    narrow = ranges <= NEAR
    numbers: Numbers = {
        f"{METHODS[method]}: small": how_many(answers) for method, answers in narrow.items()
    }
    numbers |= by_method(ranges)
    how = "largest less smallest test value along B"
    return Verdict(all_or_most(list(narrow.to_numpy().ravel())), numbers, how)
