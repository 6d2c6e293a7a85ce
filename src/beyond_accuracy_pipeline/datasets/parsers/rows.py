"""Read data sets that Python packages ship as text files.

The resulting table equals the table from the original files of the catalogue entry, although the
text files differ from them in layout or values.
"""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from beyond_accuracy_pipeline.datasets.raw_files import RawFile
from beyond_accuracy_pipeline.datasets.sources import Rows
from beyond_accuracy_pipeline.datasets.table import Table


def parse_rows(
    files: dict[str, RawFile], rows: Rows, catalogue_folder: Path | str
) -> dict[str, Table]:
    """Read a data set that a Python package ships as text files; return {part: table}.

    `files` maps each part, such as "train", to its file, and `rows` describes the format. New
    orders of the rows, if necessary, are in text files in `catalogue_folder`.
    """
    tables = {
        role: _table(file, role, rows, Path(catalogue_folder)) for role, file in files.items()
    }
    if rows.scale is not None:
        low, high = rows.scale
        X = tables["train"].X
        least, most = X.min(axis=0), X.max(axis=0)
        for table in tables.values():
            table.X[:] = low + (high - low) * (table.X - least) / (most - least)
    if rows.digits is not None:
        for table in tables.values():
            table.X[:] = [[float(f"{x:.{rows.digits}g}") for x in row] for row in table.X.tolist()]
    for role, row, feature, value in rows.corrections:
        tables[role].X[row, feature] = value
    return tables


def _table(file: RawFile, role: str, rows: Rows, folder: Path) -> Table:
    """Return the table of the part `role` before it is scaled, rounded and corrected."""
    with file.open() as stream:
        lines = stream.read().decode("utf-8").splitlines()
    lines = [line for line in lines if line.strip()]
    lines = [line for line in lines if not (rows.comment and line.startswith(rows.comment))]
    cells = [[cell.strip() for cell in line.split(rows.delimiter)] for line in lines]
    names = cells.pop(0) if rows.header else []
    if role in rows.parts:
        cells = cells[slice(*rows.parts[role])]
    if role in rows.order:
        cells = [cells[row] for row in _read_order(folder / rows.order[role])]
    if rows.labels:
        columns = [names.index(label) for label in rows.labels]
        features = [column for column in range(len(names)) if column not in columns]
        return Table(
            X=_numbers(cells, features),
            y=_numbers(cells, columns).astype(np.uint8),
            class_names=tuple(rows.labels),
            feature_names=tuple(names[column] for column in features),
        )
    *features, target = rows.columns or range(len(cells[0]))
    codes = [
        {value: code for code, value in enumerate(rows.nominal[position])}
        if position in rows.nominal
        else rows.numbers
        for position in range(len(features))
    ]
    spelled = rows.classes if isinstance(rows.classes, dict) else {c: c for c in rows.classes}
    class_names = tuple(dict.fromkeys(spelled.values()))
    table = Table(
        X=_numbers(cells, features, codes),
        y=np.array([class_names.index(spelled[row[target]]) for row in cells], dtype=np.int64),
        class_names=class_names,
        categories={column: tuple(values) for column, values in rows.nominal.items()},
    )
    return table.rows(np.lexsort(table.X.T[::-1])) if rows.sort else table


def _numbers(
    cells: list[list[str]], columns: list[int], codes: list[Mapping[str, float]] | None = None
) -> np.ndarray:
    """Return columns of text cells as float64. `codes` maps texts to numbers, for each column."""
    pairs = list(zip(columns, codes or [{}] * len(columns), strict=True))
    numbers = [[float(code.get(row[at], row[at])) for at, code in pairs] for row in cells]
    # Zero has one sign, as in the entries' own files.
    return np.array(numbers) + 0.0


def _read_order(path: Path) -> list[int]:
    """Return the row numbers in a text file, such as `4 0-2 3`."""
    order: list[int] = []
    for item in path.read_text("ascii").split():
        first, _, last = item.partition("-")
        order += range(int(first), int(last or first) + 1)
    return order
