"""Judge claims on CPU seconds along C, the penalty B and the training size (Figures 3 to 5).

CAPO (classifier adaptation) is a multivariate SVM on the features and the outputs of auxiliary
classifiers, here one CVM (core vector machine) or five. B is the penalty of the auxiliaries'
weights.
"""

from itertools import product

import numpy as np
import pandas as pd

from beyond_accuracy_pipeline.reporting.comparison import CELL
from beyond_accuracy_pipeline.reporting.names import measure_name
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.reporting.verdict import Numbers, Verdict, all_or_most, grade

from ..names import FIVE, IJCNN1, METHODS, ONE, RBF, REUTERS, SVM_PERF, USPS
from ..times import ALGORITHM_1, ALGORITHM_1_BY_B, sweep_seconds, with_rbf_machine
from ..values import TASK
from .judging import CLAIMS, by_method, by_task, how_many, judge, of_the_paper
from .sweeps import is_trivial, join_along_B, mostly

# Times within this factor are similar. On Reuters the paper calls times similar that differ by this
# factor (Table 3, ROC area: 3.9 and 18.9 seconds).
SIMILAR = 5.0
# Exponents of the growth of times with the training size.
ALMOST_LINEAR, QUADRATIC = 1.2, 2.0
FACTORED = (
    "The kernel machine is fitted with line search on a factor of the kernel matrix, whose rank is "
    "limited. The paper's program is fitted on the whole matrix, so that its seconds are unknown."
)


def _summed(rows: pd.DataFrame, methods: list[str]) -> pd.DataFrame:
    """Return seconds by task and method, summed over all fits, where no method is missing."""
    seconds = of_the_paper(rows).groupby(CELL, sort=False)["cpu_seconds"].sum().unstack("method")
    return seconds.reindex(columns=methods).dropna()


def _beside_rbf(report: Report) -> pd.DataFrame:
    return _summed(with_rbf_machine(report), [ONE, FIVE, SVM_PERF, RBF])


@CLAIMS.add(judge, _beside_rbf, expected=[REUTERS, USPS])
def much_faster_than_rbf(report: Report, seconds: pd.DataFrame) -> Verdict:
    shares = seconds.drop(columns=RBF).div(seconds[RBF], axis=0)
    numbers = by_method(shares, after=f" / {METHODS[RBF]}")
    how = (
        "processor seconds of Algorithm 1 at all C, without the auxiliaries'; with an RBF kernel "
        "by another algorithm"
    )
    return Verdict("not testable", numbers, how, FACTORED)


def _along_C(report: Report) -> pd.DataFrame:
    """Return seconds of Algorithm 1 on Reuters and USPS by (data_set, measure, C) and method."""
    rows = of_the_paper(sweep_seconds(report, ALGORITHM_1))
    rows = rows[rows["data_set"].isin([REUTERS, USPS])]
    seconds = rows.set_index([*CELL, "C"])["cpu_seconds"].unstack("method")
    return seconds.reindex(columns=[ONE, FIVE, SVM_PERF]).dropna()


@CLAIMS.add(judge, _along_C, expected=[REUTERS, USPS])
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


@CLAIMS.add(judge, _along_C, expected=[REUTERS, USPS])
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


def _along_B(report: Report) -> pd.DataFrame:
    """Return mean seconds over all B by task and method; SVM-perf, without B, has the same C."""
    rows = sweep_seconds(report, ALGORITHM_1_BY_B), with_rbf_machine(report)
    return join_along_B(*rows, "cpu_seconds").groupby(level=TASK, sort=False).mean().dropna()


@CLAIMS.add(judge, _along_B, expected=[REUTERS, USPS])
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


def _along_C_and_B(report: Report) -> pd.DataFrame:
    """Return seconds on Reuters and USPS by task, once summed over C and once over B."""
    parts = {}
    for along, study in (("C", ALGORITHM_1), ("B", ALGORITHM_1_BY_B)):
        rows = sweep_seconds(report, study)
        parts[along] = _summed(rows[rows["data_set"].isin([REUTERS, USPS])], [ONE, FIVE])
    return pd.concat(parts, names=["along"])


@CLAIMS.add(judge, _along_C_and_B, expected=[REUTERS, USPS])
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
    """Return the successful fits to several training sizes, with their seconds, by data set."""
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
