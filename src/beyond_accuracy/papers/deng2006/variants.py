"""Tables on what the protocol leaves open: out-of-fold scores, other bases, averages."""

import numpy as np
import pandas as pd

from beyond_accuracy.papers.deng2006.names import (
    BASED,
    BASELINE,
    BASES,
    DESCENT,
    EXPECTED_COST,
    MEASURES,
    METHOD_NOTE,
    METHODS,
    OUT_OF_FOLD,
    REWEIGHTED,
    compared_measures,
    measured_value,
)
from beyond_accuracy.papers.deng2006.values import Values
from beyond_accuracy.reporting.formats import p_value, slashed, star_note
from beyond_accuracy.reporting.report import Report
from beyond_accuracy.reporting.statistics import count_signs, signed_rank_test
from beyond_accuracy.reporting.tables import Across, Column, Table


def table_out_of_fold(report: Report) -> Table:
    """Values of reweighters fitted to out-of-fold scores beside resubstitution's."""
    significance = report.configuration["significance"]
    n_folds = report.configuration["cross_validation"]["n_inner_folds"]
    rows = []
    for measure, of_measure in OUT_OF_FOLD.items():
        resubstituted, out_of_fold = report.once(Values, measure), report.once(Values, of_measure)
        for method in out_of_fold.methods(REWEIGHTED):
            sources = {
                "out_of_fold": out_of_fold.means([method])[method],
                "resubstitution": resubstituted.means([method])[method],
                "baseline": resubstituted.means([BASELINE])[BASELINE],
            }
            pairs = pd.DataFrame(sources).reindex(report.data_sets).dropna()
            first, second, baseline = (pairs[source] for source in sources)
            p = signed_rank_test(first, second, zero_method=significance["zero_method"]).p_value
            lower, wins, wins_of_second = (
                count_signs(*sides)[:2]
                for sides in ((second, first), (baseline, first), (baseline, second))
            )
            counts = *lower, p, *wins, *wins_of_second
            rows.append((measure, method, len(pairs), *pairs.mean(), *counts))
    columns = [
        *(
            "measure",
            "method",
            "n_data_sets",
            "mean_out_of_fold",
            "mean_resubstitution",
            "mean_baseline",
        ),
        *("out_of_fold_lower", "resubstitution_lower", "p_value", "out_of_fold_wins"),
        *("out_of_fold_losses", "resubstitution_wins", "resubstitution_losses"),
    ]
    beside = "Wins/losses against NB"
    counts = {
        f"{beside}, resubstitution": ("resubstitution_wins", "resubstitution_losses"),
        f"{beside}, out of fold": ("out_of_fold_wins", "out_of_fold_losses"),
        "Out of fold lower/higher": ("out_of_fold_lower", "resubstitution_lower"),
    }
    return Table(
        frame=pd.DataFrame(rows, columns=columns),
        index=[
            Column("Measure", "measure", MEASURES.get),
            Column("Method", "method", report.method_label),
        ],
        columns=[
            Column("Resubstitution", ("mean_resubstitution", "measure"), measured_value),
            Column("Out of fold", ("mean_out_of_fold", "measure"), measured_value),
            *(Column(title, names, slashed) for title, names in counts.items()),
            Column("p", "p_value", p_value(significance["stars"])),
        ],
        caption=(
            "Error rates in percent and average costs, averaged over the data sets, of reweighters "
            "fitted to the scores of the examples that naive Bayes was fitted to (resubstitution), "
            f"as in Tables 1 and 2, and to those of {n_folds}-fold cross-validation of the "
            "training part."
        ),
        notes=[
            "p: Wilcoxon's two-tailed signed-rank test over data sets, out of fold against "
            f"resubstitution; {star_note(significance['stars'])}.",
            METHOD_NOTE,
            *report.data_set_notes(report.data_sets),
        ],
    )


