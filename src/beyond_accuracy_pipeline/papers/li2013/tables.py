"""Tables 1, 2 and 5 of Li et al. (2013): data sets and test values."""

from collections.abc import Iterable

import pandas as pd

from beyond_accuracy_pipeline.reporting.comparison import CELL, paired
from beyond_accuracy_pipeline.reporting.formats import (
    count,
    if_known,
    percent,
    percent_change,
    scientific,
    slashed,
)
from beyond_accuracy_pipeline.reporting.names import data_set_name
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.reporting.statistics import count_signs
from beyond_accuracy_pipeline.reporting.tables import Across, Column, Table, largest

from .names import (
    AUXILIARY_OF,
    CAPO,
    DELTA_FUNCTION,
    METHODS,
    SVM_PERF,
    TABLE2_METHODS,
    data_set_and_measure,
)
from .values import (
    TASK,
    gain_in_any_order,
    not_adapted,
    paper_values,
    published_values,
    task_values,
    with_intervals,
)

QUANTITIES = {"n_features": "Features", "n_train": "Training examples", "n_test": "Test examples"}
FILLED_MARK = "‡"
UNFINISHED_MARK = "§"
LEFT_OUT_MARK = "‖"
NOT_ADAPTED_MARK = f" (= {METHODS[SVM_PERF]})"
GRID_LIMIT_MARK = "#"
NOT_ADAPTED = (
    f"{NOT_ADAPTED_MARK.strip()}: every auxiliary predicts one class only on the training part, so "
    "that nothing is adapted and the method is the linear SVM-perf of its measure. Such a cell is "
    "not in bold and enters no test and no claim."
)
NOT_PRINTED = "N/A"
# The paper prints four decimals.
SHOWN = 5e-5
ENDS = ("difference_low", "difference_high")


def table1(report: Report) -> Table:
    """Return Table 1 of Li et al. (2013): the size of each data set, ours and printed."""
    frame = report.data_set_sizes(QUANTITIES, "table1")
    fits = report.results.fits
    for part in ("train", "test"):
        shares = fits[f"n_{part}_positives"] / fits[f"n_{part}"]
        frame[f"positives_{part}"] = [
            shares[fits["data_set"] == name].mean() for name in report.data_sets
        ]
    differences = []
    for row in frame.to_dict("records"):
        for quantity, title in QUANTITIES.items():
            printed, size = row[f"published_{quantity}"], row[quantity]
            if pd.notna(printed) and pd.notna(size) and printed != size:
                differences.append(
                    f"{row['data_set']}: the paper has {printed:,} {title.lower()}, the files at "
                    f"hand have {size:,}."
                )
    columns = []
    for quantity, title in QUANTITIES.items():
        columns.append(Column(f"{title}\tours", quantity, count, status="status"))
        columns.append(Column(f"{title}\tpublished", f"published_{quantity}", count))
    columns += [
        Column(f"Positive (%)\t{title}", f"positives_{part}", percent, status="status")
        for part, title in (("train", "training"), ("test", "test"))
    ]
    return Table(
        frame=frame,
        index=[report.data_set_column()],
        columns=columns,
        caption="Table 1. Data sets: features and examples, ours beside the published numbers.",
        notes=[*differences, *report.not_selected()],
    )


def table2(report: Report) -> Table:
    """Return Table 2 of Li et al. (2013): test values in percent, ours above the published ones."""
    frame = _frame(report)
    adapted = frame.assign(value=frame["value"].mask(frame["not_adapted"]))
    frame["_largest"] = largest(adapted, "value", TASK)
    frame["_published_largest"] = largest(frame, "published", TASK)
    frame["_unfinished"] = ~frame["converged"]
    marks = {
        "not_published": FILLED_MARK,
        "_unfinished": UNFINISHED_MARK,
        "_partly_left_out": LEFT_OUT_MARK,
        "not_adapted": NOT_ADAPTED_MARK,
        "grid_limit": GRID_LIMIT_MARK,
    }
    style = {"marks": marks, "bold": "_largest", "status": "status"}
    theirs = {"bold": "_published_largest", "inside": ("published", "low", "high")}
    in_any_order = Column("", "auxiliary_in_any_order", if_known(_parenthesized))
    printed = ("published", "published_auxiliary", "not_published")
    lines = [
        Column("ours", "value", percent, ("low", "high"), **style),
        Column("its auxiliary", "auxiliary_value", if_known(percent)),
        Column("ties in any order", "in_any_order", if_known(percent), after=in_any_order),
        Column("published", printed, _published, **theirs),
    ]
    return Table(
        frame=frame,
        index=data_set_and_measure(report),
        columns=[Across("method", report.method_label, lines)],
        caption=(
            "Table 2. Values on the test sets in percent, the largest of a row in bold; below them "
            "the raw auxiliary classifier and the published values, its own in parentheses."
        ),
        notes=[*_notes(frame), *notes_if_empty(frame), *report.not_selected()],
        of_any={"_unfinished", "grid_limit"},
    )


