"""Judge claims on test values (Tables 2 and 5, Figure 2)."""

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import product
from typing import Any

import pandas as pd

from beyond_accuracy_pipeline.reporting.agreement import DISTANCES, ROUNDING
from beyond_accuracy_pipeline.reporting.comparison import Pair, paired
from beyond_accuracy_pipeline.reporting.formats import slashed
from beyond_accuracy_pipeline.reporting.names import measure_name
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.reporting.statistics import count_signs
from beyond_accuracy_pipeline.reporting.verdict import Numbers, Verdict, all_or_most, grade

from ..names import (
    AUXILIARIES,
    AUXILIARY_OF,
    BASELINES,
    BUT_REUTERS,
    CAPO,
    DELTA_FUNCTION,
    ENSEMBLE,
    LINEAR,
    MEASURES,
    METHODS,
    NEAR,
    ONE,
    RBF,
    REUTERS,
    RIVALS_BEATEN_IN_PRINT,
    SPLICE,
    STAR,
    SVM_PERF,
    TABLE2_METHODS,
)
from ..values import (
    TASK,
    in_any_order,
    paper_values,
    published_values,
    relative_changes,
    sizes_of_test,
    values_of,
)
from .judging import CLAIMS, by_task, how_many, judge, on, task_name

WINS, COMPARISONS, SIGNS = "wins", "comparisons", "wins/losses/ties"
IN_PRINT_ALONE = "verdict on the tasks in print alone"
SIGNIFICANT = 0.05
SMALL_CHANGE = 0.01
# Smallest lead that counts as "much better": three points, the tolerance of values.
MUCH_BETTER = NEAR
# In the paper, CAPO_cvm is below the machine with the RBF kernel on splice.
SUPERIOR_ON_SPLICE = ("capo_c45", "capo_rbfn", STAR)
RIVALS = [STAR, *BASELINES]
ABOVE_RBF = [*SUPERIOR_ON_SPLICE, "svmlight_rbf"]
RBF_AND_LINEAR = ["svmlight_rbf", *LINEAR]
ABOVE_LINEAR = "test values, but on Reuters, less those of the better linear method"
# This is 16 of 20 cells. It was fixed before any run.
MOST = 0.8
OUTPUTS_TELL_TOO_LITTLE = (
    "The published accuracy and F1 of the core vector machine fix how many positives its outputs "
    "±1 find, and so their ROC area. Where the published ROC area of the weighted ensemble of five "
    "is far above it, the paper's auxiliaries can hardly have entered as ±1, as they do here and "
    "in its text."
)
# The distance of a near value is at most this share of the distance of a trivial predictor.
OF_TRIVIAL = 0.5
# Larger than any gain in ROC area by combining five such outputs.
FAR_ABOVE = 0.2


@CLAIMS.add(judge, paper_values, methods=RIVALS, complete=RIVALS)
def more_effective_than_rivals(report: Report, values: pd.DataFrame) -> Verdict | None:
    printed = published_values(report)
    pairs = [Pair(STAR, rival) for rival in BASELINES]
    tests = report.compare_pairs(values, pairs)
    if (tests["n_tasks"] == 0).any():
        return None
    in_print = values[RIVALS].where(printed.reindex(values.index)[RIVALS].notna())
    tests_in_print = report.compare_pairs(in_print, pairs)
    better, better_in_print = _is_better(tests), _is_better(tests_in_print)
    counts: Numbers = {}
    others: Numbers = {
        IN_PRINT_ALONE: all_or_most(better_in_print),
        RIVALS_BEATEN_IN_PRINT: f"{sum(better_in_print)} of {len(pairs)}",
    }
    rows = zip(pairs, tests.itertuples(), tests_in_print.itertuples(), strict=True)
    for pair, test, test_in_print in rows:
        label = _against(pair.baseline)
        counts[f"{label}: {SIGNS}"] = _signs(test)
        counts[f"{label}: {WINS}"] = int(test.wins)
        counts[f"{label}: {COMPARISONS}"] = int(test.n_tasks)
        published = count_signs(*paired(printed, pair).to_numpy().T)
        others[f"{label}: published"] = _signs(published)
        others[f"{label}: here, on the tasks in print"] = _signs(test_in_print)
        others[f"{label}: p"] = float(test.p_value)
        others[f"{label}: p, on the tasks in print"] = float(test_in_print.p_value)
    best = _times_best(values[list(TABLE2_METHODS)])
    for method in best.sort_values(ascending=False, kind="stable").index:
        others[f"{METHODS[method]}: largest of all"] = int(best[method])
    how = "test values; Wilcoxon's signed-rank test over tasks, two-tailed"
    return Verdict(all_or_most(better), counts | others, how)


