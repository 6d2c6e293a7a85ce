"""The claims; each rule stands, in words, in paper.yaml.

First those on test values, then those on seconds, oracle calls and runs over C, B and the training
size, at last how far CAPO* is from the published values, and why where it is below them.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from beyond_accuracy.papers.li2013.names import (
    AUXILIARIES,
    AUXILIARY_OF,
    BASELINES,
    CAPO,
    COLLECTIONS,
    CROSS_FITTED,
    DELTA_FUNCTION,
    ENSEMBLE,
    FIVE,
    IJCNN1,
    LINEAR,
    MEASURES,
    METHODS,
    NEAR,
    NON_LINEARITY,
    REUTERS,
    STAR,
    SVM_PERF,
    USPS,
    measure_label,
)
from beyond_accuracy.papers.li2013.values import (
    Task,
    near_published,
    paper_values,
    published_values,
    relative_changes,
    selection_seconds,
    sweep_seconds,
)
from beyond_accuracy.reporting.comparison import CELL, Pair, paired
from beyond_accuracy.reporting.formats import slashed
from beyond_accuracy.reporting.report import Report
from beyond_accuracy.reporting.verdict import Claims, Verdict, all_or_most, grade

SIGNIFICANT = 0.05
SMALL_CHANGE = 0.01
HALF, THREE_QUARTERS = 0.5, 0.75
# Growth with the training size, as a power of it.
ALMOST_LINEAR, QUADRATIC = 1.2, 2.0
# Of 20 cells 16; set before any run.
MOST = 0.8
BUT_REUTERS = [name for name in COLLECTIONS if name != REUTERS]
OUR_SVM_PERF = (
    "Both are this package's: SVM-perf keeps its cutting planes along C and has a line search, so "
    "that there is less to save than in the paper."
)
# How the numbers call what may be the cause, and what is said of the tasks on which it is.
CAUSES = {
    CROSS_FITTED: "cross-fitted",
}
HELPS = {
    CROSS_FITTED: (
        "Cross-fitted, CAPO* is near the published value: the outputs of the auxiliaries on their "
        "own training data, above all C4.5's, are what misleads it on"
    ),
}
NEAR_ALREADY = f"Below the published value, but by at most {NEAR:g}, on"
OUTPUTS_TELL_TOO_LITTLE = (
    "The published accuracy and F1 of the core vector machine fix how many positives its outputs "
    "±1 find, and so their ROC area. Where the published ROC area of the weighted ensemble of five "
    "is far above it, the paper's auxiliaries can hardly have entered as ±1, as they do here and "
    "in its text."
)
# More than what five outputs of the like can add to one.
FAR_ABOVE = 0.2

CLAIMS = Claims()
# The verdict, with a remark in its note, and the data sets that it rests on; nothing without any.
Ruling = tuple[Verdict, Collection[str]] | None


def _judge(
    rule: Callable[[Report], Ruling],
    report: Report,
    methods: Sequence[str] = (),
    expected: Sequence[str] = COLLECTIONS,
) -> Verdict:
    """Follow a rule; the note names what of methods or data sets is missing, and substitutes."""
    ruling = rule(report)
    if ruling is None:
        selected = report.configuration["methods_selected"]
        absent = [METHODS[method] for method in methods if method not in selected]
        note = f"Not selected: {', '.join(absent)}." if absent else ""
        return Verdict("not testable", note=note or report.reasons(expected, METHODS))
    verdict, data_sets = ruling
    used = [data_set for data_set in expected if data_set in data_sets]
    absent = [data_set for data_set in expected if data_set not in used]
    notes = (verdict.note, report.reasons(absent, METHODS), report.substitutes(used))
    return replace(verdict, note="; ".join(filter(None, notes)))


def _task_name(task: Task) -> str:
    """How the numbers of a verdict call a task."""
    data_set, measure = task
    return f"{data_set}, {measure_label(measure)}"


@CLAIMS.add(_judge, methods=[*AUXILIARY_OF, *AUXILIARIES])
def improves_on_its_auxiliaries(report: Report) -> Ruling:
    """Each single-auxiliary CAPO has larger values than its auxiliary."""
    values, published = paper_values(report), published_values(report)
    pairs = [Pair(capo, auxiliary) for capo, auxiliary in AUXILIARY_OF.items()]
    tests = report.compare_pairs(values, pairs)
    tests = tests[tests["n_tasks"] > 0]
    if tests.empty:
        return None
    name = grade(
        (tests["wins"] > HALF * tests["n_tasks"]).all(),
        tests["wins"].sum() > HALF * tests["n_tasks"].sum(),
    )
    numbers = {}
    for test in tests.itertuples():
        label = METHODS[test.proposed]
        printed = paired(published, Pair(test.proposed, test.baseline))
        wins = int((printed[test.proposed] > printed[test.baseline]).sum())
        numbers |= {
            f"{label}: wins/losses/ties": slashed(test.wins, test.losses, test.ties),
            f"{label}: p, Holm": test.p_holm,
            f"{label}: wins published": f"{wins} of {len(printed)}",
        }
    comparisons = f"{len(tests)} comparison{'s' if len(tests) > 1 else ''}"
    how = (
        "value of CAPO against that of its auxiliary; Wilcoxon's signed-rank test over tasks; "
        f"Holm's correction over {comparisons}"
    )
    complete = values[list(AUXILIARY_OF)].dropna()
    return Verdict(name, numbers, how), complete.index.unique("data_set")


@CLAIMS.add(_judge, methods=[*CAPO, *LINEAR, NON_LINEARITY.proposed])
def beats_linear_methods(report: Report) -> Ruling:
    """On F1 and PRBEP, CAPO* has larger values than both linear methods."""
    linear = list(LINEAR)
    values = paper_values(report)[[*CAPO, *linear]].dropna()
    if values.empty or NON_LINEARITY.proposed not in report.configuration["methods_selected"]:
        return None
    tasks = [
        task
        for task in values.index
        if task[1] in ("f1", "prbep") and report.intervals.difference(*task, NON_LINEARITY)[0] > 0
    ]
    data_sets = values.index.unique("data_set")
    if not tasks:
        remark = "Non-linearity helps on none of the tasks with results."
        return Verdict("not testable", note=remark), data_sets
    chosen = values.loc[tasks]
    best = chosen[linear].max(axis=1)
    numbers = {}
    for task in tasks:
        numbers[f"{_task_name(task)}: CAPO*"] = float(chosen.at[task, STAR])
        numbers[f"{_task_name(task)}: better linear method"] = float(best[task])
    for method in AUXILIARY_OF:
        wins = int((chosen[method] > best).sum())
        numbers[f"{METHODS[method]}: wins"] = f"{wins} of {len(tasks)}"
    how = "F1 and PRBEP where the interval of SVM-perf RBF less linear is above zero"
    name = all_or_most(list(chosen[STAR] > best))
    helped = {data_set for data_set, _ in tasks}
    others = [data_set for data_set in data_sets if data_set not in helped]
    remark = f"Non-linearity does not help on {', '.join(others)}." if others else ""
    return Verdict(name, numbers, how, remark), data_sets


@CLAIMS.add(_judge, methods=[*CAPO, *BASELINES], expected=[REUTERS])
def agreement_on_reuters(report: Report) -> Ruling:
    """On Reuters the values of all methods are close."""
    counted = ["capo_cvm", STAR, *BASELINES]
    values = paper_values(report).dropna(subset=[*CAPO, *BASELINES])
    values = values[values.index.isin([REUTERS], level="data_set")]
    if values.empty:
        return None
    spread = values[counted].max(axis=1) - values[counted].min(axis=1)
    numbers = {}
    for task in values.index:
        numbers[f"{measure_label(task[1])}: spread"] = float(spread[task])
        for method in ("capo_c45", "capo_rbfn"):
            label = f"{measure_label(task[1])}: {METHODS[method]} less the best"
            numbers[label] = float(values.at[task, method] - values.loc[task, counted].max())
    # As printed: four decimals.
    name = all_or_most(list(spread.round(4) <= NEAR))
    how = "largest less smallest value of six methods, by measure"
    return Verdict(name, numbers, how), [REUTERS]


@CLAIMS.add(_judge, methods=CAPO)
def capo_star_is_best(report: Report) -> Ruling:
    """CAPO* has the largest value of the four CAPO methods."""
    values = paper_values(report)[list(CAPO)].dropna()
    if values.empty:
        return None
    best = _times_best(values)
    name = grade(best[STAR] >= HALF * len(values), best[STAR] > best.drop(STAR).max())
    printed = _times_best(published_values(report)[list(CAPO)].dropna())
    numbers = {
        "tasks": len(values),
        **{f"{METHODS[method]}: best": int(best[method]) for method in CAPO},
        **{f"{METHODS[method]}: best, published": int(printed[method]) for method in CAPO},
    }
    how = "number of tasks on which a method has the largest value, ties included"
    return Verdict(name, numbers, how), values.index.unique("data_set")


@CLAIMS.add(_judge, methods=DELTA_FUNCTION.methods)
def delta_function_beats_ensemble(report: Report) -> Ruling:
    """CAPO with five CVMs has larger values than their weighted ensemble."""
    values = paired(paper_values(report), DELTA_FUNCTION)
    if values.empty:
        return None
    ours, printed = (
        report.compare_pairs(source, [DELTA_FUNCTION]).iloc[0]
        for source in (values, published_values(report))
    )
    most = ours["wins"] > HALF * ours["n_tasks"]
    name = grade(most and ours["p_value"] <= SIGNIFICANT, ours["wins"] > ours["losses"])
    difference = values[DELTA_FUNCTION.proposed] - values[DELTA_FUNCTION.baseline]
    numbers = {
        "wins/losses/ties": slashed(*ours[["wins", "losses", "ties"]]),
        "p": float(ours["p_value"]),
        "mean difference": float(difference.mean()),
        "wins/losses/ties, published": slashed(*printed[["wins", "losses", "ties"]]),
        "p, published": float(printed["p_value"]),
    }
    how = "Wilcoxon's signed-rank test over tasks, two-tailed"
    return Verdict(name, numbers, how), values.index.unique("data_set")


@CLAIMS.add(_judge)
def selection_does_not_pay(report: Report) -> Ruling:
    """CAPO is no better with five auxiliaries selected by the target measure."""
    changes = relative_changes(report)
    if changes.empty:
        return None
    # As printed: four decimals.
    change = changes["capo_value"].round(6)
    larger, median = int((change > 0).sum()), float(change.median())
    name = grade(larger <= HALF * len(change), median <= SMALL_CHANGE)
    auxiliary = changes["auxiliary_value"]
    numbers = {
        "tasks": len(change),
        "CAPO larger with the selected five": larger,
        "CAPO: median relative change": median,
        "auxiliaries larger": int((auxiliary > 0).sum()),
        "auxiliaries: median relative change": float(auxiliary.median()),
    }
    how = "test values with the selected and with the default five CVMs"
    return Verdict(name, numbers, how), changes.index.unique("data_set")


def _times_best(values: pd.DataFrame) -> pd.Series:
    rounded = values.round(12)
    return rounded.eq(rounded.max(axis=1), axis=0).sum()


@CLAIMS.add(_judge, methods=[*CAPO, SVM_PERF], expected=BUT_REUTERS)
def faster_than_linear_svm_perf(report: Report) -> Ruling:
    """The cross-validation of CAPO takes fewer seconds than that of linear SVM-perf."""
    methods = [*CAPO, SVM_PERF]
    finished = paper_values(report)[methods].dropna()
    seconds = selection_seconds(report).unstack("method").reindex(columns=methods)
    seconds = seconds.reindex(finished.index).dropna()
    own = seconds[seconds.index.isin(BUT_REUTERS, level="data_set")]
    if own.empty:
        return None
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
        numbers[f"{_task_name(task)}: SVM-perf / CAPO*"] = ratio
    published = report.published("table3").set_index(CELL)["cpu_seconds"]
    published = published.unstack("method").reindex(own.index)
    printed = published[list(CAPO)].lt(published[SVM_PERF], axis=0)
    numbers["share, published"] = float(printed.to_numpy().mean())
    how = "processor seconds of the cross-validation, without the auxiliaries'"
    return Verdict(name, numbers, how, OUR_SVM_PERF), own.index.unique("data_set")


@CLAIMS.add(_judge, expected=[USPS])
def fewer_oracle_calls(report: Report) -> Ruling:
    """At the largest C on Usps*, CAPO needs fewer calls than SVM-perf."""
    rows = _of_the_paper(report.results.study("oracle_calls_by_C"))
    rows = rows[(rows["data_set"] == USPS) & rows["oracle_calls"].notna()]
    largest = rows["C"].max()
    rows = rows[rows["C"] == largest]
    calls = rows.pivot(index="measure", columns="method", values="oracle_calls")
    calls = calls.reindex(columns=[SVM_PERF, "capo_cvm", STAR]).dropna()
    if calls.empty:
        return None
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
    return Verdict(name, numbers, how, remark), [USPS]


@CLAIMS.add(_judge, expected=[REUTERS, USPS])
def robust_in_C_and_B(report: Report) -> Ruling:
    """CAPO with five CVMs varies no more along C and B than SVM-perf and CAPO with one."""
    by_C, by_B = (_ranges(_of_the_paper(report.results.study(name))) for name in ("by_C", "by_B"))
    steady, data_sets = [], []
    numbers = {}
    for along, ranges, others in (("C", by_C, [SVM_PERF, "capo_cvm"]), ("B", by_B, ["capo_cvm"])):
        ranges = ranges.reindex(columns=[FIVE, *others]).dropna()
        for task, row in ranges.iterrows():
            data_sets.append(task[0])
            steady += [row[FIVE] <= row[other] for other in others]
            for method in (FIVE, *others):
                numbers[f"{_task_name(task)}, {along}: {METHODS[method]}"] = float(row[method])
    if not steady:
        return None
    numbers = {"comparisons": f"{sum(map(bool, steady))} of {len(steady)}", **numbers}
    how = "largest less smallest test value along C, and along B"
    return Verdict(all_or_most(steady), numbers, how), data_sets


@CLAIMS.add(_judge, expected=[IJCNN1])
def scales_in_training_size(report: Report) -> Ruling:
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
        return None
    steepest = max(slopes.values())
    name = grade(steepest <= ALMOST_LINEAR and min(gains.values()) >= 0, steepest < QUADRATIC)
    numbers = {f"{key}: slope": slope for key, slope in slopes.items()}
    numbers |= {f"{key}: gain": gain for key, gain in gains.items()}
    how = (
        "least-squares slope of log seconds on log examples; value at the largest share less that "
        "at the smallest"
    )
    return Verdict(name, numbers, how), [IJCNN1]


def _of_the_paper(rows: pd.DataFrame) -> pd.DataFrame:
    """Leave out measures and methods that were added to the paper's."""
    return rows[rows["measure"].isin(MEASURES) & rows["method"].isin(METHODS)]