def _frame(report: Report) -> pd.DataFrame:
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
    # The paper has no cells for added methods.
    in_the_paper = cells.droplevel("method").isin(published.index)
    in_the_paper &= frame["method"].isin(TABLE2_METHODS)
    frame["not_published"] = in_the_paper & frame["published"].isna()
    states = report.results.measurements.groupby(CELL, sort=False)
    frame = frame.join(states[["status", "reason"]].agg(_join_distinct), on=CELL)
    frame = frame.fillna({"status": "not selected", "reason": ""})
    fits = report.results.fits
    # If a cell has fits of several classes, it shows the worst result.
    ends = (
        fits[fits["status"] == "ok"]
        .groupby(CELL, sort=False)
        .agg(
            selected=("selected", _join_distinct),
            kernel_error=("kernel_error", "max"),
            left_out=("left_out", _join_distinct),
            grid_limit=("grid_limit", _join_distinct),
            n_iter=("n_iter", lambda counts: counts.sum(min_count=1)),
            relative_gap=("dual_gap", "max"),
            converged=("converged", lambda flags: not flags.eq(False).any()),
        )
    )
    frame = frame.join(ends, on=CELL)
    keys = pd.MultiIndex.from_frame(frame[CELL])
    frame["not_adapted"] = keys.isin(list(not_adapted(report)))
    frame["_partly_left_out"] = frame["left_out"].fillna("").ne("") & ~frame["not_adapted"]
    return _with_ties_in_any_order(report, frame, raw.to_list())


def _with_ties_in_any_order(report: Report, frame: pd.DataFrame, raw: list) -> pd.DataFrame:
    methods = [*dict.fromkeys([*frame["method"], *AUXILIARY_OF.values()])]
    gains = gain_in_any_order(report, methods).stack()
    for prefix, cells in (("", list(map(tuple, frame[CELL].to_numpy()))), ("auxiliary_", raw)):
        gain = pd.Series([gains.get(cell, 0.0) for cell in cells], index=frame.index)
        expected = (frame[f"{prefix}value"] + gain).where(gain >= SHOWN)
        frame[f"{prefix}in_any_order"] = expected.astype("float64")
    return frame.assign(converged=frame["converged"].ne(False))


