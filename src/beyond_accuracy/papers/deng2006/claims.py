"""The claims of the two papers; each rule stands, in words, in paper.yaml."""

from collections.abc import Callable, Sequence

import numpy as np

from beyond_accuracy.papers.deng2006.names import (
    AVERAGE_COST,
    BASELINE,
    ERROR_RATE,
    GENETIC,
    LINEAR_PROGRAM,
    METHODS,
    SIX,
)
from beyond_accuracy.papers.deng2006.values import Tally, Values, best_greedy, group_ranks, tally
from beyond_accuracy.reporting.report import Report
from beyond_accuracy.reporting.statistics import DECIMALS, signed_rank_test
from beyond_accuracy.reporting.verdict import (
    Claims,
    Numbers,
    Verdict,
    VerdictName,
    all_or_any,
    grade,
)

TABLES = {ERROR_RATE: "Table 1", AVERAGE_COST: "Table 2"}
STUDENT = (
    "two-sided paired Student t at 5 % over folds, against naive Bayes; in brackets the corrected "
    "resampled t-test"
)
RANKS = "average ranks over the data sets; p by Wilcoxon's two-tailed signed-rank test"

CLAIMS = Claims()
ByMeasure = dict[str, Values]
Ruling = tuple[VerdictName, Numbers]


def _judge(
    rule: Callable[[ByMeasure], Ruling], test: str, methods: Sequence[str], report: Report
) -> Verdict:
    """Follow a rule if some data set has values of all its methods in both tables."""
    values = {measure: Values(report, measure) for measure in TABLES}
    complete = [set(values[measure].means(methods).index) for measure in TABLES]
    compared = [name for name in report.data_sets if all(name in part for part in complete)]
    if not compared:
        beside = " and of naive Bayes" if BASELINE in methods else ""
        return Verdict("not testable", note=f"No data set has values of all six methods{beside}.")
    missing = [name for name in report.data_sets if name not in compared]
    notes = (
        f"{len(compared)} of {len(report.data_sets)} data sets have values of all six methods.",
        f"Not compared: {', '.join(missing)}." if missing else "",
        report.substitutes(compared),
    )
    return Verdict(*rule(values), test, " ".join(filter(None, notes)))


def _tallies(values: Values) -> dict[str, Tally]:
    return {method: tally(values, method) for method in SIX}


def _numbers(measure: str, tallies: dict[str, Tally]) -> Numbers:
    numbers: Numbers = {}
    for method, counts in tallies.items():
        name, ratio = f"{TABLES[measure]}: {METHODS[method]}", counts.order[0]
        plain = f"{counts.significant_wins}/{counts.significant_losses}"
        numbers[name] = f"{plain} ({counts.corrected_wins}/{counts.corrected_losses})"
        numbers[f"{name}, ratio"] = float(ratio) if np.isfinite(ratio) else "∞"
    return numbers


@CLAIMS.add(_judge, STUDENT, (BASELINE, *SIX))
def every_method_improves_some_sets(values: ByMeasure) -> Ruling:
    """Each of the six methods has a significant win in Table 1."""
    tallies = _tallies(values[ERROR_RATE])
    improving = sum(counts.significant_wins > 0 for counts in tallies.values())
    return grade(improving == len(SIX), improving >= 4), _numbers(ERROR_RATE, tallies)


@CLAIMS.add(_judge, STUDENT, (BASELINE, *SIX))
def linear_program_is_last(values: ByMeasure) -> Ruling:
    """The linear program has the lowest ratio of significant wins to losses in both tables."""
    last, numbers = [], {}
    for measure in TABLES:
        tallies = _tallies(values[measure])
        others = [tallies[method].order for method in SIX if method != LINEAR_PROGRAM]
        last.append(tallies[LINEAR_PROGRAM].order < min(others))
        numbers |= _numbers(measure, tallies)
    return all_or_any(last), numbers


@CLAIMS.add(_judge, STUDENT, (BASELINE, *SIX))
def genetic_algorithm_is_best_under_costs(values: ByMeasure) -> Ruling:
    """The genetic algorithm has the highest ratio of significant wins to losses in Table 2."""
    tallies = _tallies(values[AVERAGE_COST])
    better = sum(tallies[method].order > tallies[GENETIC].order for method in SIX)
    return grade(better == 0, better == 1), _numbers(AVERAGE_COST, tallies)


@CLAIMS.add(_judge, RANKS, SIX)
def greedy_methods_beat_sophisticated_ones(values: ByMeasure) -> Ruling:
    """The average rank of the greedy group is lower in both tables."""
    lower, numbers = [], {}
    for measure, table in TABLES.items():
        greedy, other = group_ranks(values[measure].means(SIX))
        lower.append(bool(np.round(greedy.mean() - other.mean(), DECIMALS) < 0))
        numbers |= {
            f"{table}: greedy": float(greedy.mean()),
            f"{table}: sophisticated": float(other.mean()),
            f"{table}: data sets for greedy": int((greedy < other).sum()),
            f"{table}: data sets for sophisticated": int((greedy > other).sum()),
            f"{table}: p": signed_rank_test(greedy, other).p_value,
        }
    return all_or_any(lower), numbers


@CLAIMS.add(_judge, RANKS, SIX)
def some_greedy_method_beats_the_genetic_algorithm(values: ByMeasure) -> Ruling:
    """Some greedy method has a lower average rank than the genetic algorithm in both tables."""
    lower, numbers = [], {}
    for measure, table in TABLES.items():
        means = values[measure].means(SIX)
        best, average = best_greedy(means)
        lower.append(bool(np.round(average[best] - average[GENETIC], DECIMALS) < 0))
        numbers |= {f"{table}: {METHODS[method]}": float(average[method]) for method in SIX}
        test = signed_rank_test(means[best], means[GENETIC])
        numbers[f"{table}: p of {METHODS[best]} and GA"] = test.p_value
    return all_or_any(lower), numbers
