"""Compare a run with the reference (stored results of full runs): values and verdicts.

A cell is a method's average over the tasks and folds of a data set or, if single tasks have
bootstrap intervals, its value on one task. Cells are compared for all seeds and readings (variants
of the protocol) that both have. The compared verdicts are by most seeds or, if the numbers of seeds
differ, by the first seed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from beyond_accuracy_pipeline.results import layout
from beyond_accuracy_pipeline.results.columns import MEASUREMENT_COLUMNS
from beyond_accuracy_pipeline.results.damage import check_unchanged, reading
from beyond_accuracy_pipeline.results.frames import read_frames
from beyond_accuracy_pipeline.results.paper_results import PaperResults

from .cells import ALL, cell_values
from .paper import Paper
from .reference import configuration_digest

CELL = ["paper", "data_set", "method", "measure", "group", "reading", "state"]
TOLERANCE = 1e-9
"""Difference up to which two values count as the same: other processors round differently."""
_DIFFERENT = {
    "inside": "inside their 95 % intervals",
    "outside": "outside their 95 % intervals",
    "moved": "without an interval",
    "status": "in their status",
}
_NOT_COMPARED = {
    "other data": "on other data (see data_sets.csv)",
    "other seeds": "pooled over another number of seeds",
    "not testable": "on readings that the run does not have",
    "absent": "absent from the run",
    "new": "absent from the reference",
}


@dataclass(frozen=True)
class ReferenceComparison:
    """Differences between a run and the reference (stored results), in values and in verdicts."""

    # One row per cell, with the reference's and the run's value, the reference's interval, and the
    # outcome: "same", or a key of `_DIFFERENT` or `_NOT_COMPARED`.
    cells: pd.DataFrame
    # One row per claim that both have, without claims on seconds. The outcome is "same", "changed",
    # or a key of `_NOT_COMPARED`.
    verdicts: pd.DataFrame
    # The compared seeds of each paper, in words.
    seeds: dict[str, str]
    # Papers whose configurations differ in more than seeds and readings.
    other_configurations: list[str]

    @property
    def holds(self) -> bool:
        """Whether the run agrees with the reference in all verdicts and all values.

        A value agrees if it is the same, or inside the 95 % interval of the reference. With the
        same configuration, a missing value does not agree.
        """
        outcome, paper = self.cells["outcome"], self.cells["paper"]
        absent = (outcome == "absent") & ~paper.isin(self.other_configurations)
        failed = outcome.isin(["outside", "moved", "status"]) | absent
        return not failed.any() and not len(self.changed_verdicts)

    @property
    def changed_verdicts(self) -> pd.DataFrame:
        """Rows of `verdicts`, one per claim, whose verdicts in run and reference differ."""
        return self.verdicts[self.verdicts["outcome"] == "changed"]

    @property
    def compared(self) -> pd.DataFrame:
        """Rows of `cells`, one per value, that were compared between the run and the reference.

        Both have the value (not both NaN), for the same data.
        """
        known = self.cells[["reference", "run"]].notna().any(axis=1)
        return self.cells[known & ~self.cells["outcome"].isin(_NOT_COMPARED)]

    def __str__(self) -> str:
        parts = ["\n".join(self._sentences())]
        moved = self.cells[self.cells["outcome"].isin(_DIFFERENT)]
        moved = moved.sort_values("difference", key=abs, ascending=False, na_position="first")
        tables = {"The largest differences": moved.head(20)}
        for title, rows in (tables | {"Changed verdicts": self.changed_verdicts}).items():
            if len(rows):
                parts.append(f"{title}\n{rows.to_string(index=False, float_format='%.6g')}")
        return "\n\n".join(parts)

    def _sentences(self) -> list[str]:
        """Return sentences that count the compared cells and verdicts, and those left out."""
        cells, lines = self.compared, []
        all_seeds = dict.fromkeys(self.seeds.values())
        for seeds in all_seeds:
            papers = [name for name in self.seeds if self.seeds[name] == seeds]
            names = f" ({', '.join(papers)})" if len(all_seeds) > 1 else ""
            outcome = cells.loc[cells["paper"].isin(papers), "outcome"]
            counts = _counted(outcome, _DIFFERENT)
            n_different = outcome.isin(_DIFFERENT).sum()
            result = f"{n_different:,} differ ({counts})" if counts else "none differs"
            lines.append(f"{len(outcome):,} cells of {seeds}{names}: {result}.")
        n_verdicts = self.verdicts["outcome"].isin(["same", "changed"]).sum()
        lines.append(f"{n_verdicts} verdicts: {len(self.changed_verdicts) or 'none'} changed.")
        for noun, frame in (("Cells", self.cells), ("Verdicts", self.verdicts)):
            if counts := _counted(frame["outcome"], _NOT_COMPARED):
                lines.append(f"{noun} that were not compared: {counts}.")
        if without := [name for name in self.seeds if name not in {*cells["paper"]}]:
            lines.append(f"No cell could be compared of: {', '.join(without)}.")
        if self.other_configurations:
            names = ", ".join(self.other_configurations)
            lines.append(f"The configuration is not the reference's: {names}.")
        return lines


def compare_with_reference(
    results: str | Path,
    reference: str | Path,
    papers: Mapping[str, Paper],
    *,
    tolerance: float = TOLERANCE,
) -> ReferenceComparison:
    """Compare the results of a run with the reference, the stored results of full runs.

    `results` and `reference` are folders. `papers` maps ids to definitions. Values that differ by
    at most `tolerance` count as equal.
    """
    run, other = Path(results), Path(reference)
    check_unchanged(run, papers)
    cells, verdicts, seeds = [], [], {}
    for name, paper in papers.items():
        of_paper, seeds[name] = _compared(run, other, name, tolerance)
        cells.append(of_paper)
        has_other_data = (of_paper["outcome"] == "other data").any()
        verdicts.append(_compared_verdicts(run, other, name, paper, has_other_data))
    return ReferenceComparison(
        pd.concat(cells, ignore_index=True),
        pd.concat(verdicts, ignore_index=True),
        seeds,
        [
            name
            for name in papers
            if configuration_digest(run, name) != configuration_digest(other, name)
        ],
    )


def _compared(run: Path, reference: Path, paper: str, tolerance: float) -> tuple[pd.DataFrame, str]:
    """Return one paper's compared values, and a text that says which seeds were compared."""
    intervals = read_frames([reference / layout.INTERVALS.format(paper=paper)], {})
    # Tasks with intervals of their own are cells; others are averaged.
    single = set(intervals["group"]) - {ALL}
    old, new = _cells(reference, paper, single), _cells(run, paper, single)
    seeds = _seeds(old["state"], new["state"])
    old = old[old["state"].isin(new["state"]) & old["reading"].isin(new["reading"])]
    new = new[new["state"].isin(old["state"])]
    both = old.merge(new, "outer", CELL, suffixes=("_reference", "_run"), sort=False)
    own = intervals[intervals["baseline"] == ""].assign(paper=paper)
    both = both.merge(own[[*CELL, "low", "high"]], "left", CELL)
    both["difference"] = both["value_run"] - both["value_reference"]
    both["outcome"] = [_outcome(cell, tolerance) for cell in both.to_dict("records")]
    both.loc[both["data_set"].isin(_other_data(run, reference)), "outcome"] = "other data"
    both = both.drop(columns=["status_reference", "status_run"])
    return both.rename(columns={"value_reference": "reference", "value_run": "run"}), seeds


