"""SVMlight / LIBSVM text, read by scikit-learn."""

import io

import numpy as np

from beyond_accuracy.readers.svmlight_text import (
    EXPECTED,
    data_lines,
    first_row_not_finite,
    load_svmlight,
    malformed_line,
)
from beyond_accuracy_pipeline.datasets.entry import Entry
from beyond_accuracy_pipeline.datasets.errors import ParseError
from beyond_accuracy_pipeline.datasets.raw_files import RawFile
from beyond_accuracy_pipeline.datasets.steps import SvmlightParser
from beyond_accuracy_pipeline.datasets.table import (
    Features,
    Table,
    as_csr,
    labelled_tables,
    number_name,
)


def parse_svmlight(entry: Entry, files: dict[str, RawFile]) -> dict[str, Table]:
    """Tables of all parts; classes are the union of the parts' labels, in numeric order.

    Raises ParseError with the line that is malformed, holds a NaN or infinite number, or names a
    query (``qid:``): measures of ranking files are averaged over queries, which no protocol here
    does, and scikit-learn would leave the query out without a word. A dense matrix that takes far
    more memory than the file raises it as well.
    """
    return labelled_tables({role: _read(file, entry.parser) for role, file in files.items()})


def _read(file: RawFile, parser: SvmlightParser) -> tuple[Features, list[str]]:
    with file.open() as stream:
        content = io.BytesIO(stream.read())
    _refuse_queries(content, file)
    try:
        X, y = load_svmlight(content, parser.n_features)
    except (ValueError, OverflowError) as error:
        line, text = malformed_line(content, parser.n_features)
        raise ParseError(file.location, line, text or str(error), EXPECTED) from error
    if X.shape[0] == 0:
        raise ParseError(file.location, None, "no rows", EXPECTED)
    row = first_row_not_finite(X, y)
    if row is not None:
        content.seek(0)
        line = [number for number, _ in data_lines(content)][row]
        raise ParseError(file.location, line, "a NaN or infinite number", EXPECTED)
    X = X.toarray() if parser.dense else as_csr(X)
    names = {label: number_name(label) for label in np.unique(y)}
    return X, [names[label] for label in y]


def _refuse_queries(content: io.BytesIO, file: RawFile) -> None:
    if b"qid" not in content.getvalue():
        return
    for number, line in enumerate(content.getvalue().splitlines(), start=1):
        for token in line.split(b"#", 1)[0].split():
            if token.startswith(b"qid"):
                found = f"the query {token[:40].decode('latin-1')!r} of a ranking file"
                valid = "classification data without qid:, whose rows do not depend on each other"
                raise ParseError(file.location, number, found, valid)
