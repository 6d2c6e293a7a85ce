"""Judge claims on test values (Tables 2 and 5, Figure 2).

CAPO (classifier adaptation) is a multivariate SVM on the features and the outputs of auxiliary
classifiers: a core vector machine, C4.5, an RBF network, all three (CAPO*), or five core vector
machines.
"""

import math
from itertools import product
from typing import Any

import pandas as pd

from beyond_accuracy_pipeline.papers.li2013.claims.judging import (
    CLAIMS,
    HALF,
    QUARTER,
    TENTH,
    THREE_QUARTERS,
    Ruling,
    judge,
    task_name,
)
from beyond_accuracy_pipeline.papers.li2013.names import (
    AUXILIARIES,
    AUXILIARY_OF,
    BASELINES,
    BUT_REUTERS,
    CAPO,
    COMPARISONS,
    DELTA_FUNCTION,
    IN_PRINT_ALONE,
    LINEAR,
    MEASURES,
    METHODS,
    NEAR,
    ONE,
    PRINTED_TASKS,
    RBF,
    REUTERS,
    RIVALS_BEATEN_IN_PRINT,
    SIGNS,
    SPLICE,
    STAR,
    SVM_PERF,
    TABLE2_METHODS,
    WINS,
)
from beyond_accuracy_pipeline.papers.li2013.values import (
    in_any_order,
    paper_values,
    published_values,
    relative_changes,
    sizes_of_test,
    values_of,
)
from beyond_accuracy_pipeline.reporting.comparison import Pair, paired
from beyond_accuracy_pipeline.reporting.formats import slashed
from beyond_accuracy_pipeline.reporting.names import measure_name
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.reporting.statistics import count_signs
from beyond_accuracy_pipeline.reporting.verdict import Verdict, all_or_most, grade

SIGNIFICANT = 0.05
SMALL_CHANGE = 0.01
# Smallest lead that counts as "much better": three points, the tolerance of values.
MUCH_BETTER = NEAR
# In the paper, CAPO_cvm is below the machine with the RBF kernel on splice.
SUPERIOR_ON_SPLICE = ("capo_c45", "capo_rbfn", STAR)
ABOVE_LINEAR = "test values, but on Reuters, less those of the better linear method"


@CLAIMS.add(judge, methods=[STAR, *BASELINES])
def more_effective_than_rivals(report: Report) -> Ruling:
    """Judge whether CAPO* has larger values than each of its four rivals."""
    values, printed = paper_values(report), published_values(report)
    pairs = [Pair(STAR, rival) for rival in BASELINES]
    tests = report.compare_pairs(values, pairs)
    if (tests["n_tasks"] == 0).any():
        return None
    rivals = [STAR, *BASELINES]
    in_print = values[rivals].where(printed.reindex(values.index)[rivals].notna())
    tests_in_print = report.compare_pairs(in_print, pairs)
    better, better_in_print = _is_better(tests), _is_better(tests_in_print)
    counts: dict[str, float | str] = {}
    others: dict[str, float | str] = {
        IN_PRINT_ALONE: all_or_most(better_in_print),
        RIVALS_BEATEN_IN_PRINT: f"{sum(better_in_print)} of {len(pairs)}",
    }
    rows = zip(pairs, tests.itertuples(), tests_in_print.itertuples(), strict=True)
    for pair, test, test_in_print in rows:
        label = f"{METHODS[STAR]} against {METHODS[pair.baseline]}"
        counts[f"{label}: {SIGNS}"] = _signs(test)
        counts[f"{label}: {WINS}"] = int(test.wins)
        counts[f"{label}: {COMPARISONS}"] = int(test.n_tasks)
        published = count_signs(*paired(printed, pair).to_numpy().T)
        others[f"{label}: published"] = _signs(published)
        others[f"{label}: {PRINTED_TASKS}"] = _signs(test_in_print)
        others[f"{label}: p"] = float(test.p_value)
        others[f"{label}: p, on the tasks in print"] = float(test_in_print.p_value)
    best = _times_best(values[list(TABLE2_METHODS)])
    for method in best.sort_values(ascending=False, kind="stable").index:
        others[f"{METHODS[method]}: largest of all"] = int(best[method])
    how = "test values; Wilcoxon's signed-rank test over tasks, two-tailed"
    complete = values_of(report, [STAR, *BASELINES])
    return Verdict(all_or_most(better), counts | others, how), complete.index.unique("data_set")


