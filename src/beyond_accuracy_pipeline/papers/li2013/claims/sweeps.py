"""Judge claims on runs over C, the penalty B and the training size (Figures 3 to 5).

CAPO (classifier adaptation) is a multivariate SVM on the features and the outputs of auxiliary
classifiers, here one core vector machine or five. B is the penalty of the auxiliaries' weights.
"""

import itertools
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd

from beyond_accuracy_pipeline.papers.li2013.claims.judging import (
    CLAIMS,
    HALF,
    THREE_QUARTERS,
    Ruling,
    judge,
    of_the_paper,
    task_name,
)
from beyond_accuracy_pipeline.papers.li2013.names import (
    FIVE,
    IJCNN1,
    METHODS,
    NEAR,
    ONE,
    RBF,
    REUTERS,
    SVM_PERF,
    USPS,
)
from beyond_accuracy_pipeline.papers.li2013.times import (
    ALGORITHM_1,
    sweep_seconds,
    with_rbf_machine,
)
from beyond_accuracy_pipeline.papers.li2013.values import sizes_of_test
from beyond_accuracy_pipeline.reporting.comparison import CELL
from beyond_accuracy_pipeline.reporting.names import measure_name
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.reporting.verdict import Verdict, all_or_most, grade

# Times within this factor are similar. On Reuters the paper calls times similar that differ by this
# factor (Table 3, ROC area: 3.9 and 18.9 seconds).
SIMILAR = 5.0
# Exponents of the growth of times with the training size.
ALMOST_LINEAR, QUADRATIC = 1.2, 2.0
FACTORED = (
    "The kernel machine is fitted with line search on a factor of the kernel matrix, whose rank is "
    "limited. The paper's program is fitted on the whole matrix, so that its seconds are unknown."
)
# Tasks that the paper excludes: for the RBF kernel, and for the linear machine above this C.
EXCEPT_RBF = ((USPS, "prbep"), (USPS, "roc_area"))
EXCEPT_AT_LARGE_C, LARGE_C = (REUTERS, "roc_area"), 1.0


@CLAIMS.add(judge, expected=[REUTERS, USPS])
def better_along_C(report: Report) -> Ruling:
    """Judge whether CAPO has larger values than SVM-perf, linear and with RBF kernel, at each C."""
    rows = of_the_paper(report.results.study("by_C"))
    values = rows[rows["status"] == "ok"].set_index([*CELL, "C"])["value"].unstack("method")
    how = "test values at the same C, without what the paper excepts"
    return judge_larger_values(report, values, _is_excepted, how)


def judge_larger_values(
    report: Report,
    values: pd.DataFrame,
    is_excepted: Callable[[str, Sequence[str], float], bool],
    how: str,
) -> Ruling:
    """Judge whether CAPO, with one core vector machine and with five, beats both SVM-perf machines.

    `values` are by (data_set, measure, C or B) and method. `is_excepted(rival, task, C or B)` says
    whether a case does not count.
    """
    values = values.reindex(columns=[ONE, FIVE, SVM_PERF, RBF])
    numbers, shares, data_sets = {}, [], []
    for rival in (SVM_PERF, RBF):
        own = values.dropna(subset=[ONE, FIVE, rival])
        counted = [not is_excepted(rival, task, at) for *task, at in own.index]
        own = own.loc[np.array(counted, dtype=bool)]
        data_sets.extend(own.index.unique("data_set"))
        for method in (ONE, FIVE):
            more = own[method] > own[rival]
            if len(more):
                shares.append(float(more.mean()))
                key = f"{METHODS[method]} above {METHODS[rival]}"
                numbers[key] = f"{more.sum()} of {len(more)}"
                numbers[f"{key}, a trivial one"] = int(
                    (more & is_trivial(report, own[rival])).sum()
                )
    if not shares:
        return None
    name = grade(min(shares) >= THREE_QUARTERS, float(np.mean(shares)) > HALF)
    return Verdict(name, numbers, how), data_sets


def is_trivial(report: Report, values: pd.Series) -> pd.Series:
    """Return whether each value is that of a predictor without positive predictions.

    Its F1 and PRBEP (negatives first) are 0, its ROC area is 1/2, and its accuracy is the share of
    the negatives.
    """
    nothing = {"f1": 0.0, "prbep": 0.0, "roc_area": 0.5}
    index = values.index
    names = index.get_level_values("data_set"), index.get_level_values("measure")
    sizes = {data_set: sizes_of_test(report, data_set) for data_set in index.unique("data_set")}
    shares = {data_set: 1 - positives / n for data_set, (n, positives) in sizes.items()}
    found = [
        nothing.get(measure, shares[data_set]) for data_set, measure in zip(*names, strict=True)
    ]
    return pd.Series(np.isclose(values, found, rtol=0, atol=1e-9), index=index)


