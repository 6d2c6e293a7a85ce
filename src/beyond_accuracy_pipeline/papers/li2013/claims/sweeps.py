"""Judge claims along C, the penalty B and the training size (Figures 3 to 5).

B is the penalty of the auxiliaries' weights. CAPO has one CVM (core vector machine) or five.
"""

from collections.abc import Mapping, Sequence
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

from ..names import FIVE, IJCNN1, METHODS, NEAR, ONE, RBF, REUTERS, SVM_PERF, USPS
from ..times import ALGORITHM_1, ALGORITHM_1_BY_B, sweep_seconds, with_rbf_machine
from ..values import TASK, sizes_of_test
from .judging import CLAIMS, by_method, by_task, how_many, judge, of_the_paper

BOTH = (ONE, FIVE)
MACHINES = (SVM_PERF, RBF)
# Tasks that the paper excludes: for the RBF kernel, and for the linear machine above this C.
EXCEPT_RBF = ((USPS, "prbep"), (USPS, "roc_area"))
EXCEPT_AT_LARGE_C, LARGE_C = (REUTERS, "roc_area"), 1.0
# Times within this factor are similar. On Reuters the paper calls times similar that differ by this
# factor (Table 3, ROC area: 3.9 and 18.9 seconds).
SIMILAR = 5.0
# Exponents of the growth of times with the training size.
ALMOST_LINEAR, QUADRATIC = 1.2, 2.0
FACTORED = (
    "The kernel machine is fitted with line search on a factor of the kernel matrix, whose rank is "
    "limited. The paper's program is fitted on the whole matrix, so that its seconds are unknown."
)


def along_C(report: Report) -> pd.DataFrame:
    """Return test values, one row per (data_set, measure, C of the SVM), one column per method."""
    rows = of_the_paper(report.results.study("by_C"))
    values = rows[rows["status"] == "ok"].set_index([*CELL, "C"])["value"].unstack("method")
    return values.reindex(columns=[*BOTH, *MACHINES])


