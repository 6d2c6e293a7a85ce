"""How far each method stays from the exact optimum of the training objective, for three classes."""

import numpy as np
import pandas as pd

from beyond_accuracy_pipeline.papers.deng2006.names import (
    DESCENT,
    EXACT,
    METHOD_NOTE,
    METHODS,
    OTHER_RULES,
    REWEIGHTED,
)
from beyond_accuracy_pipeline.papers.deng2006.values import training_objectives
from beyond_accuracy_pipeline.reporting.formats import UNAVAILABLE
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.reporting.tables import Across, Column, Table

# Differences of averages of whole numbers: anything smaller is rounding.
ROUNDING = 1e-9

# What a method has to share with the exact one for its objective to be of the same problem.
PROBLEM = ("estimator", "parameters", "calibration", "training_scores")

ALL = "all"
STATISTICS = (
    *("n_fits", "relative_excess", "largest_excess", "at_optimum", "below_optimum", "n_below"),
)


def table_optimum(report: Report) -> Table:
    """Excess over the optimum, and how often it is reached, or undercut by another kind of rule."""
    objectives = training_objectives(report.results.fits)
    objectives = objectives.reindex(columns=list(dict.fromkeys([EXACT, *objectives])))
    objectives = objectives[objectives[EXACT].notna()]
    settings = {EXACT: {}, **report.configuration["methods"]}
    methods = [
        name
        for name in report.methods((*REWEIGHTED, DESCENT))
        if name in (*REWEIGHTED, DESCENT)
        or name in objectives
        and all(settings[name].get(key) == settings[EXACT].get(key) for key in PROBLEM)
    ]
    of_data_set = objectives.index.get_level_values("data_set")
    data_sets = [name for name in report.data_sets if name in of_data_set]
    rows = [
        (method, data_set, *_excess(objectives.reindex(columns=[EXACT, method])[inside]))
        for method in methods
        for data_set, inside in [
            *((name, of_data_set == name) for name in data_sets),
            (ALL, slice(None)),
        ]
    ]
    frame = pd.DataFrame(rows, columns=["method", "data_set", *STATISTICS])
    frame["_rule"] = [name in OTHER_RULES or name not in METHODS for name in frame["method"]]
    below = frame[(frame["n_below"] > 0) & ~frame["_rule"]]
    check = "No method that returns a weight vector is ever below the optimum."
    if len(below):
        check = "Below the optimum though they return weight vectors, which must not be: "
        check += ", ".join(f"{METHODS[row.method]} on {row.data_set}" for row in below.itertuples())
    shares = ("n_fits", "relative_excess", "at_optimum", "below_optimum", "_rule")
    return Table(
        frame=frame,
        index=[Column("Method", "method", report.method_label)],
        columns=[
            Across(
                "data_set",
                lambda name: "All" if name == ALL else report.label(name),
                [Column("", shares, _shares)],
            )
        ],
        caption=(
            "Average cost on the training scores, equation (1), above the exact optimum over "
            "weight vectors, in percent of the optimum; in brackets the share of fits at the "
            f"optimum and, after a slash, below it. {len(objectives):,} fits of all three-class "
            "data sets, folds, and costs."
        ),
        notes=[
            check,
            "OG and MC decide by other rules than weight vectors, and may lie below.",
            "The exact optimum for a constant number of classes: Bourke et al., Machine Learning "
            "71, 2008.",
            METHOD_NOTE,
        ],
    )


def _excess(objectives: pd.DataFrame) -> tuple[float, ...]:
    """Compare the objectives of a method (second column) with the optimum (first)."""
    optimum, objective = (column for _, column in objectives.dropna().items())
    excess = objective - optimum
    if excess.empty:
        return 0, *[np.nan] * 5
    below = excess < -ROUNDING
    return (
        *(len(excess), float(excess.mean() / optimum.mean()), float(excess.max())),
        *(float((excess.abs() <= ROUNDING).mean()), float(below.mean()), int(below.sum())),
    )


def _shares(n_fits: int, excess: float, at: float, below: float, other_rule: bool) -> str:
    if not n_fits:
        return UNAVAILABLE
    relative = f"{100 * excess:+.2f}" if np.isfinite(excess) else UNAVAILABLE
    return f"{relative} ({at:.0%}{f'/{below:.0%}' if other_rule else ''})".replace("-", "−")
