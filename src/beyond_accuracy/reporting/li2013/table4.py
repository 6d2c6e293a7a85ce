"""Table 4: CPU seconds of the auxiliary classifiers."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from beyond_accuracy.reporting.data_set_names import data_set_label
from beyond_accuracy.reporting.li2013.methods import AUXILIARIES
from beyond_accuracy.reporting.li2013.seconds import (
    auxiliary_seconds,
    published_auxiliary_seconds,
    seconds_text,
)
from beyond_accuracy.reporting.li2013.values import data_notes
from beyond_accuracy.reporting.tables import UNAVAILABLE, Table
from beyond_accuracy.results import PaperResults


def table4(results: PaperResults, configuration: Mapping[str, Any]) -> Table:
    """Seconds of the final fit of each auxiliary on the whole training part."""
    data_sets = results.data_set_names(configuration["data_sets"])
    ours, published = auxiliary_seconds(results, configuration), published_auxiliary_seconds()
    rows, shown = [], {}
    for data_set in data_sets:
        name = data_set_label(results, data_set)
        for method, label in AUXILIARIES.items():
            key = (data_set, method)
            value = float(ours.get(key, float("nan")))
            known = published.get(key, float("nan"))
            rows.append(
                {
                    "data_set": data_set,
                    "method": method,
                    "cpu_seconds": value,
                    "published_cpu_seconds": known,
                }
            )
            cell = UNAVAILABLE if pd.isna(value) else seconds_text(value)
            shown.setdefault((name, "ours"), {})[label] = cell
            if pd.notna(known):
                shown.setdefault((name, "published"), {})[label] = seconds_text(known)
    display = pd.DataFrame.from_dict(shown, orient="index")
    display.index = pd.MultiIndex.from_tuples(list(shown), names=["Data set", ""])
    return Table(
        frame=pd.DataFrame(rows),
        display=display.fillna(""),
        caption=(
            "Table 4. Processor seconds (one thread) of training the auxiliary classifiers on the "
            "whole training part, the published ones below ours."
        ),
        notes=(
            "The paper's C4.5 and RBF network are WEKA's, in Java; here all three are compiled "
            "code of this package.",
            *data_notes(results, data_sets),
        ),
    )