def _seeds(reference: pd.Series, run: pd.Series) -> str:
    """Say how many of the reference's seeds the run has."""
    n_reference, n_both = reference.nunique(), len({*reference} & {*run})
    if n_both == n_reference:
        return f"all {n_both} seeds of the reference" if n_both > 1 else "the reference's seed"
    own = "seed 1" if n_both == 1 else f"seeds 1 to {n_both}"
    return f"{own} of the reference's {n_reference} seeds"


def _cells(folder: Path, paper: str, single: set[str]) -> pd.DataFrame:
    path = folder / layout.MEASUREMENTS.format(paper=paper)
    frame = read_frames([path], MEASUREMENT_COLUMNS)
    frame["group"] = frame["task"].where(frame["task"].isin(single), ALL)
    cells = cell_values(frame, "nan", CELL).to_frame("value")
    # A cell is ok if all its fits are. Otherwise it has the last other status in the alphabet.
    statuses = frame.groupby(CELL, sort=False)["status"]
    cells["status"] = statuses.agg(lambda names: max(set(names) - {"ok"}, default="ok"))
    return cells.reset_index()


def _other_data(run: Path, reference: Path) -> set[str]:
    """Return the names of the data sets whose data differ between run and reference."""
    records = []
    for folder in (reference, run):
        with reading(folder / layout.DATA_SETS) as path:
            frame = pd.read_csv(path, index_col="data_set", keep_default_na=False, dtype="string")
            records.append(frame[["status", "used", "sha256_arrays"]])
    old, new = records[0].align(records[1], "inner", axis=0)
    return set(old.index[old.ne(new).any(axis=1)])


