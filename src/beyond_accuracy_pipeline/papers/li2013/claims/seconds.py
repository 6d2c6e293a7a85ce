"""Judge claims on CPU seconds and oracle calls (Tables 3 and 4, Figure 1).

Times and calls are of Algorithm 1 over one grid of C, as in the paper. An oracle call is a search
for the most violated constraint.
"""

from functools import partial

import pandas as pd

from beyond_accuracy_pipeline.reporting.names import measure_name
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.reporting.verdict import Numbers, Verdict, all_or_most, grade

from ..names import (
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
from ..times import ALGORITHM_1, grid_calls, grid_seconds, selection_seconds, training_seconds
from ..values import paper_values
from .judging import CLAIMS, by_task, how_many, judge, of_the_paper, on, task_name
from .sweeps import SIMILAR

ORACLE = (
    "Both are this package's; its search for the most violated labelling sorts where the paper's "
    "enumerates all contingency tables, so that seconds are few throughout."
)
OF_ALGORITHM_1 = "processor seconds of Algorithm 1 over one grid of C"
TIMED = f"{OF_ALGORITHM_1}, without the auxiliaries'"
AT_EVERY_C = "calls of the oracle by measure and C, SVM-perf's"
# Calls on Reuters are "few" if they are at most this share of linear SVM-perf's calls on USPS.
FEW = 0.1
# CAPO_rbfn is not counted: in the paper's Table 3 it takes about as long as linear SVM-perf.
MUCH_LESS_THAN_LINEAR = 0.5
COUNTED = [ONE, "capo_c45", STAR]


def _wide(values: pd.Series, methods: list[str]) -> pd.DataFrame:
    """Return one column per method, without rows that lack one of the last two methods."""
    return values.unstack("method").reindex(columns=methods).dropna(subset=methods[-2:])


def _seconds(report: Report, methods: list[str]) -> pd.DataFrame:
    return _wide(grid_seconds(report), methods)


@CLAIMS.add(judge, partial(_seconds, methods=[*CAPO, SVM_PERF]), expected=BUT_REUTERS)
def faster_than_linear_svm_perf(report: Report, seconds: pd.DataFrame) -> Verdict | None:
    elsewhere = on(seconds, *BUT_REUTERS)
    if elsewhere.empty:
        return None
    shares = elsewhere[list(CAPO)].div(elsewhere[SVM_PERF], axis=0)
    known, fewer = shares.notna().sum(), (shares < 1).sum()
    much = (shares <= MUCH_LESS_THAN_LINEAR).sum()
    name = grade((much > 0.5 * known)[COUNTED].all(), (fewer > 0.5 * known)[COUNTED].all())
    numbers: Numbers = {}
    for method in CAPO:
        label = METHODS[method]
        numbers[f"{label}: at most half of the seconds"] = f"{much[method]} of {known[method]}"
        numbers[f"{label}: fewer seconds"] = f"{fewer[method]} of {known[method]}"
    numbers |= by_task(seconds[SVM_PERF] / seconds[STAR], ": SVM-perf / CAPO*")
    calls = _wide(grid_calls(report), [SVM_PERF, STAR])
    for task, row in calls.iterrows():
        numbers[f"{task_name(task)}: calls, SVM-perf"] = int(row[SVM_PERF])
        numbers[f"{task_name(task)}: calls, CAPO*"] = int(row[STAR])
    fast = _wide(selection_seconds(report), [*CAPO, SVM_PERF]).reindex(elsewhere.index).dropna()
    if len(fast):
        also = fast[list(CAPO)].lt(fast[SVM_PERF], axis=0)
        numbers["share, line search and path over C"] = float(also.to_numpy().mean())
    return Verdict(name, numbers, TIMED, ORACLE)


@CLAIMS.add(judge, partial(_seconds, methods=[ONE, STAR, SVM_PERF]), expected=[REUTERS])
def similar_seconds_on_reuters(report: Report, seconds: pd.DataFrame) -> Verdict | None:
    seconds = on(seconds, REUTERS).dropna()
    if seconds.empty:
        return None
    factors = seconds.max(axis=1) / seconds.min(axis=1)
    numbers: Numbers = {}
    for task, row in seconds.iterrows():
        label = measure_name(task[1])
        numbers[f"{label}: factor"] = float(factors[task])
        numbers |= {f"{label}: {METHODS[method]}": float(spent) for method, spent in row.items()}
    return Verdict(all_or_most(list(factors <= SIMILAR)), numbers, TIMED, ORACLE)


def _seconds_with_auxiliaries(report: Report) -> pd.DataFrame:
    """Return seconds over all measures, by data set and method, with training of auxiliaries.

    Each auxiliary classifier is trained once for all measures.
    """
    seconds = _seconds(report, [*CAPO, SVM_PERF]).groupby("data_set", sort=False)
    totals = seconds.sum().where(seconds.count() == seconds.size().max())
    training = training_seconds(report).unstack("method")
    training = training.reindex(index=totals.index, columns=AUXILIARIES)
    for method, auxiliary in AUXILIARY_OF.items():
        totals[method] += training[auxiliary]
    totals[STAR] += training.sum(axis=1, skipna=False)
    return totals.dropna(subset=[ONE, STAR, SVM_PERF])


@CLAIMS.add(judge, _seconds_with_auxiliaries)
def cheapest_with_auxiliaries(report: Report, totals: pd.DataFrame) -> Verdict:
    fewer = totals[list(CAPO)].lt(totals[SVM_PERF], axis=0)
    share = fewer[COUNTED].mean()
    name = grade((share >= 0.75).all(), float(share.mean()) > 0.5)
    numbers: Numbers = {
        f"{METHODS[method]}: cheaper": f"{fewer[method].sum()} of {totals[method].count()}"
        for method in CAPO
    }
    for (data_set, method), spent in totals.stack().items():
        numbers[f"{data_set}: {METHODS[method]}"] = float(spent)
    how = f"{OF_ALGORITHM_1}, all measures together, and those of training each auxiliary"
    return Verdict(name, numbers, how, ORACLE)


def _values_and_seconds(report: Report) -> pd.DataFrame:
    """Return by task the values of CAPO* and SVM-perf, and their seconds `own` and `rival`.

    Seconds of CAPO* include a share of its auxiliaries' training.
    """
    seconds = _seconds(report, [STAR, SVM_PERF])
    training = training_seconds(report).unstack("method").reindex(columns=AUXILIARIES)
    training = training.sum(axis=1, skipna=False) / len(MEASURES)
    own = seconds[STAR] + training.reindex(seconds.index.get_level_values("data_set")).to_numpy()
    both = pd.concat([own, seconds[SVM_PERF]], axis=1, keys=["own", "rival"])
    return paper_values(report)[[STAR, SVM_PERF]].join(both).dropna()


@CLAIMS.add(judge, _values_and_seconds, methods=[STAR, SVM_PERF])
def better_at_lower_cost(report: Report, both: pd.DataFrame) -> Verdict:
    better, cheaper = both[STAR] > both[SVM_PERF], both["own"] < both["rival"]
    name = grade((better & cheaper).mean() > 0.5, better.mean() > 0.5 and cheaper.mean() > 0.5)
    numbers: Numbers = {
        "larger value and fewer seconds": how_many(better & cheaper),
        "larger value": how_many(better),
        "fewer seconds": how_many(cheaper),
    }
    numbers |= by_task(both["rival"] / both["own"], ": seconds, SVM-perf / CAPO*")
    how = f"test values; {OF_ALGORITHM_1}, with a quarter of those of training auxiliaries"
    return Verdict(name, numbers, how, ORACLE)


@CLAIMS.add(judge, partial(_seconds, methods=[ONE, STAR]))
def star_faster_than_cvm(report: Report, seconds: pd.DataFrame) -> Verdict:
    fewer = seconds[STAR] < seconds[ONE]
    numbers: Numbers = {"fewer seconds": how_many(fewer)}
    calls = _wide(grid_calls(report), [ONE, STAR])
    if len(calls):
        numbers["fewer calls"] = how_many(calls[STAR] < calls[ONE])
    numbers |= by_task(seconds[ONE] / seconds[STAR], ": CAPO_cvm / CAPO*")
    name = grade(fewer.mean() >= 0.75, fewer.mean() > 0.5)
    return Verdict(name, numbers, TIMED, ORACLE)


def _fits_with_calls(report: Report) -> pd.DataFrame:
    rows = of_the_paper(report.results.study(ALGORITHM_1))
    return rows[rows["oracle_calls"].notna()].set_index("data_set")


def _calls(rows: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """Return (oracle calls by (measure, C) and method, note on fits that were stopped)."""
    calls = rows.pivot(index=["measure", "C"], columns="method", values="oracle_calls")
    stopped = dict.fromkeys(
        f"{measure_name(row.measure)}, {METHODS[row.method]}"
        for row in rows[rows["status"] != "ok"].itertuples()
    )
    remark = f"Stopped at the limit: {', '.join(stopped)}." if stopped else ""
    return calls.reindex(columns=[SVM_PERF, ONE, STAR]).dropna(), remark


@CLAIMS.add(judge, _fits_with_calls, expected=[USPS])
def fewer_oracle_calls_at_every_C(report: Report, rows: pd.DataFrame) -> Verdict | None:
    calls, remark = _calls(rows[rows.index == USPS])
    if calls.empty:
        return None
    shares = calls[[ONE, STAR]].div(calls[SVM_PERF], axis=0)
    fewer = shares < 1
    numbers = _count_fewer(fewer)
    grid = shares.index.unique("C")
    ends = [shares.xs(C, level="C") for C in (grid.min(), grid.max())]
    for C, at in zip((grid.min(), grid.max()), ends, strict=True):
        for method, share in at.items():
            label = f"{METHODS[method]} / {METHODS[SVM_PERF]}, median at C = {C:g}"
            numbers[label] = float(share.median())
    falls = ends[1] < ends[0]
    name = grade(
        bool(fewer.all(axis=None) and falls.all(axis=None)),
        float(fewer.to_numpy().mean()) > 0.5,
    )
    return Verdict(name, numbers, AT_EVERY_C, remark)


@CLAIMS.add(judge, _fits_with_calls, expected=[USPS])
def star_needs_fewer_calls_than_cvm(report: Report, rows: pd.DataFrame) -> Verdict | None:
    calls, remark = _calls(rows[rows.index == USPS])
    if calls.empty:
        return None
    fewer = calls[[STAR]].lt(calls[ONE], axis=0)
    return Verdict(all_or_most(fewer[STAR]), _count_fewer(fewer), AT_EVERY_C, remark)


def _count_fewer(fewer: pd.DataFrame) -> Numbers:
    counts: Numbers = {}
    for method, answers in fewer.items():
        counts[f"{METHODS[method]}: fewer calls"] = how_many(answers)
        for C, at in answers.groupby("C"):
            counts[f"{METHODS[method]}: fewer calls at C = {C:g}"] = how_many(at)
    return counts


@CLAIMS.add(judge, _fits_with_calls, expected=[REUTERS, USPS])
def few_calls_on_reuters(report: Report, rows: pd.DataFrame) -> Verdict | None:
    at_largest = []
    for data_set in (REUTERS, USPS):
        fits = rows[rows.index == data_set]
        at_largest.append(_calls(fits[fits["C"] == fits["C"].max()]))
    (calls, remark), (others, _) = at_largest
    common = calls.index.intersection(others.index)
    calls, others = calls.loc[common], others.loc[common]
    if calls.empty:
        return None
    C = common.unique("C").max()
    calls, others = calls.droplevel("C"), others.droplevel("C")
    few = calls.max(axis=1) <= FEW * others[SVM_PERF]
    similar = calls.max(axis=1) <= SIMILAR * calls.min(axis=1)
    numbers: Numbers = {
        f"{before}{measure_name(measure)}, {METHODS[method]}": int(n_calls)
        for before, frame in (("", calls), (f"{USPS}: ", others[[SVM_PERF]]))
        for (measure, method), n_calls in frame.stack().items()
    }
    how = f"calls of the oracle at C = {C:g}, SVM-perf's"
    return Verdict(all_or_most(list(few & similar)), numbers, how, remark)
