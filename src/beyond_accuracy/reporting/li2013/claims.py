"""The claims on test values; each rule stands, in words, in config/papers/li2013.yaml."""

import pandas as pd

from beyond_accuracy.reporting.claims import Evidence, Verdict, VerdictName
from beyond_accuracy.reporting.comparison import Pair
from beyond_accuracy.reporting.li2013.methods import (
    AUXILIARY_OF,
    BASELINES,
    CAPO,
    COLLECTIONS,
    ENSEMBLE,
    FIVE,
    LINEAR,
    NEAR,
    NON_LINEARITY,
    REUTERS,
    measure_label,
    method_label,
)
from beyond_accuracy.reporting.li2013.signed_ranks import compare_pairs
from beyond_accuracy.reporting.li2013.sweeps import (
    AUXILIARY_CHANGE,
    CAPO_CHANGE,
    relative_changes,
)
from beyond_accuracy.reporting.li2013.values import Intervals, paired, published_values
from beyond_accuracy.reporting.li2013.verdicts import (
    HALF,
    all_or_most,
    not_testable,
    task_name,
    task_values,
    verdict,
)

STAR = "capo_star"
SIGNIFICANT = 0.05
SMALL_CHANGE = 0.01


def improves_on_its_auxiliaries(evidence: Evidence) -> Verdict:
    """Each single-auxiliary CAPO has larger values than its auxiliary."""
    values, published = task_values(evidence), published_values()
    pairs = [Pair(capo, auxiliary) for capo, auxiliary in AUXILIARY_OF.items()]
    tests = compare_pairs(values, pairs, evidence.configuration["significance"]["zero_method"])
    tests = [test for test in tests if test.n_tasks]
    if not tests:
        return not_testable(evidence)
    wins, n_tasks = sum(t.counts.wins for t in tests), sum(t.n_tasks for t in tests)
    if all(test.counts.wins > HALF * test.n_tasks for test in tests):
        name: VerdictName = "reproduced"
    else:
        name = "partly" if wins > HALF * n_tasks else "not reproduced"
    numbers: dict[str, float | int | str] = {}
    for test in tests:
        label = method_label(test.pair.proposed)
        known = paired(published, test.pair)
        theirs = int((known[test.pair.proposed] > known[test.pair.baseline]).sum())
        numbers |= {
            f"{label}: wins/losses/ties": str(test.counts),
            f"{label}: p, Holm": test.p_holm,
            f"{label}: wins published": f"{theirs} of {len(known)}",
        }
    comparisons = f"{len(tests)} comparison{'s' if len(tests) > 1 else ''}"
    how = (
        "value of CAPO against that of its auxiliary; Wilcoxon's signed-rank test over tasks; "
        f"Holm's correction over {comparisons}"
    )
    return verdict(evidence, name, numbers, how, _data_sets(values[list(AUXILIARY_OF)]))


def beats_linear_methods(evidence: Evidence) -> Verdict:
    """On F1 and PRBEP, CAPO* has larger values than both linear methods."""
    values, intervals = task_values(evidence), Intervals(evidence.results)
    linear = list(LINEAR)
    values = values[[*CAPO, *linear]].dropna()
    tasks = [
        task
        for task in values.index
        if task[1] in ("f1", "prbep") and intervals.difference(task, NON_LINEARITY)[0] > 0
    ]
    if values.empty:
        return not_testable(evidence)
    if not tasks:
        remark = "Non-linearity helps on none of the tasks with results."
        return verdict(evidence, "not testable", {}, "", _data_sets(values), remark)
    chosen = values.loc[tasks]
    best = chosen[linear].max(axis=1)
    numbers: dict[str, float | int | str] = {}
    for task in tasks:
        numbers[f"{task_name(task)}: CAPO*"] = float(chosen.at[task, STAR])
        numbers[f"{task_name(task)}: better linear method"] = float(best[task])
    for method in (name for name in CAPO if name != STAR):
        wins = int((chosen[method] > best).sum())
        numbers[f"{method_label(method)}: wins"] = f"{wins} of {len(tasks)}"
    how = "F1 and PRBEP where the interval of SVM-perf RBF less linear is above zero"
    name = all_or_most(list(chosen[STAR] > best))
    helped = {data_set for data_set, _ in tasks}
    others = [data_set for data_set in _data_sets(values) if data_set not in helped]
    remark = f"Non-linearity does not help on {', '.join(others)}." if others else ""
    return verdict(evidence, name, numbers, how, _data_sets(values), remark)


