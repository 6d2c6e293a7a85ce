"""The claims on test values; each rule stands, in words, in paper.yaml."""

import pandas as pd

from beyond_accuracy.papers.li2013.names import (
    AUXILIARY_OF,
    BASELINES,
    CAPO,
    DELTA_FUNCTION,
    LINEAR,
    METHODS,
    NEAR,
    NON_LINEARITY,
    REUTERS,
    STAR,
    measure_label,
)
from beyond_accuracy.papers.li2013.studies import AUXILIARY_CHANGE, CAPO_CHANGE, relative_changes
from beyond_accuracy.papers.li2013.values import (
    compare_pairs,
    paired,
    paper_values,
    published_values,
)
from beyond_accuracy.papers.li2013.verdicts import (
    HALF,
    all_or_most,
    not_testable,
    task_name,
    verdict,
)
from beyond_accuracy.reporting.comparison import Pair
from beyond_accuracy.reporting.formats import slashed
from beyond_accuracy.reporting.report import Report
from beyond_accuracy.reporting.verdict import Verdict, grade

SIGNIFICANT = 0.05
SMALL_CHANGE = 0.01


def improves_on_its_auxiliaries(report: Report) -> Verdict:
    """Each single-auxiliary CAPO has larger values than its auxiliary."""
    values, published = paper_values(report), published_values(report)
    pairs = [Pair(capo, auxiliary) for capo, auxiliary in AUXILIARY_OF.items()]
    tests = compare_pairs(values, pairs, report.configuration["significance"]["zero_method"])
    tests = tests[tests["n_tasks"] > 0]
    if tests.empty:
        return not_testable(report, [*AUXILIARY_OF, *AUXILIARY_OF.values()])
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
    return verdict(report, name, numbers, how, complete.index.unique("data_set"))


def beats_linear_methods(report: Report) -> Verdict:
    """On F1 and PRBEP, CAPO* has larger values than both linear methods."""
    linear = list(LINEAR)
    values = paper_values(report)[[*CAPO, *linear]].dropna()
    methods = [*CAPO, *linear, NON_LINEARITY.proposed]
    if values.empty or NON_LINEARITY.proposed not in report.configuration["methods_selected"]:
        return not_testable(report, methods)
    tasks = [
        task
        for task in values.index
        if task[1] in ("f1", "prbep") and report.intervals.difference(*task, NON_LINEARITY)[0] > 0
    ]
    data_sets = values.index.unique("data_set")
    if not tasks:
        remark = "Non-linearity helps on none of the tasks with results."
        return verdict(report, "not testable", {}, "", data_sets, remark)
    chosen = values.loc[tasks]
    best = chosen[linear].max(axis=1)
    numbers = {}
    for task in tasks:
        numbers[f"{task_name(task)}: CAPO*"] = float(chosen.at[task, STAR])
        numbers[f"{task_name(task)}: better linear method"] = float(best[task])
    for method in AUXILIARY_OF:
        wins = int((chosen[method] > best).sum())
        numbers[f"{METHODS[method]}: wins"] = f"{wins} of {len(tasks)}"
    how = "F1 and PRBEP where the interval of SVM-perf RBF less linear is above zero"
    name = all_or_most(list(chosen[STAR] > best))
    helped = {data_set for data_set, _ in tasks}
    others = [data_set for data_set in data_sets if data_set not in helped]
    remark = f"Non-linearity does not help on {', '.join(others)}." if others else ""
    return verdict(report, name, numbers, how, data_sets, remark)


def agreement_on_reuters(report: Report) -> Verdict:
    """On Reuters the values of all methods are close."""
    values = paper_values(report)
    values = values[values.index.get_level_values("data_set") == REUTERS]
    counted = ["capo_cvm", STAR, *BASELINES]
    values = values.dropna(subset=[*CAPO, *BASELINES])
    if values.empty:
        return not_testable(report, [*CAPO, *BASELINES], [REUTERS])
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
    return verdict(report, name, numbers, how, [REUTERS], expected=[REUTERS])


def capo_star_is_best(report: Report) -> Verdict:
    """CAPO* has the largest value of the four CAPO methods."""
    values = paper_values(report)[list(CAPO)].dropna()
    if values.empty:
        return not_testable(report, CAPO)
    best = _times_best(values)
    name = grade(best[STAR] >= HALF * len(values), best[STAR] > best.drop(STAR).max())
    printed = _times_best(published_values(report)[list(CAPO)].dropna())
    numbers = {
        "tasks": len(values),
        **{f"{METHODS[method]}: best": int(best[method]) for method in CAPO},
        **{f"{METHODS[method]}: best, published": int(printed[method]) for method in CAPO},
    }
    how = "number of tasks on which a method has the largest value, ties included"
    return verdict(report, name, numbers, how, values.index.unique("data_set"))


def delta_function_beats_ensemble(report: Report) -> Verdict:
    """CAPO with five CVMs has larger values than their weighted ensemble."""
    values = paired(paper_values(report), DELTA_FUNCTION)
    if values.empty:
        return not_testable(report, DELTA_FUNCTION.methods)
    zero_method = report.configuration["significance"]["zero_method"]
    ours, printed = (
        compare_pairs(source, [DELTA_FUNCTION], zero_method).iloc[0]
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
    return verdict(report, name, numbers, how, values.index.unique("data_set"))


def selection_does_not_pay(report: Report) -> Verdict:
    """CAPO is no better with five auxiliaries selected by the target measure."""
    changes = relative_changes(report)
    if changes.empty:
        return not_testable(report)
    # As printed: four decimals.
    change = changes[CAPO_CHANGE].round(6)
    larger, median = int((change > 0).sum()), float(change.median())
    name = grade(larger <= HALF * len(change), median <= SMALL_CHANGE)
    auxiliary = changes[AUXILIARY_CHANGE]
    numbers = {
        "tasks": len(change),
        "CAPO larger with the selected five": larger,
        "CAPO: median relative change": median,
        "auxiliaries larger": int((auxiliary > 0).sum()),
        "auxiliaries: median relative change": float(auxiliary.median()),
    }
    how = "test values with the selected and with the default five CVMs"
    return verdict(report, name, numbers, how, changes.index.unique("data_set"))


def _times_best(values: pd.DataFrame) -> pd.Series:
    rounded = values.round(12)
    return rounded.eq(rounded.max(axis=1), axis=0).sum()


VALUE_CLAIMS = (
    improves_on_its_auxiliaries,
    beats_linear_methods,
    agreement_on_reuters,
    capo_star_is_best,
    delta_function_beats_ensemble,
    selection_does_not_pay,
)
