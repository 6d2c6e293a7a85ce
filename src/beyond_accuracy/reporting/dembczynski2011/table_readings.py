"""Two readings of "regularized logistic regression" beside what is printed."""

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
    BR,
    BR_UNSCALED,
    F_MEASURE,
    MEASURES,
    PCC,
    PCC_UNSCALED,
    THRESHOLD,
    TOLERANCE,
    published_name,
    published_values,
    row_label,
)
from beyond_accuracy.reporting.intervals_table import IntervalLookup
from beyond_accuracy.reporting.tables import Table, percent, percent_interval
from beyond_accuracy.results import PaperResults

STANDARDIZED, UNSCALED = "standardized", "unscaled"
OTHER_READING = {PCC: PCC_UNSCALED, BR: BR_UNSCALED}
READ_ROWS = ((PCC, THRESHOLD), (PCC, "gfm"), (PCC, "meuf"), (BR, THRESHOLD), (BR, "meuf"))
READ_MEASURES = (F_MEASURE, "hamming_loss")
KEYS = ("data_set", "model", "inference", "measure")

NOTES = (
    "In percent, with the bootstrap interval over the test examples in brackets. Standardized: "
    "features, in a chain also the labels before, over their standard deviations in training, and "
    "one strength of the penalty for all labels, in decades. Unscaled: features as they come, and "
    "a strength for each label. Both are chosen by the log-loss in 3-fold cross-validation on the "
    "training part.",
    "The paper says neither whether features are scaled nor in what form the penalty is. With "
    "features standardized, one penalty R for all labels (R times the sum of the squared weights) "
    "and R = 100 the printed values of BR on scene come out to all four digits. This comparison "
    "with printed test values identified the form alone; the strength is still chosen on training "
    "data.",
)


def table_readings(results: PaperResults, configuration: Mapping[str, Any]) -> Table:
    """F-measure and Hamming loss with both readings, and the published values."""
    run = LabelResults(results, configuration)
    data_sets = [
        data_set
        for data_set in run.data_sets
        if any(run.decisions(data_set, model) for model in OTHER_READING.values())
    ]
    published, intervals = published_values(), IntervalLookup(results.intervals)
    rows, shown = [], {}
    for data_set in data_sets:
        comparable = not is_substitute(results.record(data_set))
        for model, inference in READ_ROWS:
            cells = {}
            for measure in READ_MEASURES:
                key = (published_name(data_set), measure, model, inference)
                printed = published.get(key, float("nan")) if comparable else float("nan")
                for reading, fitted in (
                    (STANDARDIZED, model),
                    (UNSCALED, OTHER_READING[model]),
                ):
                    value = run.value(data_set, fitted, inference, measure)
                    low, high = intervals(data_set, measure, fitted, inference)
                    rows.append(
                        {
                            "data_set": data_set,
                            "model": model,
                            "inference": inference,
                            "measure": measure,
                            "reading": reading,
                            "value": value,
                            "low": low,
                            "high": high,
                            "published": printed,
                            "difference": value - printed,
                        }
                    )
                    cells[MEASURES[measure], reading] = (
                        f"{percent(value)} {percent_interval(low, high)}"
                    )
                text = "" if np.isnan(printed) else f"{100 * printed:.2f}"
                cells[MEASURES[measure], "published"] = text
            shown[data_set_label(results, data_set), row_label(model, inference)] = cells
    numbers = ("value", "low", "high", "published", "difference")
    frame = pd.DataFrame(rows, columns=[*KEYS, "reading", *numbers])
    display = pd.DataFrame(list(shown.values()))
    if shown:
        display.index = pd.MultiIndex.from_tuples(list(shown))
        display.columns = pd.MultiIndex.from_tuples(display.columns)
    return Table(
        frame=frame,
        display=display,
        caption=(
            "Two readings of the paper's regularized logistic regression: F-measure of an example "
            "and Hamming loss."
        ),
        notes=(
            *NOTES,
            *_agreement_notes(frame),
            *_unexplained_notes(frame),
            *data_set_notes(results, data_sets or run.data_sets),
        ),
    )


def _agreement_notes(frame: pd.DataFrame) -> Sequence[str]:
    compared = frame[(frame["measure"] == F_MEASURE) & frame["difference"].notna()]
    near = compared["difference"].abs() <= TOLERANCE
    counts = [
        f"{int(near[rows.index].sum())} of {len(rows)} {reading}"
        for reading, rows in compared.groupby("reading")
    ]
    if not counts:
        return ()
    return (f"F-measures within ±{TOLERANCE} of the published value: {', '.join(counts)}.",)


def _unexplained_notes(frame: pd.DataFrame) -> Sequence[str]:
    printed = frame[frame["published"].notna()]
    inside = printed["published"].between(printed["low"], printed["high"])
    places = [
        f"{data_set} {row_label(model, inference)}, {MEASURES[measure]} {100 * value:.2f}"
        for (data_set, model, inference, measure, value), covered in inside.groupby(
            [printed[name] for name in (*KEYS, "published")], sort=False
        )
        if not covered.any()
    ]
    if not places:
        return ()
    return (
        "Unexplained are the printed values outside the intervals of both readings: "
        f"{'; '.join(places)}.",
    )