def agreement_on_reuters(evidence: Evidence) -> Verdict:
    """On Reuters the values of all methods are close."""
    values = task_values(evidence)
    values = values[values.index.get_level_values("data_set") == REUTERS]
    counted = ["capo_cvm", STAR, *BASELINES]
    values = values.dropna(subset=[*CAPO, *counted])
    if values.empty:
        return not_testable(evidence, [REUTERS])
    spread = values[counted].max(axis=1) - values[counted].min(axis=1)
    numbers: dict[str, float | int | str] = {}
    for task in values.index:
        numbers[f"{measure_label(task[1])}: spread"] = float(spread[task])
        for method in ("capo_c45", "capo_rbfn"):
            label = f"{measure_label(task[1])}: {method_label(method)} less the best"
            numbers[label] = float(values.at[task, method] - values.loc[task, counted].max())
    # As printed: four decimals.
    name = all_or_most(list(spread.round(4) <= NEAR))
    how = "largest less smallest value of six methods, by measure"
    return verdict(evidence, name, numbers, how, [REUTERS], expected=[REUTERS])


def capo_star_is_best(evidence: Evidence) -> Verdict:
    """CAPO* has the largest value of the four CAPO methods."""
    values = task_values(evidence)[list(CAPO)].dropna()
    if values.empty:
        return not_testable(evidence)
    best = _times_best(values)
    if best[STAR] >= HALF * len(values):
        name: VerdictName = "reproduced"
    else:
        most = best[STAR] > best.drop(STAR).max()
        name = "partly" if most else "not reproduced"
    published = published_values()[list(CAPO)].dropna()
    theirs = _times_best(published)
    numbers = {
        "tasks": len(values),
        **{f"{method_label(method)}: best": int(best[method]) for method in CAPO},
        **{f"{method_label(method)}: best, published": int(theirs[method]) for method in CAPO},
    }
    how = "number of tasks on which a method has the largest value, ties included"
    return verdict(evidence, name, numbers, how, _data_sets(values))


def delta_function_beats_ensemble(evidence: Evidence) -> Verdict:
    """CAPO with five CVMs has larger values than their weighted ensemble."""
    pair = Pair(FIVE, ENSEMBLE)
    values = paired(task_values(evidence), pair)
    if values.empty:
        return not_testable(evidence)
    zero_method = evidence.configuration["significance"]["zero_method"]
    test = compare_pairs(values, [pair], zero_method)[0]
    counts = test.counts
    if counts.wins > HALF * test.n_tasks and test.p_value <= SIGNIFICANT:
        name: VerdictName = "reproduced"
    else:
        name = "partly" if counts.wins > counts.losses else "not reproduced"
    theirs = compare_pairs(published_values("table5"), [pair], zero_method)[0]
    difference = values[FIVE] - values[ENSEMBLE]
    numbers = {
        "wins/losses/ties": str(counts),
        "p": test.p_value,
        "mean difference": float(difference.mean()),
        "wins/losses/ties, published": str(theirs.counts),
        "p, published": theirs.p_value,
    }
    how = "Wilcoxon's signed-rank test over tasks, two-tailed"
    return verdict(evidence, name, numbers, how, _data_sets(values))


def selection_does_not_pay(evidence: Evidence) -> Verdict:
    """CAPO is no better with five auxiliaries selected by the target measure."""
    changes = relative_changes(evidence.results, evidence.configuration)
    changes = changes[changes.index.get_level_values("data_set").isin(COLLECTIONS)]
    if changes.empty:
        return not_testable(evidence)
    # As printed: four decimals.
    change = changes[CAPO_CHANGE].round(6)
    larger, median = int((change > 0).sum()), float(change.median())
    if larger <= HALF * len(change):
        name: VerdictName = "reproduced"
    else:
        name = "partly" if median <= SMALL_CHANGE else "not reproduced"
    auxiliary = changes[AUXILIARY_CHANGE]
    numbers = {
        "tasks": len(change),
        "CAPO larger with the selected five": larger,
        "CAPO: median relative change": median,
        "auxiliaries larger": int((auxiliary > 0).sum()),
        "auxiliaries: median relative change": float(auxiliary.median()),
    }
    how = "test values with the selected and with the default five CVMs"
    data_sets = list(changes.index.get_level_values("data_set"))
    return verdict(evidence, name, numbers, how, data_sets)


def _times_best(values: pd.DataFrame) -> pd.Series:
    rounded = values.round(12)
    return rounded.eq(rounded.max(axis=1), axis=0).sum()


def _data_sets(values: pd.DataFrame) -> list[str]:
    """The data sets on which all methods have values."""
    complete = values.dropna()
    return list(dict.fromkeys(complete.index.get_level_values("data_set")))


VALUE_CLAIMS = (
    improves_on_its_auxiliaries,
    beats_linear_methods,
    agreement_on_reuters,
    capo_star_is_best,
    delta_function_beats_ensemble,
    selection_does_not_pay,
)
