"""Judge claims on CPU seconds and oracle calls (Tables 3 and 4, Figure 1).

Times and calls are of Algorithm 1 over one grid of C, as in the paper. An oracle call is a search
for the most violated labelling. CAPO (classifier adaptation) is a multivariate SVM on the features
and the outputs of auxiliary classifiers: a core vector machine (CAPO_cvm), C4.5, an RBF network, or
all three (CAPO*).
"""

from itertools import product

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
from beyond_accuracy_pipeline.papers.li2013.claims.sweeps import SIMILAR
from beyond_accuracy_pipeline.papers.li2013.names import (
    AUXILIARIES,
    AUXILIARY_OF,
    BUT_REUTERS,
    CAPO,
    MEASURES,
    METHODS,
    ONE,
    REUTERS,
    STAR,
    SVM_PERF,
    USPS,
)
from beyond_accuracy_pipeline.papers.li2013.times import (
    ALGORITHM_1,
    grid_calls,
    grid_seconds,
    selection_seconds,
    training_seconds,
)
from beyond_accuracy_pipeline.papers.li2013.values import paper_values
from beyond_accuracy_pipeline.reporting.names import measure_name
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.reporting.verdict import Verdict, all_or_most, grade

ORACLE = (
    "Both are this package's; its search for the most violated labelling sorts where the paper's "
    "enumerates all contingency tables, so that seconds are few throughout."
)
TIMED = "processor seconds of Algorithm 1 over one grid of C, without the auxiliaries'"
AT_EVERY_C = "calls of the oracle by measure and C, SVM-perf's"
# Calls on Reuters are "few" if they are at most this share of linear SVM-perf's calls on USPS.
FEW = 0.1
# CAPO_rbfn is not counted: in the paper's Table 3 it takes about as long as linear SVM-perf.
MUCH_LESS_THAN_LINEAR = 0.5
COUNTED = [ONE, "capo_c45", STAR]


def _values_of_methods(values: pd.Series, methods: list[str]) -> pd.DataFrame:
    """Return values by (data_set, measure) and method; the last two methods must have a value."""
    return values.unstack("method").reindex(columns=methods).dropna(subset=methods[-2:])


@CLAIMS.add(judge, expected=BUT_REUTERS)
def faster_than_linear_svm_perf(report: Report) -> Ruling:
    """Judge whether CAPO takes at most half of the time of linear SVM-perf."""
    methods = [*AUXILIARY_OF, STAR, SVM_PERF]
    seconds = _values_of_methods(grid_seconds(report), methods)
    own = seconds[seconds.index.isin(BUT_REUTERS, level="data_set")]
    if own.empty:
        return None
    shares = own[list(CAPO)].div(own[SVM_PERF], axis=0)
    known, fewer = shares.notna().sum(), (shares < 1).sum()
    much = (shares <= MUCH_LESS_THAN_LINEAR).sum()
    name = grade(
        bool((much > HALF * known)[COUNTED].all()), bool((fewer > HALF * known)[COUNTED].all())
    )
    numbers: dict[str, float | str] = {}
    for method in CAPO:
        label = METHODS[method]
        numbers[f"{label}: at most half of the seconds"] = f"{much[method]} of {known[method]}"
        numbers[f"{label}: fewer seconds"] = f"{fewer[method]} of {known[method]}"
    for task in seconds.index:
        ratio = float(seconds.at[task, SVM_PERF] / seconds.at[task, STAR])
        numbers[f"{task_name(task)}: SVM-perf / CAPO*"] = ratio
    calls = grid_calls(report).unstack("method").reindex(columns=[SVM_PERF, STAR]).dropna()
    for task, row in calls.iterrows():
        numbers[f"{task_name(task)}: calls, SVM-perf"] = int(row[SVM_PERF])
        numbers[f"{task_name(task)}: calls, CAPO*"] = int(row[STAR])
    fast = _values_of_methods(selection_seconds(report), methods).reindex(own.index).dropna()
    if len(fast):
        also = fast[list(CAPO)].lt(fast[SVM_PERF], axis=0)
        numbers["share, line search and path over C"] = float(also.to_numpy().mean())
    return Verdict(name, numbers, TIMED, ORACLE), own.index.unique("data_set")


@CLAIMS.add(judge, expected=[REUTERS])
def similar_seconds_on_reuters(report: Report) -> Ruling:
    """Judge whether linear SVM-perf, CAPO_cvm and CAPO* take similar times on Reuters."""
    seconds = _values_of_methods(grid_seconds(report), [ONE, STAR, SVM_PERF]).dropna()
    seconds = seconds[seconds.index.isin([REUTERS], level="data_set")]
    if seconds.empty:
        return None
    factors = seconds.max(axis=1) / seconds.min(axis=1)
    numbers: dict[str, float | str] = {}
    for task, row in seconds.iterrows():
        numbers[f"{measure_name(task[1])}: factor"] = float(factors[task])
        for method, spent in row.items():
            numbers[f"{measure_name(task[1])}: {METHODS[method]}"] = float(spent)
    return Verdict(all_or_most(list(factors <= SIMILAR)), numbers, TIMED, ORACLE), [REUTERS]


