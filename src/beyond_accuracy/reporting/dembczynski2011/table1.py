"""Table 1: four measures of eight methods on four data sets, beside the published values."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from beyond_accuracy.reporting.data_set_names import (
    data_set_label,
    data_set_notes,
    is_substitute,
)
from beyond_accuracy.reporting.dembczynski2011.evidence import LabelResults
from beyond_accuracy.reporting.dembczynski2011.names import (
    F_MEASURE,
    MEASURES,
    PRINTED_MEASURES,
    ROWS,
    TOLERANCE,
    published_name,
    published_values,
    row_label,
)
from beyond_accuracy.reporting.intervals_table import IntervalLookup
from beyond_accuracy.reporting.tables import Table, percent, percent_interval
from beyond_accuracy.results import PaperResults

OUTSIDE_MARK = "§"
PRINTED_OUTLIER = ("mediamill", "hamming_loss", "br", "meuf_approx")

CONVENTIONS = (
    "In percent, with the bootstrap interval over the test examples in brackets and the published "
    "value beside it (empty where the paper prints none).",
    "H: labels whose marginal exceeds ½. PCC: 200 samples of each test example. F-measure: of an "
    "example, averaged; 0/0 = 1. Macro-F: a label neither true nor predicted in the test part "
    "counts 0.",
    "Features, and in a chain the labels before, are standardized; one strength of the penalty for "
    "all labels of a model is chosen by the log-loss in 3-fold cross-validation on the training "
    "part. The paper does not say so; the table of two readings gives the reason.",
    "MEUF approx leaves tails of probability 0.001 out; the paper's parameters are not known.",
)


def table1(results: PaperResults, configuration: Mapping[str, Any]) -> Table:
    """Hamming loss and the three F-measures, ours and the published ones."""
    run = LabelResults(results, configuration)
    published, intervals = published_values(), IntervalLookup(results.intervals)
    frame = pd.DataFrame(
        _row(run, published, intervals, data_set, row, measure)
        for data_set in run.data_sets
        for row in ROWS
        for measure in PRINTED_MEASURES
    )
    shown: dict[tuple[str, str], dict[tuple[str, str], str]] = {}
    for row in frame.to_dict("records"):
        key = (
            data_set_label(results, row["data_set"]),
            row_label(row["model"], row["inference"]),
        )
        mark = OUTSIDE_MARK if row["measure"] == F_MEASURE and row["within"] is False else ""
        interval = percent_interval(row["low"], row["high"])
        printed = "" if np.isnan(row["published"]) else f"{100 * row['published']:.2f}"
        cells = shown.setdefault(key, {})
        cells[MEASURES[row["measure"]], "ours"] = f"{percent(row['value'])}{mark} {interval}"
        cells[MEASURES[row["measure"]], "published"] = printed
    display = pd.DataFrame(list(shown.values()), index=pd.MultiIndex.from_tuples(list(shown)))
    display.columns = pd.MultiIndex.from_tuples(display.columns)
    return Table(
        frame=frame.drop(columns="within"),
        display=display,
        caption=(
            "Table 1. Hamming loss and F-measures of inference methods with probabilistic "
            "classifier chains (PCC) and binary relevance (BR)."
        ),
        notes=(
            *CONVENTIONS,
            *agreement_notes(frame, results),
            *_misprint_notes(frame),
            *data_set_notes(results, run.data_sets),
        ),
    )


def _row(run, published, intervals, data_set, row, measure) -> dict[str, Any]:
    model, inference = row
    value = run.value(data_set, model, inference, measure)
    printed = published.get((published_name(data_set), measure, model, inference), float("nan"))
    low, high = intervals(data_set, measure, model, inference)
    # A substitute has no published value: it is not the set the paper used.
    comparable = not is_substitute(run.results.record(data_set))
    difference = value - printed if comparable else float("nan")
    return {
        "data_set": data_set,
        "model": model,
        "inference": inference,
        "measure": measure,
        "value": value,
        "low": low,
        "high": high,
        "published": printed,
        "difference": difference,
        "within": None if np.isnan(difference) else bool(abs(difference) <= TOLERANCE),
    }


def agreement_notes(frame: pd.DataFrame, results: PaperResults) -> Sequence[str]:
    """Say how many F-measures lie near the published ones, and which ones do not."""
    compared = frame[(frame["measure"] == F_MEASURE) & frame["difference"].notna()]
    if compared.empty:
        return ()
    outside = compared[compared["difference"].abs() > TOLERANCE]
    inside = compared["published"].between(compared["low"], compared["high"]).sum()
    notes = [
        f"{len(compared) - len(outside)} of {len(compared)} F-measures are within "
        f"±{TOLERANCE} of the published value; {inside} published values lie in our interval."
    ]
    if len(outside):
        places = "; ".join(
            f"{row.data_set} {row_label(row.model, row.inference)} "
            + f"{100 * row.difference:+.1f}".replace("-", "−")
            for row in outside.itertuples()
        )
        notes.append(f"{OUTSIDE_MARK} Further away (points): {places}.")
    return notes


def _misprint_notes(frame: pd.DataFrame) -> Sequence[str]:
    data_set, _, _, _ = PRINTED_OUTLIER
    if data_set not in set(frame["data_set"]):
        return ()
    return (
        "mediamill, BR MEUF approx: the paper prints a Hamming loss of 35.08, most likely a "
        "misprint of 3.508.",
    )
