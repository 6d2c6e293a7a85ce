"""What a multi-label run has measured, by data set, model and decision, and what is printed."""

from collections.abc import Collection, Sequence

import numpy as np
import pandas as pd

from beyond_accuracy.measures.multilabel import f_beta_of_instances
from beyond_accuracy.papers.dembczynski2011.names import F_MEASURE, Row, decisions, row_label
from beyond_accuracy.reporting.comparison import Comparison, Pair
from beyond_accuracy.reporting.report import Report, is_substitute
from beyond_accuracy.results.scores import EXPECTED, PREDICTION, TRUE_LABELS

KEYS = ["data_set", "model", "inference", "measure"]
NUMBERS = ["value", "low", "high", "published", "difference"]

Values = dict[tuple[str, str, str, str], float]
"""Numbers by data set, model, decision and measure."""


def measured(report: Report) -> Values:
    """Return the values of all selected models; NaN where a decision failed."""
    rows = report.results.measurements
    rows = rows[rows["method"].isin(report.methods())]
    return rows.set_index(["data_set", "method", "task", "measure"])["value"].to_dict()


def decided(report: Report) -> set[tuple[str, str, str]]:
    """Return the (data set, model, decision) whose predictions are there."""
    return {key[:3] for key, value in measured(report).items() if not np.isnan(value)}


def reasons(report: Report, data_set: str, models: Collection[str]) -> str:
    """Say why decisions of models are missing on a data set, each reason once."""
    rows = report.results.measurements
    rows = rows[(rows["data_set"] == data_set) & rows["method"].isin(models)]
    selected = rows["method"].isin(report.methods())
    wrong = rows.loc[selected & (rows["status"] != "ok"), "reason"]
    return "; ".join(dict.fromkeys(map(str, wrong))) or "not measured in this run"


def left_out(
    report: Report, rows: Sequence[Row], present: Collection[tuple[str, str, str]]
) -> list[str]:
    """Say which rows of a table are not `present` on which data set, and why."""
    notes = []
    for data_set in report.data_sets:
        missing = [row for row in rows if (data_set, *row) not in present]
        if missing:
            labels = "" if len(missing) == len(rows) else f", {_labels(missing)},"
            reason = reasons(report, data_set, {model for model, _ in missing})
            notes.append(f"{data_set}{labels} is left out: {reason}.")
    return notes


def _labels(rows: Sequence[Row]) -> str:
    return ", ".join(row_label(*row) for row in rows)


def printed(report: Report) -> Values:
    """Return the values of Table 1 that the paper prints, with the seconds of its inference."""
    table = report.published("table1")
    return table.set_index(KEYS)["value"].dropna().to_dict() if len(table) else {}


def beside_printed(
    report: Report, keys: Sequence[tuple[str, ...]], fitted: Sequence[str]
) -> pd.DataFrame:
    """Return `KEYS` with `NUMBERS`: the value and interval of the fitted model, and the printed.

    The numbers of a substitute are not of the data set that the paper used: no difference.
    """
    values, published = measured(report), printed(report)
    records = []
    for (data_set, model, inference, measure), own in zip(keys, fitted, strict=True):
        value = values.get((data_set, own, inference, measure), np.nan)
        paper = published.get((data_set, model, inference, measure), np.nan)
        low, high = report.intervals(data_set, measure, own, inference)
        difference = np.nan if is_substitute(report.results.record(data_set)) else value - paper
        records.append((value, low, high, paper, difference))
    frame = pd.DataFrame(list(keys), columns=KEYS)
    return frame.join(pd.DataFrame(records, columns=NUMBERS, dtype=np.float64))


def f_measures(report: Report, data_set: str) -> pd.DataFrame:
    """Return the F-measure of each test example, float64, a column "model/decision"."""
    present = decided(report)
    columns = {}
    for model in report.methods():
        own = [name for name in decisions(report, model) if (data_set, model, name) in present]
        arrays = report.results.scores(data_set, model).arrays if own else {}
        for decision in own:
            columns[f"{model}/{decision}"] = f_beta_of_instances(
                arrays[TRUE_LABELS], arrays[PREDICTION + decision]
            )
    return pd.DataFrame(columns)


def compare_rows(
    report: Report, data_set: str, examples: pd.DataFrame, first: Row, second: Row
) -> Comparison:
    """Compare two rows by their F-measures of the same test examples, its tasks here."""
    pair = Pair("/".join(first), "/".join(second))
    zero_method = report.configuration["significance"]["zero_method"]
    nothing = report.results.measurements.iloc[:0]
    return Comparison(data_set, F_MEASURE, pair, examples[list(pair.methods)], nothing, zero_method)


def expectations(report: Report, data_set: str, row: Row) -> tuple[np.ndarray, np.ndarray]:
    """Return the F-measures expected and achieved of the test examples, each of shape (n_test,)."""
    model, inference = row
    arrays = report.results.scores(data_set, model).arrays
    achieved = f_beta_of_instances(arrays[TRUE_LABELS], arrays[PREDICTION + inference])
    return arrays[EXPECTED + inference], achieved


def simulation(report: Report, name: str) -> pd.DataFrame | None:
    """Return the table of a simulation, None if it is not configured."""
    if (report.configuration.get("simulations") or {}).get(name) is None:
        return None
    return report.results.simulation(name)


def not_simulated(name: str) -> str:
    """Say that a simulation is missing."""
    return f"the simulation {name} is not configured"