@CLAIMS.add(judge)
def cheapest_with_auxiliaries(report: Report) -> Ruling:
    """Judge whether CAPO, with the training of its auxiliaries, is faster than linear SVM-perf."""
    seconds = _values_of_methods(grid_seconds(report), [*CAPO, SVM_PERF])
    # Times are summed over all measures, because the auxiliaries serve all measures.
    finished = seconds.groupby("data_set", sort=False)
    totals = finished.sum().where(finished.count() == finished.size().max())
    training = training_seconds(report).unstack("method")
    training = training.reindex(index=totals.index, columns=list(AUXILIARY_OF.values()))
    for method, auxiliary in AUXILIARY_OF.items():
        totals[method] += training[auxiliary]
    totals[STAR] += training.sum(axis=1, skipna=False)
    totals = totals.dropna(subset=[ONE, STAR, SVM_PERF])
    if totals.empty:
        return None
    fewer = totals[list(CAPO)].lt(totals[SVM_PERF], axis=0)
    counted = fewer[COUNTED]
    share = counted.mean()
    name = grade((share >= THREE_QUARTERS).all(), float(share.mean()) > HALF)
    numbers: dict[str, float | str] = {
        f"{METHODS[method]}: cheaper": f"{fewer[method].sum()} of {totals[method].count()}"
        for method in CAPO
    }
    for (data_set, method), spent in totals[[*CAPO, SVM_PERF]].stack().items():
        numbers[f"{data_set}: {METHODS[method]}"] = float(spent)
    how = f"{TIMED.partition(',')[0]}, all measures together, and those of training each auxiliary"
    return Verdict(name, numbers, how, ORACLE), totals.index


@CLAIMS.add(judge, methods=[STAR, SVM_PERF])
def better_at_lower_cost(report: Report) -> Ruling:
    """Judge whether CAPO*, auxiliaries included, is better than linear SVM-perf in less time."""
    values = paper_values(report)[[STAR, SVM_PERF]].dropna()
    seconds = _values_of_methods(grid_seconds(report), [STAR, SVM_PERF])
    training = training_seconds(report).unstack("method").reindex(columns=AUXILIARIES)
    # One training of each auxiliary serves all measures.
    training = training.sum(axis=1, skipna=False) / len(MEASURES)
    own = seconds[STAR] + training.reindex(seconds.index.get_level_values("data_set")).to_numpy()
    both = values.join(pd.concat([own, seconds[SVM_PERF]], axis=1, keys=["own", "rival"]))
    both = both.dropna()
    if both.empty:
        return None
    better, cheaper = both[STAR] > both[SVM_PERF], both["own"] < both["rival"]
    name = grade((better & cheaper).mean() > HALF, better.mean() > HALF and cheaper.mean() > HALF)
    numbers: dict[str, float | str] = {
        "larger value and fewer seconds": f"{(better & cheaper).sum()} of {len(both)}",
        "larger value": f"{better.sum()} of {len(both)}",
        "fewer seconds": f"{cheaper.sum()} of {len(both)}",
    }
    for task, ratio in (both["rival"] / both["own"]).items():
        numbers[f"{task_name(task)}: seconds, SVM-perf / CAPO*"] = float(ratio)
    how = f"test values; {TIMED.partition(',')[0]}, with a quarter of those of training auxiliaries"
    return Verdict(name, numbers, how, ORACLE), both.index.unique("data_set")


@CLAIMS.add(judge)
def star_faster_than_cvm(report: Report) -> Ruling:
    """Judge whether CAPO* trains faster than CAPO_cvm, without the auxiliaries' training."""
    seconds = _values_of_methods(grid_seconds(report), [ONE, STAR])
    if seconds.empty:
        return None
    fewer = seconds[STAR] < seconds[ONE]
    name = grade(fewer.mean() >= THREE_QUARTERS, fewer.mean() > HALF)
    numbers: dict[str, float | str] = {"fewer seconds": f"{fewer.sum()} of {len(fewer)}"}
    calls = grid_calls(report).unstack("method").reindex(columns=[ONE, STAR]).dropna()
    if len(calls):
        fewer_calls = calls[STAR] < calls[ONE]
        numbers["fewer calls"] = f"{fewer_calls.sum()} of {len(calls)}"
    for task, ratio in (seconds[ONE] / seconds[STAR]).items():
        numbers[f"{task_name(task)}: CAPO_cvm / CAPO*"] = float(ratio)
    return Verdict(name, numbers, TIMED, ORACLE), seconds.index.unique("data_set")


