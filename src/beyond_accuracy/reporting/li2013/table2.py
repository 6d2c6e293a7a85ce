"""Table 2: CAPO against its auxiliaries, SVM-perf and the cost model on all tasks."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from beyond_accuracy.reporting.data_set_names import data_set_label
from beyond_accuracy.reporting.li2013.methods import (
    AUXILIARY_OF,
    CAPO,
    TABLE2_METHODS,
    measure_label,
    method_label,
)
from beyond_accuracy.reporting.li2013.values import (
    Intervals,
    Task,
    at,
    data_notes,
    interval_note,
    published_values,
    status_of,
    values_by_task,
)
from beyond_accuracy.reporting.tables import UNAVAILABLE, Table, percent, percent_interval
from beyond_accuracy.results import PaperResults

FILLED_MARK = "‡"
UNFINISHED_MARK = "§"
LEFT_OUT_MARK = "¶"
GRID_LIMIT_MARK = "#"
OURS, PUBLISHED, KERNEL_ERROR = "ours", "published", "kernel error"
NOT_PRINTED = "N/A"
EXACT = "exact"


def table2(results: PaperResults, configuration: Mapping[str, Any]) -> Table:
    """Values in percent with intervals, the raw auxiliary's in parentheses, the published below."""
    values = values_by_task(results, configuration)
    published = published_values()
    intervals = Intervals(results)
    methods = [name for name in TABLE2_METHODS if name in values.columns]
    rows = [
        _row(results, task, method, values, published, intervals)
        for task in values.index
        for method in methods
    ]
    frame = pd.DataFrame(rows)
    display, styles = _display(results, frame)
    data_sets = list(dict.fromkeys(values.index.get_level_values("data_set")))
    return Table(
        frame=frame,
        display=display,
        cell_styles=styles,
        caption=(
            "Table 2. Values on the test sets in percent, the largest of a row in bold; in "
            "parentheses the raw auxiliary classifier; published values below ours."
        ),
        notes=(*_notes(frame), interval_note(configuration), *data_notes(results, data_sets)),
    )


def _row(
    results: PaperResults,
    task: Task,
    method: str,
    values: pd.DataFrame,
    published: pd.DataFrame,
    intervals: Intervals,
) -> dict[str, Any]:
    data_set, measure = task
    auxiliary = AUXILIARY_OF.get(method)
    low, high = intervals(task, method)
    missing = (float("nan"), float("nan"))
    auxiliary_low, auxiliary_high = intervals(task, auxiliary) if auxiliary else missing
    status, reason = status_of(results, data_set, measure, method)
    known = at(published, task, method)
    in_the_paper = task in published.index
    row = {
        "data_set": data_set,
        "substitute_for": results.record(data_set).get("substitute_for"),
        "measure": measure,
        "method": method,
        "value": at(values, task, method),
        "low": low,
        "high": high,
        "auxiliary_value": at(values, task, auxiliary) if auxiliary else float("nan"),
        "auxiliary_low": auxiliary_low,
        "auxiliary_high": auxiliary_high,
        "published": known,
        "published_auxiliary": at(published, task, auxiliary) if auxiliary else float("nan"),
        "not_published": in_the_paper and pd.isna(known),
        "status": status,
        "reason": reason,
    }
    return row | _fitted(results.fits, task, method)


def _fitted(fits: pd.DataFrame, task: Task, method: str) -> dict[str, Any]:
    """What was selected and how the fit ended; of several classes the worst."""
    data_set, measure = task
    rows = fits[
        (fits["data_set"] == data_set) & (fits["measure"] == measure) & (fits["method"] == method)
    ]
    ok = rows[rows["status"] == "ok"]
    error = ok["kernel_error"].max() if "kernel_error" in ok.columns else float("nan")
    return {
        "selected": "; ".join(dict.fromkeys(ok["selected"].dropna())),
        "kernel_error": error,
        "left_out": _texts(ok, "left_out"),
        "grid_limit": _texts(ok, "grid_limit"),
        "n_iter": ok["n_iter"].sum(min_count=1),
        "relative_gap": ok["dual_gap"].max(),
        "converged": bool(ok["converged"].ne(False).all()),
    }


def _texts(fits: pd.DataFrame, column: str) -> str:
    """What a column says, each text once; empty if it says nothing or is missing."""
    found = fits[column].dropna() if column in fits.columns else ()
    return "; ".join(dict.fromkeys(filter(None, found)))


