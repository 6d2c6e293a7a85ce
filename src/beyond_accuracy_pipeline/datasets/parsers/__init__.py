"""Parsers, one module per file format: they turn checked raw files into tables."""

from collections.abc import Iterator, Mapping

from beyond_accuracy_pipeline.datasets.entry import Entry
from beyond_accuracy_pipeline.datasets.errors import ParseError
from beyond_accuracy_pipeline.datasets.parsers.arff import parse_arff
from beyond_accuracy_pipeline.datasets.parsers.arxiv import parse_arxiv
from beyond_accuracy_pipeline.datasets.parsers.columns import parse_columns
from beyond_accuracy_pipeline.datasets.parsers.delimited import parse_delimited
from beyond_accuracy_pipeline.datasets.parsers.multilabel_arff import parse_multilabel_arff
from beyond_accuracy_pipeline.datasets.parsers.reuters_sgml import parse_reuters
from beyond_accuracy_pipeline.datasets.parsers.svmlight import parse_svmlight
from beyond_accuracy_pipeline.datasets.raw_files import RawFile
from beyond_accuracy_pipeline.datasets.table import Table

_PARSERS = {
    "arff": parse_arff,
    "arxiv_oai_xml": parse_arxiv,
    "arxiv_snapshot": parse_arxiv,
    "csv": parse_columns,
    "delimited": parse_delimited,
    "multilabel_arff": parse_multilabel_arff,
    "paperscape": parse_arxiv,
    "parquet": parse_columns,
    "reuters_sgml": parse_reuters,
    "svmlight": parse_svmlight,
}
# A feature may have many values.
_CHARACTERS_SHOWN = 300


def parse(entry: Entry, files: dict[str, RawFile]) -> dict[str, Table]:
    """Read the files of a data set into tables, with the parser that its entry names.

    `files` maps the role of a file, such as "train", to the file. Return {part: table} with the
    parts `train` and `test`, or `data`. ParseError is raised if a file is malformed, or if parts
    have different columns.
    """
    tables = _PARSERS[entry.parser.kind](entry, files)
    _check_same_columns(tables, files)
    return tables


def _check_same_columns(tables: Mapping[str, Table], files: Mapping[str, RawFile]) -> None:
    """Raise ParseError if the parts differ in labels, features or nominal values."""
    # One file may hold both parts.
    locations = {role: files[role].location if role in files else role for role in tables}
    (first, *others) = tables
    for role in others:
        pairs = zip(_columns(tables[role]), _columns(tables[first]), strict=True)
        for found, expected in pairs:
            if found != expected:
                expected = f"{expected[:_CHARACTERS_SHOWN]}, as in {locations[first]}"
                raise ParseError(locations[role], None, found[:_CHARACTERS_SHOWN], expected)


def _columns(table: Table) -> Iterator[str]:
    """Yield text on each label and feature of a table; tables with equal texts fit together."""
    n_features = table.X.shape[1] if table.X.ndim > 1 else 0
    yield f"{len(table.class_names)} labels and {n_features} features"
    yield from (f"label {name!r}" for name in table.class_names)
    names = table.feature_names or range(n_features)
    for column, name in enumerate(names):
        values = table.categories.get(column)
        kind = "numbers" if values is None else f"the values {', '.join(values)}"
        yield f"feature {name!r} with {kind}"
