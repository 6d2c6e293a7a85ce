"""The claims of the two papers; each rule stands, in words, in paper.yaml."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from beyond_accuracy.papers.deng2006.names import (
    AVERAGE_COST,
    BASELINE,
    ERROR_RATE,
    GENETIC,
    GREEDY,
    LINEAR_PROGRAM,
    METHODS,
    SIX,
    SOPHISTICATED,
)
from beyond_accuracy.papers.deng2006.values import Tally, Values, ranks, tally
from beyond_accuracy.reporting.report import Report
from beyond_accuracy.reporting.statistics import DECIMALS, signed_rank_test
from beyond_accuracy.reporting.verdict import Verdict, VerdictName

TABLES = {ERROR_RATE: "Table 1", AVERAGE_COST: "Table 2"}
STUDENT = (
    "two-sided paired Student t at 5 % over folds, against naive Bayes; in brackets the corrected "
    "resampled t-test"
)
RANKS = "average ranks over the data sets; p by Wilcoxon's two-tailed signed-rank test"

Numbers = dict[str, float | int | str]
ByMeasure = dict[str, Values]


def every_method_improves_some_sets(values: ByMeasure) -> tuple[VerdictName, Numbers]:
    """Each of the six methods has a significant win in Table 1."""
    tallies = _tallies(values[ERROR_RATE])
    improving = sum(counts.significant_wins > 0 for counts in tallies.values())
    verdict: VerdictName = "reproduced" if improving == len(SIX) else "partly"
    if improving < 4:
        verdict = "not reproduced"
    return verdict, _numbers(ERROR_RATE, tallies)


def linear_program_is_last(values: ByMeasure) -> tuple[VerdictName, Numbers]:
    """The linear program has the lowest ratio of significant wins to losses in both tables."""
    last, numbers = [], {}
    for measure in TABLES:
        tallies = _tallies(values[measure])
        others = [tallies[method].order for method in SIX if method != LINEAR_PROGRAM]
        last.append(tallies[LINEAR_PROGRAM].order < min(others))
        numbers |= _numbers(measure, tallies)
    return _in_both_tables(last), numbers


def genetic_algorithm_is_best_under_costs(values: ByMeasure) -> tuple[VerdictName, Numbers]:
    """The genetic algorithm has the highest ratio of significant wins to losses in Table 2."""
    tallies = _tallies(values[AVERAGE_COST])
    better = sum(tallies[method].order > tallies[GENETIC].order for method in SIX)
    verdicts: dict[int, VerdictName] = {0: "reproduced", 1: "partly"}
    return verdicts.get(better, "not reproduced"), _numbers(AVERAGE_COST, tallies)


def greedy_methods_beat_sophisticated_ones(values: ByMeasure) -> tuple[VerdictName, Numbers]:
    """The average rank of the greedy group is lower in both tables."""
    lower, numbers = [], {}
    for measure, table in TABLES.items():
        ranked = ranks(values[measure].means(SIX))
        groups = [ranked[list(group)].mean(axis=1) for group in (GREEDY, SOPHISTICATED)]
        lower.append(bool(np.round(groups[0].mean() - groups[1].mean(), DECIMALS) < 0))
        numbers |= {
            f"{table}: greedy": float(groups[0].mean()),
            f"{table}: sophisticated": float(groups[1].mean()),
            f"{table}: data sets for greedy": int((groups[0] < groups[1]).sum()),
            f"{table}: data sets for sophisticated": int((groups[0] > groups[1]).sum()),
            f"{table}: p": signed_rank_test(groups[0], groups[1]).p_value,
        }
    return _in_both_tables(lower), numbers


def some_greedy_method_beats_the_genetic_algorithm(
    values: ByMeasure,
) -> tuple[VerdictName, Numbers]:
    """Some greedy method has a lower average rank than the genetic algorithm in both tables."""
    lower, numbers = [], {}
    for measure, table in TABLES.items():
        means = values[measure].means(SIX)
        average = ranks(means).mean()
        best = average[list(GREEDY)].idxmin()
        lower.append(bool(np.round(average[best] - average[GENETIC], DECIMALS) < 0))
        numbers |= {f"{table}: {METHODS[method]}": float(average[method]) for method in SIX}
        test = signed_rank_test(means[best], means[GENETIC])
        numbers[f"{table}: p of {METHODS[best]} and GA"] = test.p_value
    return _in_both_tables(lower), numbers


def _in_both_tables(holds: Sequence[bool]) -> VerdictName:
    if all(holds):
        return "reproduced"
    return "partly" if any(holds) else "not reproduced"


def _judge(
    rule: Callable[[ByMeasure], tuple[VerdictName, Numbers]],
    test: str,
    methods: Sequence[str],
    report: Report,
) -> Verdict:
    """Follow a rule if some data set has values of all its methods in both tables."""
    values = {measure: Values(report, measure) for measure in TABLES}
    complete = [set(values[measure].means(methods).index) for measure in TABLES]
    compared = [name for name in report.data_sets if all(name in part for part in complete)]
    if not compared:
        beside = " and of naive Bayes" if BASELINE in methods else ""
        return Verdict("not testable", note=f"No data set has values of all six methods{beside}.")
    verdict, numbers = rule(values)
    return Verdict(verdict, numbers, test, _note(report, compared))


def _note(report: Report, compared: Sequence[str]) -> str:
    missing = [name for name in report.data_sets if name not in compared]
    notes = [
        f"{len(compared)} of {len(report.data_sets)} data sets have values of all six methods."
    ]
    if missing:
        notes.append(f"Not compared: {', '.join(missing)}.")
    notes.append(report.substitutes(compared))
    return " ".join(filter(None, notes))


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


CLAIMS: dict[str, Callable[[Report], Verdict]] = {
    rule.__name__: partial(_judge, rule, test, methods)
    for rule, test, methods in (
        (every_method_improves_some_sets, STUDENT, (BASELINE, *SIX)),
        (linear_program_is_last, STUDENT, (BASELINE, *SIX)),
        (genetic_algorithm_is_best_under_costs, STUDENT, (BASELINE, *SIX)),
        (greedy_methods_beat_sophisticated_ones, RANKS, SIX),
        (some_greedy_method_beats_the_genetic_algorithm, RANKS, SIX),
    )
}
