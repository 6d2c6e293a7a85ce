"""Seconds, significance, exact against sampled, other β, and another base learner."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from beyond_accuracy.reporting.data_set_names import (
    data_set_label,
    data_set_notes,
    is_substitute,
)
from beyond_accuracy.reporting.dembczynski2011.evidence import LabelResults
from beyond_accuracy.reporting.dembczynski2011.names import (
    BR,
    BR_BOOSTING,
    F_MEASURE,
    INFERENCES,
    MEASURES,
    MODELS,
    PCC,
    PCC_BOOSTING,
    PRINTED_MEASURES,
    ROWS,
    THRESHOLD,
    published_name,
    published_values,
    row_label,
)
from beyond_accuracy.reporting.statistics import holm
from beyond_accuracy.reporting.tables import UNAVAILABLE, Table, p_value, percent, star_note
from beyond_accuracy.results import PaperResults

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


def table1_seconds(results: PaperResults, configuration: Mapping[str, Any]) -> Table:
    """Seconds of inference beside the published ones; differs from run to run."""
    run = LabelResults(results, configuration)
    published, seconds = published_values(), results.seconds
    rows, shown = [], {}
    for data_set in run.data_sets:
        for model, inference in ROWS:
            mine = seconds[(seconds["data_set"] == data_set) & (seconds["method"] == model)]
            shared = mine[mine["stage"].isin(SHARED_STAGES)]["wall_seconds"].sum()
            own = mine[(mine["stage"] == "decide") & (mine["task"] == inference)]["wall_seconds"]
            value = shared + own.sum() if len(own) else float("nan")
            key = (published_name(data_set), "inference_seconds", model, inference)
            printed = published.get(key, float("nan"))
            rows.append(
                {
                    "data_set": data_set,
                    "model": model,
                    "inference": inference,
                    "seconds": value,
                    "published": printed,
                }
            )
            label = (data_set_label(results, data_set), row_label(model, inference))
            ratio = float("nan") if is_substitute(results.record(data_set)) else printed / value
            shown[label] = {
                "Seconds": UNAVAILABLE if pd.isna(value) else f"{value:.3f}",
                "Published": "" if pd.isna(printed) else f"{printed:,.3f}",
                "Times faster": "" if pd.isna(ratio) else f"{float(f'{ratio:.2g}'):,.0f}",
            }
    return Table(
        frame=pd.DataFrame(rows),
        display=_indexed(shown),
        caption="Table 1, continued. Seconds of inference on the whole test part, on one core.",
        notes=(
            "PCC: drawing 200 samples of each example, which all its rows share, and the decision.",
            "Published seconds are of another machine; where a substitute stands in, they are of "
            "other examples and not compared.",
            *data_set_notes(results, run.data_sets),
        ),
    )


def table_significance(results: PaperResults, configuration: Mapping[str, Any]) -> Table:
    """Paired tests of inference methods over the test examples of each data set."""
    run = LabelResults(results, configuration)
    levels = configuration["significance"]["stars"]
    rows, shown = [], {}
    for data_set in run.data_sets:
        known = [
            pair for pair in COMPARED if run.has(data_set, *pair[0]) and run.has(data_set, *pair[1])
        ]
        compared = [run.pair(data_set, *pair) for pair in known]
        adjusted = holm([one.test.p_value for one in compared])
        for (first, second), one, adjusted_p in zip(known, compared, adjusted, strict=True):
            rows.append(
                {
                    "data_set": data_set,
                    "first": "/".join(first),
                    "second": "/".join(second),
                    "difference": one.difference,
                    "wins": one.counts.wins,
                    "losses": one.counts.losses,
                    "ties": one.counts.ties,
                    "p_value": one.test.p_value,
                    "p_holm": adjusted_p,
                }
            )
            label = f"{row_label(*first)} − {row_label(*second)}"
            shown[data_set_label(results, data_set), label] = {
                "Difference of F": percent(one.difference, sign=True),
                "Wins / losses / ties": str(one.counts).replace("/", " / "),
                "p": p_value(one.test.p_value, levels),
                "p, Holm": p_value(adjusted_p, levels),
            }
    columns = ["data_set", "first", "second", "difference", "wins", "losses", "ties"]
    return Table(
        frame=pd.DataFrame(rows, columns=[*columns, "p_value", "p_holm"]),
        display=_indexed(shown),
        caption=(
            "Inference methods compared on the F-measures of the same test examples (points); "
            "Wilcoxon's signed-rank test, two-tailed."
        ),
        notes=(
            f"{star_note(levels)}. Holm's adjustment is over the comparisons of a data set.",
            *data_set_notes(results, run.data_sets),
        ),
    )


def table_exact(results: PaperResults, configuration: Mapping[str, Any]) -> Table:
    """What 200 samples cost against all 2^m label vectors."""
    run = LabelResults(results, configuration)
    levels = configuration["significance"]["stars"]
    rows, shown, absent = [], {}, {}
    for data_set in run.data_sets:
        for inference in ("marginal_threshold", "gfm", "gfm_threshold", "meuf"):
            sampled, exact = (PCC, inference), (PCC, f"{inference}_exact")
            if not (run.has(data_set, *sampled) and run.has(data_set, *exact)):
                absent[data_set] = run.reasons(data_set, PCC)
                continue
            one = run.pair(data_set, sampled, exact)
            row = {
                "data_set": data_set,
                "inference": inference,
                "sampled": run.value(data_set, *sampled, F_MEASURE),
                "exact": run.value(data_set, *exact, F_MEASURE),
                "examples_that_differ": int((one.first != one.second).sum()),
                "p_value": one.test.p_value,
            }
            rows.append(row)
            shown[data_set_label(results, data_set), row_label(PCC, inference)] = {
                "Sampled": percent(row["sampled"]),
                "Exact": percent(row["exact"]),
                "Sampled − exact": percent(one.difference, sign=True),
                "Examples that differ": f"{row['examples_that_differ']:,}",
                "p": p_value(one.test.p_value, levels),
            }
    columns = ["data_set", "inference", "sampled", "exact", "examples_that_differ", "p_value"]
    return Table(
        frame=pd.DataFrame(rows, columns=columns),
        display=_indexed(shown),
        caption=(
            "Beyond the paper: F-measures of PCC with 200 samples of each test example and with "
            "all label vectors."
        ),
        notes=(
            *(
                f"{name} is left out: {reason or 'not measured in this run'}."
                for name, reason in absent.items()
            ),
            *data_set_notes(results, run.data_sets),
        ),
    )


def table_f_beta(results: PaperResults, configuration: Mapping[str, Any]) -> Table:
    """F of three β, each maximized and the others measured as well."""
    run = LabelResults(results, configuration)
    rows, shown = [], {}
    for data_set in run.data_sets:
        for model, inference in ((PCC, "gfm"), (PCC, "meuf"), (BR, "meuf")):
            for maximized, suffix in BETAS.items():
                decision = inference + suffix
                values = {each: run.value(data_set, model, decision, each) for each in BETAS}
                row = {"data_set": data_set, "model": model, "inference": inference}
                rows.append(row | {"maximized": maximized} | values)
                label = f"{row_label(model, inference)} for {_beta(maximized)}"
                shown[data_set_label(results, data_set), label] = {
                    _beta(measure): percent(value) for measure, value in values.items()
                }
    return Table(
        frame=pd.DataFrame(rows),
        display=_indexed(shown),
        caption=(
            "Beyond the paper: the mean F of an example for three β, by the one that the "
            "prediction maximizes."
        ),
        notes=data_set_notes(results, run.data_sets),
    )


def _beta(measure: str) -> str:
    return "F1" if measure == F_MEASURE else MEASURES[measure]


def table_gradient_boosting(results: PaperResults, configuration: Mapping[str, Any]) -> Table:
    """Gradient boosting in place of logistic regression."""
    run = LabelResults(results, configuration)
    rows, shown = [], {}
    for data_set in run.data_sets:
        for models, inferences in (
            ((PCC, PCC_BOOSTING), (THRESHOLD, "gfm", "gfm_threshold", "meuf")),
            ((BR, BR_BOOSTING), (THRESHOLD, "meuf")),
        ):
            for inference in inferences:
                for model in models:
                    values = {
                        measure: run.value(data_set, model, inference, measure)
                        for measure in PRINTED_MEASURES
                    }
                    row = {"data_set": data_set, "model": model, "inference": inference}
                    rows.append(row | values)
                    label = f"{MODELS[model]}: {INFERENCES[inference]}"
                    shown[data_set_label(results, data_set), label] = {
                        MEASURES[measure]: percent(value) for measure, value in values.items()
                    }
    return Table(
        frame=pd.DataFrame(rows),
        display=_indexed(shown),
        caption=(
            "Beyond the paper: gradient boosting with fixed parameters (50 trees of at most 8 "
            "leaves a label, unless configured otherwise) beside logistic regression."
        ),
        notes=data_set_notes(results, run.data_sets),
    )


def _indexed(shown: Mapping[tuple[str, str], Mapping[str, str]]) -> pd.DataFrame:
    display = pd.DataFrame(list(shown.values()))
    if shown:
        display.index = pd.MultiIndex.from_tuples(list(shown))
    return display