def join_along_B(along_B: pd.DataFrame, along_C: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return the results of CAPO at each B, and beside them the results of SVM-perf.

    `along_B` has one row per fit of CAPO, and `along_C` one row per fit of SVM-perf, both with the
    results in `column`. SVM-perf has no B, so its result is repeated. The result has one row per
    (data_set, measure, B) and one column per method.
    """
    capo = of_the_paper(along_B).set_index([*CELL, "B"])[column].unstack("method")
    rows = of_the_paper(along_C)
    rows = rows[rows["C"].isin(along_B["C"]) & rows["method"].isin(MACHINES)]
    machines = rows.set_index(CELL)[column].unstack("method")
    both = capo.reindex(columns=list(BOTH)).join(machines.reindex(columns=list(MACHINES)))
    return both.reorder_levels([*TASK, "B"])


def _along_B(report: Report) -> pd.DataFrame:
    finished = (
        rows[rows["status"] == "ok"] for rows in map(report.results.study, ("by_B", "by_C"))
    )
    return join_along_B(*finished, "value")


def mostly(shares: Sequence[float]) -> VerdictName:
    """Return "reproduced" if all shares ≥ 0.75, "partly" if mean > 0.5, else "not reproduced"."""
    return grade(min(shares) >= 0.75, float(np.mean(shares)) > 0.5)


@CLAIMS.add(judge, along_C, expected=[REUTERS, USPS])
def better_along_C(report: Report, values: pd.DataFrame) -> Verdict | None:
    tasks, is_large = values.index.droplevel("C"), values.index.get_level_values("C") > LARGE_C
    is_excepted = {
        SVM_PERF: tasks.isin([EXCEPT_AT_LARGE_C]) & is_large,
        RBF: tasks.isin(EXCEPT_RBF),
    }
    how = "test values at the same C, without what the paper excepts"
    return _judge_larger_values(report, values, is_excepted, how)


@CLAIMS.add(judge, _along_B, expected=[REUTERS, USPS])
def better_along_B(report: Report, values: pd.DataFrame) -> Verdict | None:
    is_excepted = values.index.droplevel("B").isin([EXCEPT_AT_LARGE_C])
    how = "test values at C = 1, without what the paper excepts"
    return _judge_larger_values(report, values, dict.fromkeys(MACHINES, is_excepted), how)


def _judge_larger_values(
    report: Report, values: pd.DataFrame, is_excepted: Mapping[str, np.ndarray], how: str
) -> Verdict | None:
    """Judge whether CAPO, with one auxiliary and with five, has larger values than SVM-perf.

    `is_excepted` says for each rival, SVM-perf linear and RBF, which rows of `values` do not count.
    """
    numbers, shares = {}, []
    for rival in MACHINES:
        cases = values[~is_excepted[rival]].dropna(subset=[*BOTH, rival])
        for method in BOTH if len(cases) else ():
            more = cases[method] > cases[rival]
            shares.append(float(more.mean()))
            key = f"{METHODS[method]} above {METHODS[rival]}"
            trivial = more & is_trivial(report, cases[rival])
            numbers |= {key: how_many(more), f"{key}, a trivial one": int(trivial.sum())}
    return Verdict(mostly(shares), numbers, how) if shares else None


def is_trivial(report: Report, values: pd.Series) -> pd.Series:
    """Return for each test value whether it is the value of never predicting a positive.

    `values` is indexed by (data_set, measure). Without predicted positives, F1 and PRBEP are 0, the
    ROC area is 1/2, and accuracy is the share of negatives.
    """
    nothing = {"f1": 0.0, "prbep": 0.0, "roc_area": 0.5}
    sizes = {name: sizes_of_test(report, name) for name in values.index.unique("data_set")}
    shares = {name: 1 - positives / n for name, (n, positives) in sizes.items()}
    trivial = [nothing.get(measure, shares[data_set]) for data_set, measure, *_ in values.index]
    return pd.Series(np.isclose(values, trivial, rtol=0, atol=1e-9), index=values.index)


def _at(values: pd.DataFrame, task: tuple[str, str]) -> pd.DataFrame:
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


def _summed(rows: pd.DataFrame, methods: list[str]) -> pd.DataFrame:
    seconds = of_the_paper(rows).groupby(CELL, sort=False)["cpu_seconds"].sum().unstack("method")
    return seconds.reindex(columns=methods).dropna()


@CLAIMS.add(
    judge,
    lambda report: _summed(with_rbf_machine(report), [ONE, FIVE, SVM_PERF, RBF]),
    expected=[REUTERS, USPS],
)
def much_faster_than_rbf(report: Report, seconds: pd.DataFrame) -> Verdict:
    shares = seconds.drop(columns=RBF).div(seconds[RBF], axis=0)
    numbers = by_method(shares, after=f" / {METHODS[RBF]}")
    how = (
        "processor seconds of Algorithm 1 at all C, without the auxiliaries'; with an RBF kernel "
        "by another algorithm"
    )
    return Verdict("not testable", numbers, how, FACTORED)


def _seconds_along_C(report: Report) -> pd.DataFrame:
    """Return seconds of Algorithm 1 on Reuters and USPS by (data_set, measure, C) and method."""
    rows = of_the_paper(sweep_seconds(report, ALGORITHM_1))
    rows = rows[rows["data_set"].isin([REUTERS, USPS])]
    seconds = rows.set_index([*CELL, "C"])["cpu_seconds"].unstack("method")
    return seconds.reindex(columns=[ONE, FIVE, SVM_PERF]).dropna()


@CLAIMS.add(judge, _seconds_along_C, expected=[REUTERS, USPS])
def comparable_seconds_along_C(report: Report, seconds: pd.DataFrame) -> Verdict:
    numbers: Numbers = {}
    shares = []
    for method in (ONE, FIVE):
        ratios = seconds[method] / seconds[SVM_PERF]
        near = ratios.between(1 / SIMILAR, SIMILAR)
        shares.append(float(near.mean()))
        numbers[f"{METHODS[method]}: comparable"] = how_many(near)
        numbers[f"{METHODS[method]}: less than a fifth"] = int((ratios < 1 / SIMILAR).sum())
        for C, ratio in ratios.groupby("C").median().items():
            numbers[f"{METHODS[method]} / {METHODS[SVM_PERF]}, median at C = {C:g}"] = float(ratio)
    how = "processor seconds of Algorithm 1 at each C, without the auxiliaries'"
    return Verdict(mostly(shares), numbers, how)


@CLAIMS.add(judge, _seconds_along_C, expected=[REUTERS, USPS])
def scales_better_in_C(report: Report, seconds: pd.DataFrame) -> Verdict:
    grid = seconds.index.unique("C")
    last, first = (seconds.xs(C, level="C") for C in (grid.max(), grid.min()))
    growth = (last / first).dropna()
    last = last.loc[growth.index]
    better, numbers = [], {}
    for method in (ONE, FIVE):
        fewer, less = last[method] < last[SVM_PERF], growth[method] < growth[SVM_PERF]
        better += [*fewer, *less]
        numbers[f"{METHODS[method]}: fewer seconds"] = how_many(fewer)
        numbers[f"{METHODS[method]}: less growth"] = how_many(less)
    numbers |= by_method(growth, ": growth, ")
    how = (
        f"processor seconds of Algorithm 1 at C = {grid.max():g}, SVM-perf's, and how many "
        f"times as many they are as at C = {grid.min():g}"
    )
    return Verdict(all_or_most(better), numbers, how)


def _seconds_along_B(report: Report) -> pd.DataFrame:
    """Return mean seconds over all B by task and method; SVM-perf, without B, has the same C."""
    rows = sweep_seconds(report, ALGORITHM_1_BY_B), with_rbf_machine(report)
    return join_along_B(*rows, "cpu_seconds").groupby(level=TASK, sort=False).mean().dropna()


@CLAIMS.add(judge, _seconds_along_B, expected=[REUTERS, USPS])
def comparable_seconds_along_B(report: Report, means: pd.DataFrame) -> Verdict:
    holds, numbers = [], {}
    for rival, method in product((SVM_PERF, RBF), (ONE, FIVE)):
        ratios = means[method] / means[rival]
        if rival == SVM_PERF:
            holds += list(ratios.between(1 / SIMILAR, SIMILAR))
        numbers |= by_task(ratios, f": {METHODS[method]} / {METHODS[rival]}")
    how = (
        "mean processor seconds of a fit at C = 1, without the auxiliaries', by Algorithm 1; with "
        "an RBF kernel by another algorithm"
    )
    return Verdict(all_or_most(holds), numbers, how, FACTORED)


def _seconds_along_C_and_B(report: Report) -> pd.DataFrame:
    """Return seconds on Reuters and USPS by task, once summed over C and once over B."""
    parts = {}
    for along, study in (("C", ALGORITHM_1), ("B", ALGORITHM_1_BY_B)):
        rows = sweep_seconds(report, study)
        parts[along] = _summed(rows[rows["data_set"].isin([REUTERS, USPS])], [ONE, FIVE])
    return pd.concat(parts, names=["along"])


@CLAIMS.add(judge, _seconds_along_C_and_B, expected=[REUTERS, USPS])
def five_faster_than_one(report: Report, seconds: pd.DataFrame) -> Verdict:
    ratios = seconds[FIVE] / seconds[ONE]
    counts, numbers = {}, {}
    for along, of_tasks in ratios.groupby("along", sort=False):
        counts[f"fewer seconds along {along}"] = how_many(of_tasks < 1)
        label = f", {along}: {METHODS[FIVE]} / {METHODS[ONE]}"
        numbers |= by_task(of_tasks.droplevel("along"), label)
    how = "processor seconds of Algorithm 1 over all C, and over all B, without the auxiliaries'"
    return Verdict(all_or_most(list(ratios < 1)), counts | numbers, how)


def _by_size(report: Report) -> pd.DataFrame:
    rows = of_the_paper(sweep_seconds(report, "by_training_size"))
    return rows[(rows["data_set"] == IJCNN1) & (rows["status"] == "ok")].set_index("data_set")


@CLAIMS.add(judge, _by_size, expected=[IJCNN1])
def scales_in_training_size(report: Report, rows: pd.DataFrame) -> Verdict | None:
    slopes: Numbers = {}
    gains: Numbers = {}
    judged: list[float] = []
    for (measure, method), fits in rows.groupby(["measure", "method"], sort=False):
        if method not in (ONE, FIVE, SVM_PERF, RBF) or fits["n_train"].nunique() < 2:
            continue
        key = f"{measure_name(measure)}, {METHODS[method]}"
        fits = fits.sort_values("n_train")
        seconds = np.log(fits["cpu_seconds"].clip(lower=1e-6))
        slope = float(np.polyfit(np.log(fits["n_train"]), seconds, 1)[0])
        slopes[f"{key}: slope"] = slope
        gains[f"{key}: gain"] = float(fits["value"].iloc[-1] - fits["value"].iloc[0])
        if method != RBF:
            judged.append(slope)
    if not judged:
        return None
    numbers = slopes | gains
    study = of_the_paper(report.results.study("by_training_size"))
    kernel = study[study["method"] == RBF]
    if len(kernel):
        numbers[f"{METHODS[RBF]}: fits finished"] = how_many(kernel["status"] == "ok")
    how = (
        "least-squares slope of log seconds of Algorithm 1 on log examples; value at the largest "
        "share less that at the smallest"
    )
    name = grade(max(judged) <= ALMOST_LINEAR, max(judged) < QUADRATIC)
    return Verdict(name, numbers, how, FACTORED if len(kernel) else "")


@CLAIMS.add(judge, _by_size, expected=[IJCNN1])
def five_better_and_cheaper_at_every_size(report: Report, rows: pd.DataFrame) -> Verdict | None:
    cells = rows.set_index(["measure", "train_fraction", "method"], append=True)
    values, seconds = (
        cells[column].unstack("method").reindex(columns=[FIVE, SVM_PERF]).dropna()
        for column in ("value", "cpu_seconds")
    )
    if values.empty:
        return None
    better, cheaper = values[FIVE] > values[SVM_PERF], seconds[FIVE] < seconds[SVM_PERF]
    trivial = better & is_trivial(report, values[SVM_PERF])
    numbers: Numbers = {
        "larger value": how_many(better),
        "larger value, SVM-perf's a trivial one": int(trivial.sum()),
        "fewer seconds": how_many(cheaper),
    }
    for (_, measure, share), ratio in (seconds[SVM_PERF] / seconds[FIVE]).items():
        numbers[f"{measure_name(measure)}, {share:g}: SVM-perf / CAPO, 5 CVMs"] = float(ratio)
    how = "test value and processor seconds of Algorithm 1, without the auxiliaries'"
    return Verdict(all_or_most([*better, *cheaper]), numbers, how)
