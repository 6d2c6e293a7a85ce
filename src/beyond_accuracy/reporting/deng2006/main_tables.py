"""Tables 1 and 2: error rate and average cost of every method on every data set."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from beyond_accuracy.published import published_table
from beyond_accuracy.reporting.data_set_names import data_set_label, data_set_notes
from beyond_accuracy.reporting.deng2006.methods import (
    AVERAGE_COST,
    BASELINE,
    ERROR_RATE,
    LABELS,
    LEVEL,
    METHOD_LABELS,
    METHOD_NOTE,
)
from beyond_accuracy.reporting.deng2006.values import Values, selected_methods, tally
from beyond_accuracy.reporting.tables import UNAVAILABLE, Table, percent
from beyond_accuracy.results import PaperResults

WORSE_MARK = "*"
FOOT = {
    "Wins/losses": ("wins", "losses"),
    "Significant": ("significant_wins", "significant_losses"),
    "Significant, corrected test": ("corrected_wins", "corrected_losses"),
}
EXPECTED_COST = "naive_bayes_expected_cost"


def table1(results: PaperResults, configuration: Mapping[str, Any]) -> Table:
    """Error rates in percent."""
    return _table(
        results,
        configuration,
        ERROR_RATE,
        list(METHOD_LABELS),
        "table1",
        f"Table 1. Error rate in percent: averages of {_folds(configuration)}",
        percent,
    )


def table2(results: PaperResults, configuration: Mapping[str, Any]) -> Table:
    """Average costs of a test example."""
    number = configuration["cost_matrices"]["number"]
    return _table(
        results,
        configuration,
        AVERAGE_COST,
        [*METHOD_LABELS, EXPECTED_COST],
        "table2",
        f"Table 2. Average cost of a test example: averages over {number} random cost matrices and "
        f"{_folds(configuration)}",
        lambda value: UNAVAILABLE if pd.isna(value) else f"{value:.3f}",
    )


def _table(results, configuration, measure, methods, name, caption, shown_as) -> Table:
    values = Values(results, measure)
    methods = selected_methods(configuration, methods)
    data_sets = results.data_set_names(configuration["data_sets"])
    published = {
        (row["data_set"], row["method"]): row["value"]
        for row in published_table("deng2006", name) or []
    }
    rows, shown, styles, reasons = [], {}, {}, []
    for data_set in data_sets:
        label = data_set_label(results, data_set)
        record = results.record(data_set)
        n_classes = record.get("n_classes_found") if record.get("status") == "ok" else None
        means = {method: values.mean(data_set, method) for method in methods}
        lowest = pd.Series(means).filter(items=list(METHOD_LABELS)).min()
        cells = {"m": "" if n_classes is None else str(int(n_classes))}
        looks = {"m": ""}
        for method in methods:
            cell = values.cell(data_set, method)
            plain, corrected = (
                (None, None)
                if method == BASELINE
                else (values.paired(data_set, method), values.corrected(data_set, method))
            )
            rows.append(
                {
                    "data_set": data_set,
                    "n_classes": n_classes,
                    "method": method,
                    "value": cell.mean,
                    "status": cell.status,
                    "reason": cell.reason,
                    "difference": None if plain is None else plain.difference,
                    "p_value": None if plain is None else plain.p_value,
                    "p_value_corrected": None if corrected is None else corrected.p_value,
                    "published": published.get((data_set, method)),
                }
            )
            if cell.values is None:
                cells[LABELS[method]] = cell.status if cell.status == "timeout" else UNAVAILABLE
                looks[LABELS[method]] = ""
                if cell.status in ("timeout", "failed"):
                    reasons.append(f"{LABELS[method]} on {data_set}, {cell.status}: {cell.reason}")
                continue
            worse = plain is not None and plain.is_loss(LEVEL)
            cells[LABELS[method]] = shown_as(cell.mean) + (WORSE_MARK if worse else "")
            is_lowest = method in METHOD_LABELS and round(cell.mean - lowest, 12) == 0
            look = ["bold"] if is_lowest else []
            look += ["underline"] if plain is not None and plain.is_win(LEVEL) else []
            looks[LABELS[method]] = " ".join(look)
        shown[label], styles[label] = cells, looks
    for label, (wins, losses) in FOOT.items():
        shown[label] = {"m": "", LABELS[BASELINE]: ""}
        for method in methods:
            if method != BASELINE:
                found = tally(values, data_sets, method)
                shown[label][LABELS[method]] = f"{getattr(found, wins)}/{getattr(found, losses)}"
        styles[label] = dict.fromkeys(shown[label], "")
    columns = ["m", *(LABELS[method] for method in methods)]
    display = pd.DataFrame.from_dict(shown, orient="index").reindex(columns=columns).fillna("")
    looks = pd.DataFrame.from_dict(styles, orient="index").reindex(columns=columns).fillna("")
    notes = [
        METHOD_NOTE,
        "Bold: lowest of the row among the paper's own columns. Underlined: significantly lower "
        f"than NB; {WORSE_MARK}: significantly higher (two-sided paired Student t at {LEVEL:.0%} "
        f"over {_pairs(configuration, measure)} pairs of one fold"
        f"{' and cost matrix' if measure == AVERAGE_COST else ''} each). The paper's own "
        "convention is not known in detail.",
        "Corrected test: the corrected resampled t-test (Nadeau and Bengio), over "
        f"{configuration['cross_validation']['n_folds']} folds"
        f"{', cost matrices averaged before' if measure == AVERAGE_COST else ''}; the plain one "
        "takes overlapping training parts for independent.",
    ]
    if measure == AVERAGE_COST:
        notes.append(
            "NB predicts the most probable class, whatever the costs; NB, least expected cost "
            "(beyond the paper) weighs its probabilities with them, without any re-weighting."
        )
    if not published:
        notes.append("The paper's own numbers are not at hand: published values are empty.")
    frame = pd.DataFrame(rows).astype({"n_classes": "Int64"}) if rows else pd.DataFrame(rows)
    return Table(
        frame=frame,
        display=display,
        caption=f"{caption}. m: number of classes. Foot: against NB, over the data sets.",
        notes=(*notes, *reasons, *data_set_notes(results, data_sets)),
        cell_styles=looks,
    )


def _folds(configuration) -> str:
    return f"{configuration['cross_validation']['n_folds']}-fold cross-validation"


def _pairs(configuration, measure) -> int:
    folds = configuration["cross_validation"]["n_folds"]
    return folds * (configuration["cost_matrices"]["number"] if measure == AVERAGE_COST else 1)
