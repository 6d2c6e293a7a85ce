"""Tables over all data sets: signed-rank tests of pairs, average ranks, and the two papers."""

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import scipy

from beyond_accuracy.reporting.data_set_names import data_set_label, data_set_notes
from beyond_accuracy.reporting.deng2006.methods import (
    AVERAGE_COST,
    BASELINE,
    ERROR_RATE,
    GENETIC,
    GREEDY,
    LABELS,
    LEVEL,
    METHOD_NOTE,
    SIX,
    SOPHISTICATED,
)
from beyond_accuracy.reporting.deng2006.values import Values, selected_methods, tally
from beyond_accuracy.reporting.statistics import (
    DECIMALS,
    count_signs,
    holm,
    signed_rank_test,
)
from beyond_accuracy.reporting.tables import (
    UNAVAILABLE,
    Table,
    p_value,
    star_note,
)
from beyond_accuracy.results import PaperResults

MEASURE_LABELS = {ERROR_RATE: "Error rate", AVERAGE_COST: "Average cost"}


def ranks(means: pd.DataFrame) -> pd.DataFrame:
    """Rank of each method on each data set, 1 for the lowest value; equal values share theirs."""
    return means.round(DECIMALS).rank(axis=1)


def table_wilcoxon(results: PaperResults, configuration: Mapping[str, Any]) -> Table:
    """Wilcoxon's signed-rank test over data sets, for each pair of methods."""
    levels = configuration["significance"]["stars"]
    zero_method = configuration["significance"]["zero_method"]
    data_sets = results.data_set_names(configuration["data_sets"])
    methods = selected_methods(configuration, (BASELINE, *SIX))
    rows, shown = [], {}
    for measure, measure_label in MEASURE_LABELS.items():
        values = Values(results, measure)
        own = []
        for first, second in combinations(methods, 2):
            means = values.means(data_sets, (first, second))
            test = signed_rank_test(means[first], means[second], zero_method=zero_method)
            counts = count_signs(means[second], means[first])
            own.append(
                {
                    "measure": measure,
                    "first": first,
                    "second": second,
                    "n_data_sets": len(means),
                    "first_lower": counts.wins,
                    "second_lower": counts.losses,
                    "equal": counts.ties,
                    "p_value": test.p_value,
                }
            )
        for row, corrected in zip(own, holm([row["p_value"] for row in own]), strict=True):
            row["p_value_holm"] = corrected
            pair = f"{LABELS[row['first']]} : {LABELS[row['second']]}"
            cells = shown.setdefault(pair, {})
            cells[measure_label, "Lower : lower : equal"] = (
                f"{row['first_lower']} : {row['second_lower']} : {row['equal']}"
            )
            cells[measure_label, "p"] = p_value(row["p_value"], levels)
            cells[measure_label, "p, Holm"] = p_value(row["p_value_holm"], levels)
        rows += own
    display = pd.DataFrame.from_dict(shown, orient="index")
    display.columns = pd.MultiIndex.from_tuples(display.columns)
    return Table(
        frame=pd.DataFrame(rows),
        display=display,
        caption=(
            "Pairs of methods over the data sets: on how many the first, the second, or neither "
            "has the lower average, and Wilcoxon's two-tailed signed-rank test."
        ),
        notes=(
            f"{star_note(levels)}. Holm's correction is over the pairs of one measure; zero "
            f"differences: {zero_method!r}. LP stands in its normalized form.",
            METHOD_NOTE,
            *data_set_notes(results, data_sets),
        ),
    )


def table_ranks(results: PaperResults, configuration: Mapping[str, Any]) -> Table:
    """Average ranks over the data sets, and what each method wins against naive Bayes."""
    data_sets = results.data_set_names(configuration["data_sets"])
    methods = selected_methods(configuration, (BASELINE, *SIX))
    rows, tests = [], []
    shown = {LABELS[method]: {} for method in methods}
    for measure, measure_label in MEASURE_LABELS.items():
        values = Values(results, measure)
        means = values.means(data_sets, methods)
        average = ranks(means).mean()
        if len(means) > 1 and len(methods) > 2 and ranks(means).nunique(axis=1).max() > 1:
            test = scipy.stats.friedmanchisquare(
                *(means[method].round(DECIMALS) for method in methods)
            )
            tests.append(f"{measure_label.lower()} p = {test.pvalue:.2g}")
        for method in methods:
            found = tally(values, data_sets, method)
            rows.append(
                {
                    "measure": measure,
                    "method": method,
                    "n_data_sets": len(means),
                    "average_rank": average[method],
                    **vars(found),
                }
            )
            against = method != BASELINE
            ratio = f"{found.significant_wins}/{found.significant_losses}"
            corrected = f"{found.corrected_wins}/{found.corrected_losses}"
            shown[LABELS[method]] |= {
                (measure_label, "Average rank"): UNAVAILABLE
                if pd.isna(average[method])
                else f"{average[method]:.2f}",
                (measure_label, "Significant"): ratio if against else "",
                (measure_label, "Corrected"): corrected if against else "",
            }
    display = pd.DataFrame.from_dict(shown, orient="index")
    display.columns = pd.MultiIndex.from_tuples(display.columns)
    return Table(
        frame=pd.DataFrame(rows),
        display=display,
        caption=(
            "Average ranks over the data sets (1: lowest), and significant wins/losses against NB "
            "by Student's and by the corrected t-test."
        ),
        notes=(
            f"Friedman's test that all methods are alike: {', '.join(tests) or 'no data'}.",
            METHOD_NOTE,
            *data_set_notes(results, data_sets),
        ),
    )


