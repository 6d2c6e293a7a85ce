"""Rows of text that hold the data of an entry in another spelling, such as those of packages."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import numpy as np

from beyond_accuracy_pipeline.datasets.errors import ParseError
from beyond_accuracy_pipeline.datasets.raw_files import RawFile
from beyond_accuracy_pipeline.datasets.sources import Rows
from beyond_accuracy_pipeline.datasets.table import Table


def parse_rows(files: dict[str, RawFile], rows: Rows, folder: Path | str) -> dict[str, Table]:
    """Return the tables by part.

    Parameters
    ----------
    files : dict of str to RawFile
    rows : Rows
        What becomes of the lines.
    folder : path
        The catalogue, in which the files of `rows.order` are.

    Raises
    ------
    ParseError
        If a line has too few cells, or a cell is no number or none of the declared values.
    """
    tables = {role: _table(files[role], role, rows, Path(folder)) for role in files}
    if rows.scale is not None:
        low, high = rows.scale
        X = tables["train"].X
        least, most = X.min(axis=0), X.max(axis=0)
        for table in tables.values():
            table.X[:] = low + (high - low) * (table.X - least) / (most - least)
    for table in tables.values():
        if rows.digits is not None:
            table.X[:] = [[float(f"{x:.{rows.digits}g}") for x in row] for row in table.X.tolist()]
    for role, row, feature, value in rows.corrections:
        tables[role].X[row, feature] = value
    return tables


def _table(file: RawFile, role: str, rows: Rows, folder: Path) -> Table:
    with file.open() as stream:
        lines = stream.read().decode("utf-8").splitlines()
    numbered = [
        (number, [cell.strip() for cell in line.split(rows.delimiter)])
        for number, line in enumerate(lines, start=1)
        if line.strip() and not (rows.comment and line.startswith(rows.comment))
    ]
    names = numbered.pop(0)[1] if rows.header else None
    start, stop = rows.parts.get(role, (0, len(numbered)))
    numbered = numbered[start:stop]
    if role in rows.order:
        numbered = [numbered[row] for row in _read_order(folder / rows.order[role])]
    if rows.labels:
        where = [names.index(label) for label in rows.labels]
        kept = [column for column in range(len(names)) if column not in where]
        y = _numbers(file, numbered, where, {}).astype(np.uint8)
        return Table(
            X=_numbers(file, numbered, kept, {}),
            y=y,
            class_names=tuple(rows.labels),
            feature_names=tuple(names[column] for column in kept),
        )
    *features, target = rows.columns or range(len(numbered[0][1]))
    spelled = rows.classes if isinstance(rows.classes, dict) else {c: c for c in rows.classes}
    class_names = tuple(dict.fromkeys(spelled.values()))
    codes = np.array([class_names.index(name) for name in spelled.values()])
    y = _numbers(file, numbered, [target], {0: list(spelled)})[:, 0].astype(np.int64)
    table = Table(
        X=_numbers(file, numbered, features, rows.nominal, rows.numbers),
        y=codes[y],
        class_names=class_names,
        categories={column: tuple(values) for column, values in rows.nominal.items()},
    )
    return table.rows(np.lexsort(table.X.T[::-1])) if rows.sort else table


def _numbers(
    file: RawFile,
    numbered: list[tuple[int, list[str]]],
    columns: list[int],
    nominal: dict[int, list[str]],
    numbers: Mapping[str, float] = MappingProxyType({}),
) -> np.ndarray:
    """Return cells as float64, shape (rows, columns); nominal values as codes."""
    codes = {
        place: {value: float(code) for code, value in enumerate(values)}
        for place, values in nominal.items()
    }
    result = np.empty((len(numbered), len(columns)))
    for index, (number, cells) in enumerate(numbered):
        for place, column in enumerate(columns):
            try:
                cell = cells[column]
                # Zero has one sign here, as in the entries' own files.
                number_or_code = codes[place][cell] if place in codes else numbers.get(cell, cell)
                result[index, place] = float(number_or_code) + 0.0
            except IndexError:
                found, valid = f"{len(cells)} cells", f"{column + 1} or more"
                raise ParseError(file.location, number, found, valid) from None
            except (KeyError, ValueError):
                valid = ", ".join(nominal[place]) if place in nominal else "a number"
                raise ParseError(file.location, number, repr(cell), valid) from None
    return result


def _read_order(path: Path) -> list[int]:
    """Return row numbers from text such as `4 0-2 3`."""
    order: list[int] = []
    for item in path.read_text("ascii").split():
        first, _, last = item.partition("-")
        order += range(int(first), int(last or first) + 1)
    return order
