"""Table 2: the data sets of the experiments."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from beyond_accuracy.reporting.cheng2016.methods import NOT_THE_PAPER
from beyond_accuracy.reporting.data_set_names import data_set_label, data_set_notes
from beyond_accuracy.reporting.tables import UNAVAILABLE, Table, count, percent
from beyond_accuracy.results import PaperResults


def table2(results: PaperResults, configuration: Mapping[str, Any]) -> Table:
    """Examples, features and the share of the rarer class."""
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
        cells = {}
        for part, label in (("train", "Training"), ("test", "Test")):
            n = record.get(f"n_{part}_found") if available else None
            share = _minority(fits, part) if available else None
            row |= {f"n_{part}": n, f"minority_{part}": share}
            cells[f"{label} examples"] = count(n) if available else UNAVAILABLE
            cells[f"Minority in {label.lower()} (%)"] = percent(share)
        features = record.get("n_features_found") if available else None
        row["n_features"] = features
        cells["Features"] = count(features) if available else UNAVAILABLE
        rows.append(row)
        shown[data_set_label(results, data_set)] = cells
    frame = pd.DataFrame(rows)
    integers = ["n_train", "n_test", "n_features"]
    return Table(
        frame=frame.astype(dict.fromkeys(integers, "Int64")),
        display=pd.DataFrame.from_dict(shown, orient="index"),
        caption="Table 2. Data sets: examples, features and the share of the rarer class.",
        notes=(
            "Of several classes the smallest is set against the rest.",
            NOT_THE_PAPER,
            "The paper's own Table 2 is not at hand.",
            *data_set_notes(results, data_sets),
        ),
    )


def _minority(fits: pd.DataFrame, part: str) -> float | None:
    """The smallest share of a class over the tasks."""
    shares = (fits[f"n_{part}_positives"] / fits[f"n_{part}"]).dropna()
    return float(shares.where(shares <= 0.5, 1 - shares).min()) if len(shares) else None
