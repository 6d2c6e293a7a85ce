"""Read the ModApte split of Reuters-21578 from SGML, with the standard library's HTML parser."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

import numpy as np

from beyond_accuracy_pipeline.datasets.entry import Entry
from beyond_accuracy_pipeline.datasets.raw_files import RawFile
from beyond_accuracy_pipeline.datasets.table import Table


@dataclass
class ReutersDocument:
    """Document of Reuters-21578: attributes of its SGML element, topics and texts.

    `parts` maps the name of an inner element, such as `title`, to pieces of its text.
    """

    attributes: dict[str, str | None]
    topics: list[str] = field(default_factory=list)
    parts: dict[str, list[str]] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """Title and body, or the whole text of the few documents without these elements."""
        chosen = [name for name in ("title", "body") if name in self.parts] or ["text"]
        return "\n".join("".join(self.parts.get(name, [])) for name in chosen)


def parse_reuters(entry: Entry, files: dict[str, RawFile]) -> dict[str, Table]:
    """Read Reuters-21578; return the tables `train` and `test` of its standard (ModApte) split.

    The labels are the topics that occur in both parts. Documents without a topic are kept.
    """
    (file,) = files.values()
    parts: dict[str, list[ReutersDocument]] = {"train": [], "test": []}
    for _, content in file.members():
        # The files are ASCII, except for one byte in reut2-017 that latin-1 can read.
        for document in read_documents(content.decode("latin-1")):
            part = (document.attributes["lewissplit"] or "").lower()
            if document.attributes["topics"] == "YES" and part in parts:
                parts[part].append(document)
    topics = {
        part: {topic for document in documents for topic in document.topics}
        for part, documents in parts.items()
    }
    labels = tuple(sorted(topics["train"] & topics["test"]))
    return {part: _table(documents, labels) for part, documents in parts.items()}


def read_documents(text: str) -> Iterator[ReutersDocument]:
    """Yield the documents in the text of one SGML file, which must be well-formed."""
    reader = _Reader(convert_charrefs=True)
    reader.feed(text)
    reader.close()
    yield from reader.documents


def _table(documents: list[ReutersDocument], labels: tuple[str, ...]) -> Table:
    y = [[label in document.topics for label in labels] for document in documents]
    X = np.array([document.text for document in documents], dtype=object)
    return Table(X=X, y=np.array(y, dtype=np.uint8), class_names=labels)


class _Reader(HTMLParser):
    """HTML parser that collects the topics and texts of Reuters documents."""

    # HTML reads on to </title> or </script> past any other tag, newer Pythons in <TITLE> too.
    CDATA_CONTENT_ELEMENTS = RCDATA_CONTENT_ELEMENTS = ()

    def __init__(self, **options):
        super().__init__(**options)
        self._open: list[str] = []
        self.documents: list[ReutersDocument] = []

    def handle_starttag(self, tag, attrs):
        if tag == "reuters":
            self.documents.append(ReutersDocument(dict(attrs)))
        self._open.append(tag)
        if self._in_topic():
            self.documents[-1].topics.append("")

    def handle_endtag(self, tag):
        self._open.pop()

    def handle_data(self, data):
        if self._in_topic():
            self.documents[-1].topics[-1] += data.strip()
        elif "text" in self._open:
            self.documents[-1].parts.setdefault(self._open[-1], []).append(data)

    def _in_topic(self) -> bool:
        return self._open[-2:] == ["topics", "d"]
