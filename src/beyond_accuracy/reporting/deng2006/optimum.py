"""How far each method stays from the exact optimum of the training objective, for three classes."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from beyond_accuracy.reporting.data_set_names import data_set_label, data_set_notes
from beyond_accuracy.reporting.deng2006.methods import (
    LABELS,
    METHOD_NOTE,
    OTHER_RULES,
    OUT_OF_FOLD,
    REWEIGHTED,
)
from beyond_accuracy.reporting.deng2006.values import selected_methods
from beyond_accuracy.reporting.tables import UNAVAILABLE, Table, count
from beyond_accuracy.results import PaperResults

EXACT = "exact_three_class"
# Differences of averages of whole numbers: anything smaller is rounding.
ROUNDING = 1e-9


def training_objectives(results: PaperResults) -> pd.DataFrame:
    """Equation (1) on the training scores, one row a fit of the exact method, one column a method.

    Index: data set, measure, task, fold. The fits to out-of-fold scores are other problems, and
    left out.
    """
    keys = ["data_set", "measure", "task", "fold"]
    fits = results.fits
    fits = fits[(fits["status"] == "ok") & (fits["measure"] != OUT_OF_FOLD)]
    wide = fits.pivot(index=keys, columns="method", values="objective")
    if EXACT not in wide:
        return wide.iloc[:0].assign(**{EXACT: []})
    return wide[wide[EXACT].notna()]


def table_optimum(results: PaperResults, configuration: Mapping[str, Any]) -> Table:
    """Excess over the optimum, and how often it is reached, or undercut by another kind of rule."""
    wide = training_objectives(results)
    methods = selected_methods(configuration, (*REWEIGHTED, "sequential_ascending"))
    data_sets = [
        name
        for name in results.data_set_names(configuration["data_sets"])
        if name in wide.index.get_level_values("data_set")
    ]
    rows, shown = [], {}
    for method in methods:
        cells = {}
        for data_set in [*data_sets, None]:
            own = wide if data_set is None else wide.xs(data_set, level="data_set")
            own = own[[EXACT, method]].dropna() if method in own else own.iloc[:0]
            row = {"method": method, "data_set": data_set or "all", "n_fits": len(own)}
            if len(own):
                excess = own[method] - own[EXACT]
                row |= {
                    "relative_excess": float(excess.mean() / own[EXACT].mean()),
                    "largest_excess": float(excess.max()),
                    "at_optimum": float((excess.abs() <= ROUNDING).mean()),
                    "below_optimum": float((excess < -ROUNDING).mean()),
                    "n_below": int((excess < -ROUNDING).sum()),
                }
            rows.append(row)
            label = "All" if data_set is None else data_set_label(results, data_set)
            cells[label] = _shown(row, method)
        shown[LABELS[method]] = cells
    below = [row for row in rows if row.get("n_below") and row["method"] not in OTHER_RULES]
    check = (
        "No method that returns a weight vector is ever below the optimum."
        if not below
        else "Below the optimum though they return weight vectors, which must not be: "
        + ", ".join(f"{LABELS[row['method']]} on {row['data_set']}" for row in below)
    )
    fits = count(len(wide)) or "0"
    return Table(
        frame=pd.DataFrame(rows),
        display=pd.DataFrame.from_dict(shown, orient="index"),
        caption=(
            "Average cost on the training scores, equation (1), above the exact optimum over "
            "weight vectors, in percent of the optimum; in brackets the share of fits at the "
            f"optimum and, after a slash, below it. {fits} fits of all three-class data sets, "
            "folds, and costs."
        ),
        notes=(
            check,
            "OG and MC decide by other rules than weight vectors, and may lie below.",
            "The exact optimum for a constant number of classes: Bourke et al., Machine Learning "
            "71, 2008.",
            METHOD_NOTE,
            *data_set_notes(results, data_sets),
        ),
    )


def _shown(row: Mapping[str, Any], method: str) -> str:
    if not row["n_fits"]:
        return UNAVAILABLE
    excess = 100 * row["relative_excess"]
    text = f"{excess:+.2f}" if np.isfinite(excess) else UNAVAILABLE
    shares = f"{row['at_optimum']:.0%}"
    if method in OTHER_RULES:
        shares += f"/{row['below_optimum']:.0%}"
    return f"{text} ({shares})".replace("-", "−")
