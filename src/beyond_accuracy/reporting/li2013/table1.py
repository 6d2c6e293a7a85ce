"""Table 1: the data sets of the experiments, beside the published numbers."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from beyond_accuracy.published import published_table
from beyond_accuracy.reporting.data_set_names import data_set_label
from beyond_accuracy.reporting.li2013.methods import PAPER
from beyond_accuracy.reporting.li2013.values import data_notes
from beyond_accuracy.reporting.tables import UNAVAILABLE, Table, count, percent
from beyond_accuracy.results import PaperResults

QUANTITIES = {
    "n_features": "Features",
    "n_train": "Training examples",
    "n_test": "Test examples",
}
PUBLISHED = "published"


def table1(results: PaperResults, configuration: Mapping[str, Any]) -> Table:
    """Features and examples; the share of positives is added to the paper's columns."""
    published = {
        (row["data_set"], row["quantity"]): int(row["value"])
        for row in published_table(PAPER, "table1") or []
        if row["value"]
    }
    data_sets = results.data_set_names(configuration["data_sets"])
    rows, shown = [], {}
    for data_set in data_sets:
        record = results.record(data_set)
        available = record.get("status") == "ok"
        fits = results.fits[results.fits["data_set"] == data_set]
        row = {
            "data_set": data_set,
            "status": record.get("status"),
            "substitute_for": record.get("substitute_for"),
        }
        cells, below = {}, {}
        for quantity, label in QUANTITIES.items():
            found = record.get(f"{quantity}_found") if available else None
            known = published.get((data_set, quantity))
            row |= {quantity: found, f"published_{quantity}": known}
            cells[label] = count(found) if available else UNAVAILABLE
            below[label] = count(known)
        for part, label in (("train", "training"), ("test", "test")):
            share = _positives(fits, part) if available else None
            row[f"positives_{part}"] = share
            cells[f"Positive in {label} (%)"] = percent(share)
        rows.append(row)
        name = data_set_label(results, data_set)
        shown[name, ""] = cells
        if any(below.values()):
            shown[name, PUBLISHED] = below
    display = pd.DataFrame.from_dict(shown, orient="index").fillna("")
    display.index = pd.MultiIndex.from_tuples(list(shown), names=["Data set", ""])
    integers = [name for quantity in QUANTITIES for name in (quantity, f"published_{quantity}")]
    return Table(
        frame=pd.DataFrame(rows).astype(dict.fromkeys(integers, "Int64")),
        display=display,
        caption="Table 1. Data sets: features and examples, ours above the published numbers.",
        notes=(*_different(rows), *data_notes(results, data_sets)),
    )


def _different(rows) -> list[str]:
    found = []
    for row in rows:
        for quantity, label in QUANTITIES.items():
            ours, known = row[quantity], row[f"published_{quantity}"]
            if ours is not None and known is not None and ours != known:
                found.append(
                    f"{row['data_set']}: the paper has {known:,} {label.lower()}, the files at "
                    f"hand have {int(ours):,}."
                )
    return found


def _positives(fits: pd.DataFrame, part: str) -> float | None:
    shares = (fits[f"n_{part}_positives"] / fits[f"n_{part}"]).dropna()
    return float(shares.mean()) if len(shares) else None