def table_base_classifiers(report: Report) -> Table:
    """Does re-weighting pay with modern base classifiers as it does with naive Bayes?"""
    bases = {name: base for name, (base, _) in BASED.items()}
    bases |= dict.fromkeys(("sequential", "genetic", DESCENT), BASELINE)
    bases |= {
        name: next(base for base in BASES if name.startswith(f"{base}_"))
        for name in report.methods(())
        if name.startswith(tuple(f"{base}_" for base in BASES))
    }
    methods = [name for name in report.methods(tuple(bases)) if name in bases]
    methods.sort(key=lambda name: [*BASES].index(bases[name]))
    others = [name for name in methods if bases[name] != BASELINE]
    rows = []
    measures = compared_measures(report)
    for measure in measures:
        values = report.once(Values, measure)
        for data_set in report.data_sets:
            if all(values.cell(data_set, method).status == "missing" for method in others):
                continue
            for method in methods:
                base = bases[method]
                cell = values.cell(data_set, method)
                _, test = values.tests(data_set, method, base)
                costs = EXPECTED_COST[base] if method != base else method
                _, beside = values.tests(data_set, method, costs)
                rows.append(
                    (
                        *(measure, data_set, method, cell.mean, test.p_value),
                        *(beside.difference, beside.p_value, cell.status != "missing"),
                        *(test.is_win, test.is_loss, beside.is_win, beside.is_loss),
                    )
                )
    columns = [
        *("measure", "data_set", "method", "value", "p_value_corrected", "minus_expected_cost"),
        *("p_value_corrected_expected_cost", "_fitted", "_+", "_−", "_‡", "_§"),
    ]

    def heading(method: str) -> str:
        _, rule = BASED.get(method, ("", report.method_label(method)))
        return f"{BASES[bases[method]]}\t{rule}"

    def content(value: float, measure: str, is_fitted: bool) -> str:
        return measured_value(value, measure) if is_fitted else ""

    marks = {f"_{mark}": mark for mark in "+−‡§"}
    cell = Column("", ("value", "measure", "_fitted"), content, marks=marks)
    return Table(
        frame=pd.DataFrame(rows, columns=columns),
        index=[Column("Measure", "measure", measures.get), report.data_set_column()],
        columns=[Across("method", heading, [cell])],
        caption=(
            "Re-weighting modern base classifiers beside naive Bayes (beyond the paper): error "
            "rates in percent and average costs of the same folds and cost matrices."
        ),
        notes=[
            "+ significantly lower, − significantly higher than the same base classifier without "
            "re-weighting, by the corrected t-test at 5 %.",
            "‡ significantly lower, § significantly higher than the class of least expected cost "
            "under the same base classifier's probabilities, by the same test (costs only).",
            "Gradient boosting: histogram-based trees, calibrated by a sigmoid in an inner "
            "cross-validation. Reweighters of the three modern classifiers are fitted to "
            "out-of-fold scores, since these are near certain of the examples they were fitted to.",
            METHOD_NOTE,
        ],
    )


ALL_DATA_SETS, WITH_BASES = "all", "with other base classifiers"


def table_averages(report: Report) -> Table:
    """Average each method over all data sets, and over those with other base classifiers."""
    rows = []
    for measure in MEASURES:
        values = report.once(Values, measure)
        present = [name for name in report.data_sets if values.cell(name, BASELINE).status == "ok"]
        others = [
            name
            for name in present
            if any(values.cell(name, base).status != "missing" for base in [*BASES][1:])
        ]
        for group, names in ((ALL_DATA_SETS, present), (WITH_BASES, others)):
            for method in values.methods([*METHODS]):
                means = [values.cell(name, method).mean for name in names]
                if names and not np.isnan(means).any():
                    rows.append((measure, group, len(names), method, float(np.mean(means))))
    columns = ["measure", "data_sets", "n_data_sets", "method", "value"]
    return Table(
        frame=pd.DataFrame(rows, columns=columns).astype({"value": "float64"}),
        index=[Column("Measure", "measure", MEASURES.get), Column("Data sets", "data_sets")],
        columns=[
            Across(
                "method", report.method_label, [Column("", ("value", "measure"), measured_value)]
            )
        ],
        caption=(
            "Error rates in percent and average costs, averaged over the data sets on which a "
            "method has all its values (beyond the paper)."
        ),
        notes=[METHOD_NOTE],
    )
