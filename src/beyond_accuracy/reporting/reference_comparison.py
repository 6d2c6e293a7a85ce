"""A run beside the reference: which cells have moved, by how much, and which verdicts changed.

A cell is the average that tables show: of a method by a measure on a data set, over its tasks and
folds, or of one task where intervals are of single tasks. A run of fewer random states or readings
than the reference is compared in those that it has.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from beyond_accuracy.reporting.interval_lookup import ALL
from beyond_accuracy.reporting.paper import Paper
from beyond_accuracy.reporting.reference import configuration_digest
from beyond_accuracy.results import layout
from beyond_accuracy.results.columns import MEASUREMENT_COLUMNS
from beyond_accuracy.results.damage import check_unchanged, reading
from beyond_accuracy.results.frames import read_frames

CELL = ["paper", "data_set", "method", "measure", "group", "reading", "state"]
TOLERANCE = 1e-9
"""Difference up to which two values count as the same: other processors round differently."""


@dataclass(frozen=True)
class ReferenceComparison:
    """What differs between a run and the reference.

    Attributes
    ----------
    cells : DataFrame
        A row for each cell of either: `CELL`, `reference` and `run` (values), `low` and `high`
        (the reference's interval, where there is one), `difference`, and `outcome`: `same`,
        `inside` or `outside` its interval, `moved` (where there is no interval), `status` (it is
        not `ok` in one alone), `other data` (the data set has other files, is a substitute, or is
        unavailable, in one alone), `absent` from the run, or `new`.
    verdicts : DataFrame
        The claims whose verdict is another: `paper`, `id`, `reference`, `run`, and of how many
        states each is (`reference_states`, `run_states`, as in "3 of 5", or "all of 5"
        where their trials are pooled). Those that rest on
        seconds are left out.
    other_configurations : list of str
        Papers whose configuration is not the reference's, apart from states and readings.
    """

    cells: pd.DataFrame
    verdicts: pd.DataFrame
    other_configurations: list[str]

    @property
    def holds(self) -> bool:
        """Whether what is compared is the same or inside its interval, and no verdict changed.

        Cells that are absent count where the configuration is the same, and verdicts where all data
        sets of the paper are, and the number of states.
        """
        outcome, paper = self.cells["outcome"], self.cells["paper"]
        absent = (outcome == "absent") & ~paper.isin(self.other_configurations)
        other_data = set(paper[outcome == "other data"])
        verdicts = self.verdicts
        n_states = [verdicts[name].map(_n_states) for name in ("reference_states", "run_states")]
        excused = verdicts["paper"].isin(other_data) | n_states[0].ne(n_states[1])
        failed = outcome.isin(["outside", "moved", "status"]) | absent
        return not failed.any() and bool(excused.all())

    @property
    def not_compared(self) -> list[str]:
        """Papers of which no cell could be compared with the reference's."""
        known = self.cells[["reference", "run"]].notna().any(axis=1)
        compared = known & ~self.cells["outcome"].isin(["other data", "absent", "new"])
        found = set(self.cells.loc[compared, "paper"])
        return [name for name in self.cells["paper"].unique() if name not in found]

    def __str__(self) -> str:
        counts = self.cells.groupby(["paper", "outcome"], sort=False).size().unstack(fill_value=0)
        moved = self.cells[self.cells["outcome"].isin(["inside", "outside", "moved", "status"])]
        largest = moved.sort_values("difference", key=abs, ascending=False, na_position="first")
        parts = [
            f"Cells of the reference and of the run\n{counts.to_string()}",
            f"{len(moved)} cells moved\n{_shown(largest.head(20))}",
            f"{len(self.verdicts)} verdicts changed\n{_shown(self.verdicts)}",
        ]
        if self.other_configurations:
            names = ", ".join(self.other_configurations)
            parts.append(f"The configuration is not the reference's: {names}")
        return "\n\n".join(part.strip() for part in parts)


def compare_with_reference(
    results: str | Path,
    reference: str | Path,
    papers: Mapping[str, Paper],
    *,
    tolerance: float = TOLERANCE,
) -> ReferenceComparison:
    """Compare the results of papers in two folders.

    Parameters
    ----------
    results, reference : path
        The folders of a run and of the reference; both have all of `papers`.
    papers : dict of str to Paper
        What is compared, by name; not empty.
    tolerance : float, default=1e-9
        Difference of two values up to which they count as the same.

    Raises
    ------
    FileNotFoundError, DamagedFile
        That name a file which is not there, cannot be read, or is not what the run wrote.
    """
    run, other = Path(results), Path(reference)
    check_unchanged(run, papers)
    return ReferenceComparison(
        pd.concat([_compared(run, other, paper, tolerance) for paper in papers], ignore_index=True),
        pd.concat([_changed(run, other, paper) for paper in papers.items()], ignore_index=True),
        [
            name
            for name in papers
            if configuration_digest(run, name) != configuration_digest(other, name)
        ],
    )


def _compared(run: Path, reference: Path, paper: str, tolerance: float) -> pd.DataFrame:
    intervals = read_frames([reference / layout.INTERVALS.format(paper=paper)], {})
    # Tasks with intervals of their own are cells; others are averaged.
    single = set(intervals["group"]) - {ALL}
    old, new = _cells(reference, paper, single), _cells(run, paper, single)
    old = old[old["state"].isin(new["state"]) & old["reading"].isin(new["reading"])]
    both = old.merge(new, "outer", CELL, suffixes=("_reference", "_run"), sort=False)
    own = intervals[intervals["baseline"] == ""].assign(paper=paper)
    both = both.merge(own[[*CELL, "low", "high"]], "left", CELL)
    both["difference"] = both["value_run"] - both["value_reference"]
    other_data = _other_data(run, reference)
    both["outcome"] = [_outcome(cell, tolerance, other_data) for cell in both.to_dict("records")]
    names = {"value_reference": "reference", "value_run": "run"}
    return both.rename(columns=names)[
        [*CELL, "reference", "run", "low", "high", "difference", "outcome"]
    ]


def _cells(folder: Path, paper: str, single: set[str]) -> pd.DataFrame:
    path = folder / layout.MEASUREMENTS.format(paper=paper)
    frame = read_frames([path], MEASUREMENT_COLUMNS)
    frame["group"] = frame["task"].where(frame["task"].isin(single), ALL)
    by_cell = frame.groupby(CELL, sort=False)
    values = by_cell["value"].agg(lambda own: own.mean(skipna=False))
    # The last of several in the alphabet: all are ok, or it is another.
    status = by_cell["status"].agg(lambda own: max(set(own), key=lambda each: (each != "ok", each)))
    return pd.DataFrame({"value": values, "status": status}).reset_index()


def _other_data(run: Path, reference: Path) -> set[str]:
    old, new = _records(reference), _records(run)
    return {
        name for name in old.index.intersection(new.index) if any(old.loc[name] != new.loc[name])
    }


def _records(folder: Path) -> pd.DataFrame:
    with reading(folder / layout.DATA_SETS) as path:
        frame = pd.read_csv(path, index_col="data_set", keep_default_na=False, dtype="string")
        return frame[["status", "used", "sha256"]]


def _outcome(cell: Mapping, tolerance: float, other_data: set[str]) -> str:
    old, new = cell["status_reference"], cell["status_run"]
    if pd.isna(new):
        return "absent"
    if pd.isna(old):
        return "new"
    if cell["data_set"] in other_data:
        return "other data"
    if old != new:
        return "status"
    # Neither has a value where both failed alike.
    if old != "ok" or abs(cell["difference"]) <= tolerance:
        return "same"
    if pd.isna(cell["low"]):
        return "moved"
    return "inside" if cell["low"] <= cell["value_run"] <= cell["high"] else "outside"


def _changed(run: Path, reference: Path, paper: tuple[str, Paper]) -> pd.DataFrame:
    name, definition = paper
    old = _verdicts(reference, name).add_prefix("reference_")
    both = old.join(_verdicts(run, name).add_prefix("run_"), how="inner")
    claims = _configuration(reference, name)["claims"]
    timed = [claim["id"] for claim in claims if claim["function"] in definition.timed]
    both = both.drop(timed, errors="ignore")
    names = {"reference_verdict": "reference", "run_verdict": "run"}
    changed = both.rename(columns=names).query("reference != run").reset_index()
    columns = ["paper", "id", "reference", "run", "reference_states", "run_states"]
    return changed.assign(paper=name)[columns]


def _verdicts(folder: Path, paper: str) -> pd.DataFrame:
    """Return verdict and states by claim; a verdict on all states pooled is of all of them."""
    with reading(folder / layout.PAPER_CLAIMS.format(paper=paper)) as path:
        verdicts = pd.read_csv(path, index_col="id")[["verdict", "states"]]
    configuration = _configuration(folder, paper)
    pooled = [each["id"] for each in configuration["claims"] if each.get("pools_states")]
    n_states = configuration.get("states") or 1
    verdicts.loc[verdicts.index.isin(pooled), "states"] = f"all of {n_states}"
    return verdicts


def _configuration(folder: Path, paper: str) -> dict[str, Any]:
    with reading(folder / layout.CONFIGURATION.format(paper=paper)) as path:
        return json.loads(path.read_text(encoding="utf-8"))


def _n_states(states: str) -> str:
    return states.rpartition(" ")[2]


def _shown(frame: pd.DataFrame) -> str:
    return frame.to_string(index=False, float_format="%.6g") if len(frame) else ""
