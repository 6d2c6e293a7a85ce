"""Reuters-21578 in SGML, read by the standard library's HTML parser; ModApte split."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import islice

import numpy as np

from beyond_accuracy.datasets.entry import Entry
from beyond_accuracy.datasets.errors import ParseError
from beyond_accuracy.datasets.raw_files import RawFile
from beyond_accuracy.datasets.table import Table

_EXPECTED = "<REUTERS TOPICS=... LEWISSPLIT=... NEWID=...> ... </REUTERS> elements"
_ESCAPED = "text in which < is written &lt;"

# The elements of lewis.dtd that the files use, by the element that holds them; the others hold
# text alone. All of their end tags are required.
_HOLDERS_OF_D = ("topics", "places", "people", "orgs", "exchanges", "companies")
_CHILDREN: dict[str | None, tuple[str, ...]] = {
    None: ("reuters",),
    "reuters": ("date", "unknown", "mknote", *_HOLDERS_OF_D, "text"),
    "text": ("title", "author", "dateline", "body"),
    **dict.fromkeys(_HOLDERS_OF_D, ("d",)),
}
_ELEMENTS = {child for children in _CHILDREN.values() for child in children}
_OPEN_TAG = re.compile(r"<[a-zA-Z/!?][^<>]*+(?!>)")
_MOST_OPEN_TAGS = 100
_NAMES_SHOWN = 10
_REQUIRED = ("topics", "text")
_AT_MOST_ONCE = (*_REQUIRED, "title", "body")
_VALUES = {"lewissplit": ("TRAIN", "TEST", "NOT-USED"), "topics": ("YES", "NO", "BYPASS")}
# BRIEF documents have a title alone and UNPROC ones no markup; the rest are normal, the default.
_TEXT_TYPES = ("NORM", "BRIEF", "UNPROC", "BLAH", "UNKNOWN")


@dataclass
class ReutersDocument:
    """One document: its attributes (lower-case keys), its first line, its topics and its text."""

    attributes: dict[str, str]
    line: int
    topics: list[str] = field(default_factory=list)
    parts: dict[str, list[str]] = field(default_factory=dict)

    @property
    def newid(self) -> int:
        """The number that no other document of the collection has."""
        return int(self.attributes["newid"])

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
    places: dict[int, str] = {}
    for name, content in file.members():
        # The files are ASCII but for one stray byte in reut2-017: latin-1 reads every byte.
        for document in read_documents(content.decode("latin-1"), name, places):
            part = document.attributes["lewissplit"].lower()
            if document.attributes["topics"] == "YES" and part in parts:
                parts[part].append(document)
    topics = {
        part: {topic for document in documents for topic in document.topics}
        for part, documents in parts.items()
    }
    labels = tuple(sorted(topics["train"] & topics["test"]))
    return {part: _table(documents, labels) for part, documents in parts.items()}


def read_documents(
    text: str, name: str, places: dict[int, str] | None = None
) -> list[ReutersDocument]:
    """All documents of one SGML file, called ``name`` in errors.

    ``places`` says where the NEWIDs of earlier files are, none by default, and takes up those of
    this one. Raises ParseError for elements that are unknown, misplaced or not closed, for a
    document without its one TOPICS and one TEXT, for a normal TEXT (one without TYPE) without BODY,
    for unknown values of LEWISSPLIT, TOPICS and TYPE, and for a NEWID that is no integer or occurs
    twice.
    """
    _check_tags(text, name)
    reader = _Reader(name, {} if places is None else places)
    try:
        reader.feed(text)
        reader.close()
    except AssertionError as error:  # the base class, at a malformed <![...
        line = reader.getpos()[0]
        raise ParseError(name, line, f"a bad declaration ({error})", _ESCAPED) from error
    return reader.documents


def _check_tags(text: str, name: str) -> None:
    """Refuse what has no end, behind which all that follows is searched: a comment, a section, many
    tags."""
    for kind, start, end in (("a comment", "<!--", "-->"), ("a section", "<![", "]]>")):
        last = text.rfind(start)
        if last > text.rfind(end):
            line = text.count("\n", 0, last) + 1
            raise ParseError(name, line, f"{kind} without its {end}", _ESCAPED)
    tags = list(islice(_OPEN_TAG.finditer(text), _MOST_OPEN_TAGS + 1))
    if len(tags) > _MOST_OPEN_TAGS:
        line = text.count("\n", 0, tags[0].start()) + 1
        found = f"{tags[0][0][:40]!r} without its >, as {_MOST_OPEN_TAGS} and more others"
        raise ParseError(name, line, found, _ESCAPED)


def _table(documents: list[ReutersDocument], labels: tuple[str, ...]) -> Table:
    y = [[label in document.topics for label in labels] for document in documents]
    y = np.array(y, dtype=np.uint8).reshape(len(documents), len(labels))
    X = np.array([document.text for document in documents], dtype=object)
    return Table(X=X, y=y, class_names=labels)


class _Reader(HTMLParser):
    """Collects topics and text; numeric entities are resolved by the base class."""

    # HTML reads on to </title> or </script> past any other tag, newer Pythons in <TITLE> too.
    CDATA_CONTENT_ELEMENTS = RCDATA_CONTENT_ELEMENTS = ()

    def __init__(self, name: str, places: dict[int, str]):
        super().__init__(convert_charrefs=True)
        self._name = name
        self._places = places
        self._open: list[tuple[str, int]] = []
        self._seen: dict[str, int] = {}
        self._topic = ""
        self._text_type = "NORM"
        self.documents: list[ReutersDocument] = []

    def handle_starttag(self, tag, attrs):
        holder = self._open[-1][0] if self._open else None
        if tag not in _CHILDREN.get(holder, ()):
            raise self._misplaced(f"<{tag.upper()}>")
        line = self.getpos()[0]
        if tag == "reuters":
            attributes = self._checked_attributes(attrs)
            self.documents.append(ReutersDocument(attributes, line))
            self._seen = {}
        elif tag in self._seen and tag in _AT_MOST_ONCE:
            found = f"a second <{tag.upper()}> after the one of line {self._seen[tag]}"
            raise self._error(found, f"one <{tag.upper()}> a document")
        elif tag == "text":
            self._text_type = dict(attrs).get("type", "NORM") or ""
            self._check_value("type", self._text_type, _TEXT_TYPES)
        self._seen[tag] = line
        self._topic = ""
        self._open.append((tag, line))

    def handle_startendtag(self, tag, attrs):
        name = tag.upper()
        raise self._error(f"<{name}/>", f"<{name}> ... </{name}>")

    def handle_endtag(self, tag):
        name = tag.upper()
        if tag in _ELEMENTS and tag not in (opened for opened, _ in self._open):
            raise self._error(f"</{name}> without its <{name}>", f"a <{name}> before it")
        if not self._open or self._open[-1][0] != tag:
            raise self._misplaced(f"</{name}>")
        if tag == "reuters":
            self._check_complete(self.documents[-1])
        elif tag == "d" and self._open[-2][0] == "topics":
            if not self._topic.strip():
                raise self._error("an empty <D> in <TOPICS>", "the name of a topic")
            self.documents[-1].topics.append(self._topic.strip())
        self._open.pop()

    def handle_data(self, data):
        holder = self._open[-1][0] if self._open else None
        if holder in _CHILDREN and holder != "text":
            if data.strip():
                raise self._stray(data, holder)
        elif holder == "d":
            self._topic += data
        elif self._open[1][0] == "text":
            self.documents[-1].parts.setdefault(holder, []).append(data)

    def unknown_decl(self, data):
        raise self._error(f"the declaration, comment or instruction {data[:40]!r}", _ESCAPED)

    handle_comment = handle_pi = unknown_decl

    def handle_decl(self, decl):
        if self._open:
            self.unknown_decl(decl)

    def close(self) -> None:
        super().close()
        if self._open:
            tag, line = self._open[-1]
            found = f"a <{tag.upper()}> that is never closed"
            raise ParseError(self._name, line, found, f"its </{tag.upper()}>")
        if not self.documents:
            raise ParseError(self._name, None, "no documents", _EXPECTED)

    def _checked_attributes(self, attrs: list[tuple[str, str | None]]) -> dict[str, str]:
        attributes = {key: value or "" for key, value in attrs}
        if len(attributes) < len(attrs):
            counts = Counter(key for key, _ in attrs)
            twice = sorted(key for key, count in counts.items() if count > 1)[:_NAMES_SHOWN]
            raise self._error(f"a <REUTERS> with two {_names(twice)}", "each attribute once")
        lacking = {*_VALUES, "newid"} - set(attributes)
        if lacking:
            raise self._error(f"a <REUTERS> without {_names(sorted(lacking))}", _EXPECTED)
        for key, valid in _VALUES.items():
            self._check_value(key, attributes[key], valid)
        newid = attributes["newid"]
        if not re.fullmatch(r"[0-9]{1,9}", newid):
            raise self._error(f'NEWID="{newid[:40]}"', "an integer of at most nine digits")
        if int(newid) in self._places:
            found = f'NEWID="{newid}" again, after {self._places[int(newid)]}'
            raise self._error(found, "another NEWID for each document")
        self._places[int(newid)] = f"{self._name}, line {self.getpos()[0]}"
        return attributes

    def _check_value(self, key: str, value: str, valid: Iterable[str]) -> None:
        if value not in valid:
            found = f'{key.upper()}="{value[:40]}"'
            raise self._error(found, f"one of {', '.join(valid)} (in capitals)")

    def _check_complete(self, document: ReutersDocument) -> None:
        lacking = [tag for tag in _REQUIRED if tag not in self._seen]
        if lacking:
            found = f"a <REUTERS> (NEWID {document.newid}) that holds no {_names(lacking)} element"
            raise ParseError(self._name, document.line, found, "one <TOPICS> and one <TEXT>")
        if self._text_type == "NORM" and "body" not in self._seen:
            found = f"a normal <TEXT> without <BODY> in the document with NEWID {document.newid}"
            valid = 'a <BODY>, or <TEXT TYPE="BRIEF"> or <TEXT TYPE="UNPROC"> for one without'
            raise ParseError(self._name, self._seen["text"], found, valid)

    def _misplaced(self, markup: str) -> ParseError:
        """The error for a tag that the innermost open element cannot hold."""
        if not self._open:
            return self._error(f"{markup} outside any document", _EXPECTED)
        tag, line = self._open[-1]
        valid = [f"<{child.upper()}>" for child in _CHILDREN.get(tag, ())] or [_ESCAPED]
        found = f"{markup} inside the <{tag.upper()}> of line {line}"
        return self._error(found, f"{', '.join(valid)} or first </{tag.upper()}>")

    def _stray(self, data: str, holder: str | None) -> ParseError:
        """The error for text where only elements may stand."""
        blank_lines = data[: len(data) - len(data.lstrip())].count("\n")
        place = f"directly inside <{holder.upper()}>" if holder else "outside any document"
        elements = ", ".join(f"<{child.upper()}>" for child in _CHILDREN[holder])
        expected = f"no text there but in its elements {elements}" if holder else _EXPECTED
        return self._error(f"{data.strip()[:40]!r} {place}", expected, blank_lines)

    def _error(self, found: str, expected: str, lines_further: int = 0) -> ParseError:
        return ParseError(self._name, self.getpos()[0] + lines_further, found, expected)


def _names(keys: Iterable[str]) -> str:
    return ", ".join(keys).upper()
