"""Judge claims on the penalty B of the auxiliary classifiers' weights (Figure 4).

CAPO (classifier adaptation) is a multivariate SVM on the features and the outputs of auxiliary
classifiers, here one core vector machine or five.
"""

from itertools import product

import pandas as pd

from beyond_accuracy_pipeline.papers.li2013.claims.judging import (
    CLAIMS,
    Ruling,
    judge,
    of_the_paper,
    task_name,
)
from beyond_accuracy_pipeline.papers.li2013.claims.sweeps import (
    FACTORED,
    SIMILAR,
    judge_larger_values,
)
from beyond_accuracy_pipeline.papers.li2013.names import (
    FIVE,
    METHODS,
    ONE,
    RBF,
    REUTERS,
    SVM_PERF,
    USPS,
)
from beyond_accuracy_pipeline.papers.li2013.times import (
    ALGORITHM_1,
    ALGORITHM_1_BY_B,
    sweep_seconds,
    with_rbf_machine,
)
from beyond_accuracy_pipeline.reporting.comparison import CELL
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.reporting.verdict import Verdict, all_or_most

# The paper itself excludes this task.
EXCEPT = (REUTERS, "roc_area")


def _join_along_B(along_B: pd.DataFrame, along_C: pd.DataFrame, column: str) -> pd.DataFrame:
    """Join CAPO's values at each B with those of SVM-perf, which has no B, at the same C."""
    own = of_the_paper(along_B).set_index([*CELL, "B"])[column].unstack("method")
    rows = of_the_paper(along_C)
    rows = rows[rows["C"].isin(along_B["C"]) & rows["method"].isin([SVM_PERF, RBF])]
    machines = rows.set_index(CELL)[column].unstack("method")
    both = own.reindex(columns=[ONE, FIVE]).join(machines.reindex(columns=[SVM_PERF, RBF]))
    return both.reorder_levels([*CELL[:2], "B"])


@CLAIMS.add(judge, expected=[REUTERS, USPS])
def better_along_B(report: Report) -> Ruling:
    """Judge whether CAPO has larger values than SVM-perf at every B, with the same C."""
    along_B, along_C = (report.results.study(name) for name in ("by_B", "by_C"))
    finished = [rows[rows["status"] == "ok"] for rows in (along_B, along_C)]
    return judge_larger_values(
        report,
        _join_along_B(*finished, "value"),
        lambda rival, task, B: tuple(task) == EXCEPT,
        "test values at C = 1, without what the paper excepts",
    )


@CLAIMS.add(judge, expected=[REUTERS, USPS])
def comparable_seconds_along_B(report: Report) -> Ruling:
    """Judge whether CAPO takes about as long as linear SVM-perf, averaged over all B."""
    along_B, along_C = sweep_seconds(report, ALGORITHM_1_BY_B), with_rbf_machine(report)
    both = _join_along_B(along_B, along_C, "cpu_seconds")
    means = both.groupby(level=[0, 1], sort=False).mean().dropna()
    if means.empty:
        return None
    holds, numbers = [], {}
    for rival, method in product((SVM_PERF, RBF), (ONE, FIVE)):
        ratios = means[method] / means[rival]
        if rival == SVM_PERF:
            holds += list(ratios.between(1 / SIMILAR, SIMILAR))
        for task, ratio in ratios.items():
            numbers[f"{task_name(task)}: {METHODS[method]} / {METHODS[rival]}"] = float(ratio)
    how = (
        "mean processor seconds of a fit at C = 1, without the auxiliaries', by Algorithm 1; with "
        "an RBF kernel by another algorithm"
    )
    return Verdict(all_or_most(holds), numbers, how, FACTORED), means.index.unique(0)


@CLAIMS.add(judge, expected=[REUTERS, USPS])
def five_faster_than_one(report: Report) -> Ruling:
    """Judge whether CAPO takes less time with five core vector machines than with one."""
    fewer, numbers, data_sets = {}, {}, []
    for along, study in (("C", ALGORITHM_1), ("B", ALGORITHM_1_BY_B)):
        rows = of_the_paper(sweep_seconds(report, study))
        rows = rows[rows["data_set"].isin([REUTERS, USPS])]
        seconds = rows.groupby(CELL, sort=False)["cpu_seconds"].sum().unstack("method")
        seconds = seconds.reindex(columns=[ONE, FIVE]).dropna()
        data_sets.extend(seconds.index.unique("data_set"))
        for task, ratio in (seconds[FIVE] / seconds[ONE]).items():
            fewer.setdefault(along, []).append(ratio < 1)
            numbers[f"{task_name(task)}, {along}: {METHODS[FIVE]} / {METHODS[ONE]}"] = float(ratio)
    if not fewer:
        return None
    counts = {
        f"fewer seconds along {along}": f"{sum(map(bool, own))} of {len(own)}"
        for along, own in fewer.items()
    }
    how = "processor seconds of Algorithm 1 over all C, and over all B, without the auxiliaries'"
    name = all_or_most([each for own in fewer.values() for each in own])
    return Verdict(name, counts | numbers, how), data_sets