def _is_better(tests: pd.DataFrame) -> list[bool]:
    """Return, for each comparison, whether the first method has the larger value in most tasks.

    The result must also be significant, unless there are too few tasks for that.
    """
    most = tests["wins"] > HALF * tests["n_tasks"]
    can_decide = tests["least_p"] <= SIGNIFICANT
    return list(most & (tests["p_value"].le(SIGNIFICANT) | ~can_decide))


def _signs(test: Any) -> str:
    """Return wins/losses/ties of a comparison as text."""
    return slashed(test.wins, test.losses, test.ties)


@CLAIMS.add(judge, methods=[*AUXILIARY_OF, *AUXILIARIES])
def improves_on_its_auxiliaries(report: Report) -> Ruling:
    """Judge whether CAPO with one auxiliary classifier has larger values than this classifier."""
    printed_values = published_values(report)
    # The expected PRBEP does not penalize trees, which have few distinct scores and many ties.
    first = paper_values(report)
    values = in_any_order(report, first)
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
        pair = Pair(test.proposed, test.baseline)
        printed, negatives_first = paired(printed_values, pair), paired(first, pair)
        wins = int((printed[test.proposed] > printed[test.baseline]).sum())
        numbers |= {
            f"{label}: wins/losses/ties": slashed(test.wins, test.losses, test.ties),
            f"{label}: wins, negatives first": int(
                (negatives_first[test.proposed] > negatives_first[test.baseline]).sum()
            ),
            f"{label}: p, Holm": test.p_holm,
            f"{label}: wins published": f"{wins} of {len(printed)}",
        }
    comparisons = f"{len(tests)} comparison{'s' if len(tests) > 1 else ''}"
    how = (
        "value of CAPO against that of its auxiliary; Wilcoxon's signed-rank test over tasks; "
        f"Holm's correction over {comparisons}"
    )
    complete = values_of(report, list(AUXILIARY_OF))
    return Verdict(name, numbers, how), complete.index.unique("data_set")


@CLAIMS.add(judge, methods=[*AUXILIARY_OF, *AUXILIARIES])
def large_improvements(report: Report) -> Ruling:
    """Judge whether gains of CAPO over its auxiliary classifier, if positive, are often large."""
    values = in_any_order(report, paper_values(report))
    gains = pd.concat([values[capo] - values[own] for capo, own in AUXILIARY_OF.items()])
    gains = gains[gains > 0]
    if gains.empty:
        return None
    share = float((gains.round(4) >= MUCH_BETTER).mean())
    name = grade(share >= QUARTER, share >= TENTH)
    numbers = {
        "large": f"{(gains.round(4) >= MUCH_BETTER).sum()} of {len(gains)}",
        "median improvement": float(gains.median()),
        "largest": float(gains.max()),
    }
    how = "value of CAPO less that of its auxiliary, where that is above 0"
    return Verdict(name, numbers, how), gains.index.unique("data_set")


@CLAIMS.add(judge, methods=[*CAPO, *LINEAR], expected=BUT_REUTERS)
def beats_linear_methods(report: Report) -> Ruling:
    """Judge whether each CAPO has larger values than both linear methods, over all measures."""
    more = _above_linear(report)
    if more.empty:
        return None
    known = more.notna().sum()
    wins = (more > 0).sum()
    numbers: dict[str, float | str] = {
        f"{METHODS[method]}: wins": f"{wins[method]} of {known[method]}" for method in CAPO
    }
    for method in CAPO:
        numbers[f"{METHODS[method]}: median difference"] = float(more[method].median())
    for task, less in more[STAR].items():
        numbers[f"{task_name(task)}: CAPO* less the better"] = float(less)
    each, all_four = wins / known, wins.sum() / known.sum()
    much = float(more[STAR].median()) >= MUCH_BETTER
    name = grade(bool((each >= THREE_QUARTERS).all()) and much, all_four > HALF)
    return Verdict(name, numbers, ABOVE_LINEAR), more.index.unique("data_set")


