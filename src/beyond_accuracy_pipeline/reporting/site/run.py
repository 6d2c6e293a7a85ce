"""Collect the contents of the page on the run: seconds, date, machine and versions."""

import os
import platform
import subprocess  # nosec B404 # of git alone
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

import pandas as pd

from ..html_tables import plain_table
from ..names import data_set_name
from ..report import Report

_STAGES = {
    "select": "selection",
    "predict_proba": "probabilities",
    "base": "base classifier",
    "out_of_fold": "out of fold",
}
_PACKAGES = ("beyond-accuracy", "snakemake", "numpy", "scipy", "scikit-learn", "numba", "pandas")


def machine() -> dict[str, str]:
    """Return facts on this run as a dict of texts: date, system, commit and package versions."""
    command = ["git", "describe", "--always", "--dirty", "--abbrev=12"]
    try:
        # The command is the constant above, without a shell.
        done = subprocess.run(  # nosec B603
            command, capture_output=True, text=True, timeout=10, check=False
        )
        commit = done.stdout.strip()
    except (OSError, subprocess.TimeoutExpired):
        commit = ""
    facts = {
        "Date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "System": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "Python": platform.python_version(),
        "Commit": commit,
    }
    facts |= {name: version(name) for name in _PACKAGES}
    return {name: fact for name, fact in facts.items() if fact}


def seconds(report: Report) -> dict[str, Any]:
    """Return the template's variables for a table of the processor seconds of fits.

    There is one row per data set and method, and one column per stage, such as selection. The last
    columns have the sum over stages and the elapsed seconds. Without seconds, return {}.
    """
    try:
        rows = report.results.summed_seconds()
    except FileNotFoundError:
        return {}
    cell = ["data_set", "method"]
    by_stage = rows.pivot_table("cpu_seconds", cell, "stage", "sum", sort=False)
    by_stage["all stages"] = by_stage.sum(axis=1)
    by_stage["elapsed"] = rows.groupby(cell)["wall_seconds"].sum()
    texts = by_stage.map(lambda value: "" if pd.isna(value) else f"{value:.2f}").reset_index()
    texts["data_set"] = texts["data_set"].map(data_set_name)
    texts["method"] = texts["method"].map(report.method_label)
    texts = texts.rename(columns={"data_set": "Data set", "method": "Method"} | _STAGES)
    return plain_table(texts, ["Data set", "Method"])