def _outcome(cell: Mapping, tolerance: float) -> str:
    old, new = cell["status_reference"], cell["status_run"]
    if pd.isna(new):
        return "absent"
    if pd.isna(old):
        return "new"
    if old != new:
        return "status"
    # Neither has a value where both failed alike.
    if old != "ok" or abs(cell["difference"]) <= tolerance:
        return "same"
    if pd.isna(cell["low"]):
        return "moved"
    return "inside" if cell["low"] <= cell["value_run"] <= cell["high"] else "outside"


def _compared_verdicts(
    run: Path, reference: Path, name: str, paper: Paper, has_other_data: bool
) -> pd.DataFrame:
    """Return one paper's compared verdicts, one row per claim."""
    old, new = _verdicts(reference, name), _verdicts(run, name)
    whole, of_run = (PaperResults.of_run(folder, name).whole for folder in (reference, run))
    readings = set(whole["readings_selected"] or ())
    has_fewer_readings = not readings <= set(of_run["readings_selected"] or ())
    timed = [claim["id"] for claim in whole["claims"] if claim.get("function") in paper.timed]
    rows = []
    for claim in old.index.intersection(new.index).drop(timed, errors="ignore"):
        own, other = new.loc[claim], old.loc[claim]
        as_many = own["seeds"] == other["seeds"]
        column, seeds = ("verdict", str(own["seeds"])) if as_many else ("first_state", "first")
        outcome = "same" if own[column] == other[column] else "changed"
        if has_other_data:
            outcome = "other data"
        elif other["pooled"] and not as_many:
            outcome = "other seeds"
        elif outcome == "changed" and own[column] == "not testable" and has_fewer_readings:
            outcome = "not testable"
        rows.append([name, claim, other[column], own[column], seeds, outcome])
    return pd.DataFrame(rows, columns=["paper", "id", "reference", "run", "seeds", "outcome"])


def _verdicts(folder: Path, paper: str) -> pd.DataFrame:
    """Return verdicts by claim, with the number of seeds, and whether these were pooled."""
    with reading(folder / layout.PAPER_CLAIMS.format(paper=paper)) as path:
        verdicts = pd.read_csv(path, index_col="id")[["verdict", "first_state", "states"]]
    configuration = PaperResults.of_run(folder, paper).whole
    pooled = [each["id"] for each in configuration["claims"] if each.get("pools_states")]
    verdicts["pooled"] = verdicts.index.isin(pooled)
    # "7 of 10": of ten seeds.
    verdicts["seeds"] = [int(states.rpartition(" ")[2]) for states in verdicts.pop("states")]
    verdicts.loc[verdicts["pooled"], "seeds"] = configuration.get("states") or 1
    return verdicts


def judged_seeds(folder: str | Path, paper: str) -> dict[str, int]:
    """Return {claim: number of seeds for which it was judged} of a paper; {} without claims."""
    if not (Path(folder) / layout.PAPER_CLAIMS.format(paper=paper)).is_file():
        return {}
    return _verdicts(Path(folder), paper)["seeds"].to_dict()


def _counted(outcomes: pd.Series, texts: Mapping[str, str]) -> str:
    """Return the numbers of outcomes in words, such as "3 inside their 95 % intervals"."""
    counts = {text: (outcomes == outcome).sum() for outcome, text in texts.items()}
    return ", ".join(f"{count:,} {text}" for text, count in counts.items() if count)
