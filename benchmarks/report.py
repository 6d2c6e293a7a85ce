"""Results as Markdown, and the description of the machine."""

import os
import platform
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from threadpoolctl import threadpool_info

_PACKAGES = ("beyond-accuracy", "numpy", "scipy", "scikit-learn", "numba")


@dataclass(frozen=True)
class Section:
    """One benchmark: heading, explanation, table and the file name of a picture."""

    title: str
    text: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    figure: str | None = None

    def __str__(self) -> str:
        parts = [f"## {self.title}", self.text, table(self.columns, self.rows)]
        if self.figure:
            parts.append(f"![{self.title}]({self.figure})")
        return "\n\n".join(parts)


def markdown(scale, repetitions, machine, tasks, quoted, sections, summary=None) -> str:
    """Return the whole report.

    `quoted` is the section of numbers from elsewhere. `summary` is the first table and the file
    name of its picture, or None.
    """
    parts = ["# Results of the benchmarks"]
    if scale == "quick":
        parts.append("**A quick run on tiny data: the numbers below mean nothing.**")
    if summary:
        text, figure = summary
        parts += [
            f"![The rivals' seconds divided by those of this package]({figure})",
            text,
            "The better value is bold. A result in percent is the share of the possible decrease "
            "(see below). Other results are the measures that the tasks name.",
        ]
    parts += [
        str(quoted),
        "## How it was measured",
        f"Written by `python -m benchmarks` ({scale} sizes). Seconds are processor seconds of one "
        f"thread, medians of {repetitions} runs in which the rivals take turns. Kernels are "
        "compiled before the clock starts. All ratios are of numbers measured in this run.",
        "The **possible decrease** of a training objective is its value at w = 0 minus the best "
        "lower bound found. A fit that learns nothing reaches 0 % of it, and an optimal fit 100 %. "
        "In the tables, `share` is the part of the possible decrease that a fit reaches.",
        table(("", ""), list(machine.items())),
        "Data (C in SVM-perf's convention, which is LIBLINEAR's C = 1):\n\n"
        + "\n".join(f"- {task.describe()}" for task in tasks.values()),
    ]
    if "ijcnn1" not in tasks:
        parts.append("Real data were left out: BEYOND_ACCURACY_MIRROR does not name a mirror.")
    return "\n\n".join([*parts, *map(str, sections)]) + "\n"


def significant(value: float) -> str:
    """Return three significant digits without an exponent."""
    if value == 0 or abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{float(f'{value:.3g}'):.12f}".rstrip("0").rstrip(".")


def percent(share: float) -> str:
    """Return a share in percent, with two decimals."""
    return f"{100 * share:.2f} %"


def number(text: str) -> float:
    """Return the number in a cell."""
    return float(text.strip("*> %").replace(",", ""))


def bold(texts: Sequence[str], better: Callable) -> list[str]:
    """Return two numbers with the better one (`min` or `max`) marked; equal ones stay unmarked."""
    best = better(map(number, texts))
    return [
        f"**{text}**" if number(text) == best and len(set(texts)) > 1 else text for text in texts
    ]


def table(columns, rows) -> str:
    """Return a table in Markdown."""
    lines = ["| " + " | ".join(columns) + " |", "|" + " --- |" * len(columns)]
    lines += [
        "| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in rows
    ]
    return "\n".join(lines)


def show(row: Sequence[str]) -> None:
    """Print a row while the benchmarks run."""
    print("  " + "  ".join(row), file=sys.stderr, flush=True)


def describe_machine() -> dict[str, str]:
    """Return processor, memory, system, versions, threads and date by name."""
    import numpy as np  # noqa: F401 - loads the BLAS that threadpool_info reports

    threads = {
        f"{pool['internal_api']} {pool.get('version') or ''}".strip(): pool["num_threads"]
        for pool in threadpool_info()
    }
    return {
        "processor": _processor(),
        "cores": f"{os.cpu_count()}, of which 1 is used",
        "memory": f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB",
        "system": f"{platform.system()} {platform.machine()}",
        "Python": platform.python_version(),
        **{name: version(name) for name in _PACKAGES},
        "threads": ", ".join(f"{name}: {count}" for name, count in sorted(threads.items())),
        "load at the end": f"{os.getloadavg()[0]:.1f} jobs wanted a core",
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
    }


def _processor():
    information = Path("/proc/cpuinfo")
    if information.is_file():
        for line in information.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or "unknown"
