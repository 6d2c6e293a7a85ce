"""Judge the claims of Deng et al. (2006) and of the paper that extends it.

The file paper.yaml describes each rule in words. Most rules take error rates (Table 1) and average
costs (Table 2), and return a verdict and the numbers behind it, or None if nothing can be compared.
Six methods re-weight the scores of naive Bayes, the baseline for wins and losses: LF (Lachiche and
Flach), OG (O'Brien and Gray), MetaClass, the linear program, and two genetic algorithms.
"""

import itertools
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.reporting.statistics import (
    DECIMALS,
    count_signs,
    holm,
    signed_rank_test,
)
from beyond_accuracy_pipeline.reporting.verdict import (
    Claims,
    Numbers,
    Verdict,
    VerdictName,
    all_or_any,
    all_or_undecided,
    grade,
)
from beyond_accuracy_pipeline.results.variants import Variant, selected_readings

from .names import (
    AVERAGE_COST,
    BASELINE,
    DESCENT,
    ERROR_RATE,
    GENETIC,
    GENETIC_ALGORITHMS,
    GREEDY,
    LEVEL,
    LINEAR_PROGRAM,
    META_CLASS,
    METHODS,
    OUT_OF_FOLD,
    OUT_OF_FOLD_READING,
    RUN_BY_THE_AUTHORS,
    SEQUENTIAL,
    SIX,
    SOPHISTICATED,
)
from .values import Tally, Values, ranks, sorting_comparisons, tally, training_objectives

TABLES = {ERROR_RATE: "Table 1", AVERAGE_COST: "Table 2"}
STUDENT = (
    "two-sided paired Student t at 5 % over folds, against naive Bayes; “corrected” by the "
    "corrected resampled t-test"
)
SIGNED_RANKS = "Wilcoxon's two-tailed signed-rank test over data sets"
WILCOXON = f"{SIGNED_RANKS}, with Holm's correction"
SORTING = "n·log2 n comparisons for n sorted values, of a fit to all examples"
RANKS = "average ranks over the data sets; p by Wilcoxon's two-tailed signed-rank test"

OBJECTIVES = f"equation (1) on the training part, averaged over fits; {SIGNED_RANKS}"

SIGNIFICANT_WINS = "significant wins of {}"
RANK_OF_SIX = "rank of {} among the six"
PLACE_OF_SIX = "place of GA by the ratio, of all six"

MANY_CLASSES = 8
SEVERAL = 3

CLAIMS = Claims()
ByMeasure = dict[str, Values]
Ruling = tuple[VerdictName, Numbers]


def _judge(
    rule: Callable[[ByMeasure], Ruling | None], test: str, methods: Sequence[str], report: Report
) -> Verdict:
    """Judge a claim by a rule on the data sets that have values of all `methods` in both tables."""
    values = {measure: report.once(Values, measure) for measure in TABLES}
    complete = [set(values[measure].means(methods).index) for measure in TABLES]
    compared = [name for name in report.data_sets if all(name in part for part in complete)]
    if not compared:
        beside = " and of naive Bayes" if BASELINE in methods else ""
        return Verdict("not testable", note=f"No data set has values of all methods{beside}.")
    missing = [name for name in report.data_sets if name not in compared]
    notes = (
        f"{len(compared)} of {len(report.data_sets)} data sets have values of all methods.",
        f"Not compared: {', '.join(missing)}." if missing else "",
        report.substitutes(compared),
    )
    ruling = rule({measure: table.on(compared) for measure, table in values.items()})
    if ruling is None:
        return Verdict("not testable", note="Nothing to compare.")
    return Verdict(*ruling, test, " ".join(filter(None, notes)))


def _tallies(values: ByMeasure, *measures: str) -> dict[str, dict[str, Tally]]:
    """Return wins and losses against naive Bayes, as {measure: {method: counts}}."""
    return {
        measure: {method: tally(values[measure], method) for method in SIX} for measure in measures
    }


def _win_loss_numbers(tallies: Mapping[str, dict[str, Tally]], *deciding: str) -> Numbers:
    numbers: Numbers = {}
    for methods in (deciding, SIX):
        for measure, method in itertools.product(tallies, methods):
            counts = tallies[measure][method]
            name = f"{TABLES[measure]}: {METHODS[method]}"
            numbers[name] = f"{counts.significant_wins}/{counts.significant_losses}"
            numbers[f"{name}, corrected"] = f"{counts.corrected_wins}/{counts.corrected_losses}"
    return numbers


