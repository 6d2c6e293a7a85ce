"""CPU seconds of selections and of auxiliaries, ours and the published ones."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from beyond_accuracy.published import published_table
from beyond_accuracy.reporting.li2013.methods import AUXILIARIES, PAPER
from beyond_accuracy.results import PaperResults

ALL_MEASURES = "all_four"
AUXILIARY_NAMES = {"core_vector_machine": "cvm", "c45": "c45", "rbf_network": "rbfn"}


def selection_seconds(results: PaperResults) -> pd.Series:
    """CPU seconds of the cross-validation, by (data_set, measure, method).

    A method whose fits do not depend on the measure has one selection for all: `ALL_MEASURES`.
    """
    rows = results.seconds
    rows = rows[rows["stage"] == "select"]
    measured = set(results.measurements["measure"])
    measure = rows["measure"].where(rows["measure"].isin(measured), ALL_MEASURES)
    keys = [rows["data_set"], measure.astype(str), rows["method"]]
    return rows.groupby(keys, sort=False)["cpu_seconds"].sum()


def auxiliary_seconds(results: PaperResults, configuration: Mapping[str, Any]) -> pd.Series:
    """CPU seconds of the final fit of each auxiliary, by (data_set, method).

    One fit serves all measures; repeated fits count with their median.
    """
    rows = results.seconds
    rows = rows[rows["method"].isin(AUXILIARIES)]
    stage = "auxiliaries" if (rows["stage"] == "auxiliaries").any() else "fit"
    rows = rows[rows["stage"] == stage]
    keys = ["data_set", "method", "measure"]
    once = rows.groupby([*keys, "repetition"], dropna=False)["cpu_seconds"].sum()
    return once.groupby(keys, dropna=False).median().groupby(keys[:2]).max()


def published_selection_seconds() -> dict[tuple[str, str, str], float]:
    """The paper's Table 3 by (data_set, measure, method); NaN for N/A."""
    return {
        (row["data_set"], row["measure"], row["method"]): _number(row["cpu_seconds"])
        for row in published_table(PAPER, "table3") or []
    }


def published_auxiliary_seconds() -> dict[tuple[str, str], float]:
    """The paper's Table 4 by (data_set, method)."""
    names = {theirs: ours for ours, theirs in AUXILIARY_NAMES.items()}
    return {
        (row["data_set"], names[row["auxiliary"]]): _number(row["cpu_seconds"])
        for row in published_table(PAPER, "table4") or []
    }


def seconds_text(value: float) -> str:
    """Seconds with three significant digits, thousands separated; empty if unknown."""
    if pd.isna(value):
        return ""
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def ratio_text(value: float) -> str:
    """How many times as fast, two significant digits; empty if unknown."""
    if pd.isna(value):
        return ""
    return f"{float(f'{value:.2g}'):,.{0 if value >= 10 else 1}f}×"


def _number(text: str) -> float:
    return float(text) if text else float("nan")
