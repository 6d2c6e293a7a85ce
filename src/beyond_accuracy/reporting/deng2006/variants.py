"""Tables on what the protocol leaves open: out-of-fold scores, orders of classes, another base."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from beyond_accuracy.reporting.data_set_names import data_set_label, data_set_notes
from beyond_accuracy.reporting.deng2006.methods import (
    AVERAGE_COST,
    BASELINE,
    ERROR_RATE,
    LABELS,
    LEVEL,
    METHOD_NOTE,
    OUT_OF_FOLD,
    REWEIGHTED,
)
from beyond_accuracy.reporting.deng2006.significance import PairedTest
from beyond_accuracy.reporting.deng2006.values import Values, selected_methods, tally
from beyond_accuracy.reporting.statistics import count_signs, signed_rank_test
from beyond_accuracy.reporting.tables import UNAVAILABLE, Table, p_value, percent, star_note
from beyond_accuracy.results import PaperResults

BOOSTING = "gradient_boosting"
EXPECTED_COST = {
    BASELINE: "naive_bayes_expected_cost",
    BOOSTING: "gradient_boosting_expected_cost",
}
BOOSTED = (
    EXPECTED_COST[BOOSTING],
    "gradient_boosting_sequential",
    "gradient_boosting_genetic",
)


def table_out_of_fold(results: PaperResults, configuration: Mapping[str, Any]) -> Table:
    """Error rates of reweighters fitted to out-of-fold scores beside resubstitution's."""
    levels = configuration["significance"]["stars"]
    zero_method = configuration["significance"]["zero_method"]
    data_sets = results.data_set_names(configuration["data_sets"])
    resubstituted, out_of_fold = Values(results, ERROR_RATE), Values(results, OUT_OF_FOLD)
    rows, shown = [], {}
    for method in selected_methods(configuration, REWEIGHTED):
        pairs = pd.DataFrame(
            {
                "out_of_fold": [out_of_fold.mean(name, method) for name in data_sets],
                "resubstitution": [resubstituted.mean(name, method) for name in data_sets],
                "baseline": [resubstituted.mean(name, BASELINE) for name in data_sets],
            },
            index=data_sets,
        ).dropna()
        columns = [pairs[name] for name in ("out_of_fold", "resubstitution", "baseline")]
        counts = count_signs(columns[1], columns[0])
        test = signed_rank_test(*columns[:2], zero_method=zero_method)
        against = [count_signs(columns[2], column) for column in columns[:2]]
        rows.append(
            {
                "method": method,
                "n_data_sets": len(pairs),
                **{f"mean_{name}": pairs[name].mean() for name in pairs},
                "out_of_fold_lower": counts.wins,
                "resubstitution_lower": counts.losses,
                "p_value": test.p_value,
                "out_of_fold_wins": against[0].wins,
                "out_of_fold_losses": against[0].losses,
                "resubstitution_wins": against[1].wins,
                "resubstitution_losses": against[1].losses,
            }
        )
        shown[LABELS[method]] = {
            "Resubstitution": percent(pairs["resubstitution"].mean()),
            "Out of fold": percent(pairs["out_of_fold"].mean()),
            "Wins/losses against NB, resubstitution": f"{against[1].wins}/{against[1].losses}",
            "Wins/losses against NB, out of fold": f"{against[0].wins}/{against[0].losses}",
            "Out of fold lower/higher": f"{counts.wins}/{counts.losses}",
            "p": p_value(test.p_value, levels),
        }
    return Table(
        frame=pd.DataFrame(rows),
        display=pd.DataFrame.from_dict(shown, orient="index"),
        caption=(
            "Error rates in percent, averaged over the data sets, of reweighters fitted to the "
            "scores of the examples that naive Bayes was fitted to (resubstitution), as in Table "
            f"1, and to those of {configuration['cross_validation']['n_inner_folds']}-fold "
            "cross-validation of the training part."
        ),
        notes=(
            "p: Wilcoxon's two-tailed signed-rank test over data sets, out of fold against "
            f"resubstitution; {star_note(levels)}.",
            METHOD_NOTE,
            *data_set_notes(results, data_sets),
        ),
    )


