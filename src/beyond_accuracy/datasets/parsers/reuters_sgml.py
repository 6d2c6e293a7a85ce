"""Reuters-21578 in SGML, read by the standard library's HTML parser; ModApte split."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

import numpy as np

from beyond_accuracy.datasets.entry import Entry
from beyond_accuracy.datasets.errors import ParseError
from beyond_accuracy.datasets.raw_files import RawFile
from beyond_accuracy.datasets.table import Table

_EXPECTED = "<REUTERS TOPICS=... LEWISSPLIT=... NEWID=...> ... </REUTERS> elements"


@dataclass
class ReutersDocument:
    """One document: its attributes (lower-case keys), its topics and its text."""

    attributes: dict[str, str]
    topics: list[str] = field(default_factory=list)
    parts: dict[str, list[str]] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """Title and body; the whole text of the few documents that mark up neither."""
        chosen = [name for name in ("title", "body") if name in self.parts] or ["text"]
        return "\n".join("".join(self.parts.get(name, [])) for name in chosen)


def parse_reuters(entry: Entry, files: dict[str, RawFile]) -> dict[str, Table]:
    """Documents of the ModApte split, with the topics that occur in both parts as labels.

    Training part: LEWISSPLIT="TRAIN" and TOPICS="YES"; test part: "TEST" and "YES". Documents
    without a topic stay, as negative examples of all. Raises ParseError with file and line.
    """
    (file,) = files.values()
    parts: dict[str, list[ReutersDocument]] = {"train": [], "test": []}
    for name, content in file.members():
        # The files are ASCII but for one stray byte in reut2-017: latin-1 reads every byte.
        for document in read_documents(content.decode("latin-1"), name):
            part = document.attributes.get("lewissplit", "").lower()
            if document.attributes.get("topics") == "YES" and part in parts:
                parts[part].append(document)
    topics = {
        part: {topic for document in documents for topic in document.topics}
        for part, documents in parts.items()
    }
    labels = tuple(sorted(topics["train"] & topics["test"]))
    return {part: _table(documents, labels) for part, documents in parts.items()}


def read_documents(text: str, name: str) -> list[ReutersDocument]:
    """All documents of one SGML file, called ``name`` in errors. Raises ParseError."""
    reader = _Reader(name)
    reader.feed(text)
    reader.close()
    reader.finish()
    return reader.documents


def _table(documents: list[ReutersDocument], labels: tuple[str, ...]) -> Table:
    column = {label: i for i, label in enumerate(labels)}
    y = np.zeros((len(documents), len(labels)), dtype=np.uint8)
    for row, document in enumerate(documents):
        for topic in document.topics:
            if topic in column:
                y[row, column[topic]] = 1
    X = np.array([document.text for document in documents], dtype=object)
    return Table(X=X, y=y, class_names=labels)


class _Reader(HTMLParser):
    """Collects topics and text; numeric entities are resolved by the base class."""

    def __init__(self, name: str):
        super().__init__(convert_charrefs=True)
        self._name = name
        self._open: list[str] = []
        self._opened_at = 0
        self._document: ReutersDocument | None = None
        self.documents: list[ReutersDocument] = []

    def handle_starttag(self, tag, attrs):
        if tag == "reuters":
            if self._document is not None:
                raise self._error(f"a <REUTERS> inside the one of line {self._opened_at}")
            attributes = {key: value or "" for key, value in attrs}
            lacking = {"topics", "lewissplit", "newid"} - set(attributes)
            if lacking:
                raise self._error(f"a <REUTERS> without {', '.join(sorted(lacking)).upper()}")
            self._document = ReutersDocument(attributes)
            self._opened_at = self.getpos()[0]
            self._open = []
        elif self._document is not None:
            self._open.append(tag)

    def handle_endtag(self, tag):
        if tag == "reuters":
            if self._document is None:
                raise self._error("</REUTERS> without its <REUTERS>")
            self.documents.append(self._document)
            self._document = None
        elif tag in self._open:
            while self._open.pop() != tag:
                pass

    def handle_data(self, data):
        if self._document is None:
            if data.strip():
                blank_lines = data[: len(data) - len(data.lstrip())].count("\n")
                raise self._error(f"{data.strip()[:40]!r} outside any document", blank_lines)
            return
        if self._open[:1] == ["topics"] and self._open[-1] == "d":
            self._document.topics.append(data.strip())
        elif self._open[:1] == ["text"]:
            self._document.parts.setdefault(self._open[-1], []).append(data)

    def finish(self) -> None:
        if self._document is not None:
            raise ParseError(
                self._name, self._opened_at, "a <REUTERS> that is never closed", _EXPECTED
            )
        if not self.documents:
            raise ParseError(self._name, None, "no documents", _EXPECTED)

    def _error(self, found: str, lines_further: int = 0) -> ParseError:
        return ParseError(self._name, self.getpos()[0] + lines_further, found, _EXPECTED)
