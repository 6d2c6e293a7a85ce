"""Table 1: the text and other collections of the experiments."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from beyond_accuracy.published import published_table
from beyond_accuracy.reporting.comparison import training_positives
from beyond_accuracy.reporting.joachims2005.methods import collection_label, collection_notes
from beyond_accuracy.reporting.results import PaperResults
from beyond_accuracy.reporting.tables import UNAVAILABLE, Table, count

QUANTITIES = {
    "n_classes": "Classes",
    "n_train": "Training examples",
    "n_test": "Test examples",
    "n_features": "Features",
}


def table1(results: PaperResults, configuration: Mapping[str, Any]) -> Table:
    """Sizes of the collections, ours beside the paper's where these are known."""
    data_sets = results.data_set_names(configuration["data_sets"])
    published = {
        (row["data_set"], row["quantity"]): float(row["value"])
        for row in published_table("joachims2005", "table1") or []
        if row["value"]
    }
    rows, shown = [], {}
    for data_set in data_sets:
        record = results.record(data_set)
        available = record.get("status") == "ok"
        positives = training_positives(results.fits, data_set)
        row = {"data_set": data_set, "status": record.get("status")}
        row |= {"substitute_for": record.get("substitute_for")}
        cells: dict[tuple[str, str], str] = {}
        for quantity, label in QUANTITIES.items():
            value = record.get(f"{quantity}_found") if available else None
            theirs = published.get((data_set, quantity))
            row |= {quantity: value, f"published_{quantity}": theirs}
            cells[label, "ours"] = count(value) if available else UNAVAILABLE
            if published:
                cells[label, "published"] = count(theirs)
        spread = positives.quantile([0, 0.5, 1]).tolist() if len(positives) else [None] * 3
        row |= dict(
            zip(
                ("min_positives", "median_positives", "max_positives"),
                spread,
                strict=True,
            )
        )
        cells["Training positives of a class", "least / median / most"] = (
            " / ".join(map(_positives, spread)) if len(positives) else UNAVAILABLE
        )
        rows.append(row)
        shown[collection_label(results, data_set)] = cells
    notes = collection_notes(results, data_sets)
    if published:
        notes += ("Published: as far as the paper's sizes are known; empty where they are not.",)
    else:
        notes += ("The sizes that the paper prints are not at hand: published columns are empty.",)
    integers = [name for name in pd.DataFrame(rows).columns if name.endswith(tuple(QUANTITIES))]
    return Table(
        frame=pd.DataFrame(rows).astype(dict.fromkeys(integers, "Int64")),
        display=pd.DataFrame.from_dict(shown, orient="index"),
        caption="Table 1. Collections: classes, examples and features.",
        notes=notes,
    )


def _positives(value: float) -> str:
    """Show a number of examples; the median of an even number of classes may end in one half."""
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.1f}"