def _is_excepted(rival: str, task: Sequence[str], C: float) -> bool:
    """Return whether the paper itself says that CAPO is not better than a rival in this case."""
    if rival == RBF:
        return tuple(task) in EXCEPT_RBF
    return tuple(task) == EXCEPT_AT_LARGE_C and C > LARGE_C


def _along_C(report: Report, data_set: str, measure: str) -> pd.DataFrame:
    """Return complete test values by C (rows) and method, for one data set and measure."""
    rows = of_the_paper(report.results.study("by_C"))
    rows = rows[(rows["data_set"] == data_set) & (rows["measure"] == measure)]
    values = rows[rows["status"] == "ok"].pivot(index="C", columns="method", values="value")
    return values.reindex(columns=[ONE, FIVE, SVM_PERF, RBF]).dropna()


@CLAIMS.add(judge, expected=[USPS])
def rbf_comparable_on_usps(report: Report) -> Ruling:
    """Judge whether SVM-perf with RBF kernel is about as good as CAPO on USPS."""
    numbers, shares = {}, []
    for data_set, measure in EXCEPT_RBF:
        values = _along_C(report, data_set, measure)
        for method in (ONE, FIVE) if len(values) else ():
            less = (values[RBF] - values[method]).round(4)
            near = less.abs() <= NEAR
            shares.append(float(near.mean()))
            key = f"{measure_name(measure)}: {METHODS[RBF]}, {METHODS[method]}"
            numbers[f"{key} comparable"] = f"{near.sum()} of {len(near)}"
            numbers[f"{key}, median difference"] = float(less.median())
    if not shares:
        return None
    name = grade(min(shares) >= THREE_QUARTERS, float(np.mean(shares)) > HALF)
    return Verdict(name, numbers, "test values at the same C"), [USPS]


@CLAIMS.add(judge, expected=[REUTERS])
def svm_perf_better_at_large_C(report: Report) -> Ruling:
    """Judge whether linear SVM-perf has a larger ROC area than CAPO on Reuters at large C."""
    values = _along_C(report, *EXCEPT_AT_LARGE_C)
    values = values[values.index > LARGE_C]
    if values.empty:
        return None
    less = {
        (rival, method): values[rival] - values[method]
        for rival in (SVM_PERF, RBF)
        for method in (ONE, FIVE)
    }
    numbers: dict[str, float | str] = {}
    for (rival, method), own in less.items():
        key = f"{METHODS[rival]} above {METHODS[method]}"
        numbers[key] = f"{(own > 0).sum()} of {len(own)}"
        numbers[f"{key}, median difference"] = float(own.median())
    better = [above for method in (ONE, FIVE) for above in less[SVM_PERF, method] > 0]
    return Verdict(all_or_most(better), numbers, "test values at the same C"), [REUTERS]


@CLAIMS.add(judge, expected=[REUTERS, USPS])
def much_faster_than_rbf(report: Report) -> Ruling:
    """List times of CAPO and linear SVM-perf, relative to SVM-perf with RBF kernel."""
    rows = of_the_paper(with_rbf_machine(report))
    seconds = rows.groupby(CELL, sort=False)["cpu_seconds"].sum().unstack("method")
    methods = [ONE, FIVE, SVM_PERF]
    seconds = seconds.reindex(columns=[*methods, RBF]).dropna()
    if seconds.empty:
        return None
    shares = seconds[methods].div(seconds[RBF], axis=0)
    numbers = {
        f"{task_name(task)}: {METHODS[method]} / {METHODS[RBF]}": float(share)
        for (*task, method), share in shares.stack().items()
    }
    how = (
        "processor seconds of Algorithm 1 at all C, without the auxiliaries'; with an RBF kernel "
        "by another algorithm"
    )
    return Verdict("not testable", numbers, how, FACTORED), seconds.index.unique("data_set")