def table_class_orders(results: PaperResults, configuration: Mapping[str, Any]) -> Table:
    """The sequential method with frequent or with rare classes first."""
    methods = selected_methods(configuration, (BASELINE, "sequential", "sequential_ascending"))
    data_sets = results.data_set_names(configuration["data_sets"])
    rows, shown = [], {data_set_label(results, name): {} for name in data_sets}
    by_measure = {measure: Values(results, measure) for measure in (ERROR_RATE, AVERAGE_COST)}
    foot: dict[tuple[str, str], str] = {}
    for measure, label in ((ERROR_RATE, "Error rate"), (AVERAGE_COST, "Average cost")):
        values = by_measure[measure]
        for method in methods:
            for data_set in data_sets:
                mean = values.mean(data_set, method)
                rows.append(
                    {"measure": measure, "data_set": data_set, "method": method, "value": mean}
                )
                shown[data_set_label(results, data_set)][label, _order(method)] = _value(
                    mean, measure
                )
            found = tally(values, data_sets, method)
            foot[label, _order(method)] = (
                "" if method == BASELINE else f"{found.significant_wins}/{found.significant_losses}"
            )
    shown["Significant wins/losses"] = foot
    display = pd.DataFrame.from_dict(shown, orient="index")
    display.columns = pd.MultiIndex.from_tuples(display.columns)
    return Table(
        frame=pd.DataFrame(rows),
        display=display,
        caption=(
            "The order in which the sequential method (LF) takes the classes: frequent ones first, "
            "as in Tables 1 and 2, or rare ones first. Error rates in percent."
        ),
        notes=("Foot: against NB by Student's t.", *data_set_notes(results, data_sets)),
    )


def _order(method: str) -> str:
    names = {"sequential": "LF, frequent first", "sequential_ascending": "LF, rare first"}
    return names.get(method, LABELS[method])


def table_gradient_boosting(results: PaperResults, configuration: Mapping[str, Any]) -> Table:
    """Does re-weighting pay with calibrated gradient boosting as it does with naive Bayes?"""
    methods = (BASELINE, EXPECTED_COST[BASELINE], "sequential", "genetic", BOOSTING, *BOOSTED)
    methods = selected_methods(configuration, methods)
    data_sets = [
        name
        for name in results.data_set_names(configuration["data_sets"])
        if (results.measurements.query("data_set == @name")["method"] == BOOSTING).any()
    ]
    rows, shown = [], {}
    for measure, measure_label in ((ERROR_RATE, "Error rate"), (AVERAGE_COST, "Average cost")):
        values = Values(results, measure)
        for data_set in data_sets:
            cells = shown.setdefault((measure_label, data_set_label(results, data_set)), {})
            for method in methods:
                own = BOOSTING if method.startswith(BOOSTING) else BASELINE
                test = None if method == own else values.corrected(data_set, method, own)
                weighed = (
                    None
                    if method in (own, EXPECTED_COST[own])
                    else values.corrected(data_set, method, EXPECTED_COST[own])
                )
                mean = values.mean(data_set, method)
                rows.append(
                    {
                        "measure": measure,
                        "data_set": data_set,
                        "method": method,
                        "value": mean,
                        "p_value_corrected": None if test is None else test.p_value,
                        "minus_expected_cost": None if weighed is None else weighed.difference,
                        "p_value_corrected_expected_cost": (
                            None if weighed is None else weighed.p_value
                        ),
                    }
                )
                marks = _mark(test, "+", "−") + _mark(weighed, "‡", "§")
                absent = values.cell(data_set, method).status == "missing"
                cells[_base(method)] = "" if absent else _value(mean, measure) + marks
    display = pd.DataFrame.from_dict(shown, orient="index")
    if shown:
        display.columns = pd.MultiIndex.from_tuples(display.columns)
        display.index = pd.MultiIndex.from_tuples(list(shown), names=["Measure", "Data set"])
    return Table(
        frame=pd.DataFrame(rows),
        display=display,
        caption=(
            "Re-weighting calibrated gradient boosting beside naive Bayes (beyond the paper): "
            "error rates in percent and average costs of the same folds and cost matrices."
        ),
        notes=(
            "+ significantly lower, − significantly higher than the same base classifier without "
            "re-weighting, by the corrected t-test at 5 %.",
            "‡ significantly lower, § significantly higher than the class of least expected cost "
            "under the same base classifier's probabilities, by the same test (costs only).",
            "Gradient boosting: histogram-based trees, calibrated by a sigmoid in an inner "
            "cross-validation; its reweighters are fitted to out-of-fold scores, since it is near "
            "certain of the examples it was fitted to.",
            *data_set_notes(results, data_sets),
        ),
    )


def _mark(test: PairedTest | None, lower: str, higher: str) -> str:
    if test is None:
        return ""
    return lower if test.is_win(LEVEL) else higher if test.is_loss(LEVEL) else ""


def _base(method: str) -> tuple[str, str]:
    if method == BOOSTING:
        return ("Gradient boosting", "as it is")
    if method.startswith(BOOSTING):
        return ("Gradient boosting", LABELS[method])
    names = {BASELINE: "as it is", EXPECTED_COST[BASELINE]: "least expected cost"}
    return ("Naive Bayes", names.get(method, LABELS[method]))


def _value(mean: float, measure: str) -> str:
    if measure == ERROR_RATE:
        return percent(mean)
    return UNAVAILABLE if pd.isna(mean) else f"{mean:.3f}"
