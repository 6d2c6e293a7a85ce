"""What a run has left of one paper, read on demand; no solver and no data set is needed for it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from beyond_accuracy.results import layout
from beyond_accuracy.results.columns import (
    FIT_COLUMNS,
    MEASUREMENT_COLUMNS,
    SECONDS_COLUMNS,
    STUDY_COLUMNS,
    Part,
)
from beyond_accuracy.results.frames import existing, read_frames
from beyond_accuracy.results.scores import Scores, read_scores


@dataclass(frozen=True)
class PaperResults:
    """The results of one paper: exactly the files that its configuration selects.

    Everything is read when it is first asked for. A part that is not there raises
    FileNotFoundError that names the file and the command that makes it.

    Attributes
    ----------
    folder : Path
        The folder of all results.
    paper : str
        Its id.
    configuration : mapping
        What was run: `data_sets`, `methods_selected`, `methods`, …
    """

    folder: Path
    paper: str
    configuration: Mapping[str, Any]

    @classmethod
    def of_run(cls, folder: str | Path, paper: str) -> "PaperResults":
        """Return the results of a paper with the configuration that the run left beside them."""
        path = existing(Path(folder) / layout.CONFIGURATION.format(paper=paper))
        return cls(Path(folder), paper, json.loads(path.read_text(encoding="utf-8")))

    def write_configuration(self) -> None:
        """Leave the configuration beside the results, for `of_run`."""
        text = json.dumps(self.configuration, indent=1, ensure_ascii=False)
        self.path(layout.CONFIGURATION).write_text(f"{text}\n", encoding="utf-8")

    @property
    def paper_folder(self) -> Path:
        """The folder of this paper's results."""
        return Path(self.folder) / self.paper

    @cached_property
    def data_sets(self) -> pd.DataFrame:
        """The records of all data sets of the run, indexed by `data_set`."""
        path = existing(self.path(layout.DATA_SETS))
        return pd.read_csv(path, keep_default_na=False, na_values=[""], index_col="data_set")

    @cached_property
    def measurements(self) -> pd.DataFrame:
        """Tidy test-set values: one row per data set, task, method, measure and fold."""
        path = self.path(layout.MEASUREMENTS)
        frame = read_frames([path], MEASUREMENT_COLUMNS)
        missing = [name for name in MEASUREMENT_COLUMNS if name not in frame.columns]
        if missing:
            raise ValueError(
                f"{path}: found the columns {', '.join(frame.columns)}; "
                f"missing: {', '.join(missing)}. Remove the file and run snakemake again."
            )
        selected = frame["data_set"].isin(self.configuration["data_sets"])
        return frame[selected].reset_index(drop=True)

    @cached_property
    def fits(self) -> pd.DataFrame:
        """One row per fit: chosen parameters, iterations, duality gap, counts of positives."""
        return self._of_jobs(layout.FITS, FIT_COLUMNS)

    @cached_property
    def seconds(self) -> pd.DataFrame:
        """Wall and CPU seconds of selection, fit and prediction; differs from run to run."""
        return self._of_jobs(layout.SECONDS, SECONDS_COLUMNS)

    @cached_property
    def intervals(self) -> pd.DataFrame:
        """Bootstrap intervals of macro-averages and of differences of methods."""
        return read_frames([self.path(layout.INTERVALS)], {})

    def scores(self, data_set: str, method: str) -> Scores:
        """Read what one method predicts on one data set."""
        job = layout.job_of(self.configuration, method)
        return read_scores(existing(self.path(layout.SCORES, data_set=data_set, job=job)), method)

    def study(self, name: str, part: Part = "rows") -> pd.DataFrame:
        """Read a study, or its seconds; empty where it is not configured for a data set."""
        data_sets = layout.study_data_sets(self.configuration, name)
        files = [layout.study_file(self.folder, self.paper, name, each, part) for each in data_sets]
        return read_frames(files, STUDY_COLUMNS[name].get(part, {}))

    def path(self, pattern: str, **names: str) -> Path:
        """Return where a file of this paper is."""
        return Path(self.folder) / pattern.format(paper=self.paper, **names)

    def record(self, data_set: str) -> dict[str, object]:
        """Return what is known of a data set; empty when the run does not know it."""
        if data_set not in self.data_sets.index:
            return {}
        values = self.data_sets.loc[data_set].to_dict()
        return {key: None if pd.isna(value) else value for key, value in values.items()}

    def _of_jobs(self, pattern: str, columns: Mapping[str, str]) -> pd.DataFrame:
        """Read the files of all jobs; rows of the selected fits, in the configuration's order."""
        jobs = layout.fit_jobs(self.configuration)
        files = [self.path(pattern, data_set=data_set, job=job) for data_set, job in jobs]
        frame = read_frames(files, columns)
        ranks = {pair: rank for rank, pair in enumerate(layout.fitted_pairs(self.configuration))}
        pairs = zip(frame["data_set"], frame["method"], strict=True)
        rank = pd.Series([ranks.get(pair) for pair in pairs], index=frame.index, dtype="float64")
        return frame.loc[rank.dropna().sort_values(kind="stable").index].reset_index(drop=True)