def _ranges(rows: pd.DataFrame) -> pd.DataFrame:
    """Largest less smallest value by (data_set, measure), one column a method."""
    values = rows["value"].where(rows["status"] == "ok")
    grouped = values.groupby([rows[name] for name in CELL], sort=False)
    # As printed: four decimals.
    return (grouped.max() - grouped.min()).round(4).unstack("method")


@CLAIMS.add(_judge, methods=[STAR])
def values_of_capo_star(report: Report) -> Ruling:
    """The values of CAPO* are near the published ones or above them."""
    values, published = paper_values(report), published_values(report)
    near = near_published(values, published, STAR)
    if near.empty:
        return None
    name = grade(near.mean() >= MOST, near.mean() > HALF)
    numbers = {"near or above": f"{near.sum()} of {len(near)}"}
    below = [
        task for task in near.index if report.intervals(*task, STAR)[1] < published.at[task, STAR]
    ]
    for task in below:
        differences = values.loc[task] - published.at[task, STAR]
        numbers[f"{_task_name(task)}: less the published"] = float(differences[STAR])
        for method, cause in CAUSES.items():
            if pd.notna(differences[method]):
                numbers[f"{_task_name(task)}: the same, {cause}"] = float(differences[method])
    remarks = remarks_on_causes(values, published, below)
    sizes = report.published("table1").set_index(["data_set", "quantity"])["value"]
    for data_set in dict.fromkeys(data_set for data_set, _ in below):
        printed = published.xs(data_set)
        accuracy, f1 = printed.loc[["accuracy", "f1"], "core_vector_machine"]
        ensemble = printed.at["roc_area", ENSEMBLE]
        fits = report.results.fits
        positives = fits.loc[fits["data_set"] == data_set, "n_test_positives"].max()
        n_test = sizes.get((data_set, "n_test"), float("nan"))
        area = area_of_signs(accuracy, f1, n_test, positives)
        if ensemble - area > FAR_ABOVE:
            numbers[f"{data_set}: ROC area of the published CVM's outputs ±1"] = area
            numbers[f"{data_set}: published ROC area of the ensemble"] = ensemble
            if OUTPUTS_TELL_TOO_LITTLE not in remarks:
                remarks.append(OUTPUTS_TELL_TOO_LITTLE)
    how = "CAPO* less the published value; below where the bootstrap interval is below it"
    return Verdict(name, numbers, how, " ".join(remarks)), near.index.unique("data_set")


