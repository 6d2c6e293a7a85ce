"""Data sets, seconds, significance, exact against sampled, other β, calibration, base learners."""

import numpy as np
import pandas as pd

from beyond_accuracy_pipeline.papers.dembczynski2011.names import (
    BR,
    BR_BOOSTING,
    EFP,
    F_MEASURE,
    MODELS,
    PCC,
    PCC_BOOSTING,
    THRESHOLD,
    decisions,
    measure_label,
    row_label,
    table_measures,
    table_rows,
)
from beyond_accuracy_pipeline.papers.dembczynski2011.table1 import row_columns
from beyond_accuracy_pipeline.papers.dembczynski2011.values import (
    ROW,
    beside_printed,
    comparisons,
    decided,
    examples,
    left_out,
    measured_rows,
    sampling,
    substituted,
)
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
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.reporting.statistics import holm
from beyond_accuracy_pipeline.reporting.tables import Column, Table

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

COMPARED = (
    ((PCC, "gfm"), (PCC, THRESHOLD)),
    ((PCC, "meuf"), (PCC, THRESHOLD)),
    ((BR, "meuf"), (BR, THRESHOLD)),
    ((PCC, "gfm"), (PCC, "meuf")),
    ((PCC, "gfm"), (BR, "meuf")),
    ((PCC, "gfm"), (PCC, "gfm_threshold")),
    ((PCC, "meuf"), (PCC, "meuf_approx")),
    ((BR, "meuf"), (BR, "meuf_approx")),
)
SHARED_STAGES = ("sample", "predict_proba")
BETAS = {"f0.5_instance": "_f0.5", F_MEASURE: "", "f2_instance": "_f2"}
CALIBRATED = (
    (PCC, "gfm"),
    (PCC, "gfm_threshold"),
    (PCC, "meuf"),
    (BR, "meuf"),
    (EFP, "gfm"),
    (PCC_BOOSTING, "gfm"),
    (BR_BOOSTING, "meuf"),
)
BASE_LEARNERS = (
    ((PCC, PCC_BOOSTING), (THRESHOLD, "gfm", "gfm_threshold", "meuf")),
    ((BR, BR_BOOSTING), (THRESHOLD, "meuf")),
)
NORMAL_95 = 1.959963984540054


def table_data_sets(report: Report) -> Table:
    """Labels and examples of the data sets beside the paper's numbers, misprints marked."""
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


def table1_seconds(report: Report) -> Table:
    """Seconds of inference beside the published ones; differs from run to run."""
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
        index=row_columns(report),
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
    """Return what a model's decision takes on a data set, what all decisions share included."""
    shared = stages[stages["stage"].isin(SHARED_STAGES)]["wall_seconds"].sum()
    decision = stages[(stages["stage"] == "decide") & (stages["task"] == inference)]
    return shared + decision["wall_seconds"].sum() if len(decision) else np.nan


def _two_digits(value: float) -> str:
    return f"{float(f'{value:.2g}'):,.0f}"


def table_significance(report: Report) -> Table:
    """Paired tests of inference methods over the test examples of each data set.

    Each decision of an added model is compared with the thresholds of that model, and with the
    same decision from the paper's chain.
    """
    levels = report.configuration["significance"]["stars"]
    added = [
        (row, baseline)
        for row in table_rows(report, ())
        for baseline in ((row[0], THRESHOLD), (PCC, row[1]))
        if row != baseline
    ]
    rows = [
        (each.data_set, *each.pair.methods, each.difference, *each.counts, each.test.p_value)
        for each in comparisons(report, [*COMPARED, *added])
    ]
    names = ["data_set", "first", "second", "difference", "wins", "losses", "ties", "p_value"]
    frame = pd.DataFrame(rows, columns=names)
    # Apart, so that an added model leaves the p-values of the paper's as they are.
    frame["_added"] = ~frame["first"].str.split("/").str[0].isin(MODELS)
    frame["p_holm"] = frame.groupby(["data_set", "_added"])["p_value"].transform(holm)
    apart = ", and apart from them over those of added models" if added else ""
    return Table(
        frame=frame,
        index=[report.data_set_column(), Column("Methods", ("first", "second"), _pair_label)],
        columns=[
            Column("Difference of F", "difference", percent_change),
            Column("Wins / losses / ties", ("wins", "losses", "ties"), "{:g} / {:g} / {:g}".format),
            Column("p", "p_value", p_value(levels)),
            Column("p, Holm", "p_holm", p_value(levels)),
        ],
        caption=(
            "Inference methods compared on the F-measures of the same test examples (points); "
            "Wilcoxon's signed-rank test, two-tailed."
        ),
        notes=[
            f"{star_note(levels)}. Holm's adjustment is over the comparisons of a data set{apart}.",
            *left_out(report, table_rows(report), decided(report)),
        ],
    )


def _pair_label(first: str, second: str) -> str:
    return " − ".join(row_label(*name.split("/")) for name in (first, second))


