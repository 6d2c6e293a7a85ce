"""Read the results of a run for one paper, without solvers or data sets."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from beyond_accuracy_pipeline.results import layout
from beyond_accuracy_pipeline.results.columns import (
    FIT_COLUMNS,
    MEASUREMENT_COLUMNS,
    MISSING,
    SECONDS_COLUMNS,
    STUDY_COLUMNS,
    Part,
)
from beyond_accuracy_pipeline.results.damage import DamagedFile, existing, reading
from beyond_accuracy_pipeline.results.fits import Fit, Manifest, manifest
from beyond_accuracy_pipeline.results.frames import read_frames
from beyond_accuracy_pipeline.results.scores import PREDICTION, Scores, read_scores
from beyond_accuracy_pipeline.results.variants import (
    MEDIAN,
    Variant,
    method_measures,
    under_reading,
)


@dataclass(frozen=True)
class PaperResults:
    """Results of one paper, read from the files of a run, for one variant of the protocol.

    `folder` is the folder of all results, and `whole` the paper's configuration. `variant` is a
    pair of a reading (a change of the paper's protocol) and the number of a seed.
    """

    folder: Path
    paper: str
    whole: Mapping[str, Any]
    variant: Variant = Variant()
    # Rows of each file by fit, shared by the results of all variants.
    _read: dict[Path, dict[str, pd.DataFrame]] = field(
        default_factory=dict, repr=False, compare=False
    )

    @cached_property
    def configuration(self) -> Mapping[str, Any]:
        """The paper's configuration with the changes that this variant of the protocol makes."""
        return under_reading(self.whole, self.variant.reading)

    def under(self, variant: Variant) -> "PaperResults":
        """Return the same paper's results for another variant: a change of protocol, and a seed."""
        if variant == self.variant:
            return self
        results = replace(self, variant=variant)
        vars(results)["_manifest"] = self._manifest
        return results

    @classmethod
    def of_run(cls, folder: str | Path, paper: str) -> "PaperResults":
        """Return the results of a paper, with the configuration that a run saved in `folder`."""
        with reading(Path(folder) / layout.CONFIGURATION.format(paper=paper)) as path:
            return cls(Path(folder), paper, json.loads(path.read_text(encoding="utf-8")))

    def write_configuration(self) -> None:
        """Save the paper's configuration as JSON in the folder of results, for `of_run`."""
        text = json.dumps(self.whole, indent=1, ensure_ascii=False)
        self.path(layout.CONFIGURATION).write_text(f"{text}\n", encoding="utf-8")

    @property
    def paper_folder(self) -> Path:
        """Folder of this paper's files."""
        return Path(self.folder) / self.paper

    @cached_property
    def data_sets(self) -> pd.DataFrame:
        """Table of all data sets of the run, from data_sets.csv, with names as index."""
        with reading(self.path(layout.DATA_SETS)) as path:
            return pd.read_csv(path, keep_default_na=False, na_values=[""], index_col="data_set")

    def missing(self, data_set: str) -> tuple[str, str] | None:
        """Return (status, reason) if a data set could not be obtained, otherwise None."""
        if not self.path(layout.DATA_SETS).is_file():
            return None
        status = self.data_sets["status"].get(data_set)
        return (status, "no data") if status in MISSING else None

    def check_data_sets(self) -> None:
        """Raise DamagedFile if a data set of the paper has no row in data_sets.csv."""
        used = layout.used_data_sets(self.whole)
        unknown = [name for name in used if name not in self.data_sets.index]
        if unknown:
            reason = f"no line of {', '.join(unknown)}"
            raise DamagedFile(self.path(layout.DATA_SETS), reason)

    @cached_property
    def measurements(self) -> pd.DataFrame:
        """Values of the measures on the test sets, one row per data set, task, method and fold."""
        path = self.path(layout.MEASUREMENTS)
        frame = read_frames([path], MEASUREMENT_COLUMNS)
        missing = [name for name in MEASUREMENT_COLUMNS if name not in frame.columns]
        if missing:
            raise DamagedFile(path, f"its columns lack {', '.join(missing)}")
        cell = ["data_set", "task", "method", "measure", "fold"]
        own = self._medians(self._of_variant(frame), frame, cell, ["value"])
        cells = {
            (*pair, measure)
            for pair in layout.fitted_pairs(self.configuration)
            for measure in method_measures(self.configuration, pair[1])
        }
        keys = zip(own["data_set"], own["method"], own["measure"], strict=True)
        selected = pd.Series([key in cells for key in keys], own.index, dtype=bool)
        return own[selected].reset_index(drop=True)

    @cached_property
    def fits(self) -> pd.DataFrame:
        """Facts about fits, such as their convergence, with the columns `FIT_COLUMNS`."""
        return self._of_jobs(layout.FITS, FIT_COLUMNS)

    @cached_property
    def seconds(self) -> pd.DataFrame:
        """Wall-clock and CPU seconds of each timed step, with the columns `SECONDS_COLUMNS`."""
        return self._of_jobs(layout.SECONDS, SECONDS_COLUMNS)

    def summed_seconds(self) -> pd.DataFrame:
        """Return the seconds of each data set, method and stage, such as "fit", as a table.

        Medians over repetitions are summed over tasks and measures.
        """
        sums = self.path(layout.SUMMED_SECONDS)
        if sums.is_file():
            with reading(sums) as file:
                return pd.read_csv(file, keep_default_na=False)
        keys = ["data_set", "method", "stage"]
        fit = [*keys, "measure", "task"]
        options = {"sort": False, "dropna": False}
        seconds = ["wall_seconds", "cpu_seconds"]
        repetitions = self.seconds.groupby([*fit, "repetition"], **options)[seconds].sum()
        medians = repetitions.groupby(fit, **options).median()
        return medians.groupby(keys, **options).sum().reset_index().round(4)

    @cached_property
    def intervals(self) -> pd.DataFrame:
        """Bootstrap intervals of the methods' values, and of differences between two methods."""
        frame = read_frames([self.path(layout.INTERVALS)], {})
        cell = ["data_set", "measure", "method", "baseline", "group"]
        return self._medians(self._of_variant(frame), frame, cell, ["estimate", "low", "high"])

    @cached_property
    def _manifest(self) -> Manifest:
        return manifest(self.whole)

    def measures_by_fit(self, data_set: str, method: str) -> dict[Fit, list[str]]:
        """Return the fits of a method to a data set, as {fit: measures that use this fit}."""
        variant = replace(self.variant, state=max(self.variant.state, 1))
        return self._manifest[variant, data_set, method]

    def fits_of(self, data_set: str, method: str) -> tuple:
        """Return a hashable key of a method's fits, equal for variants that share the fits."""
        fits = self.measures_by_fit(data_set, method).items()
        return data_set, method, *((fit.key, *measures) for fit, measures in fits)

    def scores(self, data_set: str, method: str) -> Scores:
        """Read the predictions of one method on one data set, joined from all of its fits."""
        fits = self.measures_by_fit(data_set, method).items()
        (scores, _), *others = [(self._read_scores(fit), measures) for fit, measures in fits]
        # Without data, a part has no arrays.
        arrays = {
            name: array
            for part, measures in others
            for name, array in part.arrays.items()
            if name.removeprefix(PREDICTION) in measures
        }
        return Scores(scores.tasks, {**scores.arrays, **arrays})

    def study(self, name: str, part: Part = "rows") -> pd.DataFrame:
        """Read the rows or the times of a study, an additional experiment of the paper.

        If the study did not run with this seed, the results with the first seed are returned.
        """
        data_sets = layout.study_data_sets(self.configuration, name)
        several = data_sets and self.variant.state in layout.study_states(self.configuration, name)
        place = part, self.variant.state if several else 1
        files = [
            layout.study_file(self.folder, self.paper, name, each, *place)
            for each in data_sets
            if not self.missing(each)
        ]
        return read_frames(files, STUDY_COLUMNS[name].get(part, {}))

    def path(self, pattern: str, **names: str) -> Path:
        """Return the path of one of the paper's files.

        `pattern` is a constant of `results.layout`, and `names` are its fields besides `paper`.
        """
        return Path(self.folder) / pattern.format(paper=self.paper, **names)

    def record(self, data_set: str) -> dict[str, object]:
        """Return the row of a data set in data_sets.csv as a dict; {} if there is no row."""
        if data_set not in self.data_sets.index:
            return {}
        values = self.data_sets.loc[data_set].to_dict()
        return {key: None if pd.isna(value) else value for key, value in values.items()}

    def _read_scores(self, fit: Fit) -> Scores:
        if self.missing(fit.data_set):
            return Scores()
        return read_scores(self.path(layout.SCORES, data_set=fit.data_set, job=fit.job), fit.key)

    def _of_variant(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return the rows of `frame` for this reading and seed; the first seed for `MEDIAN`."""
        state = max(self.variant.state, 1)
        rows = (frame["reading"] == self.variant.reading) & (frame["state"] == state)
        return frame[rows].drop(columns=["reading", "state"]).reset_index(drop=True)

    def _medians(
        self, own: pd.DataFrame, frame: pd.DataFrame, cell: list[str], numbers: list[str]
    ) -> pd.DataFrame:
        """Return `own`; for the seed `MEDIAN`, replace its columns `numbers` by medians.

        The medians are over rows of `frame` with equal values of the columns `cell`.
        """
        if self.variant.state != MEDIAN:
            return own
        states = frame[frame["reading"] == self.variant.reading]
        medians = states.groupby(cell, dropna=False, sort=False)[numbers].median()
        keys = pd.MultiIndex.from_frame(own[cell])
        return own.assign(**medians.reindex(keys).reset_index(drop=True))

    def _of_jobs(self, pattern: str, columns: Mapping[str, str]) -> pd.DataFrame:
        """Return the rows of all jobs' files of one kind, in the order of the configuration."""
        nothing = read_frames([], columns)
        parts = []
        for data_set, method in layout.fitted_pairs(self.configuration):
            fits = self.measures_by_fit(data_set, method)
            for number, (fit, measures) in enumerate(fits.items()):
                rows = self._rows(pattern, columns, fit, measures)
                if number:
                    rows = rows[rows["measure"].isin(measures)]
                elif len(fits) > 1:
                    # The first fit also has the rows that do not belong to a single measure.
                    elsewhere = [name for own in list(fits.values())[1:] for name in own]
                    rows = rows[~rows["measure"].isin(elsewhere)]
                if len(rows):
                    parts.append((rows, data_set, method))
        if not parts:
            return nothing
        frame = pd.concat([rows for rows, _, _ in parts], ignore_index=True)
        absent = {name: kind for name, kind in nothing.dtypes.items() if name not in frame}
        frame = frame.reindex(columns=list(nothing)).astype(absent)
        places = [place for rows, *place in parts for _ in range(len(rows))]
        data_sets, methods = zip(*places, strict=True)
        return frame.assign(data_set=data_sets, method=methods)

    def _rows(
        self, pattern: str, columns: Mapping[str, str], fit: Fit, measures: list[str]
    ) -> pd.DataFrame:
        """Return the rows of one fit in a job's file; without data, one row per measure says so."""
        if missing := self.missing(fit.data_set):
            measures = measures if pattern == layout.FITS else []
            return _rows_without_data(self.paper, *missing, *measures)
        job = self.path(pattern, data_set=fit.data_set, job=fit.job)
        whole = self.path(layout.FITS_OF_JOBS)
        path = whole if pattern == layout.FITS and whole.is_file() else job
        if path not in self._read:
            self._read[path] = dict(list(read_frames([path], columns).groupby("fit", sort=False)))
        rows = self._read[path].get(fit.key)
        if rows is not None:
            return rows
        if pattern == layout.FITS:
            # A reference has no files of jobs. A large reference only has fits of the first seed.
            raise DamagedFile(existing(job), f"found no fit {fit.key} of {fit.method}")
        return read_frames([], columns)


@cache
def _rows_without_data(paper: str, status: str, reason: str, *measures: str) -> pd.DataFrame:
    """Return one row per measure for a data set that is missing."""
    row = {"paper": paper, "task": "", "fold": 0, "status": status, "reason": reason}
    row |= {"fallback": False, "grid_limit": ""}
    rows = [{**row, "measure": measure} for measure in measures]
    return pd.DataFrame(rows, columns=["measure", *row])
