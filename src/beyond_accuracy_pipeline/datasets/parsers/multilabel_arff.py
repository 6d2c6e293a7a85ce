"""Read Mulan's multi-label files: an ARFF table and an XML header that names the labels."""

from xml.etree.ElementTree import ParseError as XmlError  # nosec B405 # defusedxml reads

import defusedxml.ElementTree
import numpy as np
import scipy.sparse as sp

from beyond_accuracy_pipeline.datasets.entry import Entry
from beyond_accuracy_pipeline.datasets.errors import ParseError
from beyond_accuracy_pipeline.datasets.parsers.arff import ArffContent, read_arff
from beyond_accuracy_pipeline.datasets.raw_files import RawFile
from beyond_accuracy_pipeline.datasets.table import Table, as_csr


def parse_multilabel_arff(entry: Entry, files: dict[str, RawFile]) -> dict[str, Table]:
    """Read a multi-label data set in the format of the library Mulan; return one table per part.

    `files` maps the part, such as "train", to its ARFF file, and "labels" to an XML file with the
    names of the label columns.
    """
    labels = read_label_names(files["labels"])
    return {
        role: _table(entry, read_arff(file), labels)
        for role, file in files.items()
        if role != "labels"
    }


def read_label_names(file: RawFile) -> tuple[str, ...]:
    """Return the label names, in their order, from the XML file of a data set of Mulan."""
    expected = "distinct <label name=...> elements"
    with file.open() as stream:
        try:
            root = defusedxml.ElementTree.fromstring(stream.read())
        except (XmlError, LookupError, ValueError) as error:
            raise ParseError(file.location, None, f"bad XML ({error})", expected) from error
    names = tuple(label.get("name", "") for label in root.iterfind(".//{*}label"))
    if not names or "" in names or len(set(names)) < len(names):
        raise ParseError(file.location, None, f"label names {list(names)}", expected)
    return names


def _table(entry: Entry, content: ArffContent, labels: tuple[str, ...]) -> Table:
    if absent := [label for label in labels if label not in content.names]:
        found = f"no attribute for the labels {absent}"
        raise ParseError(content.location, None, found, "one for each label")
    label_columns = [content.names.index(label) for label in labels]
    if entry.parser.label_order == "columns":
        label_columns.sort()
    feature_columns = [i for i, name in enumerate(content.names) if name not in set(labels)]
    y = np.column_stack([_indicator(content, column) for column in label_columns])
    X = content.values[:, feature_columns]
    for column in feature_columns:
        if content.nominal[column] not in (None, ("0", "1")):
            found = f"the nominal feature {content.names[column]!r}"
            valid = "numeric features, or nominal ones with values {0, 1}"
            raise ParseError(content.location, None, found, valid)
    if np.isnan(X.data if sp.issparse(X) else X).any():
        raise ParseError(content.location, None, "a missing value", "no missing values")
    if not entry.parser.dense:
        X = as_csr(X)
    elif sp.issparse(X):
        X = X.toarray()
    return Table(
        X=X,
        y=y,
        class_names=tuple(content.names[column] for column in label_columns),
        feature_names=tuple(content.names[column] for column in feature_columns),
    )


def _indicator(content: ArffContent, column: int) -> np.ndarray:
    """Return a label column as 0 and 1, uint8; the file may declare both in either order."""
    codes = content.column(column)
    declared = content.nominal[column] or ("0", "1")
    if not set(declared) <= {"0", "1"} or not np.isin(codes, range(len(declared))).all():
        found = f"the label {content.names[column]!r} with values other than 0 and 1"
        raise ParseError(content.location, None, found, "nominal {0, 1} in every row")
    return np.array([int(value) for value in declared], dtype=np.uint8)[codes.astype(int)]
