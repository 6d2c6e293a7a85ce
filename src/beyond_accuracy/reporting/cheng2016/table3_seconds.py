"""Table 3, second part: the seconds of all methods on all data sets."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from beyond_accuracy.reporting.cheng2016.methods import (
    NOT_THE_PAPER,
    PROPOSED,
    method_label,
    seconds_by_method,
)
from beyond_accuracy.reporting.cheng2016.table3 import published_values
from beyond_accuracy.reporting.data_set_names import data_set_label, data_set_notes
from beyond_accuracy.reporting.tables import UNAVAILABLE, Table
from beyond_accuracy.results import PaperResults

STAGES = {"fit": "training", "select": "whole selection", "predict": "test"}


def table3_seconds(results: PaperResults, configuration: Mapping[str, Any]) -> Table:
    """CPU seconds of training at the chosen parameters, of the selection, of the test scores."""
    published = published_values("seconds")
    seconds = seconds_by_method(results, configuration)
    frame = seconds.rename(columns={key: f"{key}_seconds" for key in STAGES}).reset_index()
    frame["published_seconds"] = [
        published.get((row.data_set, row.method)) for row in frame.itertuples()
    ]
    reference = seconds["fit"].unstack("method").reindex(columns=[PROPOSED])[PROPOSED]
    frame["fit_relative_to_bm_ls_cs"] = frame["fit_seconds"] / frame["data_set"].map(reference)
    data_sets = list(dict.fromkeys(frame["data_set"]))
    selection = configuration["selection"]
    parts = f"{selection['folds']} folds" if selection.get("folds") else "a holdout"
    return Table(
        frame=frame,
        display=_display(results, frame),
        caption=(
            "Table 3, second part. Processor seconds of one thread: training at the chosen "
            "parameters and test scores (medians of up to "
            f"{configuration['repetitions']} runs), and the whole selection."
        ),
        notes=(
            "All final fits stop at the same relative gap of their objective: of the hinge losses "
            "and of SVM-perf's the certified duality gap, of SVM-CS the gap of its recomputed "
            "objective to a certified lower bound, at the loosest of LIBLINEAR's tolerances that "
            "reaches it. Logistic regressions stop at scikit-learn's default tolerance.",
            *_notes_on_selection(configuration),
            f"The selection compares the candidates of each grid over {parts}; the grids of "
            "SVM-CS and of BM-nls-CS have as many candidates as each other, that of BM-ls-CS those "
            "for each value of mu. Test: the scores, for LR-F with the maximization.",
            "SVM-perf: this package's search for the most violated labelling takes O(n) expected "
            "time where the original enumerates all contingency tables, so that its seconds say "
            "nothing of the original's.",
            NOT_THE_PAPER,
            *data_set_notes(results, data_sets),
        ),
    )


def _notes_on_selection(configuration) -> tuple[str, ...]:
    """At what the candidates of SVM-CS stop, unlike those of the others."""
    method = configuration["methods"].get("svm_cs", {})
    stopping = {**(method.get("parameters") or {}), **(method.get("selection_parameters") or {})}
    if "tol" not in stopping or "max_iter" not in stopping:
        return ()
    return (
        f"In the selection SVM-CS stops at LIBLINEAR's own tolerance {stopping['tol']:g}, and "
        f"after {stopping['max_iter']:,} rounds at the latest, whatever gap it has "
        "reached by then: at large C up to a quarter of the objective. The candidates of the "
        "other hinge losses and of SVM-perf stop at a certified gap, so that the seconds of "
        "the selections are not those of equal accuracy.",
    )


def _display(results: PaperResults, frame: pd.DataFrame) -> pd.DataFrame:
    shown: dict[tuple[str, str], dict[str, str]] = {}
    for row in frame.to_dict("records"):
        name, label = data_set_label(results, row["data_set"]), method_label(row["method"])
        for stage, text in STAGES.items():
            shown.setdefault((name, text), {})[label] = seconds_text(row[f"{stage}_seconds"])
        if pd.notna(row["published_seconds"]):
            published = seconds_text(row["published_seconds"])
            shown.setdefault((name, "published"), {})[label] = published
    display = pd.DataFrame.from_dict(shown, orient="index").fillna("")
    display.index = pd.MultiIndex.from_tuples(list(shown), names=["Data set", "Seconds"])
    order = {text: place for place, text in enumerate([*STAGES.values(), "published"])}
    data_sets = list(dict.fromkeys(display.index.get_level_values(0)))
    wanted = sorted(display.index, key=lambda key: (data_sets.index(key[0]), order[key[1]]))
    return display.loc[wanted]


def seconds_text(value: float) -> str:
    """Show seconds with three significant digits."""
    return UNAVAILABLE if pd.isna(value) else f"{value:.3g}"
