"""Values of `reference/`, the stored results of full runs, by name."""

import csv
import difflib
import json
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from statistics import median
from typing import Any

import pandas as pd

from beyond_accuracy_pipeline.results import layout

from .agreement import DISTANCES, distances, read_agreement
from .verdict import VERDICTS


class PageError(ValueError):
    """A page says something that `reference/` does not."""


class Values(dict[str, Any]):
    """Values by name, whose missing names raise an error that lists the nearest ones."""

    def __init__(self, values: Any, where: str) -> None:
        super().__init__(values)
        self.where = where

    def __missing__(self, name: str) -> Any:
        raise PageError(f"{self.where} has no '{name}'; {nearest(name, self)}")


class Reference:
    """Functions that look values up in the folder of the reference runs."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.rows = lru_cache(self._rows)
        self.differences = lru_cache(self._differences)

    def _rows(self, table: str, paper: str | None = None) -> list[Values]:
        """Return the rows of a table, of a figure's values, or of a file beside the papers."""
        if paper and not (self.folder / paper).is_dir():
            papers = [file.name for file in self.folder.iterdir() if file.is_dir()]
            raise PageError(f"reference has no folder '{paper}'; {nearest(paper, papers)}")
        folders = ["tables", "figures"] if paper else ["."]
        files = [
            file for name in folders for file in (self.folder / (paper or "") / name).glob("*.csv")
        ]
        named = {file.stem: file for file in files}
        path = Values(named, f"reference/{paper or ''}".rstrip("/"))[table]
        with path.open(encoding="utf-8", newline="") as file:
            where = path.relative_to(self.folder.parent).as_posix()
            return [Values(row, where) for row in csv.DictReader(file)]

    def _differences(self, paper: str) -> pd.DataFrame:
        """Return the differences of methods, in both directions, by a key that names what."""
        frame = pd.read_parquet(self.folder / layout.INTERVALS.format(paper=paper))
        frame = frame[frame["baseline"].notna() & frame["baseline"].ne("")]
        turned = frame.rename(columns={"method": "baseline", "baseline": "method"})
        turned = turned.assign(
            estimate=-turned["estimate"], low=-turned["high"], high=-turned["low"]
        )
        frame = pd.concat([frame, turned], ignore_index=True)
        names = ["data_set", "measure", "method", "baseline", "group", "reading"]
        return frame.assign(key=frame[names].agg(", ".join, axis=1))

    def cell(self, paper: str | None, table: str, column: str, /, **where: Any) -> float | str:
        """Return a column's value in the one row whose other columns have the given values."""
        rows = self.rows(table, paper)
        for name, value in where.items():
            kept = [row for row in rows if row[name] == str(value)]
            if not kept:
                values = {row[name] for row in rows}
                raise PageError(
                    f"{rows[0].where} has no row with {name} '{value}'; {nearest(value, values)}"
                )
            rows = kept
        if len(rows) > 1:
            different = [name for name in rows[0] if len({row[name] for row in rows}) > 1]
            raise PageError(
                f"{rows[0].where} has {len(rows)} rows with {where}; "
                f"name one of {', '.join(different[:5])} too"
            )
        return self._value(rows[0][column], f"the cell '{column}' of {rows[0].where} with {where}")

    @staticmethod
    def _value(text: str, where: str) -> float | str:
        if not text:
            raise PageError(f"{where} is empty; choose another row or column")
        try:
            return float(text)
        except ValueError:
            return text

    def claim(self, paper: str, name: str) -> Values:
        """Return a row of claims.csv, with its numbers by name."""
        claims = {row["id"]: row for row in self.rows("claims") if row["paper"] == paper}
        if not claims:
            papers = {row["paper"] for row in self.rows("claims")}
            raise PageError(f"claims.csv has no paper '{paper}'; {nearest(paper, papers)}")
        row = Values(claims, f"claims.csv of {paper}")[name]
        numbers = Values(json.loads(row["numbers"] or "{}"), f"the claim {name} of {paper}")
        seeds = row["states"].removeprefix("at most ").split(" of ")[0]
        return Values({**row, "numbers": numbers, "seeds": float(seeds)}, row.where)

    def verdicts(self, paper: str | None = None) -> Values:
        """Return how many sentences of a paper, or of all, have each verdict."""
        found = Counter(
            row["verdict"]
            for row in self.rows("claims")
            if row["source"] == "paper" and paper in (None, row["paper"])
        )
        counts = {verdict: found[verdict] for verdict in VERDICTS}
        judged = found.total() - found["not testable"]
        return Values(counts | {"all": found.total(), "judged": judged}, "verdicts")

    def agreement(self, within: float | None = None, *, substitutes: bool = True) -> float:
        """Return how many published values are compared, or the share within a distance of ours.

        `within` is one of the distances in `beyond_accuracy_pipeline.reporting.agreement`.
        """
        cells = read_agreement(self.folder / "agreement.csv")
        if not substitutes:
            cells = cells[~cells["substitute"].eq(True)]
        counts = distances(cells)
        if within is None:
            return counts["n_values"]
        return counts["within"][DISTANCES.index(within)] / counts["n_values"]

    def sign_changes(self, paper: str, table: str, column: str) -> float:
        """Return in how many rows of a table a value's sign depends on the seed."""
        names = [f"{column}_{end}_of_states" for end in ("least", "most")]
        return sum(
            float(row[names[0]]) < 0 < float(row[names[1]]) for row in self.rows(table, paper)
        )

    def compared(
        self,
        paper: str,
        data_set: str,
        measure: str,
        method: str,
        baseline: str,
        *,
        group: str = "all",
        reading: str = "headline",
    ) -> Values:
        """Compare two methods in each seed by their averages over the classes of a data set.

        The result has the number of `seeds`, in how many of them `method` is `ahead` and `behind`
        the `baseline`, in how many `significantly_ahead` and `significantly_behind` (the 95 %
        bootstrap interval of the difference excludes 0), and the `median`, `least` and `most` of
        the differences. `group` is a range of numbers of positive training examples.
        """
        where = f"reference/{paper}/intervals.parquet"
        frame = self.differences(paper)
        wanted = ", ".join((data_set, measure, method, baseline, group, reading))
        rows = frame[frame["key"] == wanted]
        if rows.empty:
            raise PageError(
                f"{where} does not compare '{wanted}'; {nearest(wanted, frame['key'].unique())}"
            )
        estimate = rows["estimate"]
        return Values(
            {
                "seeds": len(rows),
                "ahead": int((estimate > 0).sum()),
                "behind": int((estimate < 0).sum()),
                "significantly_ahead": int((rows["low"] > 0).sum()),
                "significantly_behind": int((rows["high"] < 0).sum()),
                "median": median(estimate),
                "least": min(estimate),
                "most": max(estimate),
            },
            where,
        )

    def numbers(self, paper: str, name: str, ending: str) -> list[float]:
        """Return the numbers of a claim whose names have an ending."""
        found = self.claim(paper, name)["numbers"]
        if not (kept := [value for key, value in found.items() if key.endswith(ending)]):
            raise PageError(
                f"{found.where} has no number that ends with '{ending}'; {nearest(ending, found)}"
            )
        return kept


def nearest(name: Any, options: Iterable[str]) -> str:
    """Return an end of an error message that lists valid values, nearest ones first."""
    options = sorted(options)
    near = difflib.get_close_matches(str(name), options, 4, 0.4) or options[:8]
    return f"valid near it: {', '.join(near)}"
