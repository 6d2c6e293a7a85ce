"""SVMlight / LIBSVM text, read by scikit-learn."""

import io

import numpy as np
import scipy.sparse as sp

from beyond_accuracy.datasets.entry import Entry
from beyond_accuracy.datasets.errors import ParseError
from beyond_accuracy.datasets.raw_files import RawFile
from beyond_accuracy.datasets.table import Table, as_csr, encode, number_name, numeric_order

_EXPECTED = "`label index:value ...` with indices rising from 1 and finite numbers"


def parse_svmlight(entry: Entry, files: dict[str, RawFile]) -> dict[str, Table]:
    """Tables of all parts; classes are the union of the parts' labels, in numeric order.

    Raises ParseError with the line that is malformed, holds a NaN or infinite number, or names a
    query (``qid:``): measures of ranking files are averaged over queries, which no protocol here
    does, and scikit-learn would leave the query out without a word.
    """
    parser = entry.parser
    contents = {role: _read(file, parser.n_features) for role, file in files.items()}
    labels = {
        role: [number_name(label) for label in y.tolist()] for role, (_, y) in contents.items()
    }
    class_names = numeric_order({label for part in labels.values() for label in part})
    return {
        role: Table(
            X=X.toarray() if parser.dense else as_csr(X),
            y=encode(labels[role], class_names),
            class_names=class_names,
        )
        for role, (X, _) in contents.items()
    }


def _read(file: RawFile, n_features: int) -> tuple[sp.csr_matrix, np.ndarray]:
    with file.open() as stream:
        content = stream.read()
    _refuse_queries(content, file)
    try:
        X, y = _load(content, n_features)
    except (ValueError, OverflowError) as error:
        line, found = _malformed_line(content, n_features)
        raise ParseError(file.location, line, found or str(error), _EXPECTED) from error
    if X.shape[0] == 0:
        raise ParseError(file.location, None, "no rows", _EXPECTED)
    bad = ~np.isfinite(y)
    bad[np.searchsorted(X.indptr, np.flatnonzero(~np.isfinite(X.data)), side="right") - 1] = True
    if bad.any():
        line = _data_lines(content)[int(np.flatnonzero(bad)[0])]
        raise ParseError(file.location, line, "a NaN or infinite number", _EXPECTED)
    return X, y


def _load(content: bytes, n_features: int) -> tuple[sp.csr_matrix, np.ndarray]:
    from sklearn.datasets import load_svmlight_file

    return load_svmlight_file(io.BytesIO(content), n_features=n_features, zero_based=False)


def _refuse_queries(content: bytes, file: RawFile) -> None:
    if b"qid" not in content:
        return
    for number, line in enumerate(content.splitlines(), start=1):
        tokens = line.split(b"#", 1)[0].split()
        query = next((token for token in tokens if token.startswith(b"qid")), None)
        if query is not None:
            raise ParseError(
                file.location,
                number,
                f"the query {query[:40].decode('latin-1')!r} of a ranking file",
                "classification data without qid:, whose rows do not depend on each other",
            )


def _data_lines(content: bytes) -> list[int]:
    """Line number, from 1, of each row: blank lines and comments hold none."""
    lines = content.splitlines()
    return [n for n, line in enumerate(lines, start=1) if line.split(b"#", 1)[0].strip()]


def _malformed_line(content: bytes, n_features: int) -> tuple[int | None, str | None]:
    lines = content.splitlines()
    for number in _data_lines(content):
        try:
            _load(lines[number - 1], n_features)
        except (ValueError, OverflowError) as error:
            text = lines[number - 1].decode("latin-1")
            shown = text if len(text) <= 60 else text[:60] + "..."
            return number, f"{shown!r} ({error})"
    return None, None