@CLAIMS.add(_judge, STUDENT, (BASELINE, *SIX))
def every_method_improves_some_sets(values: ByMeasure) -> Ruling:
    tallies = _tallies(values, ERROR_RATE)
    by_method = tallies[ERROR_RATE]
    without = [method for method, counts in by_method.items() if not counts.significant_wins]
    improving = len(SIX) - len(without)
    return grade(not without, improving >= 4), _win_loss_numbers(tallies, *without)


@CLAIMS.add(_judge, STUDENT, (BASELINE, *SIX))
def own_algorithms_improve(values: ByMeasure) -> Ruling:
    tallies = _tallies(values, *TABLES)
    several = [
        sum(by_method[method].significant_wins >= SEVERAL for method in RUN_BY_THE_AUTHORS)
        >= SEVERAL
        for by_method in tallies.values()
    ]
    return all_or_any(several), _win_loss_numbers(tallies, *RUN_BY_THE_AUTHORS)


@CLAIMS.add(_judge, WILCOXON, SIX)
def no_method_wins_by_error_rates(values: ByMeasure) -> Ruling:
    _, is_clear, numbers = _winner(values[ERROR_RATE])
    return grade(not is_clear, False), numbers


def _winner(values: Values) -> tuple[str, bool, Numbers]:
    """Return (best method by average rank, whether it is the clear winner, numbers of a verdict).

    A clear winner is significantly better than each of the other five methods.
    """
    means = values.means(SIX)
    average = ranks(means).mean()
    best = average.idxmin()
    others = [method for method in SIX if method != best]
    p_values = holm([signed_rank_test(means[best], means[other]).p_value for other in others])
    numbers: Numbers = {
        RANK_OF_SIX.format(METHODS[method]): float(average[method]) for method in SIX
    }
    for other, p in zip(others, p_values, strict=True):
        numbers[f"p of {METHODS[best]} and {METHODS[other]}"] = float(p)
    return best, bool((p_values < LEVEL).all()), numbers


@CLAIMS.add(_judge, STUDENT, (BASELINE, *SIX))
def all_but_the_linear_program_are_competitive(values: ByMeasure) -> Ruling:
    tallies = _tallies(values, ERROR_RATE)
    competitive = {
        method: counts.significant_losses <= counts.significant_wins
        for method, counts in tallies[ERROR_RATE].items()
    }
    n_others = sum(competitive[method] for method in SIX if method != LINEAR_PROGRAM)
    falls_behind = not competitive[LINEAR_PROGRAM]
    name = grade(falls_behind and n_others == len(SIX) - 1, falls_behind and n_others >= 3)
    return name, _win_loss_numbers(tallies, LINEAR_PROGRAM)


@CLAIMS.add(_judge, STUDENT, (BASELINE, *SIX))
def linear_program_is_last(values: ByMeasure) -> Ruling:
    last = []
    tallies = _tallies(values, *TABLES)
    for by_method in tallies.values():
        others = [by_method[method].ratio for method in SIX if method != LINEAR_PROGRAM]
        last.append(by_method[LINEAR_PROGRAM].ratio < min(others))
    return all_or_any(last), _win_loss_numbers(tallies, LINEAR_PROGRAM)


@CLAIMS.add(_judge, STUDENT, (BASELINE, *SIX))
def genetic_algorithm_is_best_under_costs(values: ByMeasure) -> Ruling:
    tallies = _tallies(values, AVERAGE_COST)
    by_method = tallies[AVERAGE_COST]
    has_wins = by_method[GENETIC].significant_wins > 0
    places = [
        1 + sum(by_method[other].ratio > by_method[GENETIC].ratio for other in methods)
        for methods in (SIX, RUN_BY_THE_AUTHORS)
    ]
    numbers: Numbers = {
        PLACE_OF_SIX: places[0],
        "place of GA by the ratio, of the four that the authors ran": places[1],
    }
    for method in (GENETIC, "boundary_matrix"):
        name = SIGNIFICANT_WINS.format(METHODS[method])
        numbers[name] = int(by_method[method].significant_wins)
    name = grade(has_wins and places[0] == 1, has_wins and places[0] == 2)
    return name, numbers | _win_loss_numbers(tallies, GENETIC)


