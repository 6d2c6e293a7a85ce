"""Data sets, seconds, significance, exact against sampled, other β, calibration, base learners."""

import numpy as np
import pandas as pd

from beyond_accuracy.papers.dembczynski2011.names import (
    BR,
    BR_BOOSTING,
    F_MEASURE,
    INFERENCES,
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
from beyond_accuracy.papers.dembczynski2011.table1 import row_columns
from beyond_accuracy.papers.dembczynski2011.values import (
    compare_rows,
    decided,
    expectations,
    f_measures,
    left_out,
    measured,
    printed,
)
from beyond_accuracy.reporting.formats import (
    count,
    decimals,
    if_known,
    p_value,
    percent,
    percent_change,
    percent_interval,
    star_note,
)
from beyond_accuracy.reporting.report import Report, is_substitute
from beyond_accuracy.reporting.statistics import holm
from beyond_accuracy.reporting.tables import Column, Table

QUANTITIES = {
    "n_classes": "Labels",
    "n_train": "Training examples",
    "n_test": "Test examples",
    "n_features": "Features",
}
PRINTED_QUANTITIES = ("n_classes", "n_train", "n_test")
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
    table = report.published("data_sets")
    published = table.set_index(["data_set", "quantity"])["value"].to_dict()
    rows, notes = [], []
    for data_set in report.data_sets:
        record = report.results.record(data_set)
        row = {name: record.get(name) for name in ("status", "substitute_for")}
        row = {"data_set": data_set} | row
        for quantity in QUANTITIES:
            row[quantity] = (
                record.get(f"{quantity}_found") if record.get("status") == "ok" else None
            )
            if quantity in PRINTED_QUANTITIES:
                row[f"published_{quantity}"] = published.get((data_set, quantity))
                row[f"_misprint_{quantity}"] = (data_set, quantity) in MISPRINTS
        rows.append(row)
        notes += [
            f"{MISPRINT_MARK} {data_set}: the paper prints {count(published[name, quantity])}, "
            f"most likely a misprint ({reason})."
            for (name, quantity), reason in MISPRINTS.items()
            if name == data_set
        ]
    if any(is_substitute(report.results.record(data_set)) for data_set in report.data_sets):
        notes.append("Numbers of a substitute are not comparable with the published ones.")
    columns = []
    for quantity, title in QUANTITIES.items():
        columns.append(Column(title, quantity, count, status="status"))
        if quantity in PRINTED_QUANTITIES:
            marks = {f"_misprint_{quantity}": MISPRINT_MARK}
            title = f"{title}, published"
            columns.append(Column(title, f"published_{quantity}", count, marks=marks))
    frame = pd.DataFrame(rows)
    whole = [*QUANTITIES, *(f"published_{quantity}" for quantity in PRINTED_QUANTITIES)]
    return Table(
        frame=frame.astype(dict.fromkeys(whole, "Int64")),
        index=[report.data_set_column("")],
        columns=columns,
        caption="Data sets: labels, examples and features, beside the paper's numbers.",
        notes=notes,
    )


def table1_seconds(report: Report) -> Table:
    """Seconds of inference beside the published ones; differs from run to run."""
    published, seconds = printed(report), report.results.seconds
    rows = []
    for data_set in report.data_sets:
        substituted = is_substitute(report.results.record(data_set))
        for model, inference in table_rows(report):
            stages = seconds[(seconds["data_set"] == data_set) & (seconds["method"] == model)]
            shared = stages[stages["stage"].isin(SHARED_STAGES)]["wall_seconds"].sum()
            decision = stages[(stages["stage"] == "decide") & (stages["task"] == inference)]
            value = shared + decision["wall_seconds"].sum() if len(decision) else np.nan
            paper = published.get((data_set, model, inference, "inference_seconds"), np.nan)
            ratio = np.nan if substituted else paper / value
            rows.append((data_set, model, inference, value, paper, ratio))
    names = ["data_set", "model", "inference", "seconds", "published", "_ratio"]
    return Table(
        frame=pd.DataFrame(rows, columns=names),
        index=row_columns(report),
        columns=[
            Column("Seconds", "seconds", decimals(3)),
            Column("Published", "published", if_known(decimals(3))),
            Column("Times faster", "_ratio", if_known(_two_digits)),
        ],
        caption="Table 1, continued. Seconds of inference on the whole test part, on one core.",
        notes=[
            "PCC: drawing 200 samples of each example, which all its rows share, and the decision.",
            "Published seconds are of another machine; where a substitute stands in, they are of "
            "other examples and not compared.",
        ],
    )


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
    present = decided(report)
    rows = []
    for data_set in report.data_sets:
        examples = f_measures(report, data_set)
        # Apart, so that an added model leaves the p-values of the paper's as they are.
        for family in (COMPARED, added):
            pairs = [
                pair for pair in family if all((data_set, *member) in present for member in pair)
            ]
            compared = [compare_rows(report, data_set, examples, *pair) for pair in pairs]
            adjusted = holm([comparison.test.p_value for comparison in compared])
            for pair, comparison, p_holm in zip(pairs, compared, adjusted, strict=True):
                first, second = comparison.pair.methods
                row = {"data_set": data_set, "first": first, "second": second}
                row |= {"difference": comparison.difference, **vars(comparison.counts)}
                row |= {"p_value": comparison.test.p_value, "p_holm": p_holm}
                rows.append(row | {"_pair": " − ".join(row_label(*member) for member in pair)})
    names = ["data_set", "first", "second", "difference", "wins", "losses", "ties"]
    apart = ", and apart from them over those of added models" if added else ""
    return Table(
        frame=pd.DataFrame(rows, columns=[*names, "p_value", "p_holm", "_pair"]),
        index=[report.data_set_column(""), Column("", "_pair")],
        columns=[
            Column("Difference of F", "difference", percent_change),
            Column("Wins / losses / ties", ("wins", "losses", "ties"), "{} / {} / {}".format),
            Column("p", "p_value", p_value(levels)),
            Column("p, Holm", "p_holm", p_value(levels)),
        ],
        caption=(
            "Inference methods compared on the F-measures of the same test examples (points); "
            "Wilcoxon's signed-rank test, two-tailed."
        ),
        notes=[
            f"{star_note(levels)}. Holm's adjustment is over the comparisons of a data set{apart}.",
            *left_out(report, table_rows(report), present),
        ],
    )


def table_exact(report: Report) -> Table:
    """What 200 samples cost against all 2^m label vectors."""
    levels = report.configuration["significance"]["stars"]
    inferences = (THRESHOLD, "gfm", "gfm_threshold", "meuf")
    pairs = {
        (model, inference): (model, f"{inference}_exact")
        for model, inference in table_rows(
            report, tuple((PCC, inference) for inference in inferences), inferences
        )
        if f"{inference}_exact" in decisions(report, model)
    }
    values, present = measured(report), decided(report)
    rows = []
    for data_set in report.data_sets:
        examples = f_measures(report, data_set)
        for sampled, exact in pairs.items():
            if not {(data_set, *sampled), (data_set, *exact)} <= present:
                continue
            comparison = compare_rows(report, data_set, examples, sampled, exact)
            counts = comparison.counts
            row = dict(zip(("data_set", "model", "inference"), (data_set, *sampled), strict=True))
            rows.append(
                row
                | {
                    "sampled": values.get((data_set, *sampled, F_MEASURE), np.nan),
                    "exact": values.get((data_set, *exact, F_MEASURE), np.nan),
                    "examples_that_differ": counts.wins + counts.losses,
                    "p_value": comparison.test.p_value,
                    "_difference": comparison.difference,
                }
            )
    names = ["data_set", "model", "inference", "sampled", "exact", "examples_that_differ"]
    frame = pd.DataFrame(rows, columns=[*names, "p_value", "_difference"])
    compared = set(frame[names[:3]].itertuples(index=False, name=None))
    return Table(
        frame=frame,
        index=row_columns(report),
        columns=[
            Column("Sampled", "sampled", percent),
            Column("Exact", "exact", percent),
            Column("Sampled − exact", "_difference", percent_change),
            Column("Examples that differ", "examples_that_differ", count),
            Column("p", "p_value", p_value(levels)),
        ],
        caption=(
            "Beyond the paper: F-measures of PCC with 200 samples of each test example and with "
            "all label vectors."
        ),
        notes=left_out(report, list(pairs), compared),
    )


def table_f_beta(report: Report) -> Table:
    """F of three β, each maximized and the others measured as well."""
    values = measured(report)
    own = ((PCC, "gfm"), (PCC, "meuf"), (BR, "meuf"))
    rows = []
    for data_set in report.data_sets:
        for model, inference in table_rows(report, own, ("gfm", "meuf")):
            for maximized, suffix in BETAS.items():
                if inference + suffix not in decisions(report, model):
                    continue
                key = (data_set, model, inference + suffix)
                row = {"data_set": data_set, "model": model, "inference": inference}
                row |= {measure: values.get((*key, measure), np.nan) for measure in BETAS}
                label = f"{row_label(model, inference)} for {_beta_label(maximized)}"
                rows.append(row | {"maximized": maximized, "_row": label})
    names = ["data_set", "model", "inference", "maximized", *BETAS, "_row"]
    return Table(
        frame=pd.DataFrame(rows, columns=names),
        index=[report.data_set_column(""), Column("", "_row")],
        columns=[Column(_beta_label(measure), measure, percent) for measure in BETAS],
        caption=(
            "Beyond the paper: the mean F of an example for three β, by the one that the "
            "prediction maximizes."
        ),
    )


def _beta_label(measure: str) -> str:
    return "F1" if measure == F_MEASURE else measure_label(measure)


def table_calibration(report: Report) -> Table:
    """Expected and achieved F-measure of each method that maximizes its expectation."""
    present, selected = decided(report), table_rows(report, CALIBRATED, ("gfm", "meuf"))
    rows = []
    for data_set in report.data_sets:
        for row in selected:
            if (data_set, *row) not in present:
                continue
            expected, achieved = expectations(report, data_set, row)
            excess = expected - achieved
            half = NORMAL_95 * excess.std(ddof=1) / np.sqrt(len(excess)) if len(excess) > 1 else 0.0
            varies = expected.std() > 0 and achieved.std() > 0
            rows.append(
                {
                    "data_set": data_set,
                    "model": row[0],
                    "inference": row[1],
                    "expected": expected.mean(),
                    "achieved": achieved.mean(),
                    "excess": excess.mean(),
                    "low": excess.mean() - half,
                    "high": excess.mean() + half,
                    "correlation": np.corrcoef(expected, achieved)[0, 1] if varies else np.nan,
                }
            )
    names = ["data_set", "model", "inference", "expected", "achieved", "excess", "low", "high"]
    return Table(
        frame=pd.DataFrame(rows, columns=[*names, "correlation"]),
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
    values, measures = measured(report), table_measures(report)
    own = tuple(
        (model, inference)
        for models, inferences in BASE_LEARNERS
        for inference in inferences
        for model in models
    )
    rows = [
        {
            "data_set": data_set,
            "model": model,
            "inference": inference,
            "_row": f"{MODELS.get(model, model)}: {INFERENCES[inference]}",
        }
        | {name: values.get((data_set, model, inference, name), np.nan) for name in measures}
        for data_set in report.data_sets
        for model, inference in table_rows(report, own)
    ]
    return Table(
        frame=pd.DataFrame(rows, columns=["data_set", "model", "inference", *measures, "_row"]),
        index=[report.data_set_column(""), Column("", "_row")],
        columns=[Column(measure_label(measure), measure, percent) for measure in measures],
        caption=(
            "Beyond the paper: gradient boosting with fixed parameters (50 trees of at most 8 "
            "leaves a label, unless configured otherwise) beside logistic regression."
        ),
    )
