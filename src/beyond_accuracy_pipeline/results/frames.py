"""Write and read tables of results as Parquet, and write CSV files."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from beyond_accuracy_pipeline.results.columns import STUDY_COLUMNS, Part
from beyond_accuracy_pipeline.results.damage import reading


def write_frame(path: str | Path, frame: pd.DataFrame) -> None:
    """Write a DataFrame as a Parquet file, without its index and with checksums inside the file."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    frame.to_parquet(
        path, index=False, compression="zstd", compression_level=15, write_page_checksum=True
    )


def write_csv(path: str | Path, frame: pd.DataFrame, **options: Any) -> None:
    """Write a DataFrame as CSV without its index; `options` are passed to `csv_text`."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    # Writing bytes keeps line ends the same on all systems.
    Path(path).write_bytes(csv_text(frame, **options).encode())


def csv_text(frame: pd.DataFrame, **options: Any) -> str:
    """Return a DataFrame as CSV text, without its index; `options` go to `DataFrame.to_csv`.

    Texts that a spreadsheet would read as a formula get an apostrophe in front.
    """
    texts = frame.select_dtypes(["object", "string", "category"])
    frame = frame.assign(**{name: texts[name].map(_plain) for name in texts})
    frame = frame.rename(columns=_plain)
    return frame.to_csv(index=False, lineterminator="\n", **options)


# Full-width signs also start a formula, and so does a sign after blanks.
_FORMULA = re.compile(
    r"\s*+(?:[=@\uff1d\uff20]|[+\-\uff0b\uff0d](?![\d.]*+(?:[eE][+-]?\d++)?\Z))|\t"
)


def _plain(cell: Any) -> Any:
    """Return the text of a cell with an apostrophe before a formula, and with LF as line end."""
    if not isinstance(cell, str):
        return cell
    cell = cell.replace("\r\n", "\n").replace("\r", "\n")
    return f"'{cell}" if _FORMULA.match(cell) else cell


def write_study(
    path: str | Path, rows: Sequence[Mapping[str, Any]], study: str, part: Part = "rows"
) -> None:
    """Write the rows of a study, which is an additional experiment, as a Parquet file.

    `study` is the name of the study, such as "convergence". `part` is "rows" for results and
    "seconds" for times. If rows have columns that the study does not declare, raise ValueError.
    """
    columns = STUDY_COLUMNS[study].get(part, {})
    # Rows of times may repeat columns of results, which are left out.
    declared = {name for of_part in STUDY_COLUMNS[study].values() for name in of_part}
    if unknown := sorted({name for row in rows for name in row} - declared):
        raise ValueError(
            f"study {study!r} returned columns [{', '.join(unknown)}] that STUDY_COLUMNS "
            "(results/columns.py) does not name; add them there with their types"
        )
    write_frame(path, pd.DataFrame(rows, columns=list(columns)).astype(columns))


def _read_table(path: str | Path) -> pa.Table:
    with reading(path) as file:
        return pq.read_table(file, page_checksum_verification=True)


def read_frames(paths: Sequence[str | Path], columns: Mapping[str, str]) -> pd.DataFrame:
    """Read several Parquet files into one DataFrame; without files it has `columns` and no rows.

    `columns` maps column names to types. Numbers with missing values become float64 with NaN.
    """
    # A column with only missing values has no numeric type.
    numbers = [name for name, kind in columns.items() if kind in ("Int64", "float64")]
    if not paths:
        frame = pd.DataFrame(columns=list(columns))
        return frame.astype(dict.fromkeys(numbers, "float64"))
    tables = pa.concat_tables(map(_read_table, paths), promote_options="permissive")
    # Casting in Arrow is faster than in pandas; reports read hundreds of small tables.
    floats = {name: pa.field(name, pa.float64()) for name in numbers}
    schema = pa.schema([floats.get(field.name, field) for field in tables.schema])
    return tables.cast(schema).to_pandas(ignore_metadata=True)