@CLAIMS.add(_judge, WILCOXON, SIX)
def genetic_algorithm_is_the_clear_winner_under_costs(values: ByMeasure) -> Ruling:
    best, is_clear, numbers = _winner(values[AVERAGE_COST])
    return grade(best == GENETIC and is_clear, best == GENETIC), numbers


@CLAIMS.add(_judge, STUDENT, (BASELINE, *SIX))
def genetic_algorithms_improve_most_often(values: ByMeasure) -> Ruling:
    most = []
    tallies = _tallies(values, *TABLES)
    for by_method in tallies.values():
        wins = {method: counts.significant_wins for method, counts in by_method.items()}
        most.append(max(wins[name] for name in GENETIC_ALGORITHMS) == max(wins.values()) > 0)
    return all_or_any(most), _win_loss_numbers(tallies, *GENETIC_ALGORITHMS)


@CLAIMS.add(_judge, OBJECTIVES, (GENETIC, DESCENT))
def global_search_ends_lower(values: ByMeasure) -> Ruling | None:
    lower, numbers = [], {}
    for measure, table in TABLES.items():
        of_measure = values[measure]
        objectives = training_objectives(of_measure.report.results.fits).reset_index("measure")
        objectives = objectives[objectives["measure"] == measure]
        for local in (DESCENT, SEQUENTIAL):
            pair = objectives.reindex(columns=[GENETIC, local]).dropna()
            means = pair.groupby("data_set").mean().reindex(of_measure.data_sets).dropna()
            p = signed_rank_test(means[GENETIC], means[local]).p_value
            below, above, _ = count_signs(means[local], means[GENETIC])
            numbers |= {
                f"{table}: data sets, GA below {METHODS[local]}": below,
                f"{table}: data sets, GA above {METHODS[local]}": above,
                f"{table}: p of GA and {METHODS[local]}": p,
            }
            if local == DESCENT:
                if means.empty:
                    return None
                lower.append(_is_lower((means[GENETIC] - means[local]).mean(), p))
    return all_or_undecided(lower), numbers


@CLAIMS.add(_judge, SORTING, (META_CLASS, SEQUENTIAL))
def meta_class_is_faster(values: ByMeasure) -> Ruling | None:
    errors = values[ERROR_RATE]
    counted = sorting_comparisons(errors.report, errors.data_sets)
    has_many = counted["n_classes"] >= MANY_CLASSES
    if not has_many.any():
        return None
    ratio = counted[SEQUENTIAL] / counted[META_CLASS]
    numbers: Numbers = {}
    sides = {f"{MANY_CLASSES} classes or more": ratio[has_many], "all data sets": ratio}
    for name, side in sides.items():
        numbers[f"comparisons, {name}: fewer with MC"] = f"{(side > 1).sum()} of {len(side)}"
        numbers[f"comparisons, {name}: median of LF's over MC's"] = float(side.median())
    share = float((ratio[has_many] > 1).mean())
    return grade(share >= 0.75, share > 0.5), numbers


@CLAIMS.add(_judge, SIGNED_RANKS, SIX)
def resubstitution_makes_little_difference(values: ByMeasure) -> Ruling | None:
    return _judge_resubstitution(values, [SEQUENTIAL], lambda difference, p: p < LEVEL)


@CLAIMS.add(_judge, WILCOXON, SIX)
def resubstitution_does_no_harm(values: ByMeasure) -> Ruling | None:
    return _judge_resubstitution(values, SIX, lambda difference, p: difference > 0 and p < LEVEL)


