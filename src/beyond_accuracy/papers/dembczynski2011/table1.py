"""Table 1, four measures of eight methods beside the printed values, and two readings of it."""

from collections.abc import Iterator, Sequence
from functools import partial

import pandas as pd

from beyond_accuracy.papers.dembczynski2011.names import (
    BR,
    BR_UNSCALED,
    F_MEASURE,
    PCC,
    PCC_UNSCALED,
    THRESHOLD,
    TOLERANCE,
    measure_label,
    row_label,
    table_measures,
    table_rows,
)
from beyond_accuracy.papers.dembczynski2011.values import (
    ROW,
    beside_printed,
    by_measure,
    decided,
    sampling,
    selection,
    substituted,
)
from beyond_accuracy.reporting.formats import if_known, percent
from beyond_accuracy.reporting.report import Report
from beyond_accuracy.reporting.tables import Across, Column, Table

OUTSIDE_MARK = "§"
MISPRINT_ROW = (BR, "meuf_approx")

CONVENTIONS = (
    "In percent, the published value beside ours (empty where the paper prints none).",
    "H: labels whose marginal exceeds ½. PCC: {sampling} of each test example. F-measure: of an "
    "example, averaged; 0/0 = 1. Macro-F: a label neither true nor predicted in the test part "
    "counts 0.",
    "Features, and in a chain the labels before, are standardized; one strength of the penalty for "
    "all labels of a model is chosen by the log-loss in {selection}. The paper does not say so; "
    "the table of two readings gives the reason.",
    "MEUF approx leaves tails of probability 0.001 out; the paper's parameters are not known.",
)

STANDARDIZED, UNSCALED = "standardized", "unscaled"
OTHER_READING = {PCC: PCC_UNSCALED, BR: BR_UNSCALED}
READ_ROWS = ((PCC, THRESHOLD), (PCC, "gfm"), (PCC, "meuf"), (BR, THRESHOLD), (BR, "meuf"))
READ_MEASURES = (F_MEASURE, "hamming_loss")

READING_CONVENTIONS = (
    "In percent. Standardized: features, in a chain also the labels before, over their standard "
    "deviations in training, and one strength of the penalty for all labels, in decades. Unscaled: "
    "features as they come, and a strength for each label. Both are chosen by the log-loss in "
    "{selection}.",
    "The paper says neither whether features are scaled nor in what form the penalty is. With "
    "features standardized, one penalty R for all labels (R times the sum of the squared weights) "
    "and R = 100 the printed values of BR on scene come out to all four digits. This comparison "
    "with printed test values identified the form alone; the strength is still chosen on training "
    "data.",
)


def row_columns(report: Report, between: str = " ") -> list[Column]:
    """Return the headings of rows by data set, and by model and inference."""
    label = partial(row_label, between=between)
    return [report.data_set_column(""), Column("", ("model", "inference"), label)]


def table1(report: Report) -> Table:
    """Hamming loss and the three F-measures, ours and the published ones."""
    rows = table_rows(report)
    frame = beside_printed(report, by_measure(report, rows, table_measures(report)))
    far = frame["difference"].abs() > TOLERANCE
    frame["_outside"] = far & (frame["measure"] == F_MEASURE)
    ours = Column("ours", "value", percent, ("low", "high"), marks={"_outside": OUTSIDE_MARK})
    notes = [*_as_configured(report, CONVENTIONS), *_agreement_notes(frame)]
    if MISPRINT_ROW in rows and "mediamill" in report.data_sets:
        notes.append(
            "mediamill, BR MEUF approx: the paper prints a Hamming loss of 35.08, most likely a "
            "misprint of 3.508."
        )
    return Table(
        frame=frame,
        index=row_columns(report),
        columns=[
            Across(
                "measure",
                measure_label,
                [ours, Column("published", "published", if_known(percent))],
                beside=True,
            )
        ],
        caption=(
            "Table 1. Hamming loss and F-measures of inference methods with probabilistic "
            "classifier chains (PCC) and binary relevance (BR)."
        ),
        notes=notes,
    )


def _agreement_notes(frame: pd.DataFrame) -> Iterator[str]:
    """Say how many F-measures lie near the published ones, and which ones do not."""
    compared = frame[(frame["measure"] == F_MEASURE) & frame["difference"].notna()]
    outside = compared[compared["_outside"]]
    inside = compared["published"].between(compared["low"], compared["high"]).sum()
    if len(compared):
        yield (
            f"{len(compared) - len(outside)} of {len(compared)} F-measures are within "
            f"±{TOLERANCE} of the published value; {inside} published values lie in our interval."
        )
    if len(outside):
        differences = "; ".join(
            f"{row.data_set} {row_label(row.model, row.inference)} "
            + f"{100 * row.difference:+.1f}".replace("-", "−")
            for row in outside.itertuples()
        )
        yield f"{OUTSIDE_MARK} Further away (points): {differences}."


def table_readings(report: Report) -> Table:
    """F-measure and Hamming loss with both readings, and the published values."""
    parts = []
    for reading, models in {STANDARDIZED: {}, UNSCALED: OTHER_READING}.items():
        rows = [(models.get(model, model), inference) for model, inference in READ_ROWS]
        part = by_measure(report, rows, READ_MEASURES)
        part.insert(len(ROW) + 1, "reading", reading)
        parts.append(part.replace({"model": {fitted: model for model, fitted in models.items()}}))
    read = {data_set for data_set, model, _ in decided(report) if model in OTHER_READING.values()}
    frame = pd.concat(parts).sort_index(kind="stable")
    frame = beside_printed(report, frame[frame["data_set"].isin(read)])
    frame["published"] = frame["published"].mask(substituted(report, frame))
    frame["_heading"] = frame["measure"].map(measure_label) + "\t" + frame["reading"]
    value = Column("", "value", percent, ("low", "high"))
    published = Column("", "published", if_known(percent))
    return Table(
        frame=frame,
        index=row_columns(report),
        columns=[
            Across("_heading", str, [value]),
            Across("measure", lambda measure: f"{measure_label(measure)}\tpublished", [published]),
        ],
        caption=(
            "Two readings of the paper's regularized logistic regression: F-measure of an example "
            "and Hamming loss."
        ),
        notes=[
            *_as_configured(report, READING_CONVENTIONS),
            *_reading_notes(frame),
            *([] if read else report.data_set_notes(report.data_sets)),
        ],
    )


def _reading_notes(frame: pd.DataFrame) -> Iterator[str]:
    """Say how many F-measures each reading explains, and which printed values neither does."""
    compared = frame[(frame["measure"] == F_MEASURE) & frame["difference"].notna()]
    near = (compared["difference"].abs() <= TOLERANCE).groupby(compared["reading"])
    counts = ", ".join(f"{sum(own)} of {len(own)} {reading}" for reading, own in near)
    if counts:
        yield f"F-measures within ±{TOLERANCE} of the published value: {counts}."
    inside = frame["published"].between(frame["low"], frame["high"])
    keys = [frame[name] for name in (*ROW, "measure", "published")]
    covered = inside.groupby(keys, sort=False).any()
    cells = "; ".join(
        f"{data_set} {row_label(model, inference)}, {measure_label(measure)} {100 * value:.2f}"
        for data_set, model, inference, measure, value in covered.index[~covered]
    )
    if cells:
        yield f"Unexplained are the printed values outside the intervals of both readings: {cells}."


def _as_configured(report: Report, conventions: Sequence[str]) -> list[str]:
    words = {"sampling": sampling(report), "selection": selection(report)}
    return [convention.format(**words) for convention in conventions]
