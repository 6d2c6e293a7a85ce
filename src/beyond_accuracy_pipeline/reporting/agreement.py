"""Compare every known number that a paper prints with our value: agreement.csv.

Processor seconds are listed without our value, because they differ from run to run.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from beyond_accuracy_pipeline.results.frames import write_csv
from beyond_accuracy_pipeline.results.variants import Variant, headline_states, selected_readings

from .cells import ALL, CELL, cell_values
from .published import KEYS, SECONDS, published_cells
from .report import Report

COLUMNS = [
    *("paper", "table", *KEYS, "published", "ours", "difference", "substitute"),
    *("least_of_states", "most_of_states", "low", "high", "inside", "met_under", "reason"),
]
"""`ours` is the median over the seeds. `low` and `high` are medians of the interval's ends, and
`inside` is whether it has the published number, or for sizes of data sets whether both are equal.
`met_under` says for numbers outside whether the range over the seeds has them, and which readings'
intervals. `reason` explains a difference, or why our value is missing."""
DISTANCES = (0.005, 0.01, 0.02, 0.03)
"""Distances between our value and a published value up to which published values are counted."""
NEAR = DISTANCES[1]
"""The distance that pages show if they have room for only one."""
ROUNDING = 1e-9


def agreement(report: Report) -> pd.DataFrame:
    """Compare each number that a paper prints with our value; return one row per printed number.

    Columns include the printed number (`published`), our median over the seeds (`ours`), the ends
    of our bootstrap interval (`low` and `high`), and the `reason` for a difference or a missing
    value. All columns are listed in `COLUMNS`.
    """
    states = headline_states(report.results.whole)
    measured = [_measured(report.under(state)) for state in states]
    rows = []
    for table, published in report.all_published().items():
        for row in published_cells(published).to_dict("records"):
            key = tuple(row[name] for name in KEYS)
            values = [seed[key] for seed in measured if key in seed]
            rows.append({"table": table, **row, **_ours(report, row, values)})
    frame = pd.DataFrame(rows, columns=COLUMNS).assign(paper=report.paper.id)
    frame["met_under"] = frame["met_under"].fillna("")
    return frame.astype({"inside": "boolean", "substitute": "boolean"})


def _measured(report: Report) -> dict[tuple[str, ...], float]:
    """Return our values by (data set, quantity, method, task); averages have the task ""."""
    frame = report.results.measurements
    averages, of_tasks = (
        cell_values(frame, "nan", by).dropna().to_dict() for by in (CELL, [*CELL, "task"])
    )
    others = report.paper.quantities(report) if report.paper.quantities else {}
    return {(*cell, ""): value for cell, value in averages.items()} | of_tasks | dict(others)


def _ours(report: Report, row: Mapping, values: Sequence[float]) -> dict[str, object]:
    data_set, quantity, method, task = (row[name] for name in KEYS)
    record = report.results.record(data_set)
    substitute = report.substitutes([data_set])
    # Configured deviations explain values, not seconds.
    cause = "" if quantity.endswith(SECONDS) else report.deviation(row)
    reason = substitute or cause
    size = record.get(f"{quantity}_found") if record.get("status") == "ok" else None
    ours: dict[str, object] = {"substitute": bool(substitute)}
    if not method and size is not None:
        values, low, high = [float(size)], float("nan"), float("nan")
        inside = values[0] == row["published"]
    elif not values:
        return ours | {"reason": reason or _why_there_is_none(row, record)}
    else:
        low, high = report.medians().intervals(data_set, quantity, method, task or ALL)
        inside = bool(low <= row["published"] <= high) if low == low else None
        ours |= {"least_of_states": min(values), "most_of_states": max(values)}
        ours["met_under"] = _met_under(report, row, values) if inside is False else ""
    if inside and method and not substitute:
        reason = ""
    median = pd.Series(values).median()
    ours |= {"ours": median, "difference": median - row["published"], "low": low, "high": high}
    return ours | {"inside": inside, "reason": reason}


def _met_under(report: Report, row: Mapping, values: Sequence[float]) -> str:
    """Return which ranges include a published value: over the seeds, or intervals of readings."""
    parts = []
    if min(values) <= row["published"] <= max(values):
        parts.append("the range of the seeds")
    *place, task = (row[name] for name in KEYS)
    ends = report.under(Variant()).intervals(*place, task or ALL)
    met = []
    for reading in selected_readings(report.results.whole):
        low, high = report.under(Variant(reading)).intervals(*place, task or ALL)
        if low <= row["published"] <= high and (low, high) != ends:
            met.append(reading)
    if met:
        parts.append(f"the reading{'' if len(met) == 1 else 's'} {', '.join(met)}")
    return "; ".join(parts)


def _why_there_is_none(row: Mapping, record: Mapping[str, object]) -> str:
    if not record:
        return "This run does not use the data set."
    if record["status"] != "ok":
        return f"{record['status']}: {record['reason']}"
    if row["quantity"].endswith(SECONDS):
        return "Seconds differ from run to run: the tables on the paper's page have them."
    return "This run does not measure it."


def distances(cells: pd.DataFrame) -> dict[str, object]:
    """Count the published values of performance measures, and how many are close to our values.

    `cells` is a table made by `agreement`, with one row per published number. Return a dict of
    counts:

    - "n_values": all published values
    - "within": values at most 0.005, 0.01, 0.02 and 0.03 from ours (a list of four counts)
    - "substitutes": values on data sets that replace the paper's
    - "compared": values for which we have a bootstrap interval
    - "inside": values inside this interval
    """
    values = cells[is_value(cells)]
    distance = (values["ours"] - values["published"]).abs()
    compared = values["low"].notna()
    return {
        "n_values": len(values),
        "within": [int((distance <= limit + ROUNDING).sum()) for limit in DISTANCES],
        "substitutes": int(values["substitute"].eq(True).sum()),
        "compared": int(compared.sum()),
        "inside": int(values["published"].between(values["low"], values["high"]).sum()),
    }


def is_value(cells: pd.DataFrame) -> pd.Series:
    """Return which rows of `cells` have a published value of a performance measure, as booleans.

    `cells` has one row per published number. A value belongs to a method and lies between 0 and 1.
    """
    of_methods = cells["method"].fillna("") != ""
    seconds = cells["quantity"].str.endswith(SECONDS)
    return of_methods & ~seconds & cells["published"].between(0, 1)


def write_agreement(reports: Sequence[Report], output: str | Path) -> None:
    """Write a CSV file with one row per number that the papers print, and with our value for it."""
    frames = [table for report in reports if len(table := agreement(report))]
    table = pd.concat(frames) if frames else pd.DataFrame(columns=COLUMNS)
    write_csv(output, table, float_format="%.10g")


def read_agreement(path: Path) -> pd.DataFrame:
    """Read agreement.csv (one row per published number); return an empty table if it is missing."""
    if not path.is_file():
        return pd.DataFrame(columns=COLUMNS)
    text = dict.fromkeys(("task", "method", "met_under", "reason"), "str")
    truths = dict.fromkeys(("inside", "substitute"), "boolean")
    frame = pd.read_csv(path, dtype=truths | text)
    return frame.fillna(dict.fromkeys(text, ""))