@CLAIMS.add(judge, expected=[REUTERS, USPS])
def comparable_seconds_along_C(report: Report) -> Ruling:
    """Judge whether CAPO takes about as long as linear SVM-perf at each C."""
    rows = of_the_paper(sweep_seconds(report, ALGORITHM_1))
    rows = rows[rows["data_set"].isin([REUTERS, USPS])]
    seconds = rows.set_index([*CELL, "C"])["cpu_seconds"].unstack("method")
    seconds = seconds.reindex(columns=[ONE, FIVE, SVM_PERF]).dropna()
    if seconds.empty:
        return None
    numbers: dict[str, float | str] = {}
    shares = []
    for method in (ONE, FIVE):
        ratios = seconds[method] / seconds[SVM_PERF]
        near = ratios.between(1 / SIMILAR, SIMILAR)
        shares.append(float(near.mean()))
        numbers[f"{METHODS[method]}: comparable"] = f"{near.sum()} of {len(near)}"
        numbers[f"{METHODS[method]}: less than a fifth"] = int((ratios < 1 / SIMILAR).sum())
        for C, ratio in ratios.groupby("C").median().items():
            numbers[f"{METHODS[method]} / {METHODS[SVM_PERF]}, median at C = {C:g}"] = float(ratio)
    how = "processor seconds of Algorithm 1 at each C, without the auxiliaries'"
    name = grade(min(shares) >= THREE_QUARTERS, float(np.mean(shares)) > HALF)
    return Verdict(name, numbers, how), seconds.index.unique("data_set")


@CLAIMS.add(judge, expected=[REUTERS, USPS])
def scales_better_in_C(report: Report) -> Ruling:
    """Judge whether CAPO is faster than SVM-perf at the largest C, and grows less with C."""
    rows = of_the_paper(sweep_seconds(report, ALGORITHM_1))
    rows = rows[rows["data_set"].isin([REUTERS, USPS])]
    methods = [ONE, FIVE, SVM_PERF]
    ends = []
    for C in (rows["C"].max(), rows["C"].min()):
        at = rows[rows["C"] == C].set_index(CELL)["cpu_seconds"].unstack("method")
        ends.append(at.reindex(columns=methods).dropna())
    last, first = ends
    last = last.loc[last.index.intersection(first.index)]
    if last.empty:
        return None
    growth = last / first.loc[last.index]
    better, numbers = [], {}
    for method in (ONE, FIVE):
        fewer, less = last[method] < last[SVM_PERF], growth[method] < growth[SVM_PERF]
        better += [*fewer, *less]
        numbers[f"{METHODS[method]}: fewer seconds"] = f"{fewer.sum()} of {len(fewer)}"
        numbers[f"{METHODS[method]}: less growth"] = f"{less.sum()} of {len(less)}"
    for (*task, method), value in growth.stack().items():
        numbers[f"{task_name(task)}: growth, {METHODS[method]}"] = float(value)
    how = (
        f"processor seconds of Algorithm 1 at C = {rows['C'].max():g}, SVM-perf's, and how many "
        f"times as many they are as at C = {rows['C'].min():g}"
    )
    return Verdict(all_or_most(better), numbers, how), last.index.unique("data_set")


@CLAIMS.add(judge, expected=[REUTERS, USPS])
def more_robust_in_C(report: Report) -> Ruling:
    """Judge whether CAPO's test values vary at most as much with C as SVM-perf's values."""
    return _varies_less(report, {"by_C": list(itertools.product((ONE, FIVE), (SVM_PERF, RBF)))})


@CLAIMS.add(judge, expected=[REUTERS, USPS])
def five_more_robust_than_one(report: Report) -> Ruling:
    """Judge whether CAPO's values vary at most as much with five auxiliaries as with one."""
    return _varies_less(report, {"by_C": [(FIVE, ONE)], "by_B": [(FIVE, ONE)]})


@CLAIMS.add(judge, expected=[REUTERS, USPS])
def robust_in_B(report: Report) -> Ruling:
    """Judge whether CAPO's test values vary by at most `NEAR` over all B."""
    ranges = _ranges(of_the_paper(report.results.study("by_B")))
    ranges = ranges.reindex(columns=[ONE, FIVE]).dropna()
    if ranges.empty:
        return None
    narrow = ranges <= NEAR
    numbers: dict[str, float | str] = {
        f"{METHODS[method]}: small": f"{own.sum()} of {len(own)}" for method, own in narrow.items()
    }
    for (*task, method), value in ranges.stack().items():
        numbers[f"{task_name(task)}: {METHODS[method]}"] = float(value)
    name = all_or_most(list(narrow.to_numpy().ravel()))
    how = "largest less smallest test value along B"
    return Verdict(name, numbers, how), ranges.index.unique("data_set")


