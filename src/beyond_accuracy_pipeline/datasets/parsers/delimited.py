"""Read text files with numbers in columns; one of the columns is the class."""

import math
from array import array

import numpy as np

from beyond_accuracy_pipeline.datasets.entry import Entry
from beyond_accuracy_pipeline.datasets.errors import ParseError
from beyond_accuracy_pipeline.datasets.raw_files import RawFile
from beyond_accuracy_pipeline.datasets.table import Table, labelled_tables


def parse_delimited(entry: Entry, files: dict[str, RawFile]) -> dict[str, Table]:
    """Read text files with one example per line, and return one table per part.

    `files` maps the part, such as "train", to its file, and `entry` has the class column.
    """
    return labelled_tables({role: _read(entry, file) for role, file in files.items()})


def _read(entry: Entry, file: RawFile) -> tuple[np.ndarray, list[str]]:
    parser = entry.parser
    expected = f"finite numbers, and a class in column {parser.class_column} (from 0)"
    values, classes, width = array("d"), [], None
    with file.open() as stream:
        for number, line in enumerate(stream.read().decode("latin-1").splitlines(), start=1):
            if number <= parser.skip_lines or not line.strip():
                continue
            cells = line.split(parser.delimiter)
            if width is None:
                width = len(cells)
                left_out = (parser.class_column, *entry.drop_columns)
                # Negative columns count from the end.
                dropped = {range(width)[i] for i in left_out if -width <= i < width}
                numeric = [column for column in range(width) if column not in dropped]
                expected = f"{width} columns: {expected}"
            try:
                row = [float(cells[column]) for column in numeric]
                label = cells[parser.class_column].strip()
            except (IndexError, ValueError):
                raise ParseError(file.location, number, repr(line[:60]), expected) from None
            if len(cells) != width or label in ("", "?") or not all(map(math.isfinite, row)):
                raise ParseError(file.location, number, repr(line[:60]), expected)
            values.extend(row)
            classes.append(label)
    if not classes:
        raise ParseError(file.location, None, "no rows", expected)
    return np.array(values).reshape(len(classes), -1), classes
