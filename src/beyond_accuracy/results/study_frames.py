"""The tables of studies as Parquet: written by the jobs, read by the reports."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from beyond_accuracy.results.frames import read_frames, write_frame
from beyond_accuracy.results.studies import COLUMNS, Part, study_data_sets, study_file


def write_study(
    path: str | Path, rows: Sequence[Mapping[str, Any]], study: str, part: Part = "rows"
) -> None:
    """Write rows of a study as Parquet; values that a row lacks are missing."""
    columns = COLUMNS[study].get(part, {})
    write_frame(path, pd.DataFrame(rows, columns=list(columns)).astype(columns))


def read_study(
    folder: str | Path,
    paper: str,
    configuration: Mapping[str, Any],
    study: str,
    part: Part = "rows",
) -> pd.DataFrame:
    """Read exactly the tables of a study that the configuration of the paper declares.

    Numbers that may be missing are float64, with NaN. Without a declared table the frame is empty.

    Raises
    ------
    FileNotFoundError
        If a declared table is not there.
    """
    columns = COLUMNS[study].get(part, {})
    data_sets = study_data_sets(configuration, study)
    files = [study_file(folder, paper, study, data_set, part) for data_set in data_sets]
    frame = read_frames(files) if files else pd.DataFrame(columns=list(columns))
    # A table of nothing but missing values has no number type of its own.
    numbers = [name for name, kind in columns.items() if kind in ("Int64", "float64")]
    return frame.astype({name: "float64" for name in numbers if name in frame})
