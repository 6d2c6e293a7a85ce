"""Runs over C, B or the training size, and the selection of auxiliaries: files of their own."""

from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from beyond_accuracy.results import PaperResults

SWEEP_KEYS = ["data_set", "measure", "method", "C", "B", "train_fraction"]
NUMBERS = (
    "C",
    "B",
    "train_fraction",
    "n_train",
    "value",
    "oracle_calls",
    "cpu_seconds",
    "matching_B",
    "auxiliary_value",
    "capo_value",
)
DEFAULT, SELECTED = "default", "selected"
AUXILIARY_CHANGE, CAPO_CHANGE = "auxiliary_change", "capo_change"


def sweep(results: PaperResults, name: str) -> pd.DataFrame:
    """One sweep on all its data sets; NaN where a row has no value.

    Raises FileNotFoundError if there is none.
    """
    return _read(results.paper_folder / "sweeps" / name)


def sweep_seconds(results: PaperResults, name: str) -> pd.DataFrame:
    """One sweep with its CPU seconds, which differ from run to run."""
    seconds = _read(results.paper_folder / "sweeps" / "seconds" / name)
    rows = sweep(results, name)
    return rows.merge(seconds[[*SWEEP_KEYS, "cpu_seconds"]], on=SWEEP_KEYS, validate="one_to_one")


def relative_changes(results: PaperResults) -> pd.DataFrame:
    """(selected − default) / default of auxiliaries and of CAPO by data set and measure."""
    rows = _read(results.paper_folder / "auxiliary_selection")
    rows = rows[rows["status"] == "ok"]
    keys = ["data_set", "measure"]
    default, selected = (
        rows[rows["which"] == which].set_index(keys)[["auxiliary_value", "capo_value"]]
        for which in (DEFAULT, SELECTED)
    )
    common = default.index.intersection(selected.index, sort=False)
    # Nothing is relative to zero.
    changes = selected.loc[common] / default.loc[common].where(lambda value: value > 0) - 1.0
    changes.columns = [AUXILIARY_CHANGE, CAPO_CHANGE]
    return changes.dropna()


def in_order(found: pd.Series, first: tuple[str, ...]) -> list[str]:
    """The distinct names, those of `first` in its order before others."""
    known = list(dict.fromkeys(found))
    return [name for name in first if name in known] + [x for x in known if x not in first]


def _read(folder: Path) -> pd.DataFrame:
    paths = sorted(folder.glob("*.parquet"))
    if not paths:
        raise FileNotFoundError(
            f"{folder}: found no <data_set>.parquet. Run snakemake to make them."
        )
    tables = pa.concat_tables(map(pq.read_table, paths), promote_options="permissive")
    frame = tables.to_pandas(ignore_metadata=True)
    # A file of nothing but missing values has no number type of its own.
    return frame.astype({name: "float64" for name in NUMBERS if name in frame.columns})