def table_exact(report: Report) -> Table:
    """What samples cost against all 2^m label vectors."""
    levels = report.configuration["significance"]["stars"]
    inferences = (THRESHOLD, "gfm", "gfm_threshold", "meuf")
    own = tuple((PCC, inference) for inference in inferences)
    pairs = [
        ((model, inference), (model, f"{inference}_exact"))
        for model, inference in table_rows(report, own, inferences)
        if f"{inference}_exact" in decisions(report, model)
    ]
    rows = [
        (
            *(each.data_set, *each.pair.proposed.split("/")),
            *(each.average(name) for name in each.pair.methods),
            *(each.test.n_nonzero, each.test.p_value, each.difference),
        )
        for each in comparisons(report, pairs)
    ]
    names = [*ROW, "sampled", "exact", "examples_that_differ", "p_value", "_difference"]
    return Table(
        frame=pd.DataFrame(rows, columns=names),
        index=row_columns(report),
        columns=[
            Column("Sampled", "sampled", percent),
            Column("Exact", "exact", percent),
            Column("Sampled − exact", "_difference", percent_change),
            Column("Examples that differ", "examples_that_differ", count),
            Column("p", "p_value", p_value(levels)),
        ],
        caption=(
            f"Beyond the paper: F-measures of PCC with {sampling(report)} of each test example and "
            "with all label vectors."
        ),
        notes=left_out(report, [sampled for sampled, _ in pairs], {row[:3] for row in rows}),
    )


def table_f_beta(report: Report) -> Table:
    """F of three β, each maximized and the others measured as well."""
    own = ((PCC, "gfm"), (PCC, "meuf"), (BR, "meuf"))
    rows = {
        (model, inference + suffix): (inference, maximized)
        for model, inference in table_rows(report, own, ("gfm", "meuf"))
        for maximized, suffix in BETAS.items()
        if inference + suffix in decisions(report, model)
    }
    frame = measured_rows(report, list(rows), list(BETAS))
    meanings = [rows[row] for row in frame[["model", "inference"]].itertuples(index=False)]
    frame["inference"] = [inference for inference, _ in meanings]
    frame.insert(len(ROW), "maximized", [maximized for _, maximized in meanings])
    return Table(
        frame=frame,
        index=[
            report.data_set_column(),
            Column("Method", ("model", "inference", "maximized"), _maximized_label),
        ],
        columns=[Column(_beta_label(measure), measure, percent) for measure in BETAS],
        caption=(
            "Beyond the paper: the mean F of an example for three β, by the one that the "
            "prediction maximizes."
        ),
    )


def _maximized_label(model: str, inference: str, maximized: str) -> str:
    return f"{row_label(model, inference)} for {_beta_label(maximized)}"


def _beta_label(measure: str) -> str:
    return "F1" if measure == F_MEASURE else measure_label(measure)


def table_calibration(report: Report) -> Table:
    """Expected and achieved F-measure of each method that maximizes its expectation."""
    present, selected = decided(report), table_rows(report, CALIBRATED, ("gfm", "meuf"))
    rows = []
    for data_set in report.data_sets:
        own = [row for row in selected if (data_set, *row) in present]
        for row, (expected, achieved) in examples(report, data_set, own).items():
            excess = expected - achieved
            half = NORMAL_95 * excess.std(ddof=1) / np.sqrt(len(excess)) if len(excess) > 1 else 0.0
            mean = excess.mean()
            means = (expected.mean(), achieved.mean(), mean, mean - half, mean + half)
            varies = expected.std() > 0 and achieved.std() > 0
            correlation = np.corrcoef(expected, achieved)[0, 1] if varies else np.nan
            rows.append((data_set, *row, *means, correlation))
    names = [*ROW, "expected", "achieved", "excess", "low", "high", "correlation"]
    return Table(
        frame=pd.DataFrame(rows, columns=names),
        index=row_columns(report),
        columns=[
            Column("Expected", "expected", percent),
            Column("Achieved", "achieved", percent),
            Column("Expected − achieved", ("excess", "low", "high"), _excess),
            Column("Correlation", "correlation", if_known("{:.2f}".format)),
        ],
        caption=(
            "Beyond the paper: the F-measure that a method expects of its predictions on the test "
            "examples, and what it achieves."
        ),
        notes=[
            "GFM expects under the joint distribution of its model, MEUF under independence. In "
            "brackets: 95 % normal interval of the mean difference over test examples. "
            "Correlation: over test examples.",
            *left_out(report, selected, present),
        ],
    )


def _excess(value: float, low: float, high: float) -> str:
    return f"{percent_change(value)} {percent_interval(low, high, sign=True)}"


def table_gradient_boosting(report: Report) -> Table:
    """Gradient boosting in place of logistic regression."""
    measures = table_measures(report)
    own = tuple(
        (model, inference)
        for models, inferences in BASE_LEARNERS
        for inference in inferences
        for model in models
    )
    return Table(
        frame=measured_rows(report, table_rows(report, own), measures),
        index=row_columns(report, between=": "),
        columns=[Column(measure_label(measure), measure, percent) for measure in measures],
        caption=(
            "Beyond the paper: gradient boosting with fixed parameters (50 trees of at most 8 "
            "leaves a label, unless configured otherwise) beside logistic regression."
        ),
    )
