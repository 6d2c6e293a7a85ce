"""The data sets: sizes, ours beside the printed ones, and where these are misprints."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from beyond_accuracy.reporting.data_set_names import (
    data_set_label,
    data_set_notes,
    is_substitute,
)
from beyond_accuracy.reporting.dembczynski2011.names import published_name, published_sizes
from beyond_accuracy.reporting.tables import UNAVAILABLE, Table, count
from beyond_accuracy.results import PaperResults

# Our name of a quantity, and the one in the published file.
QUANTITIES = {
    "n_classes": ("Labels", "n_labels"),
    "n_train": ("Training examples", "n_train"),
    "n_test": ("Test examples", "n_test"),
    "n_features": ("Features", ""),
}
MISPRINTS = {
    ("scene", "n_test"): "1,196 with two digits exchanged",
    ("mediamill", "n_train"): "the full set has 30,993",
}
MISPRINT_MARK = "‡"


def table_data_sets(results: PaperResults, configuration: Mapping[str, Any]) -> Table:
    """Labels and examples of the data sets beside the paper's numbers."""
    data_sets = results.data_set_names(configuration["data_sets"])
    published = published_sizes()
    rows, shown, notes = [], {}, []
    for data_set in data_sets:
        record = results.record(data_set)
        available = record.get("status") == "ok"
        row = {
            "data_set": data_set,
            "status": record.get("status"),
            "substitute_for": record.get("substitute_for"),
        }
        cells = {}
        for quantity, (label, printed_name) in QUANTITIES.items():
            value = record.get(f"{quantity}_found") if available else None
            row[quantity] = value
            cells[label] = count(value) if available else UNAVAILABLE
            if not printed_name:
                continue
            name = published_name(data_set)
            printed = published.get((name, printed_name))
            row[f"published_{quantity}"] = printed
            mark = ""
            if printed is not None and (name, printed_name) in MISPRINTS:
                mark = MISPRINT_MARK
                reason = MISPRINTS[name, printed_name]
                notes.append(
                    f"{MISPRINT_MARK} {data_set}: the paper prints {count(printed)}, most likely a "
                    f"misprint ({reason})."
                )
            cells[f"{label}, published"] = count(printed) + mark
        rows.append(row)
        shown[data_set_label(results, data_set)] = cells
    if any(is_substitute(results.record(data_set)) for data_set in data_sets):
        notes.append("Numbers of a substitute are not comparable with the published ones.")
    frame = pd.DataFrame(rows)
    whole = [name for name in frame.columns if name.endswith(tuple(QUANTITIES))]
    return Table(
        frame=frame.astype(dict.fromkeys(whole, "Int64")),
        display=pd.DataFrame.from_dict(shown, orient="index"),
        caption="Data sets: labels, examples and features, beside the paper's numbers.",
        notes=(*notes, *data_set_notes(results, data_sets)),
    )