@CLAIMS.add(judge, methods=[*CAPO, *LINEAR], expected=BUT_REUTERS)
def above_all_by_f1_and_prbep(report: Report) -> Ruling:
    """Judge whether CAPO leads linear methods by more in F1 and PRBEP than in other measures."""
    more = _above_linear(report)
    medians = more.groupby("measure").median().reindex(index=list(MEASURES)).dropna()
    if len(medians) < len(MEASURES):
        return None
    pairs = list(product(("f1", "prbep"), ("accuracy", "roc_area")))
    further = {
        method: [bool(medians.at[one, method] > medians.at[other, method]) for one, other in pairs]
        for method in CAPO
    }
    numbers: dict[str, float | str] = {
        f"{METHODS[method]}: further above": f"{sum(own)} of {len(own)}"
        for method, own in further.items()
    }
    for (measure, method), median in medians.stack().items():
        numbers[f"{METHODS[method]}: median difference, {measure_name(measure)}"] = float(median)
    name = all_or_most([answer for own in further.values() for answer in own])
    how = f"{ABOVE_LINEAR}; medians over data sets"
    return Verdict(name, numbers, how), more.index.unique("data_set")


def _above_linear(report: Report) -> pd.DataFrame:
    """Return each CAPO's value minus the better linear method's by task, except on Reuters."""
    finished = values_of(report, [*CAPO, SVM_PERF])
    values = paper_values(report).loc[finished.index]
    if not set(LINEAR) <= set(report.configuration["methods_selected"]):
        values = values.iloc[:0]
    # A CAPO without adaptation is SVM-perf, so its value is missing here.
    own = values[values.index.isin(BUT_REUTERS, "data_set")]
    return own[list(CAPO)].sub(own[list(LINEAR)].max(axis=1), axis=0)


@CLAIMS.add(judge, methods=[ONE, STAR], expected=[REUTERS])
def agreement_on_reuters(report: Report) -> Ruling:
    """Judge whether the values of all methods on Reuters are within two standard errors."""
    values = paper_values(report)
    values = values[values.index.isin([REUTERS], level="data_set")]
    values = values.dropna(subset=[ONE, STAR, SVM_PERF])
    if values.empty:
        return None
    n, positives = sizes_of_test(report, REUTERS)
    if math.isnan(positives):
        return None
    alike, numbers = [], {}
    printed = published_values(report).loc[REUTERS]
    for (_, measure), row in values.iterrows():
        known = printed.loc[measure, [ONE, STAR, *BASELINES]].dropna().index
        counted = row[known].dropna()
        # The paper prints four decimals.
        spread = round(float(counted.max() - counted.min()), 4)
        error = standard_error(measure, float(counted.median()), n, positives)
        alike.append(spread <= 2 * error)
        label = measure_name(measure)
        numbers |= {f"{label}: spread": spread, f"{label}: standard error": error}
        numbers[f"{label}: methods"] = len(counted)
        for method in ("capo_c45", "capo_rbfn"):
            if pd.notna(row[method]):
                less = float(row[method] - counted.max())
                numbers[f"{label}: {METHODS[method]} less the best"] = less
    how = "largest less smallest value of the methods that have one, by measure"
    return Verdict(all_or_most(alike), numbers, how), [REUTERS]


def standard_error(measure: str, value: float, n: float, positives: float) -> float:
    """Return the standard error of the value of a measure on n test examples.

    Accuracy is a proportion of the examples, F1 and PRBEP of the positives, whose number limits how
    precisely they are known. The formula for the ROC area is by Hanley and McNeil (1982).
    """
    if measure != "roc_area":
        size = n if measure == "accuracy" else positives
        return math.sqrt(value * (1 - value) / size)
    negatives, square = n - positives, value**2
    of_positives = value / (2 - value) - square
    of_negatives = 2 * square / (1 + value) - square
    variance = value * (1 - value) + (positives - 1) * of_positives
    variance += (negatives - 1) * of_negatives
    return math.sqrt(variance / (positives * negatives))


