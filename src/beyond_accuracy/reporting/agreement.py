"""Every number that a paper prints, as far as it is known, beside ours: agreement.csv.

Seconds are listed without ours, which differ from run to run: the papers' tables have them.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from beyond_accuracy.reporting.interval_lookup import ALL
from beyond_accuracy.reporting.published import KEYS, SECONDS, published_cells
from beyond_accuracy.reporting.report import Report
from beyond_accuracy.results.frames import write_csv
from beyond_accuracy.results.variants import Variant, headline_states, selected_readings

COLUMNS = [
    *("paper", "table", *KEYS, "published", "ours", "low", "high"),
    *("least_of_states", "most_of_states", "inside", "met_under", "reason"),
]


def agreement(report: Report) -> pd.DataFrame:
    """Return a row for each published cell.

    `ours` is the median over the states of the protocol as configured, `least_of_states` and
    `most_of_states` its range, `low` and `high` the medians of the ends of its bootstrap intervals.
    `inside` says whether the published value lies in the interval, or is the same where there is
    none to have (sizes of data sets); it is missing where ours is, or comes from a substitute.
    `met_under` and `reason` are empty for a value inside. Else `met_under` says whether it is
    inside the range over the states, and under which readings in their interval: where it is met,
    of several tries, which is no cause. `reason` has the configured causes.
    """
    states = headline_states(report.results.whole)
    measured = [_measured(report.under(state)) for state in states]
    rows = []
    for table, published in report.all_published().items():
        for row in published_cells(published).to_dict("records"):
            values = [value for own in measured if (value := own.get(_key(row))) is not None]
            rows.append({"table": table, **row, **_ours(report, row, values)})
    frame = pd.DataFrame(rows, columns=COLUMNS).assign(paper=report.paper.id)
    frame["met_under"] = frame["met_under"].fillna("")
    return frame.astype({"inside": "boolean"})


def _key(row: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(row[name] for name in KEYS)


def _measured(report: Report) -> dict[tuple[str, ...], float]:
    """Return our values by `KEYS`, of single tasks and, where all are ok, of their average."""
    frame = report.results.measurements
    frame = frame.assign(value=frame["value"].where(frame["status"] == "ok"))
    cell = ["data_set", "measure", "method"]
    by_task = frame.groupby([*cell, "task"], sort=False)["value"].agg(_mean_of_all)
    average = frame.groupby(cell, sort=False)["value"].agg(_mean_of_all)
    own = {(*key, ""): value for key, value in average.dropna().items()}
    others = report.paper.quantities(report) if report.paper.quantities else {}
    return own | by_task.dropna().to_dict() | dict(others)


def _mean_of_all(values: pd.Series) -> float:
    return values.mean(skipna=False)


def _ours(report: Report, row: Mapping, values: Sequence[float]) -> dict[str, object]:
    data_set, quantity, method, task = _key(row)
    record = report.results.record(data_set)
    # What explains a value says nothing of seconds.
    cause = "" if quantity.endswith(SECONDS) else report.deviation(row)
    reason = report.substitutes([data_set]) or cause
    size = record.get(f"{quantity}_found") if record.get("status") == "ok" else None
    if not method and size is not None:
        inside = None if report.substitutes([data_set]) else float(size) == row["published"]
        return {"ours": float(size), "inside": inside, "reason": reason}
    if not values:
        return {"reason": reason or _why_there_is_none(row, record)}
    low, high = report.medians().intervals(data_set, quantity, method, task or ALL)
    comparable = low == low and not report.substitutes([data_set])
    inside = bool(low <= row["published"] <= high) if comparable else None
    if inside:
        reason = ""
    return {
        "ours": pd.Series(values).median(),
        "low": low,
        "high": high,
        "least_of_states": min(values),
        "most_of_states": max(values),
        "inside": inside,
        "met_under": _met_under(report, row, values) if inside is False else "",
        "reason": reason,
    }


def _met_under(report: Report, row: Mapping, values: Sequence[float]) -> str:
    """Say where the published value is met although it is outside our interval."""
    data_set, quantity, method, task = _key(row)
    parts = []
    if min(values) <= row["published"] <= max(values):
        parts.append("the range of the random states")
    own = report.under(Variant())
    place = data_set, quantity, method, task or ALL
    met = []
    for reading in selected_readings(report.results.whole):
        low, high = report.under(Variant(reading)).intervals(*place)
        if low <= row["published"] <= high and (low, high) != own.intervals(*place):
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


def agreement_in_words(cells: pd.DataFrame) -> str:
    """Return how many published cells lie inside our interval, of those that have one.

    If none has, then how many have a value of ours without interval, and how many of these lie in
    its range over the random states.
    """
    inside = cells.loc[with_interval(cells), "inside"].astype(bool)
    if len(inside):
        return f"{inside.sum()} of {len(inside)}"
    alone = cells[cells["least_of_states"].notna() & cells["low"].isna()]
    if len(alone):
        met = alone["published"].between(alone["least_of_states"], alone["most_of_states"]).sum()
        return f"{len(alone)} without interval, {met or 'not'} met"
    return "none comparable" if len(cells) else "none at hand"


def write_agreement(reports: Sequence[Report], output: str | Path) -> None:
    """Write the published cells of several papers as one CSV file."""
    frames = [own for report in reports if len(own := agreement(report))]
    table = pd.concat(frames) if frames else pd.DataFrame(columns=COLUMNS)
    write_csv(output, table, float_format="%.10g")


def with_interval(agreement: pd.DataFrame) -> pd.Series:
    """Whether each cell is compared with an interval: sizes of data sets, which have none, are not.

    These alone are counted as inside or outside.
    """
    return agreement["inside"].notna() & agreement["low"].notna()


def read_agreement(path: Path) -> pd.DataFrame:
    """Read what `write_agreement` has written; without a file there are no rows."""
    if not path.is_file():
        return pd.DataFrame(columns=COLUMNS)
    text = dict.fromkeys(("task", "method", "met_under", "reason"), "str")
    frame = pd.read_csv(path, dtype={"inside": "boolean"} | text).reindex(columns=COLUMNS)
    return frame.fillna(dict.fromkeys(text, ""))