def _display(results: PaperResults, frame: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    lines: dict[tuple[str, str, str], dict[str, str]] = {}
    styles: dict[tuple[str, str, str], dict[str, str]] = {}
    for (data_set, measure), rows in frame.groupby(["data_set", "measure"], sort=False):
        name = (data_set_label(results, data_set), measure_label(measure))
        printed = rows["published"].notna().any()
        for row in rows.to_dict("records"):
            label = method_label(row["method"])
            ours, theirs = (*name, OURS), (*name, PUBLISHED)
            lines.setdefault(ours, {})[label] = _cell(row)
            if row["value"] == rows["value"].max():
                styles.setdefault(ours, {})[label] = "bold"
            if printed:
                lines.setdefault(theirs, {})[label] = _published_cell(row)
                if row["published"] == rows["published"].max():
                    styles.setdefault(theirs, {})[label] = "bold"
        for row in rows.dropna(subset="kernel_error").to_dict("records"):
            error = f"{row['kernel_error']:.1e}" if row["kernel_error"] else EXACT
            lines.setdefault((*name, KERNEL_ERROR), {})[method_label(row["method"])] = (
                error.replace("-", "−")
            )
    labels = [method_label(method) for method in dict.fromkeys(frame["method"])]
    index = pd.MultiIndex.from_tuples(list(lines), names=["Data set", "Measure", ""])
    display, shape = (
        pd.DataFrame([part.get(key, {}) for key in lines], index=index, columns=labels).fillna("")
        for part in (lines, styles)
    )
    return display, shape


def _cell(row: Mapping[str, Any]) -> str:
    if pd.isna(row["value"]):
        return UNAVAILABLE if row["status"] == "unavailable" else row["status"]
    mark = FILLED_MARK if row["not_published"] else ""
    mark += "" if row["converged"] else UNFINISHED_MARK
    mark += LEFT_OUT_MARK if row["left_out"] else ""
    mark += GRID_LIMIT_MARK if row["grid_limit"] else ""
    parts = [percent(row["value"]) + mark, percent_interval(row["low"], row["high"])]
    if pd.notna(row["auxiliary_value"]):
        parts.append(f"({percent(row['auxiliary_value'])})")
    return " ".join(filter(None, parts))


def _published_cell(row: Mapping[str, Any]) -> str:
    if pd.isna(row["published"]):
        return NOT_PRINTED
    text = percent(row["published"])
    if pd.notna(row["published_auxiliary"]):
        text += f" ({percent(row['published_auxiliary'])})"
    return text


def _notes(frame: pd.DataFrame) -> list[str]:
    notes = [
        "The auxiliaries' outputs enter CAPO as ±1. In parentheses, accuracy and F1 are of these "
        "outputs, PRBEP and ROC area of the auxiliary's real-valued ones: only that fits the "
        "published values. "
        f"{', '.join(CAPO.values())}: CAPO with the core vector machine, C4.5, the RBF network, "
        "and all three.",
        "Among equal scores PRBEP takes the negatives first. A tree gives many examples the same "
        "score, so that its PRBEP in parentheses may be far below what its ROC area suggests.",
    ]
    gaps = frame[frame["not_published"]]
    if len(gaps):
        filled = int(gaps["value"].notna().sum())
        notes.append(
            f"{FILLED_MARK} and {NOT_PRINTED}: the paper has no value, its program did not finish "
            f"in 24 hours; {filled} of these {len(gaps)} cells have one here."
        )
    if frame["kernel_error"].notna().any():
        notes.append(
            "Kernel error: what the kernel factor (incomplete Cholesky decomposition) leaves of "
            f"the trace of the kernel matrix, as a share; {EXACT}: there is no factor. Widths and "
            "costs were searched on the subsamples that the configuration states."
        )
    unfinished = frame[frame["value"].notna() & ~frame["converged"]]
    if len(unfinished):
        notes.append(
            f"{UNFINISHED_MARK} stopped at the limit of iterations; the column relative_gap of "
            "the CSV file says at which gap."
        )
    if frame["left_out"].ne("").any():
        notes.append(
            f"{LEFT_OUT_MARK} an auxiliary predicts one class only on the training part and is "
            "left out; without any, CAPO is the linear SVM-perf of its measure. The column "
            "left_out of the CSV file names it."
        )
    if frame["grid_limit"].ne("").any():
        notes.append(
            f"{GRID_LIMIT_MARK} a grid ended at its limit of growth (max_extensions), its best "
            "value being the last: a better one may lie beyond. The column grid_limit of the CSV "
            "file says which."
        )
    wrong = frame[frame["status"].isin(["failed", "timeout"])]
    notes += [f"{status}: {reason}" for status, reason in
              wrong[["status", "reason"]].drop_duplicates().itertuples(index=False)]  # fmt: skip
    return notes