def remarks_on_causes(
    values: pd.DataFrame, published: pd.DataFrame, below: Sequence[Task]
) -> list[str]:
    """Say what is known of the causes on the tasks whose values are below the published ones.

    What may be a cause is one where CAPO* without it is near the published value. A task that is
    near anyway has none to find; one may have several.
    """
    near = {name: near_published(values, published, name) for name in (STAR, *CAUSES)}
    near_already = [task for task in below if near[STAR][task]]
    far = [task for task in below if not near[STAR][task]]
    helped = {name: [task for task in far if near[name].get(task, False)] for name in CAUSES}
    remarks = [f"{HELPS[method]} {_names(tasks)}." for method, tasks in helped.items() if tasks]
    unexplained: dict[str, list[Task]] = {}
    for task in far:
        if not any(task in tasks for tasks in helped.values()):
            tried = [name for method, name in CAUSES.items() if task in near[method]]
            unexplained.setdefault(", ".join(tried), []).append(task)
    for tried, tasks in unexplained.items():
        why = f"by what was tried ({tried})" if tried else "as nothing else was run"
        remarks.append(f"Not explained {why}: {_names(tasks)}.")
    if near_already:
        remarks.append(f"{NEAR_ALREADY} {_names(near_already)}.")
    return remarks


def _names(tasks: Sequence[Task]) -> str:
    return ", ".join(f"{data_set} ({measure_label(measure)})" for data_set, measure in tasks)


def area_of_signs(accuracy: float, f1: float, n: float, positives: float) -> float:
    """Return the ROC area of outputs ±1 on `n` examples with that accuracy and F1.

    With e errors and the value F of F1, TP = F·e / (2·(1 − F)). NaN where a number is missing, and
    where F1 is 1, which fixes nothing.
    """
    if f1 == 1:
        return float("nan")
    errors = (1 - accuracy) * n
    hits = f1 * errors / (2 * (1 - f1))
    false_alarms = errors - (positives - hits)
    return float((1 + hits / positives - false_alarms / (n - positives)) / 2)
