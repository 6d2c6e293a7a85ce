"""What differs from run to run: seconds, date, machine and version."""

import os
import platform
import subprocess  # nosec B404 # of git alone
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from beyond_accuracy.reporting.names import data_set_name, measure_name
from beyond_accuracy.reporting.report import Report
from beyond_accuracy.reporting.seconds import summed_seconds

_PACKAGES = ("beyond-accuracy", "snakemake", "numpy", "scipy", "scikit-learn", "numba", "pandas")


def machine() -> dict[str, str]:
    """Return when and on what the pages were made, by name."""
    facts = {
        "Date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "System": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "Python": platform.python_version(),
        "Commit": _commit(),
    }
    return {name: fact for name, fact in facts.items() if fact} | {
        name: found for name in _PACKAGES if (found := _version(name))
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _commit() -> str:
    """The commit of the working tree, with a mark if it has changes; "" if it is none."""
    command = ["git", "describe", "--always", "--dirty", "--abbrev=12"]
    try:
        # The command is the constant above, without a shell.
        done = subprocess.run(  # nosec B603
            command, capture_output=True, text=True, timeout=10, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip()


def seconds(report: Report) -> list[dict[str, Any]]:
    """Return the seconds of a paper by data set, method, measure and stage, under their names."""
    try:
        rows = summed_seconds(report.results)
    except FileNotFoundError:
        return []
    rows["data_set"] = rows["data_set"].map(data_set_name)
    rows["method"] = rows["method"].map(report.method_label)
    rows["measure"] = rows["measure"].map(lambda name: name and measure_name(name))
    return rows.to_dict("records")