def table_two_papers(results: PaperResults, configuration: Mapping[str, Any]) -> Table:
    """Greedy methods against the sophisticated ones and against the GA, by data set and overall."""
    zero_method = configuration["significance"]["zero_method"]
    data_sets = results.data_set_names(configuration["data_sets"])
    rows = []
    shown: dict[str, dict] = {data_set_label(results, name): {} for name in data_sets}
    verdicts: dict[tuple[str, str], list[str]] = {}
    answers = []
    for measure, measure_label in MEASURE_LABELS.items():
        values = Values(results, measure)
        means = values.means(data_sets, SIX)
        ranked = ranks(means)
        answers.append(overall_answer(measure_label, means, zero_method))
        for data_set in data_sets:
            cells = shown[data_set_label(results, data_set)]
            if data_set not in means.index:
                continue
            greedy = float(ranked.loc[data_set, list(GREEDY)].mean())
            other = float(ranked.loc[data_set, list(SOPHISTICATED)].mean())
            best = min(GREEDY, key=lambda method: ranked.loc[data_set, method])
            test = values.paired(data_set, best, GENETIC)
            corrected = values.corrected(data_set, best, GENETIC)
            groups = _lower(greedy, other, "greedy", "sophisticated")
            single = _lower(test.difference, 0.0, LABELS[best], LABELS[GENETIC])
            rows.append(
                {
                    "data_set": data_set,
                    "measure": measure,
                    "rank_greedy": greedy,
                    "rank_sophisticated": other,
                    "groups": groups,
                    "best_greedy": best,
                    "best_greedy_minus_genetic": test.difference,
                    "p_value": test.p_value,
                    "p_value_corrected": corrected.p_value,
                }
            )
            verdicts.setdefault((measure_label, "groups"), []).append(groups)
            lower = "GA" if single == LABELS[GENETIC] else "greedy" if single != "equal" else single
            verdicts.setdefault((measure_label, "single"), []).append(lower)
            cells[measure_label, "Rank, greedy : sophisticated"] = f"{greedy:.2f} : {other:.2f}"
            cells[measure_label, "Lower"] = groups
            cells[measure_label, "Best greedy or GA"] = single + _mark(test, corrected)
    return Table(
        frame=pd.DataFrame(rows),
        display=_display(shown),
        caption=(
            "Which of the two papers is right, by data set: average ranks (1 to 6) of the greedy "
            f"methods ({_names(GREEDY)}) and of the sophisticated ones ({_names(SOPHISTICATED)}), "
            "and the lower of the best greedy method and the GA."
        ),
        notes=(
            *answers,
            *(_summary(key, found) for key, found in verdicts.items()),
            "p: Wilcoxon's two-tailed signed-rank test over data sets, which speak for a paper "
            "only if it is below 5 %. The first paper found the GA best, the later one that greedy "
            "methods beat sophisticated ones.",
            "* significantly lower by Student's t (5 %), ** by the corrected test too. The best "
            "greedy method is picked on the test folds: the comparison favours it.",
            *data_set_notes(results, data_sets),
        ),
    )


def overall_answer(measure: str, means: pd.DataFrame, zero_method: str) -> str:
    """Which paper the means of SIX on all data sets speak for, by groups and by single methods."""
    if means.empty:
        return f"Overall, {measure.lower()}: no data set has values of all six methods."
    ranked = ranks(means)
    groups = [ranked[list(group)].mean(axis=1) for group in (GREEDY, SOPHISTICATED)]
    average = ranked.mean()
    best = average[list(GREEDY)].idxmin()
    of_groups = signed_rank_test(*groups, zero_method=zero_method).p_value
    of_methods = signed_rank_test(means[best], means[GENETIC], zero_method=zero_method).p_value
    greedy, other = groups[0].mean(), groups[1].mean()
    return (
        f"Overall, {measure.lower()}: the groups speak for {_paper(greedy, other, of_groups)} "
        f"(average rank of greedy {greedy:.2f}, of sophisticated methods {other:.2f}; "
        f"{_probability(of_groups)}), the best greedy method and the GA for "
        f"{_paper(average[best], average[GENETIC], of_methods)} (average rank of {LABELS[best]} "
        f"{average[best]:.2f}, of {LABELS[GENETIC]} {average[GENETIC]:.2f}; "
        f"{_probability(of_methods)})."
    )


def _paper(greedy, other, probability) -> str:
    difference = np.round(greedy - other, DECIMALS)
    if difference == 0 or not probability < LEVEL:
        return "neither paper"
    return "the later paper" if difference < 0 else "the first paper"


def _probability(value) -> str:
    return "too few differences for a test" if pd.isna(value) else f"p = {value:.2g}"


def _display(shown) -> pd.DataFrame:
    columns = list(dict.fromkeys(column for cells in shown.values() for column in cells))
    display = pd.DataFrame.from_dict(
        {label: [cells.get(column, UNAVAILABLE) for column in columns]
         for label, cells in shown.items()},
        orient="index",
    )  # fmt: skip
    if columns:
        display.columns = pd.MultiIndex.from_tuples(columns)
    return display


def _names(methods) -> str:
    return ", ".join(LABELS[method] for method in methods)


def _lower(first, second, first_name, second_name) -> str:
    difference = np.round(first - second, DECIMALS)
    return first_name if difference < 0 else second_name if difference > 0 else "equal"


def _mark(test, corrected) -> str:
    if test.p_value >= 0.05:
        return ""
    return "**" if corrected.p_value < 0.05 else "*"


def _summary(key, found) -> str:
    measure, kind = key
    counts = {name: found.count(name) for name in dict.fromkeys(found)}
    listing = ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))
    of = "groups by average rank" if kind == "groups" else "best greedy method and GA"
    return f"{measure}, {of}, number of data sets with the lower value: {listing}."