@CLAIMS.add(judge, methods=[*SUPERIOR_ON_SPLICE, "svmlight_rbf"], expected=[SPLICE])
def beats_rbf_machine_on_splice(report: Report) -> Ruling:
    """Judge whether CAPO has larger values on splice than the cost model with RBF kernel."""
    values = values_of(report, [*SUPERIOR_ON_SPLICE, "svmlight_rbf"])
    values = values[values.index.isin([SPLICE], level="data_set")]
    if values.empty:
        return None
    every = paper_values(report).loc[values.index]
    numbers = {
        f"{METHODS[method]}, {measure_name(measure)}: less {METHODS[rival]}": float(less)
        for method, rival in product(CAPO, ("svmlight_rbf", RBF))
        for (_, measure), less in (every[method] - every[rival]).dropna().items()
    }
    larger = values[list(SUPERIOR_ON_SPLICE)].gt(values["svmlight_rbf"], axis=0)
    return Verdict(all_or_most(list(larger.to_numpy().ravel())), numbers, "test values"), [SPLICE]


@CLAIMS.add(judge, methods=["svmlight_rbf", *LINEAR], expected=[SPLICE])
def rbf_machine_beats_linear_on_splice(report: Report) -> Ruling:
    """Judge whether the SVM with cost model and RBF kernel beats the linear methods on splice."""
    values = values_of(report, ["svmlight_rbf", *LINEAR])
    values = values[values.index.isin([SPLICE], level="data_set")]
    if values.empty:
        return None
    difference = values["svmlight_rbf"] - values[list(LINEAR)].max(axis=1)
    numbers = {
        f"{measure_name(measure)}: less the better linear": float(less)
        for (_, measure), less in difference.items()
    }
    return Verdict(all_or_most(list(difference > 0)), numbers, "test values"), [SPLICE]


@CLAIMS.add(judge, methods=CAPO)
def capo_star_is_best(report: Report) -> Ruling:
    """Judge whether CAPO*, with three auxiliary classifiers, is best among four CAPO methods."""
    values = values_of(report, CAPO)
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


@CLAIMS.add(judge, methods=DELTA_FUNCTION.methods)
def delta_function_beats_ensemble(report: Report) -> Ruling:
    """Judge whether CAPO with five core vector machines beats their weighted ensemble."""
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


@CLAIMS.add(judge)
def selection_does_not_pay(report: Report) -> Ruling:
    """Judge whether better auxiliary classifiers leave the value of CAPO unchanged."""
    changes = relative_changes(report)
    if changes.empty:
        return None
    # Rounding removes differences that printed values do not show.
    change, auxiliary = (changes[name].round(6) for name in ("capo_value", "auxiliary_value"))
    most = HALF * len(change)
    similar, falls = change.abs() <= SMALL_CHANGE, change < 0
    better = int((auxiliary > SMALL_CHANGE).sum())
    name = grade(
        better > most and similar.sum() > most and falls.any(), (similar | falls).sum() > most
    )
    numbers = {
        "tasks": len(change),
        "CAPO within 1 %": int(similar.sum()),
        "CAPO lower, by any amount": int(falls.sum()),
        "CAPO larger, by any amount": int((change > 0).sum()),
        "CAPO: median relative change": float(change.median()),
        "auxiliaries larger by more than 1 %": better,
        "auxiliaries larger, by any amount": int((auxiliary > 0).sum()),
        "auxiliaries: median relative change": float(auxiliary.median()),
    }
    how = "relative change of test values, selected five CVMs against the default five"
    return Verdict(name, numbers, how), changes.index.unique("data_set")


def _times_best(values: pd.DataFrame) -> pd.Series:
    """Return how often each method (column) has the largest value of a row, ties included."""
    rounded = values.round(12)
    return rounded.eq(rounded.max(axis=1), axis=0).sum()
