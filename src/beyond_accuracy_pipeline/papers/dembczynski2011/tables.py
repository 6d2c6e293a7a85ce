"""Tables of Dembczyński et al. (2011): Table 1, times, data sets, and further methods.

A row of Table 1 is a pair (model, inference method).
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import numpy as np
import pandas as pd

from beyond_accuracy_pipeline.reporting.formats import (
    count,
    decimals,
    if_known,
    p_value,
    percent,
    percent_change,
    percent_interval,
    star_note,
)
from beyond_accuracy_pipeline.reporting.page_tables import (
    Rows,
    cross_table,
    median_and_range,
    points,
    read_table,
)
from beyond_accuracy_pipeline.reporting.readings import table_readings
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.reporting.tables import Across, Column, Table

from .names import (
    BEYOND,
    BR,
    F_MEASURE,
    HAMMING_LOSS,
    ROWS,
    TOLERANCE,
    Row,
    measure_label,
    row_label,
    table_measures,
    table_rows,
)
from .values import (
    ROW,
    beside_printed,
    by_measure,
    compare_rows,
    measured_rows,
    sampling,
    substituted,
)

QUANTITIES = {
    "n_classes": "Labels",
    "n_train": "Training examples",
    "n_test": "Test examples",
    "n_features": "Features",
}
MISPRINTS = {
    ("scene", "n_test"): "1,196 with two digits exchanged",
    ("mediamill", "n_train"): "the full set has 30,993",
}
MISPRINT_MARK = "‡"
OUTSIDE_MARK = "§"
MISPRINT_ROW = (BR, "meuf_approx")
VARIANTS = ("gfm_threshold", "meuf_approx")

CONVENTIONS = (
    "In percent, the published value beside ours (empty where the paper prints none).",
    "H: labels whose marginal is at least ½. PCC: {sampling} of each test example. F-measure: of "
    "an example, averaged; 0/0 = 1. Macro-F: a label neither true nor predicted in the test part "
    "counts 0.",
    "Features, and in a chain the labels before, are standardized; one strength of the penalty for "
    "all labels of a model is chosen by the log-loss in {folds}-fold cross-validation on the "
    "training part. The paper names three-fold cross-validation alone. We chose the form after "
    "comparing with the printed F-measures; with R = 100 the values of BR on scene come out to all "
    "four digits. The strength is still chosen on training data.",
    "MEUF approx is not Jansche's approximation, which the paper took and of which no description "
    "is at hand. It leaves tails of probability 0.001 out and decides nearly always as MEUF.",
)

SHARED_STAGES = ("sample", "predict_proba")


def _row_columns(report: Report) -> list[Column]:
    return [report.data_set_column(), Column("Method", ("model", "inference"), row_label)]


def table_data_sets(report: Report) -> Table:
    """Return the table of data set sizes: numbers of labels, examples and features."""
    frame = report.data_set_sizes(QUANTITIES, "data_sets")
    printed = frame.set_index("data_set")
    notes = [
        f"{MISPRINT_MARK} {name}: the paper prints "
        f"{count(printed.at[name, f'published_{quantity}'])}, most likely a misprint ({why})."
        for (name, quantity), why in MISPRINTS.items()
        if name in printed.index
    ]
    if substituted(report, frame).any():
        notes.append("Numbers of a substitute are not comparable with the published ones.")
    columns = []
    for quantity, title in QUANTITIES.items():
        columns.append(Column(title, quantity, count, status="status"))
        if f"published_{quantity}" in frame:
            misprint = f"_misprint_{quantity}"
            frame[misprint] = [(name, quantity) in MISPRINTS for name in frame["data_set"]]
            heading, marks = f"{title}, published", {misprint: MISPRINT_MARK}
            columns.append(Column(heading, f"published_{quantity}", count, marks=marks))
    return Table(
        frame=frame,
        index=[report.data_set_column("")],
        columns=columns,
        caption="Data sets: labels, examples and features, beside the paper's numbers.",
        notes=notes,
    )


def table1(report: Report) -> Table:
    """Return Table 1 of Dembczyński et al. (2011): Hamming loss and F-measures on test parts."""
    rows = table_rows(report)
    frame = beside_printed(report, by_measure(report, rows, table_measures(report)))
    frame["_outside"] = frame["difference"].abs() > TOLERANCE
    frame["_best"], frame["_best_published"] = _best(frame, "value"), _best(frame, "published")
    marks = {"_outside": OUTSIDE_MARK}
    ours = Column("ours", "value", percent, ("low", "high"), marks=marks, bold="_best")
    looks = {"bold": "_best_published", "inside": ("published", "low", "high")}
    published = Column("published", "published", if_known(percent), **looks)
    words = {"sampling": sampling(report), "folds": report.configuration["selection"]["folds"]}
    notes = [convention.format(**words) for convention in CONVENTIONS]
    notes += _agreement_notes(frame)
    if MISPRINT_ROW in rows and "mediamill" in report.data_sets:
        notes.append(
            "mediamill, BR MEUF approx: the paper prints a Hamming loss of 35.08, most likely a "
            "misprint of 3.508."
        )
    return Table(
        frame=frame,
        index=_row_columns(report),
        columns=[Across("measure", measure_label, [ours, published], beside=True)],
        caption=(
            "Table 1. Hamming loss and F-measures of inference methods with probabilistic "
            "classifier chains (PCC) and binary relevance (BR). Bold: the best by data set and "
            "measure, of ours and, as in the paper, of the published values."
        ),
        notes=notes,
    )


def _best(frame: pd.DataFrame, column: str) -> pd.Series:
    sign = np.where(frame["measure"] == HAMMING_LOSS, -1.0, 1.0)
    merit = sign * frame[column].round(4)
    return merit.eq(merit.groupby([frame["data_set"], frame["measure"]]).transform("max"))


def _agreement_notes(frame: pd.DataFrame) -> Iterator[str]:
    compared = frame[frame["difference"].notna()]
    outside = compared[compared["_outside"]]
    inside = compared["published"].between(compared["low"], compared["high"]).sum()
    if len(compared):
        yield (
            f"{len(compared) - len(outside)} of {len(compared)} cells are within "
            f"±{TOLERANCE} of the published value; {inside} published values lie in our interval."
        )
    if len(outside):
        differences = "; ".join(
            f"{row.data_set} {row_label(row.model, row.inference)}, {measure_label(row.measure)} "
            + f"{100 * row.difference:+.1f}".replace("-", "−")
            for row in outside.itertuples()
        )
        yield f"{OUTSIDE_MARK} Further away (points): {differences}."


def table_beyond(report: Report) -> Table:
    """Return a table of test values of methods that are not in Dembczyński et al. (2011)."""
    levels = report.configuration["significance"]["stars"]
    rows, measures = table_rows(report, BEYOND, ("gfm", "meuf")), table_measures(report)
    pairs = [(row, (BR, "meuf")) for row in rows]
    tests = pd.DataFrame(
        (
            (each.data_set, *each.pair.proposed.split("/"), each.difference, each.test.p_value)
            for each in compare_rows(report, pairs, report.data_sets)
        ),
        columns=[*ROW, "difference", "p_value"],
    )
    label = partial(row_label, between=": ")
    return Table(
        frame=measured_rows(report, rows, measures).merge(tests, how="left", on=ROW),
        index=[report.data_set_column(), Column("Method", ("model", "inference"), label)],
        columns=[
            *(Column(measure_label(measure), measure, percent) for measure in measures),
            Column("F − BR MEUF", "difference", if_known(percent_change)),
            Column("p", "p_value", if_known(p_value(levels))),
        ],
        caption=(
            "Beyond the paper: GFM with direct estimates of what it needs (EFP, Waegeman et al. "
            "2014), and gradient boosting instead of logistic regression on the two data sets with "
            "few labels; their F-measures against BR MEUF on the same test examples (points)."
        ),
        notes=[f"{star_note(levels)}, by Wilcoxon's signed-rank test, two-tailed, not adjusted."],
    )


def table1_seconds(report: Report) -> Table:
    """Return a table of the seconds that predicting labels takes, ours and published."""
    seconds = report.results.seconds
    frame = measured_rows(report, table_rows(report), ()).assign(measure="inference_seconds")
    frame["value"] = [
        _seconds(
            seconds[(seconds["data_set"] == data_set) & (seconds["method"] == model)], inference
        )
        for data_set, model, inference in frame[ROW].itertuples(index=False)
    ]
    frame = beside_printed(report, frame).rename(columns={"value": "seconds"})
    frame["_ratio"] = (frame["published"] / frame["seconds"]).mask(substituted(report, frame))
    return Table(
        frame=frame.drop(columns=["measure", "difference"]),
        index=_row_columns(report),
        columns=[
            Column("Seconds", "seconds", decimals(3)),
            Column("Published", "published", if_known(decimals(3))),
            Column("Times faster", "_ratio", if_known(_two_digits)),
        ],
        caption="Table 1, continued. Seconds of inference on the whole test part, on one core.",
        notes=[
            f"PCC: drawing {sampling(report)} of each example, which all its rows share, and the "
            "decision.",
            "Published seconds are of another machine; where a substitute stands in, they are of "
            "other examples and not compared.",
        ],
    )


def _seconds(stages: pd.DataFrame, inference: str) -> float:
    shared = stages[stages["stage"].isin(SHARED_STAGES)]["wall_seconds"].sum()
    decision = stages[(stages["stage"] == "decide") & (stages["task"] == inference)]
    return shared + decision["wall_seconds"].sum() if len(decision) else np.nan


def _two_digits(value: float) -> str:
    return f"{float(f'{value:.2g}'):,.0f}"


TABLES = {
    "table_data_sets": table_data_sets,
    "table1": table1,
    "table_readings": table_readings,
    "table_beyond": table_beyond,
    "table1_seconds": table1_seconds,
}


def page_table(report: Report) -> Rows:
    """Return the F-measures of Table 1 of Dembczyński et al. (2011) as rows of Markdown cells.

    There is one column per data set. The first row has its sizes. Then there is one row per
    method, with our value, its interval, and the published value. GFM-T and MEUF approx are left
    out, because their values are nearly the values of GFM and MEUF.
    """
    frame = read_table(report, "table1")
    frame = frame[frame["measure"] == F_MEASURE]
    rows = {row: row_label(*row) for row in ROWS if row[1] not in VARIANTS}
    head, *body = _by_data_set(report, frame, "method", rows, _cell)
    sizes = read_table(report, "table_data_sets").set_index("data_set")
    sizes = sizes.loc[frame["data_set"].unique()]
    texts = [
        f"{count(row.n_classes)}; {count(row.n_train)}/{count(row.n_test)}"
        for row in sizes.itertuples()
    ]
    return [head, ["labels; training/test examples", *texts], *body]


def beyond_table(report: Report) -> Rows:
    """Return F-measures of methods that are not in Dembczyński et al. (2011) as Markdown cells.

    There is one row per method and one column per data set.
    """
    return _by_data_set(
        report,
        read_table(report, "table_beyond"),
        "beyond the paper",
        {row: row_label(*row, between=": ") for row in BEYOND},
        lambda row: median_and_range(row, F_MEASURE, points),
    )


def _by_data_set(
    report: Report,
    frame: pd.DataFrame,
    corner: str,
    rows: Mapping[Row, str],
    form: Callable[[pd.Series], str],
) -> Rows:
    columns = {name: report.label(name) for name in frame["data_set"].unique()}
    values = frame.set_index(["model", "inference", "data_set"])
    cells = {(row, name): form(values.loc[(*row, name)]) for row in rows for name in columns}
    return cross_table(corner, rows, columns, cells)


def _cell(row: pd.Series) -> str:
    interval = percent_interval(row["low"], row["high"])
    published = "" if pd.isna(row["published"]) else f" / {points(row['published'])}"
    return f"{points(row['value'])} {interval}{published}"
