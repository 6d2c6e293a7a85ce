"""What pandas passes over in a CSV file: rows that end early."""

import codecs
import csv
import io

from beyond_accuracy_pipeline.datasets.errors import ParseError


def check_rows(content: bytes, delimiter: str, location: str, expected: str) -> None:
    """Raise ParseError for UTF-16, and for a row with fewer fields than the first.

    pandas fills up a row with missing values. Blank lines are no rows.
    Cells beyond Python's reader are not checked.
    """
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise ParseError(location, 1, "text in UTF-16", "UTF-8: save the file in this encoding")
    try:
        _check_lengths(content, delimiter, location, expected)
    except (csv.Error, UnicodeDecodeError):
        # What is no CSV, or no UTF-8, pandas names.
        return


def _check_lengths(content, delimiter, location, expected):
    if b'"' in content:
        text = io.TextIOWrapper(io.BytesIO(content), encoding="utf-8-sig", newline="")
        reader = csv.reader(text, delimiter=delimiter)
        lengths = ((reader.line_num, len(row)) for row in reader if any(map(str.strip, row)))
    else:
        separator = delimiter.encode()
        lines = enumerate(content.splitlines(), start=1)
        lengths = ((at, line.count(separator) + 1) for at, line in lines if line.strip())
    _, n_columns = next(lengths, (0, 0))
    for line, length in lengths:
        if length < n_columns:
            raise ParseError(location, line, f"{length} of {n_columns} values", expected)
