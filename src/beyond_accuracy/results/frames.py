"""Tables of results as Parquet: their columns, with types, and how they are written and read."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

MEASUREMENT_COLUMNS = {
    "paper": "string",
    "data_set": "string",
    "task": "string",
    "method": "string",
    "measure": "string",
    "fold": "int64",
    "value": "float64",
    "status": "string",
    "reason": "string",
}

FIT_COLUMNS = {
    "paper": "string",
    "data_set": "string",
    "method": "string",
    "task": "string",
    "measure": "string",
    "fold": "int64",
    "status": "string",
    "reason": "string",
    "selected": "string",
    "fallback": "bool",
    "grid_limit": "string",
    "converged": "boolean",
    "degenerate": "boolean",
    "n_train": "Int64",
    "n_train_positives": "Int64",
    "n_test": "Int64",
    "n_test_positives": "Int64",
    "n_iter": "Int64",
    "n_iter_without_line_search": "Int64",
    "converged_without_line_search": "boolean",
    "dual_gap": "float64",
    "objective": "float64",
    "kernel_error": "float64",
    "left_out": "string",
}
"""`kernel_error` is the share of a kernel's trace that its factor gives up, `left_out` names the
auxiliaries that predict one class only: missing for methods that have no such thing."""

SECONDS_COLUMNS = {
    "paper": "string",
    "data_set": "string",
    "method": "string",
    "task": "string",
    "measure": "string",
    "stage": "string",
    "repetition": "int64",
    "wall_seconds": "float64",
    "cpu_seconds": "float64",
}

NUMBERS = {name: "float64" for name, kind in FIT_COLUMNS.items() if kind == "Int64"}
"""Whole numbers that may be missing are read as float64, with NaN."""


def write_frame(path: str | Path, frame: pd.DataFrame) -> None:
    """Write a table as Parquet, without its index."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    frame.to_parquet(path, index=False)


def read_frames(paths: Sequence[Path]) -> pd.DataFrame:
    """Read tables of one kind below each other, with NumPy's types (missing is None or NaN).

    Raises
    ------
    FileNotFoundError
        That names the first file which is not there.
    """
    for path in paths:
        if not Path(path).is_file():
            raise FileNotFoundError(f"{path}: not found. Run snakemake to make it.")
    tables = pa.concat_tables(map(pq.read_table, paths), promote_options="permissive")
    return tables.to_pandas(ignore_metadata=True)