def _judge_resubstitution(
    values: ByMeasure, methods: Sequence[str], is_against: Callable[[float, float], bool]
) -> Ruling | None:
    """Judge by tests of resubstitution against out-of-fold scores, per method and measure.

    `is_against(mean difference, corrected p-value)` says whether a test is against the claim. If no
    value differs, return None.
    """
    against: list[bool] = []
    numbers: Numbers = {}
    differ = False
    for measure, of_measure in values.items():
        sides_of = _values_by_scores(of_measure, measure)
        sides_of = {name: sides_of[name] for name in methods if name in sides_of}
        differences, p_values = [], []
        for method, both in sides_of.items():
            sides = [side.means([method])[method] for side in both]
            names = sides[0].index.intersection(sides[1].index)
            first, second = (side.reindex(names) for side in sides)
            differences.append(float((first - second).mean()))
            test = signed_rank_test(first, second)
            p_values.append(test.p_value)
            differ |= test.n_nonzero > 0
        for method, difference, p in zip(sides_of, differences, holm(p_values), strict=True):
            against.append(is_against(difference, float(p)))
            numbers[f"{TABLES[measure]}: {METHODS[method]}, change"] = difference
            numbers[f"{TABLES[measure]}: {METHODS[method]}, p"] = float(p)
    verdict = grade(not any(against), 2 * sum(against) <= len(against))
    return (verdict, numbers) if differ else None


def _values_by_scores(values: Values, measure: str) -> dict[str, tuple[Values, Values]]:
    """Return values by method, once with resubstitution and once with out-of-fold scores.

    Methods that the report's reading (variant of the protocol) does not change have out-of-fold
    values from the reading `out_of_fold`, which is run with the first seed only.
    """
    report = values.report
    elsewhere = Values(report, OUT_OF_FOLD[measure])
    sides = {name: (values, elsewhere) for name in elsewhere.methods(SIX)}
    if OUT_OF_FOLD_READING in selected_readings(report.results.whole):
        under = [report.under(each) for each in (Variant(), Variant(OUT_OF_FOLD_READING))]
        first, second = (Values(each, measure) for each in under)
        here, there = (each.configuration["methods"] for each in (report, first.report))
        alike = [name for name in second.methods(SIX) if here[name] == there[name]]
        sides = {name: (first, second) for name in alike} | sides
    return {name: sides[name] for name in SIX if name in sides}


def _is_lower(difference: float, p: float) -> bool | None:
    return bool(difference < 0) if p < LEVEL and np.round(difference, DECIMALS) else None


@CLAIMS.add(_judge, RANKS, SIX)
def greedy_methods_beat_sophisticated_ones(values: ByMeasure) -> Ruling:
    lower, numbers = [], {}
    for measure, table in TABLES.items():
        ranked = ranks(values[measure].means(SIX))
        greedy, other = (ranked[list(group)].mean(axis=1) for group in (GREEDY, SOPHISTICATED))
        p = signed_rank_test(greedy, other).p_value
        lower.append(_is_lower(greedy.mean() - other.mean(), p))
        numbers |= {
            f"{table}: greedy": float(greedy.mean()),
            f"{table}: sophisticated": float(other.mean()),
            f"{table}: data sets for greedy": int((greedy < other).sum()),
            f"{table}: data sets for sophisticated": int((greedy > other).sum()),
            f"{table}: p": p,
        }
    return all_or_undecided(lower), numbers


@CLAIMS.add(_judge, RANKS, SIX)
def some_greedy_method_beats_the_genetic_algorithm(values: ByMeasure) -> Ruling:
    lower, numbers = [], {}
    for measure, table in TABLES.items():
        means = values[measure].means(SIX)
        average = ranks(means).mean()
        best = average[list(GREEDY)].idxmin()
        p = signed_rank_test(means[best], means[GENETIC]).p_value
        lower.append(_is_lower(average[best] - average[GENETIC], p))
        numbers |= {f"{table}: {METHODS[method]}": float(average[method]) for method in SIX}
        numbers[f"{table}: p of {METHODS[best]} and GA"] = p
    return all_or_undecided(lower), numbers


def finding(numbers: Mapping[str, Numbers]) -> str:
    """Return the main result as a sentence; `numbers` maps ids of claims to {name: number}."""
    clear = numbers["clear-winner-under-costs"]
    genetic, greedy = (f"{clear[RANK_OF_SIX.format(name)]:.2f}" for name in ("GA", "OG"))
    place = numbers["genetic-best-under-costs"][PLACE_OF_SIX]
    first = "first, ties included" if place == 1 else "not first"
    return (
        f"By wins to losses it is {first}. "
        f"Its mean rank is {genetic}; OG, a greedy method, has {greedy}."
    )
