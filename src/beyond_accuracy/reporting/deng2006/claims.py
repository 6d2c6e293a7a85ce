"""The claims of the two papers; each rule stands, in words, in config/papers/deng2006.yaml."""

from collections.abc import Sequence

import numpy as np

from beyond_accuracy.reporting.claims import ClaimFunction, Evidence, Verdict
from beyond_accuracy.reporting.deng2006.across_data_sets import ranks
from beyond_accuracy.reporting.deng2006.methods import (
    AVERAGE_COST,
    ERROR_RATE,
    GENETIC,
    GREEDY,
    LABELS,
    LINEAR_PROGRAM,
    SIX,
    SOPHISTICATED,
)
from beyond_accuracy.reporting.deng2006.values import Tally, Values, tally
from beyond_accuracy.reporting.statistics import DECIMALS, signed_rank_test

TABLES = {ERROR_RATE: "Table 1", AVERAGE_COST: "Table 2"}
STUDENT = (
    "two-sided paired Student t at 5 % over folds, against naive Bayes; in brackets the corrected "
    "resampled t-test"
)
RANKS = "average ranks over the data sets; p by Wilcoxon's two-tailed signed-rank test"


def every_method_improves_some_sets(evidence: Evidence) -> Verdict:
    """Each of the six methods has a significant win in Table 1."""
    if missing := _nothing(evidence):
        return missing
    found = _tallies(evidence, ERROR_RATE)
    improving = sum(one.significant_wins > 0 for one in found.values())
    verdict = "reproduced" if improving == len(SIX) else "partly"
    if improving < 4:
        verdict = "not reproduced"
    return Verdict(verdict, _numbers("Table 1", found), STUDENT, _note(evidence))


def linear_program_is_last(evidence: Evidence) -> Verdict:
    """The linear program has the lowest ratio of significant wins to losses in both tables."""
    if missing := _nothing(evidence):
        return missing
    last, numbers = [], {}
    for measure, table in TABLES.items():
        found = _tallies(evidence, measure)
        others = [found[method].order for method in SIX if method != LINEAR_PROGRAM]
        last.append(found[LINEAR_PROGRAM].order < min(others))
        numbers |= _numbers(table, found)
    return Verdict(_both_one_none(last), numbers, STUDENT, _note(evidence))


def genetic_algorithm_is_best_under_costs(evidence: Evidence) -> Verdict:
    """The genetic algorithm has the highest ratio of significant wins to losses in Table 2."""
    if missing := _nothing(evidence):
        return missing
    found = _tallies(evidence, AVERAGE_COST)
    better = sum(found[method].order > found[GENETIC].order for method in SIX)
    verdict = {0: "reproduced", 1: "partly"}.get(better, "not reproduced")
    return Verdict(verdict, _numbers("Table 2", found), STUDENT, _note(evidence))


def greedy_methods_beat_sophisticated_ones(evidence: Evidence) -> Verdict:
    """The average rank of the greedy group is lower in both tables."""
    if missing := _nothing(evidence):
        return missing
    lower, numbers = [], {}
    for measure, table in TABLES.items():
        ranked = ranks(Values(evidence.results, measure).means(_data_sets(evidence), SIX))
        groups = [ranked[list(group)].mean(axis=1) for group in (GREEDY, SOPHISTICATED)]
        lower.append(bool(np.round(groups[0].mean() - groups[1].mean(), DECIMALS) < 0))
        numbers |= {
            f"{table}: greedy": float(groups[0].mean()),
            f"{table}: sophisticated": float(groups[1].mean()),
            f"{table}: data sets for greedy": int((groups[0] < groups[1]).sum()),
            f"{table}: data sets for sophisticated": int((groups[0] > groups[1]).sum()),
            f"{table}: p": signed_rank_test(groups[0], groups[1]).p_value,
        }
    return Verdict(_both_one_none(lower), numbers, RANKS, _note(evidence))


def some_greedy_method_beats_the_genetic_algorithm(evidence: Evidence) -> Verdict:
    """Some greedy method has a lower average rank than the genetic algorithm in both tables."""
    if missing := _nothing(evidence):
        return missing
    lower, numbers = [], {}
    for measure, table in TABLES.items():
        means = Values(evidence.results, measure).means(_data_sets(evidence), SIX)
        average = ranks(means).mean()
        difference = average[list(GREEDY)].min() - average[GENETIC]
        lower.append(bool(np.round(difference, DECIMALS) < 0))
        numbers |= {f"{table}: {LABELS[method]}": float(average[method]) for method in SIX}
        best = average[list(GREEDY)].idxmin()
        test = signed_rank_test(means[best], means[GENETIC])
        numbers[f"{table}: p of {LABELS[best]} and GA"] = test.p_value
    return Verdict(_both_one_none(lower), numbers, RANKS, _note(evidence))


CLAIMS: dict[str, ClaimFunction] = {
    function.__name__: function
    for function in (
        every_method_improves_some_sets,
        linear_program_is_last,
        genetic_algorithm_is_best_under_costs,
        greedy_methods_beat_sophisticated_ones,
        some_greedy_method_beats_the_genetic_algorithm,
    )
}


def _both_one_none(found: Sequence[bool]) -> str:
    if all(found):
        return "reproduced"
    return "partly" if any(found) else "not reproduced"


def _data_sets(evidence: Evidence) -> list[str]:
    return evidence.results.data_set_names(evidence.configuration["data_sets"])


def _compared(evidence: Evidence) -> list[str]:
    """Data sets on which all six methods have values in both tables."""
    data_sets = _data_sets(evidence)
    found = [Values(evidence.results, measure).means(data_sets, SIX).index for measure in TABLES]
    return [name for name in data_sets if all(name in index for index in found)]


def _nothing(evidence: Evidence) -> Verdict | None:
    if _compared(evidence):
        return None
    return Verdict("not testable", note="No data set has values of all six methods.")


def _note(evidence: Evidence) -> str:
    selected, compared = evidence.configuration["data_sets"], _compared(evidence)
    missing = [name for name in selected if name not in compared]
    notes = [f"{len(compared)} of {len(selected)} data sets have values of all six methods."]
    if missing:
        notes.append(f"Not compared: {', '.join(missing)}.")
    notes.append(evidence.substitutes(compared))
    return " ".join(filter(None, notes))


def _tallies(evidence: Evidence, measure: str) -> dict[str, Tally]:
    values = Values(evidence.results, measure)
    return {method: tally(values, _data_sets(evidence), method) for method in SIX}


def _numbers(table: str, found: dict[str, Tally]) -> dict[str, str | float]:
    numbers: dict[str, str | float] = {}
    for method, one in found.items():
        plain = f"{one.significant_wins}/{one.significant_losses}"
        corrected = f"{one.corrected_wins}/{one.corrected_losses}"
        numbers[f"{table}: {LABELS[method]}"] = f"{plain} ({corrected})"
        ratio = one.order[0]
        numbers[f"{table}: {LABELS[method]}, ratio"] = float(ratio) if np.isfinite(ratio) else "∞"
    return numbers
