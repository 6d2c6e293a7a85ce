"""Table 3, first part: F1 of all methods on all data sets."""

import json
from collections.abc import Mapping
from typing import Any

import pandas as pd

from beyond_accuracy.published import published_table
from beyond_accuracy.reporting.cheng2016.methods import (
    COLLECTIONS,
    MEASURE,
    NOT_THE_PAPER,
    PAPER,
    method_label,
    values_by_method,
)
from beyond_accuracy.reporting.data_set_names import data_set_label, data_set_notes
from beyond_accuracy.reporting.intervals_table import IntervalLookup
from beyond_accuracy.reporting.tables import UNAVAILABLE, Table, percent, percent_interval
from beyond_accuracy.results import PaperResults

UNFINISHED_MARK = "‡"
DEGENERATE_MARK = "§"


def published_values(measure: str) -> dict[tuple[str, str], float]:
    """The paper's own values of "f1_percent" or "seconds" by data set and method."""
    return {
        (row["data_set"], row["method"]): float(row["value"])
        for row in published_table(PAPER, "table3") or []
        if row["measure"] == measure and row["value"]
    }


def table3(results: PaperResults, configuration: Mapping[str, Any]) -> Table:
    """F1 in percent with bootstrap intervals; what was selected is in the CSV file."""
    published = published_values("f1_percent")
    values = values_by_method(results, configuration)
    intervals = IntervalLookup(results.intervals)
    rows = [
        _row(results, data_set, method, values, intervals, published)
        for data_set in values.index
        for method in values.columns
    ]
    frame = pd.DataFrame(rows)
    display, styles = _display(results, frame, values)
    data_sets = list(values.index)
    level = configuration["bootstrap"]["level"]
    return Table(
        frame=frame,
        display=display,
        cell_styles=styles,
        caption=(
            "Table 3, first part. F1 on the test sets in percent, the largest of a data set in "
            "bold; bootstrap intervals in brackets, and below them the values known from the paper."
        ),
        notes=(
            *_notes(frame, data_sets),
            f"Brackets: {level:.0%} percentile intervals of "
            f"{configuration['bootstrap']['n_resamples']:,} bootstrap resamples of the test "
            "examples, the same for all methods.",
            NOT_THE_PAPER,
            *data_set_notes(results, data_sets),
        ),
    )


def _row(results, data_set, method, values, intervals, published) -> dict[str, Any]:
    low, high = intervals(data_set, MEASURE, method)
    row = {
        "data_set": data_set,
        "substitute_for": results.record(data_set).get("substitute_for"),
        "method": method,
        "f1": values.at[data_set, method],
        "f1_low": low,
        "f1_high": high,
        "published_f1": published.get((data_set, method), float("nan")) / 100,
    }
    fits = results.fits
    fits = fits[(fits["data_set"] == data_set) & (fits["method"] == method)]
    chosen = json.loads(fits["selected"].iloc[0]) if fits["status"].eq("ok").all() else {}
    return row | {
        **{name: chosen.get(name) for name in ("t", "C", "mu", "tol")},
        "n_iter": fits["n_iter"].sum(min_count=1),
        "objective": fits["objective"].sum(min_count=1),
        "relative_gap": fits["dual_gap"].max(),
        "converged": bool(fits["converged"].eq(True).all()),
        "degenerate": bool(fits["degenerate"].eq(True).any()),
        "status": "; ".join(sorted(fits["status"].unique())),
        "reason": "; ".join(text for text in fits["reason"].unique() if text),
    }


def _display(results, frame, values) -> tuple[pd.DataFrame, pd.DataFrame]:
    lines: dict[str, dict[str, str]] = {}
    styles: dict[str, dict[str, str]] = {}
    for row in frame.to_dict("records"):
        data_set, label = row["data_set"], method_label(row["method"])
        name = data_set_label(results, data_set)
        cells, styled = lines.setdefault(name, {}), styles.setdefault(name, {})
        ok = row["status"] == "ok"
        mark = DEGENERATE_MARK if row["degenerate"] else ""
        mark += UNFINISHED_MARK if ok and not row["converged"] else ""
        interval = percent_interval(row["f1_low"], row["f1_high"])
        shown = UNAVAILABLE if row["status"] == "unavailable" else row["status"]
        cells[label] = f"{percent(row['f1'])}{mark} {interval}".strip() if ok else shown
        styled[label] = "bold" if ok and row["f1"] == values.loc[data_set].max() else ""
        if pd.notna(row["published_f1"]):
            known = f"{name}, published"
            lines.setdefault(known, {})[label] = percent(row["published_f1"])
    columns = [method_label(method) for method in values.columns]
    display, shape = (
        pd.DataFrame.from_dict(part, orient="index")
        .reindex(index=list(lines), columns=columns)
        .fillna("")
        for part in (lines, styles)
    )
    return display, shape


def _notes(frame, data_sets) -> tuple[str, ...]:
    notes = [
        "SVM-perf: this package's multivariate SVM for F1 without line search. SVM-CS: LIBLINEAR. "
        "LR-F: logistic regression and the exact maximizer of expected F1 over the test set, in "
        "O(m·log m + 70·m) time and O(m) memory, each expected F1 within a relative 1e-13. Error "
        "rate: the control, equal costs.",
        "The last three methods are not the paper's.",
    ]
    unfinished = frame[(frame["status"] == "ok") & ~frame["converged"]]
    if len(unfinished):
        notes.append(
            f"{UNFINISHED_MARK} did not reach the gap asked for; the column relative_gap of the "
            "CSV file says at which gap it stopped."
        )
    if frame["degenerate"].any():
        notes.append(
            f"{DEGENERATE_MARK} the optimum is w = 0 for the chosen C: where the classes overlap "
            "too much, SVM-perf's bound on the loss is least there. Nothing is predicted positive."
        )
    failures = frame.loc[frame["status"] == "failed", "reason"].unique()
    notes += [f"failed: {reason}" for reason in failures]
    if frame["published_f1"].notna().any():
        notes.append(
            "Of the paper's Table 3 only the values on news20 are at hand that its text repeats. "
            "It does not say how its binary news20 was made. SVM-CS and BM-ls-CS minimize the same "
            "objective; with the same grids and a small gap they predict alike, as they do here, "
            "so that published values that far apart must come from other hyperparameters or data."
        )
    missing = [name for name in COLLECTIONS if name not in data_sets]
    if missing:
        notes.append(f"Not selected in this run: {', '.join(missing)}.")
    return tuple(notes)
