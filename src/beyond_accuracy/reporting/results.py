"""What a run has left in its results folder, read on demand; no solver is needed for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from beyond_accuracy.results import read_scores
from beyond_accuracy.results.studies import Part, read_study

MEASUREMENT_COLUMNS = (
    "paper",
    "data_set",
    "task",
    "method",
    "measure",
    "fold",
    "value",
    "status",
    "reason",
)
FIT_NUMBERS = (
    "n_train_positives",
    "n_train",
    "n_test_positives",
    "n_test",
    "n_iter",
    "n_iter_without_line_search",
    "dual_gap",
    "objective",
)


@dataclass(frozen=True)
class Scores:
    """Decision values of one (data set, method) on the test examples.

    Attributes
    ----------
    tasks : tuple of str
        Names of the tasks, in the order of the rows below; empty when there was no data.
    values : dict of str to ndarray of float64, shape (n_tasks, n_test)
        One array a measure; a row of NaN is a fit that failed.
    """

    tasks: tuple[str, ...]
    values: dict[str, np.ndarray]

    def row(self, measure: str, task: str) -> np.ndarray:
        """Return the decision values of one task, shape (n_test,)."""
        return self.values[measure][self.tasks.index(task)]


@dataclass(frozen=True)
class PaperResults:
    """The results of one paper: `folder/<paper>/...` and `folder/data_sets.csv`.

    Everything is read when it is first asked for. A part that is not there raises
    FileNotFoundError that names the file and the command that makes it.
    """

    folder: Path
    paper: str

    def __init__(self, folder: str | Path, paper: str) -> None:
        object.__setattr__(self, "folder", Path(folder))
        object.__setattr__(self, "paper", paper)

    @property
    def paper_folder(self) -> Path:
        """The folder of this paper's results."""
        return self.folder / self.paper

    @cached_property
    def measurements(self) -> pd.DataFrame:
        """Tidy test-set values: one row per data set, task, method, measure and fold."""
        path = self._existing(self.paper_folder / "measurements.parquet")
        frame = _read_parquet([path])
        missing = [name for name in MEASUREMENT_COLUMNS if name not in frame.columns]
        if missing:
            raise ValueError(
                f"{path}: found the columns {', '.join(frame.columns)}; "
                f"missing: {', '.join(missing)}. Remove the file and run snakemake again."
            )
        return frame

    @cached_property
    def fits(self) -> pd.DataFrame:
        """One row per fit: chosen parameters, iterations, duality gap, counts of positives."""
        fits = self._concatenate("fits")
        # A file of nothing but missing values has no number type of its own.
        counted = [name for name in FIT_NUMBERS if name in fits.columns]
        return fits.astype(dict.fromkeys(counted, "float64"))

    @cached_property
    def seconds(self) -> pd.DataFrame:
        """Wall and CPU seconds of selection, fit and prediction; differs from run to run."""
        return self._concatenate("seconds")

    @cached_property
    def intervals(self) -> pd.DataFrame:
        """Bootstrap intervals of macro-averages and of differences of methods."""
        return _read_parquet([self._existing(self.paper_folder / "intervals.parquet")])

    @cached_property
    def data_sets(self) -> pd.DataFrame:
        """The records of all data sets of the run, indexed by `data_set`."""
        path = self._existing(self.folder / "data_sets.csv")
        frame = pd.read_csv(path, keep_default_na=False, na_values=[""])
        return frame.set_index("data_set")

    def scores(self, data_set: str, method: str) -> Scores:
        """Read the decision values of one (data set, method)."""
        for path in sorted((self.paper_folder / "scores" / data_set).glob("*.npz")):
            with np.load(path, allow_pickle=False) as arrays:
                if f"{method}/tasks" in arrays.files:
                    stored = read_scores(path, method)
                    return Scores(stored.tasks, dict(stored.arrays))
        raise FileNotFoundError(f"{self.paper_folder}: no scores of {method} on {data_set}")

    def study(
        self, name: str, configuration: Mapping[str, Any], part: Part = "rows"
    ) -> pd.DataFrame:
        """Read a study, or its seconds, on the data sets that the paper's configuration declares.

        The frame is empty if there are none.
        """
        return read_study(self.folder, self.paper, configuration, name, part)

    def data_set_names(self, selected: Sequence[str] | None = None) -> list[str]:
        """Return the data sets that were measured, in the order of `selected` if given."""
        measured = list(dict.fromkeys(self.measurements["data_set"]))
        if selected is None:
            return measured
        return [name for name in selected if name in measured]

    def record(self, data_set: str) -> dict[str, object]:
        """Return what is known of a data set; empty when the run does not know it."""
        if data_set not in self.data_sets.index:
            return {}
        values = self.data_sets.loc[data_set].to_dict()
        return {key: None if pd.isna(value) else value for key, value in values.items()}

    def _concatenate(self, kind: str) -> pd.DataFrame:
        paths = sorted((self.paper_folder / kind).glob("*/*.parquet"))
        if not paths:
            raise FileNotFoundError(
                f"{self.paper_folder / kind}: found no <data_set>/<method>.parquet. "
                "Run snakemake to make them."
            )
        return _read_parquet(paths)

    @staticmethod
    def _existing(path: Path) -> Path:
        if not path.is_file():
            raise FileNotFoundError(f"{path}: not found. Run snakemake to make it.")
        return path


def _read_parquet(paths: Sequence[Path]) -> pd.DataFrame:
    """Read files of one kind below each other, with NumPy's types (missing is None or NaN)."""
    tables = pa.concat_tables(map(pq.read_table, paths), promote_options="permissive")
    return tables.to_pandas(ignore_metadata=True)
