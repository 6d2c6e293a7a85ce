"""Table 3: CPU seconds of the cross-validation."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from beyond_accuracy.reporting.data_set_names import data_set_label
from beyond_accuracy.reporting.li2013.methods import (
    TABLE2_METHODS,
    measure_label,
    method_label,
)
from beyond_accuracy.reporting.li2013.seconds import (
    ALL_MEASURES,
    published_selection_seconds,
    ratio_text,
    seconds_text,
    selection_seconds,
)
from beyond_accuracy.reporting.li2013.values import data_notes
from beyond_accuracy.reporting.tables import UNAVAILABLE, Table
from beyond_accuracy.results import PaperResults


def table3(results: PaperResults, configuration: Mapping[str, Any]) -> Table:
    """Seconds by task and method, the published ones below, and their ratio."""
    data_sets = results.data_set_names(configuration["data_sets"])
    methods = [name for name in TABLE2_METHODS if name in configuration["methods_selected"]]
    ours, published = selection_seconds(results), published_selection_seconds()
    rows = []
    for data_set in data_sets:
        for measure in (*configuration["measures"], ALL_MEASURES):
            for method in methods:
                key = (data_set, measure, method)
                found = _ours(ours, key)
                if found is None and key not in published:
                    continue
                known = published.get(key, float("nan"))
                value = float("nan") if found is None else found
                rows.append(
                    {
                        "data_set": data_set,
                        "measure": measure,
                        "method": method,
                        "cpu_seconds": value,
                        "published_cpu_seconds": known,
                        "not_published": key in published and pd.isna(known),
                        "times_as_fast": known / value if value > 0 else float("nan"),
                    }
                )
    columns = ["data_set", "measure", "method", "cpu_seconds", "published_cpu_seconds",
               "not_published", "times_as_fast"]  # fmt: skip
    frame = pd.DataFrame(rows, columns=columns)
    return Table(
        frame=frame,
        display=_display(results, frame, methods),
        caption=(
            "Table 3. Processor seconds (one thread) of the cross-validation on the training part, "
            "the published ones below ours, and how many times as fast ours are."
        ),
        notes=(
            "The fitting of the auxiliaries is not part of it, as in the paper: see Table 4. The "
            "cost model does not depend on the measure: one search serves all four.",
            "The grids are this project's, the paper's are lost, and so is what its processor "
            "could do: the ratio is about orders of magnitude. N/A: not finished in 24 hours.",
            "SVM-perf is this package's multivariate SVM; a path over C keeps the cutting planes. "
            "RBF kernels are searched on the subsamples that the configuration states.",
            *data_notes(results, data_sets),
        ),
    )


def _ours(seconds: pd.Series, key: tuple[str, str, str]) -> float | None:
    """Seconds of a task; those of all measures together are the sum if they are apart here."""
    if key in seconds.index:
        return float(seconds[key])
    data_set, measure, method = key
    if measure != ALL_MEASURES or not method.startswith("svmlight"):
        return None
    names = seconds.index.get_level_values
    own = seconds[(names(0) == data_set) & (names(2) == method)]
    return float(own.sum()) if len(own) else None


def _display(results: PaperResults, frame: pd.DataFrame, methods: list[str]) -> pd.DataFrame:
    lines: dict[tuple[str, str, str], dict[str, str]] = {}
    for row in frame.to_dict("records"):
        measure = "All four" if row["measure"] == ALL_MEASURES else measure_label(row["measure"])
        name = (data_set_label(results, row["data_set"]), measure)
        label = method_label(row["method"])
        shown = UNAVAILABLE if pd.isna(row["cpu_seconds"]) else seconds_text(row["cpu_seconds"])
        lines.setdefault((*name, "ours"), {})[label] = shown
        known = "N/A" if row["not_published"] else seconds_text(row["published_cpu_seconds"])
        lines.setdefault((*name, "published"), {})[label] = known
        lines.setdefault((*name, "ratio"), {})[label] = ratio_text(row["times_as_fast"])
    order = {text: place for place, text in enumerate(("ours", "published", "ratio"))}
    tasks = list(dict.fromkeys(key[:2] for key in lines))
    keys = sorted(lines, key=lambda key: (tasks.index(key[:2]), order[key[2]]))
    keys = [key for key in keys if any(lines[key].values())]
    index = pd.MultiIndex.from_tuples(keys, names=["Data set", "Measure", ""]) if keys else None
    columns = [method_label(method) for method in methods]
    return pd.DataFrame([lines[key] for key in keys], index=index, columns=columns).fillna("")
