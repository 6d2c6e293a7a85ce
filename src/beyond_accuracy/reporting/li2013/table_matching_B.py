"""Which B makes the weight of an auxiliary 1, as in the paper's problem (9)."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from beyond_accuracy.reporting.data_set_names import data_set_label
from beyond_accuracy.reporting.li2013.methods import measure_label, method_label
from beyond_accuracy.reporting.li2013.values import data_notes
from beyond_accuracy.reporting.tables import UNAVAILABLE, Table
from beyond_accuracy.results import PaperResults

NONE = "none"
COLUMNS = [
    "data_set",
    "measure",
    "C",
    "auxiliary",
    "matching_B",
    "matches_below",
    "status",
    "reason",
]


def table_matching_B(results: PaperResults, configuration: Mapping[str, Any]) -> Table:
    """B by task and auxiliary; "none" where no B reproduces the fixed auxiliary.

    "≤ B" where B and every smaller one do.
    """
    frame = results.study("matching_B", configuration)[COLUMNS]
    shown: dict[tuple[str, str, str], dict[str, str]] = {}
    for row in frame.to_dict("records"):
        key = (
            data_set_label(results, row["data_set"]),
            measure_label(row["measure"]),
            f"{row['C']:g}",
        )
        shown.setdefault(key, {})[method_label(row["auxiliary"])] = _text(row)
    display = pd.DataFrame(list(shown.values())).fillna("")
    if shown:
        display.index = pd.MultiIndex.from_tuples(list(shown), names=["Data set", "Measure", "C"])
    searched = frame[frame["status"] == "ok"]
    missing = int(searched["matching_B"].isna().sum())
    intervals = int(searched["matches_below"].eq(True).sum())
    wrong = frame[frame["status"] == "failed"].drop_duplicates(["auxiliary", "reason"])
    return Table(
        frame=frame,
        display=display,
        caption=(
            "The penalty B at which problem (14), whose auxiliary has a weight, gives it the "
            "weight 1 of problem (9)."
        ),
        notes=(
            f"≤ B: this B and every smaller one down to 1e-6 do, {intervals} of {len(searched)} "
            "cases: the loss has a kink at the weight 1. Otherwise B is the largest that does.",
            f"{NONE}: no B between 1e-6 and 1e6 does, {missing} of {len(searched)} cases. The "
            "weight falls with B; where it stays below 1 for however small a B, the loss does not "
            "want more of the auxiliary, and the two problems differ.",
            *(
                f"failed: {method_label(row.auxiliary)}: {row.reason}."
                for row in wrong.itertuples()
            ),
            *data_notes(results, list(dict.fromkeys(frame["data_set"]))),
        ),
    )


def _text(row: Mapping[str, Any]) -> str:
    if row["status"] != "ok":
        return UNAVAILABLE if row["status"] == "unavailable" else row["status"]
    if pd.isna(row["matching_B"]):
        return NONE
    return f"{'≤ ' if row['matches_below'] is True else ''}{row['matching_B']:.3g}"
