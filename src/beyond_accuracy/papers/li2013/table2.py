"""Table 2: CAPO against its auxiliaries, SVM-perf and the cost model on all tasks."""

from collections.abc import Iterable

import pandas as pd

from beyond_accuracy.papers.li2013.names import (
    AUXILIARY_OF,
    CAPO,
    METHODS,
    TABLE2_METHODS,
    data_set_and_measure,
    no_methods,
    not_selected,
)
from beyond_accuracy.papers.li2013.values import (
    CELL,
    TASK,
    published_values,
    task_values,
    with_intervals,
)
from beyond_accuracy.reporting.formats import if_known, percent, scientific
from beyond_accuracy.reporting.report import Report
from beyond_accuracy.reporting.tables import Across, Column, Table, largest

FILLED_MARK = "‡"
UNFINISHED_MARK = "§"
LEFT_OUT_MARK = "‖"
GRID_LIMIT_MARK = "#"
NOT_PRINTED = "N/A"
EXACT = "exact"


def table2(report: Report) -> Table:
    """Values in percent with intervals, the raw auxiliary's in parentheses, the published below."""
    frame = _frame(report)
    frame["_largest"] = largest(frame, "value", TASK)
    frame["_published_largest"] = largest(frame, "published", TASK)
    frame["_unfinished"] = ~frame["converged"]
    auxiliary = Column("", "auxiliary_value", if_known(_parenthesized))
    lines = [
        Column(
            "ours",
            "value",
            percent,
            ("low", "high"),
            marks={
                "not_published": FILLED_MARK,
                "_unfinished": UNFINISHED_MARK,
                "left_out": LEFT_OUT_MARK,
                "grid_limit": GRID_LIMIT_MARK,
            },
            bold="_largest",
            status="status",
            after=auxiliary,
        ),
        Column(
            "published",
            ("published", "published_auxiliary", "not_published"),
            _published,
            bold="_published_largest",
        ),
        Column("kernel error", "kernel_error", if_known(lambda e: scientific(e) if e else EXACT)),
    ]
    return Table(
        frame=frame,
        index=data_set_and_measure(report),
        columns=[Across("method", report.method_label, lines)],
        caption=(
            "Table 2. Values on the test sets in percent, the largest of a row in bold; in "
            "parentheses the raw auxiliary classifier; published values below ours."
        ),
        notes=[*_notes(frame), *no_methods(frame), *not_selected(report)],
    )


def _frame(report: Report) -> pd.DataFrame:
    """Return one row a task and method."""
    methods = report.methods(TABLE2_METHODS)
    cells = pd.MultiIndex.from_product([report.data_sets, report.measures, methods], names=CELL)
    frame = cells.to_frame(index=False)
    raw = pd.MultiIndex.from_frame(frame.assign(method=frame["method"].map(AUXILIARY_OF.get)))
    substitutes = [report.results.record(name).get("substitute_for") for name in frame["data_set"]]
    frame.insert(1, "substitute_for", substitutes)
    ours = with_intervals(report, task_values(report))
    published = published_values(report)
    printed = published.stack(future_stack=True).to_frame("published")
    for values in (ours, printed):
        for prefix, keys in (("", cells), ("auxiliary_", raw)):
            columns = values.reindex(keys).add_prefix(prefix)
            frame[columns.columns] = columns.to_numpy()
    frame = frame.rename(columns={"auxiliary_published": "published_auxiliary"})
    # Of a method that was added the paper has no cell.
    in_the_paper = cells.droplevel("method").isin(published.index)
    in_the_paper &= frame["method"].isin(TABLE2_METHODS)
    frame["not_published"] = in_the_paper & frame["published"].isna()
    states = report.results.measurements.groupby(CELL, sort=False)
    frame = frame.join(states[["status", "reason"]].agg(_texts), on=CELL)
    frame = frame.fillna({"status": "not selected", "reason": ""})
    return _with_fits(frame, report.results.fits)


def _with_fits(frame: pd.DataFrame, fits: pd.DataFrame) -> pd.DataFrame:
    """Add what was selected and how the fits ended; of several classes the worst."""
    of_cell = fits[fits["status"] == "ok"].groupby(CELL, sort=False)
    fitted = pd.DataFrame(
        {
            "selected": of_cell["selected"].agg(_texts),
            "kernel_error": of_cell["kernel_error"].max(),
            "left_out": of_cell["left_out"].agg(_texts),
            "grid_limit": of_cell["grid_limit"].agg(_texts),
            "n_iter": of_cell["n_iter"].sum(min_count=1),
            "relative_gap": of_cell["dual_gap"].max(),
            "converged": of_cell["converged"].agg(lambda flags: not flags.eq(False).any()),
        }
    )
    frame = frame.join(fitted, on=CELL)
    return frame.assign(converged=frame["converged"].ne(False))


def _texts(texts: Iterable[str | None]) -> str:
    """Return what several fits say, each text once."""
    return "; ".join(dict.fromkeys(text for text in texts if text and pd.notna(text)))


def _parenthesized(value: float) -> str:
    return f"({percent(value)})"


def _published(value: float, auxiliary: float, not_published: bool) -> str:
    if not_published:
        return NOT_PRINTED
    cells = (if_known(percent)(value), if_known(_parenthesized)(auxiliary))
    return " ".join(filter(None, cells))


def _notes(frame: pd.DataFrame) -> list[str]:
    notes = [
        "The auxiliaries' outputs enter CAPO as ±1. In parentheses, accuracy and F1 are of these "
        "outputs, PRBEP and ROC area of the auxiliary's real-valued ones: only that fits the "
        "published values. "
        f"{', '.join(METHODS[name] for name in CAPO)}: CAPO with the core vector machine, C4.5, "
        "the RBF network, and all three.",
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
    if (frame["value"].notna() & ~frame["converged"]).any():
        notes.append(
            f"{UNFINISHED_MARK} stopped at the limit of iterations; the column relative_gap of "
            "the CSV file says at which gap."
        )
    if frame["left_out"].fillna("").ne("").any():
        notes.append(
            f"{LEFT_OUT_MARK} an auxiliary predicts one class only on the training part and is "
            "left out; without any, CAPO is the linear SVM-perf of its measure. The column "
            "left_out of the CSV file names it."
        )
    if frame["grid_limit"].fillna("").ne("").any():
        notes.append(
            f"{GRID_LIMIT_MARK} a grid ended at its limit of growth (max_extensions), its best "
            "value being the last: a better one may lie beyond. The column grid_limit of the CSV "
            "file says which."
        )
    wrong = frame[frame["status"].isin(["failed", "timeout"])]
    states = wrong[["status", "reason"]].drop_duplicates()
    return notes + [f"{status}: {reason}" for status, reason in states.itertuples(index=False)]