def _varies_less(report: Report, pairs: Mapping[str, Sequence[tuple[str, str]]]) -> Ruling:
    """Judge whether the first method of each pair varies at most as much as the second."""
    steady, data_sets = [], []
    counts, numbers = {}, {}
    for study, compared in pairs.items():
        along = study.removeprefix("by_")
        ranges = _ranges(of_the_paper(report.results.study(study)))
        for method, other in compared:
            own = ranges.reindex(columns=[method, other]).dropna()
            data_sets.extend(own.index.unique("data_set"))
            for (*task, each), value in own.stack().items():
                numbers[f"{task_name(task)}, {along}: {METHODS[each]}"] = float(value)
            less = list(own[method] <= own[other])
            steady += less
            if less:
                key = f"{METHODS[method]} against {METHODS[other]}, along {along}"
                counts[key] = f"{sum(less)} of {len(less)}"
    if not steady:
        return None
    how = "largest less smallest test value along C, and along B"
    return Verdict(all_or_most(steady), counts | numbers, how), data_sets


def _ranges(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the largest minus the smallest value along a sweep, by task and method."""
    values = rows["value"].where(rows["status"] == "ok")
    grouped = values.groupby([rows[name] for name in CELL], sort=False)
    # The paper prints four decimals.
    return (grouped.max() - grouped.min()).round(4).unstack("method")


def _by_size(report: Report) -> pd.DataFrame:
    """Return the successful fits on ijcnn1 for several training sizes, with their seconds."""
    rows = of_the_paper(sweep_seconds(report, "by_training_size"))
    return rows[(rows["data_set"] == IJCNN1) & (rows["status"] == "ok")]


@CLAIMS.add(judge, expected=[IJCNN1])
def scales_in_training_size(report: Report) -> Ruling:
    """Judge whether the slope of log seconds on log training examples is about 1."""
    rows = _by_size(report)
    slopes: dict[str, float] = {}
    gains: dict[str, float] = {}
    judged: list[float] = []
    for (measure, method), own in rows.groupby(["measure", "method"], sort=False):
        if method not in (ONE, FIVE, SVM_PERF, RBF) or own["n_train"].nunique() < 2:
            continue
        key = f"{measure_name(measure)}, {METHODS[method]}"
        own = own.sort_values("n_train")
        seconds = np.log(own["cpu_seconds"].clip(lower=1e-6))
        slopes[key] = float(np.polyfit(np.log(own["n_train"]), seconds, 1)[0])
        gains[key] = float(own["value"].iloc[-1] - own["value"].iloc[0])
        if method != RBF:
            judged.append(slopes[key])
    if not judged:
        return None
    steepest = max(judged)
    numbers: dict[str, float | str] = {f"{key}: slope": slope for key, slope in slopes.items()}
    numbers |= {f"{key}: gain": gain for key, gain in gains.items()}
    study = of_the_paper(report.results.study("by_training_size"))
    kernel = study[study["method"] == RBF]
    if len(kernel):
        finished = (kernel["status"] == "ok").sum()
        numbers[f"{METHODS[RBF]}: fits finished"] = f"{finished} of {len(kernel)}"
    how = (
        "least-squares slope of log seconds of Algorithm 1 on log examples; value at the largest "
        "share less that at the smallest"
    )
    name = grade(steepest <= ALMOST_LINEAR, steepest < QUADRATIC)
    return Verdict(name, numbers, how, FACTORED if len(kernel) else ""), [IJCNN1]


@CLAIMS.add(judge, expected=[IJCNN1])
def five_better_and_cheaper_at_every_size(report: Report) -> Ruling:
    """Judge whether CAPO beats linear SVM-perf in values and seconds, at every training size."""
    rows = _by_size(report).set_index(["data_set", "measure", "train_fraction", "method"])
    values, seconds = (
        rows[column].unstack("method").reindex(columns=[FIVE, SVM_PERF]).dropna()
        for column in ("value", "cpu_seconds")
    )
    if values.empty:
        return None
    better, cheaper = values[FIVE] > values[SVM_PERF], seconds[FIVE] < seconds[SVM_PERF]
    numbers: dict[str, float | str] = {
        "larger value": f"{better.sum()} of {len(better)}",
        "larger value, SVM-perf's a trivial one": int(
            (better & is_trivial(report, values[SVM_PERF])).sum()
        ),
        "fewer seconds": f"{cheaper.sum()} of {len(cheaper)}",
    }
    for (_, measure, share), ratio in (seconds[SVM_PERF] / seconds[FIVE]).items():
        numbers[f"{measure_name(measure)}, {share:g}: SVM-perf / CAPO, 5 CVMs"] = float(ratio)
    how = "test value and processor seconds of Algorithm 1, without the auxiliaries'"
    return Verdict(all_or_most([*better, *cheaper]), numbers, how), [IJCNN1]