def _join_distinct(texts: Iterable[str | None]) -> str:
    """Join the distinct texts by semicolons, without empty and missing ones."""
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
        "The auxiliaries' outputs enter CAPO as ±1. Their own accuracy and F1 are of these "
        "outputs, PRBEP and ROC area of the auxiliary's real-valued ones; some printed values are "
        f"those of ±1. {', '.join(METHODS[name] for name in CAPO)}: CAPO with the core vector "
        "machine, C4.5, the RBF network, and all three.",
        "Among equal scores PRBEP takes the negatives first. A tree gives many examples the same "
        "score: where it makes a difference, a line has the expectation over all orders of equal "
        "scores, the auxiliary's in parentheses, and claims compare the two by that.",
    ]
    gaps = frame[frame["not_published"]]
    if len(gaps):
        filled = int(gaps["value"].notna().sum())
        notes.append(
            f"{FILLED_MARK} and {NOT_PRINTED}: the paper has no value, its program did not finish "
            f"in 24 hours; {filled} of these {len(gaps)} cells have one here."
        )
    errors = frame[frame["kernel_error"].gt(0)].groupby(["method", "data_set"], sort=False)
    if len(errors):
        largest_errors = ", ".join(
            f"{METHODS.get(method, method)} on {data_set_name(data_set)} {scientific(error)}"
            for (method, data_set), error in errors["kernel_error"].max().items()
        )
        notes.append(
            "A kernel factor (incomplete Cholesky decomposition) leaves a share of the trace of "
            f"the kernel matrix, at most: {largest_errors}. Widths and costs were searched on the "
            "subsamples that the configuration states."
        )
    if (frame["value"].notna() & ~frame["converged"]).any():
        notes.append(
            f"{UNFINISHED_MARK} stopped at the limit of iterations; the column relative_gap of "
            "the CSV file says at which gap."
        )
    if frame["_partly_left_out"].any():
        notes.append(
            f"{LEFT_OUT_MARK} an auxiliary predicts one class only on the training part, or on "
            "parts of its cross-validation, and is left out there. The column left_out of the CSV "
            "file says which and where."
        )
    if frame["not_adapted"].any():
        notes.append(NOT_ADAPTED)
    if frame["grid_limit"].fillna("").ne("").any():
        notes.append(
            f"{GRID_LIMIT_MARK} a grid ended at its limit of growth (max_extensions), its best "
            "value being the last: a better one may lie beyond. The column grid_limit of the CSV "
            "file says which."
        )
    wrong = frame[frame["status"].isin(["failed", "timeout"])]
    states = wrong[["status", "reason"]].drop_duplicates()
    return notes + [f"{status}: {reason}" for status, reason in states.itertuples(index=False)]


def notes_if_empty(frame: pd.DataFrame) -> list[str]:
    """Return a list with a note if `frame`, the numbers of a table, is empty; otherwise []."""
    return ["None of the methods of this table is selected."] if frame.empty else []


def table5(report: Report) -> Table:
    """Return Table 5 of Li et al. (2013): test values of CAPO and of a weighted ensemble.

    Both combine five core vector machines. CAPO is an SVM on their outputs and the features, and
    the ensemble an SVM on the outputs alone.
    """
    values, methods = task_values(report), list(DELTA_FUNCTION.methods)
    published = published_values(report)[methods]
    parts = []
    for method in methods:
        ends_of_method = with_intervals(report, values[[method]]).droplevel("method")
        parts.append(ends_of_method.set_axis([method, f"{method}_low", f"{method}_high"], axis=1))
    change = values[DELTA_FUNCTION.proposed] - values[DELTA_FUNCTION.baseline]
    ends = [report.intervals.difference(*task, DELTA_FUNCTION) for task in values.index]
    differences = pd.DataFrame(ends, columns=list(ENDS), index=values.index, dtype="float64")
    differences.insert(0, "difference", change)
    parts.append(differences.where(change.notna()))
    parts.append(published.reindex(values.index).add_prefix("published_"))
    frame = pd.concat(parts, axis=1).reset_index()
    first, second = (frame[f"published_{method}"] for method in methods)
    frame["published_difference"] = first - second
    best = frame[methods].max(axis=1)
    frame[[f"_{method}_best" for method in methods]] = frame[methods].eq(best, axis=0)
    ours = [
        Column(METHODS[name], name, percent, (f"{name}_low", f"{name}_high"), bold=f"_{name}_best")
        for name in methods
    ]
    theirs = [
        Column(f"Published: {METHODS[name]}", f"published_{name}", if_known(percent))
        for name in methods
    ]
    signs = [
        count_signs(*paired(source, DELTA_FUNCTION).to_numpy().T)
        for source in (paper_values(report), published)
    ]
    return Table(
        frame=frame,
        index=data_set_and_measure(report),
        columns=[
            *ours,
            Column("Difference", "difference", percent_change, ENDS, signed_interval=True),
            *theirs,
        ],
        caption=(
            "Table 5. CAPO with five core vector machines (RBF, polynomial, Laplacian, inverse "
            "distance and inverse square distance kernels) and their weighted ensemble, which "
            "has no delta function; values and differences in percent."
        ),
        notes=[
            "Wins/losses/ties of CAPO on the paper's data sets: "
            f"{slashed(*signs[0])} here, {slashed(*signs[1])} in the paper.",
            *report.not_selected(),
        ],
    )
