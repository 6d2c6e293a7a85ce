"""Read SVMlight / LIBSVM text by scikit-learn."""

import io

import numpy as np

from beyond_accuracy.readers.svmlight_file import (
    EXPECTED,
    data_lines,
    first_row_not_finite,
    load_svmlight,
    malformed_line,
)
from beyond_accuracy.readers.tables import number_name
from beyond_accuracy_pipeline.datasets.entry import Entry
from beyond_accuracy_pipeline.datasets.errors import ParseError
from beyond_accuracy_pipeline.datasets.raw_files import RawFile
from beyond_accuracy_pipeline.datasets.steps import SvmlightParser
from beyond_accuracy_pipeline.datasets.table import Features, Table, as_csr, labelled_tables


def parse_svmlight(entry: Entry, files: dict[str, RawFile]) -> dict[str, Table]:
    """Read a data set in SVMlight format; return one table per part.

    `files` maps the part, such as "train", to its file. `entry` has the settings of the parser.
    Ranking files (with ``qid:``) are refused.
    """
    return labelled_tables({role: _read(file, entry.parser) for role, file in files.items()})


def _read(file: RawFile, parser: SvmlightParser) -> tuple[Features, list[str]]:
    with file.open() as stream:
        content = io.BytesIO(stream.read())
    for number, line in data_lines(content) if b"qid" in content.getvalue() else ():
        if b"qid:" in line.split(b"#", 1)[0]:
            valid = "classification data without qid:"
            raise ParseError(file.location, number, "a query (qid:) of a ranking file", valid)
    content.seek(0)
    try:
        X, y = load_svmlight(content, parser.n_features)
    except (ValueError, OverflowError) as error:
        line, text = malformed_line(content, parser.n_features)
        raise ParseError(file.location, line, text or str(error), EXPECTED) from error
    if X.shape[0] == 0:
        raise ParseError(file.location, None, "no rows", EXPECTED)
    if (row := first_row_not_finite(X, y)) is not None:
        content.seek(0)
        line = [number for number, _ in data_lines(content)][row]
        raise ParseError(file.location, line, "a NaN or infinite number", EXPECTED)
    X = X.toarray() if parser.dense else as_csr(X)
    names = {label: number_name(label) for label in np.unique(y)}
    return X, [names[label] for label in y]
