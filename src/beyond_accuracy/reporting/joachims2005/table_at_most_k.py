"""What the constraint on k does to recall at k: exactly k, at most k, and the baseline."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from beyond_accuracy.measures import get_measure
from beyond_accuracy.reporting.comparison import Pair, compare
from beyond_accuracy.reporting.joachims2005.methods import (
    METHOD_LABELS,
    PAIR,
    collection_label,
    collection_notes,
)
from beyond_accuracy.reporting.results import PaperResults
from beyond_accuracy.reporting.tables import Table, count, p_value, percent

MEASURE = "recall_at_2p"
AT_MOST_K = "multivariate_svm_at_most_k"


def table_at_most_k(results: PaperResults, configuration: Mapping[str, Any]) -> Table:
    """Macro-averages of Rec@2p under both constraints, and at most k against the baseline."""
    zero_method = configuration["significance"]["zero_method"]
    levels = configuration["significance"]["stars"]
    data_sets = results.data_set_names(configuration["data_sets"])
    fitted = set(results.measurements["method"])
    rows, shown = [], {}
    for data_set in data_sets:
        exactly, at_most = (
            compare(
                results.measurements,
                data_set,
                MEASURE,
                Pair(method, PAIR.baseline),
                zero_method=zero_method,
            )
            if method in fitted
            else None
            for method in (PAIR.proposed, AT_MOST_K)
        )
        row = {
            "data_set": data_set,
            "n_tasks": at_most.n_tasks if at_most else 0,
            PAIR.proposed: exactly.average(PAIR.proposed) if exactly else float("nan"),
            AT_MOST_K: float("nan"),
            PAIR.baseline: exactly.average(PAIR.baseline) if exactly else float("nan"),
            "wins": 0,
            "losses": 0,
            "p_value": float("nan"),
        }
        if at_most and at_most.available:
            row |= {
                AT_MOST_K: at_most.average(AT_MOST_K),
                PAIR.baseline: at_most.average(PAIR.baseline),
                "wins": at_most.counts.wins,
                "losses": at_most.counts.losses,
                "p_value": at_most.test.p_value,
            }
        rows.append(row)
        shown[collection_label(results, data_set)] = {
            "Classes": count(row["n_tasks"]),
            "Exactly k": percent(row[PAIR.proposed]),
            "At most k": percent(row[AT_MOST_K]),
            METHOD_LABELS[PAIR.baseline]: percent(row[PAIR.baseline]),
            "Wins / losses": f"{row['wins']} / {row['losses']}",
            "p": p_value(row["p_value"], levels),
        }
    label = get_measure(MEASURE).label
    return Table(
        frame=pd.DataFrame(rows),
        display=pd.DataFrame.from_dict(shown, orient="index"),
        caption=(
            f"Macro-averages of {label} in percent: the multivariate SVM over labellings with "
            "exactly k predicted positives, as the paper writes, and with at most k, as SVM-perf "
            f"has it, beside the {METHOD_LABELS[PAIR.baseline]}."
        ),
        notes=(
            "With exactly k = 2p the true labelling is not admissible: w = 0 with the intercept "
            "−n/p already has no loss, so that nothing is learned at large C.",
            "Wins, losses and p (Wilcoxon): at most k against the cost model, over classes.",
            *collection_notes(results, data_sets),
        ),
    )
