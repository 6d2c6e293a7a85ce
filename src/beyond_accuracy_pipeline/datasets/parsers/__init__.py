"""Parsers: checked raw files in, tables out. One file a format."""

from beyond_accuracy_pipeline.datasets.entry import Entry
from beyond_accuracy_pipeline.datasets.parsers.arff import parse_arff
from beyond_accuracy_pipeline.datasets.parsers.arxiv import parse_arxiv
from beyond_accuracy_pipeline.datasets.parsers.columns import parse_columns
from beyond_accuracy_pipeline.datasets.parsers.delimited import parse_delimited
from beyond_accuracy_pipeline.datasets.parsers.multilabel_arff import parse_multilabel_arff
from beyond_accuracy_pipeline.datasets.parsers.parts import check_alike
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


def parse(entry: Entry, files: dict[str, RawFile]) -> dict[str, Table]:
    """Read the files of ``entry`` into tables by part: ``train`` and ``test``, or ``data``.

    Raises ParseError naming file and line, also where parts have other features or labels.
    """
    tables = _PARSERS[entry.parser.kind](entry, files)
    check_alike(tables, files)
    return tables
