"""Tables of results as Parquet: written by the jobs, read by the reports."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from beyond_accuracy.results.columns import STUDY_COLUMNS, Part


def write_frame(path: str | Path, frame: pd.DataFrame) -> None:
    """Write a table as Parquet, without its index."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    frame.to_parquet(path, index=False)


def write_study(
    path: str | Path, rows: Sequence[Mapping[str, Any]], study: str, part: Part = "rows"
) -> None:
    """Write rows of a study; values that a row lacks are missing."""
    columns = STUDY_COLUMNS[study].get(part, {})
    write_frame(path, pd.DataFrame(rows, columns=list(columns)).astype(columns))


def existing(path: Path) -> Path:
    """Return the path of a result; FileNotFoundError says which one is not there."""
    if not path.is_file():
        raise FileNotFoundError(f"{path}: not found. Run snakemake to make it.")
    return path


def read_frames(paths: Sequence[Path], columns: Mapping[str, str]) -> pd.DataFrame:
    """Read tables of one kind below each other, with NumPy's types (missing is None or NaN).

    Of the `columns`, numbers that may be missing are float64. Without a path the frame is empty.

    Raises
    ------
    FileNotFoundError
        That names the first file which is not there.
    """
    if paths:
        tables = pa.concat_tables(
            [pq.read_table(existing(path)) for path in paths], promote_options="permissive"
        )
        frame = tables.to_pandas(ignore_metadata=True)
    else:
        frame = pd.DataFrame(columns=list(columns))
    # A table of nothing but missing values has no number type of its own.
    numbers = [name for name, kind in columns.items() if kind in ("Int64", "float64")]
    return frame.astype({name: "float64" for name in numbers if name in frame})