def _rows_of_calls(report: Report, data_set: str) -> pd.DataFrame:
    """Return the paper's fits of Algorithm 1 along C on one data set whose calls are known."""
    rows = of_the_paper(report.results.study(ALGORITHM_1))
    return rows[(rows["data_set"] == data_set) & rows["oracle_calls"].notna()]


def _calls_by_method(rows: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """Return (calls by (measure, C) and method, remark on fits that stopped at the limit)."""
    calls = rows.pivot(index=["measure", "C"], columns="method", values="oracle_calls")
    stopped = dict.fromkeys(
        f"{measure_name(row.measure)}, {METHODS[row.method]}"
        for row in rows[rows["status"] != "ok"].itertuples()
    )
    remark = f"Stopped at the limit: {', '.join(stopped)}." if stopped else ""
    return calls.reindex(columns=[SVM_PERF, ONE, STAR]).dropna(), remark


def _calls_at_largest_C(report: Report, data_set: str) -> tuple[pd.DataFrame, str, float]:
    """Return (calls by measure and method, remark on stopped fits, largest C)."""
    rows = _rows_of_calls(report, data_set)
    largest = rows["C"].max()
    calls, remark = _calls_by_method(rows[rows["C"] == largest])
    return calls.droplevel("C"), remark, largest


def _numbers_of_calls(calls: pd.DataFrame, prefix: str = "") -> dict[str, int]:
    """Return oracle calls by "measure, method" after `prefix`, for the numbers of a verdict."""
    return {
        f"{prefix}{measure_name(measure)}, {METHODS[method]}": int(n_calls)
        for (measure, method), n_calls in calls.stack().items()
    }


@CLAIMS.add(judge, expected=[USPS])
def fewer_oracle_calls_at_every_C(report: Report) -> Ruling:
    """Judge whether CAPO needs fewer oracle calls than SVM-perf on USPS, most so at large C."""
    calls, remark = _calls_by_method(_rows_of_calls(report, USPS))
    if calls.empty:
        return None
    shares = calls[[ONE, STAR]].div(calls[SVM_PERF], axis=0)
    fewer = shares < 1
    numbers = _count_fewer(fewer)
    grid = shares.index.unique("C")
    smallest, largest = (shares.xs(C, level="C") for C in (grid.min(), grid.max()))
    for C, (method, share) in product((grid.min(), grid.max()), shares.items()):
        median = float(share.xs(C, level="C").median())
        numbers[f"{METHODS[method]} / {METHODS[SVM_PERF]}, median at C = {C:g}"] = median
    all_fewer, above_all = (bool(own.to_numpy().all()) for own in (fewer, largest < smallest))
    name = grade(all_fewer and above_all, float(fewer.to_numpy().mean()) > HALF)
    return Verdict(name, numbers, AT_EVERY_C, remark), [USPS]


@CLAIMS.add(judge, expected=[USPS])
def star_needs_fewer_calls_than_cvm(report: Report) -> Ruling:
    """Judge whether CAPO* needs fewer oracle calls than CAPO_cvm at every C on USPS."""
    calls, remark = _calls_by_method(_rows_of_calls(report, USPS))
    if calls.empty:
        return None
    fewer = calls[[STAR]].lt(calls[ONE], axis=0)
    return Verdict(all_or_most(fewer[STAR]), _count_fewer(fewer), AT_EVERY_C, remark), [USPS]


def _count_fewer(fewer: pd.DataFrame) -> dict[str, float | str]:
    """Count the cases in which each method needs fewer oracle calls, over all C and at each C."""
    counts: dict[str, float | str] = {}
    for method, own in fewer.items():
        counts[f"{METHODS[method]}: fewer calls"] = f"{own.sum()} of {len(own)}"
        for C, at in own.groupby("C"):
            counts[f"{METHODS[method]}: fewer calls at C = {C:g}"] = f"{at.sum()} of {len(at)}"
    return counts


@CLAIMS.add(judge, expected=[REUTERS, USPS])
def few_calls_on_reuters(report: Report) -> Ruling:
    """Judge whether all methods need few and similarly many calls on Reuters, at the largest C."""
    (calls, remark, C), (others, _, _) = (
        _calls_at_largest_C(report, data_set) for data_set in (REUTERS, USPS)
    )
    measures = calls.index.intersection(others.index)
    calls, others = calls.loc[measures], others.loc[measures]
    if calls.empty:
        return None
    few = calls.max(axis=1) <= FEW * others[SVM_PERF]
    similar = calls.max(axis=1) <= SIMILAR * calls.min(axis=1)
    numbers = _numbers_of_calls(calls) | _numbers_of_calls(others[[SVM_PERF]], f"{USPS}: ")
    how = f"calls of the oracle at C = {C:g}, SVM-perf's"
    return Verdict(all_or_most(list(few & similar)), numbers, how, remark), [REUTERS, USPS]