def _is_better(tests: pd.DataFrame) -> list[bool]:
    # Too few rows for a test are counted alone.
    most = tests["wins"] > 0.5 * tests["n_tasks"]
    can_decide = tests["least_p"] <= SIGNIFICANT
    return list(most & (tests["p_value"].le(SIGNIFICANT) | ~can_decide))


def _signs(test: Any) -> str:
    """Return "wins/losses/ties" of a comparison."""
    return slashed(test.wins, test.losses, test.ties)


@CLAIMS.add(judge, paper_values, methods=[*AUXILIARY_OF, *AUXILIARIES], complete=[*AUXILIARY_OF])
def improves_on_its_auxiliaries(report: Report, first: pd.DataFrame) -> Verdict | None:
    printed_values = published_values(report)
    # The expected PRBEP does not penalize trees, which have few distinct scores and many ties.
    values = in_any_order(report, first)
    pairs = [Pair(capo, auxiliary) for capo, auxiliary in AUXILIARY_OF.items()]
    tests = report.compare_pairs(values, pairs)
    tests = tests[tests["n_tasks"] > 0]
    if tests.empty:
        return None
    name = grade(
        (tests["wins"] > 0.5 * tests["n_tasks"]).all(),
        tests["wins"].sum() > 0.5 * tests["n_tasks"].sum(),
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
    return Verdict(name, numbers, how)


def _gains(report: Report) -> pd.DataFrame:
    values = in_any_order(report, paper_values(report))
    gains = pd.concat(
        [values[capo] - values[auxiliary] for capo, auxiliary in AUXILIARY_OF.items()]
    )
    return gains[gains > 0].to_frame("gain")


@CLAIMS.add(judge, _gains, methods=[*AUXILIARY_OF, *AUXILIARIES])
def large_improvements(report: Report, frame: pd.DataFrame) -> Verdict:
    gains = frame["gain"]
    large = gains.round(4) >= MUCH_BETTER
    numbers: Numbers = {
        "large": how_many(large),
        "median improvement": float(gains.median()),
        "largest": float(gains.max()),
    }
    how = "value of CAPO less that of its auxiliary, where that is above 0"
    return Verdict(grade(large.mean() >= 0.25, large.mean() >= 0.1), numbers, how)


def _above_linear(report: Report) -> pd.DataFrame:
    finished = values_of(report, [*CAPO, SVM_PERF])
    values = paper_values(report).loc[finished.index]
    if not set(LINEAR) <= set(report.configuration["methods_selected"]):
        values = values.iloc[:0]
    # A CAPO without adaptation is SVM-perf, so its value is missing here.
    elsewhere = on(values, *BUT_REUTERS)
    return elsewhere[list(CAPO)].sub(elsewhere[list(LINEAR)].max(axis=1), axis=0)


@CLAIMS.add(judge, _above_linear, methods=[*CAPO, *LINEAR], expected=BUT_REUTERS)
def beats_linear_methods(report: Report, more: pd.DataFrame) -> Verdict:
    known = more.notna().sum()
    wins = (more > 0).sum()
    numbers: Numbers = {
        f"{METHODS[method]}: wins": f"{wins[method]} of {known[method]}" for method in CAPO
    }
    medians = more.median()
    numbers |= {f"{METHODS[m]}: median difference": float(medians[m]) for m in CAPO}
    numbers |= by_task(more[STAR], ": CAPO* less the better")
    much = float(medians[STAR]) >= MUCH_BETTER
    each = (wins / known >= 0.75).all()
    name = grade(bool(each) and much, wins.sum() / known.sum() > 0.5)
    return Verdict(name, numbers, ABOVE_LINEAR)


@CLAIMS.add(judge, _above_linear, methods=[*CAPO, *LINEAR], expected=BUT_REUTERS)
def above_all_by_f1_and_prbep(report: Report, more: pd.DataFrame) -> Verdict | None:
    medians = more.groupby("measure").median().reindex(index=list(MEASURES)).dropna()
    if len(medians) < len(MEASURES):
        return None
    pairs = list(product(("f1", "prbep"), ("accuracy", "roc_area")))
    further = {
        method: [bool(medians.at[one, method] > medians.at[other, method]) for one, other in pairs]
        for method in CAPO
    }
    numbers: Numbers = {f"{METHODS[m]}: further above": how_many(further[m]) for m in CAPO}
    for (measure, method), median in medians.stack().items():
        numbers[f"{METHODS[method]}: median difference, {measure_name(measure)}"] = float(median)
    name = all_or_most([answer for answers in further.values() for answer in answers])
    return Verdict(name, numbers, f"{ABOVE_LINEAR}; medians over data sets")


@CLAIMS.add(
    judge,
    lambda report: on(paper_values(report), REUTERS).dropna(subset=[ONE, STAR, SVM_PERF]),
    methods=[ONE, STAR],
    expected=[REUTERS],
)
def agreement_on_reuters(report: Report, values: pd.DataFrame) -> Verdict | None:
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
    return Verdict(all_or_most(alike), numbers, how)


def standard_error(measure: str, value: float, n: float, positives: float) -> float:
    """Return the standard error of a measure's test value, given the size of the test part.

    `n` is the number of test examples, and `positives` the number of positive ones. Accuracy is a
    proportion of all examples; F1 and PRBEP are treated as proportions of the positives. The
    formula for the ROC area is by Hanley and McNeil (1982).
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


def _on_splice(report: Report, methods: Sequence[str]) -> pd.DataFrame:
    return on(values_of(report, methods), SPLICE)


@CLAIMS.add(judge, partial(_on_splice, methods=ABOVE_RBF), methods=ABOVE_RBF, expected=[SPLICE])
def beats_rbf_machine_on_splice(report: Report, values: pd.DataFrame) -> Verdict:
    every = paper_values(report).loc[values.index]
    numbers: Numbers = {
        f"{METHODS[method]}, {measure_name(measure)}: less {METHODS[rival]}": float(less)
        for method, rival in product(CAPO, ("svmlight_rbf", RBF))
        for (_, measure), less in (every[method] - every[rival]).dropna().items()
    }
    larger = values[list(SUPERIOR_ON_SPLICE)].gt(values["svmlight_rbf"], axis=0)
    return Verdict(all_or_most(list(larger.to_numpy().ravel())), numbers, "test values")


@CLAIMS.add(
    judge, partial(_on_splice, methods=RBF_AND_LINEAR), methods=RBF_AND_LINEAR, expected=[SPLICE]
)
def rbf_machine_beats_linear_on_splice(report: Report, values: pd.DataFrame) -> Verdict:
    difference = values["svmlight_rbf"] - values[list(LINEAR)].max(axis=1)
    numbers: Numbers = {
        f"{measure_name(measure)}: less the better linear": float(less)
        for (_, measure), less in difference.items()
    }
    return Verdict(all_or_most(list(difference > 0)), numbers, "test values")


@CLAIMS.add(judge, partial(values_of, methods=CAPO), methods=CAPO)
def capo_star_is_best(report: Report, values: pd.DataFrame) -> Verdict:
    best = _times_best(values)
    name = grade(best[STAR] >= 0.5 * len(values), best[STAR] > best.drop(STAR).max())
    printed = _times_best(published_values(report)[list(CAPO)].dropna())
    numbers: Numbers = {"tasks": len(values)}
    for after, counts in (("", best), (", published", printed)):
        numbers |= {f"{METHODS[method]}: best{after}": int(counts[method]) for method in CAPO}
    how = "number of tasks on which a method has the largest value, ties included"
    return Verdict(name, numbers, how)


@CLAIMS.add(
    judge,
    lambda report: paired(paper_values(report), DELTA_FUNCTION),
    methods=DELTA_FUNCTION.methods,
)
def delta_function_beats_ensemble(report: Report, values: pd.DataFrame) -> Verdict:
    ours, printed = (
        report.compare_pairs(source, [DELTA_FUNCTION]).iloc[0]
        for source in (values, published_values(report))
    )
    most = ours["wins"] > 0.5 * ours["n_tasks"]
    name = grade(most and ours["p_value"] <= SIGNIFICANT, ours["wins"] > ours["losses"])
    difference = values[DELTA_FUNCTION.proposed] - values[DELTA_FUNCTION.baseline]
    numbers = {
        "wins/losses/ties": _signs(ours),
        "p": float(ours["p_value"]),
        "mean difference": float(difference.mean()),
        "wins/losses/ties, published": _signs(printed),
        "p, published": float(printed["p_value"]),
    }
    return Verdict(name, numbers, "Wilcoxon's signed-rank test over tasks, two-tailed")


@CLAIMS.add(judge, relative_changes)
def selection_does_not_pay(report: Report, changes: pd.DataFrame) -> Verdict:
    # Rounding removes differences that printed values do not show.
    change, auxiliary = (changes[name].round(6) for name in ("capo_value", "auxiliary_value"))
    most = 0.5 * len(change)
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
    return Verdict(name, numbers, how)


def _times_best(values: pd.DataFrame) -> pd.Series:
    """Return how often each method (column) has the largest value of a row, ties included."""
    rounded = values.round(12)
    return rounded.eq(rounded.max(axis=1), axis=0).sum()


def trivial_ranges(report: Report) -> pd.DataFrame:
    """Return the ranges of test values that classifiers reach by random guessing.

    Such a classifier predicts positives at random at some rate. The rows are (data_set, measure),
    and the columns `low` and `high`.
    """
    rows = {}
    for data_set in report.data_sets:
        n, positives = sizes_of_test(report, data_set)
        share = positives / n
        rows[data_set, "accuracy"] = sorted([share, 1 - share])
        rows[data_set, "f1"] = [0 * share, 2 * share / (1 + share)]
        rows[data_set, "prbep"] = [0 * share, share]
        rows[data_set, "roc_area"] = [0.5 + 0 * share] * 2
    index = pd.MultiIndex.from_tuples(rows, names=TASK)
    return pd.DataFrame([*rows.values()], index=index, columns=["low", "high"])


def distances_of_star(report: Report) -> pd.DataFrame:
    """Return the distances between our test values of the method CAPO* and the published ones.

    There is one row per (data_set, measure), with `value` (ours) and `published`. Further columns
    are:

    - `distance` between the two values
    - `trivial`: distance between the published value and the nearest value by random guessing
    - `near`: whether `distance` is at most 0.03 and at most half of `trivial`
    """
    published = published_values(report)[STAR]
    both = pd.concat([paper_values(report)[STAR], published], axis=1, keys=["value", "published"])
    both = both.dropna()
    both["distance"] = (both["value"] - both["published"]).abs()
    ranges = trivial_ranges(report).reindex(both.index)
    nearest = both["published"].clip(ranges["low"], ranges["high"])
    both["trivial"] = (both["published"] - nearest).abs()
    return both.assign(near=is_near(both["distance"], both["trivial"]))


def is_near(distance: pd.Series, trivial: pd.Series) -> pd.Series:
    """Return for each distance whether it is at most 0.03 and at most half of `trivial`.

    `distance` has the distances of our values from the published values. `trivial` has the
    distances of random guessing from them; where it is NaN, only the limit 0.03 applies.
    """
    limit = (OF_TRIVIAL * trivial).clip(upper=NEAR).fillna(NEAR)
    return distance <= limit + ROUNDING


@CLAIMS.add(judge, distances_of_star, methods=[STAR])
def values_of_capo_star(report: Report, cells: pd.DataFrame) -> Verdict:
    near = cells["near"]
    name = grade(near.mean() >= MOST, near.mean() > 0.5)
    trivial = is_near(cells["trivial"], cells["trivial"])
    numbers: Numbers = {"near": how_many(near), "near, trivial predictor": how_many(trivial)}
    for limit in DISTANCES:
        numbers[f"within {limit:g}"] = how_many(cells["distance"] <= limit + ROUNDING)
    numbers["mean distance"] = float(cells["distance"].mean())
    numbers["mean distance, trivial predictor"] = float(cells["trivial"].mean())
    for task, cell in cells[~near].iterrows():
        numbers[f"{task_name(task)}: distance"] = float(cell["distance"])
        numbers[f"{task_name(task)}: distance, trivial predictor"] = float(cell["trivial"])
    areas = _areas_of_signs(report, cells.index[~near].unique("data_set"))
    how = "distance of CAPO* from the published value, and of the nearest trivial predictor"
    return Verdict(name, numbers | areas, how, OUTPUTS_TELL_TOO_LITTLE if areas else "")


def _areas_of_signs(report: Report, data_sets: pd.Index) -> Numbers:
    """Return ROC areas that show that the paper's CAPO did not use auxiliary outputs ±1."""
    published = published_values(report)
    sizes = report.published_values("table1", "data_set", "quantity")
    fits = report.results.fits
    numbers: Numbers = {}
    for data_set in data_sets:
        printed = published.xs(data_set)
        accuracy, f1 = printed.loc[["accuracy", "f1"], "core_vector_machine"]
        ensemble = printed.at["roc_area", ENSEMBLE]
        positives = fits.loc[fits["data_set"] == data_set, "n_test_positives"].max()
        n_test = sizes.get((data_set, "n_test"), float("nan"))
        area = area_of_signs(accuracy, f1, n_test, positives)
        if ensemble - area > FAR_ABOVE:
            numbers[f"{data_set}: ROC area of the published CVM's outputs ±1"] = area
            numbers[f"{data_set}: published ROC area of the ensemble"] = float(ensemble)
    return numbers


def area_of_signs(accuracy: float, f1: float, n: float, positives: float) -> float:
    """Return the ROC area of a classifier with outputs +1 and −1 from its accuracy and F1.

    `n` is the number of examples, and `positives` the number of positive ones. If F1 is 1, return
    NaN.
    """
    if f1 == 1:
        return float("nan")
    errors = (1 - accuracy) * n
    hits = f1 * errors / (2 * (1 - f1))
    false_alarms = errors - (positives - hits)
    return float((1 + hits / positives - false_alarms / (n - positives)) / 2)


def finding(numbers: Mapping[str, Numbers]) -> str:
    """Return the main result as a sentence; `numbers` maps ids of claims to {name: number}."""
    main = numbers["more-effective-than-rivals"]
    n = max(main[f"{_against(rival)}: {COMPARISONS}"] for rival in BASELINES)
    linear = _span(main[f"{_against(rival)}: {WINS}"] for rival in LINEAR)
    others = " and ".join(
        f"{METHODS[rival]} on {main[f'{_against(rival)}: {WINS}']:g}"
        for rival in BASELINES
        if rival not in LINEAR
    )
    return f"{METHODS[STAR]} beats linear rivals on a median of {linear} of {n:g} tasks, {others}."


def _against(rival: str) -> str:
    return f"{METHODS[STAR]} against {METHODS[rival]}"


def _span(values: Iterable[float]) -> str:
    ends = sorted(values)
    return "–".join(dict.fromkeys(f"{end:g}" for end in (ends[0], ends[-1])))
