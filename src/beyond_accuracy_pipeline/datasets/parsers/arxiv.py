"""Read arXiv papers from three public forms of the metadata. A paper's class is its archive."""

import datetime
import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import defusedxml.ElementTree
import numpy as np

from beyond_accuracy_pipeline.datasets.entry import Entry
from beyond_accuracy_pipeline.datasets.errors import ParseError
from beyond_accuracy_pipeline.datasets.raw_files import RawFile
from beyond_accuracy_pipeline.datasets.table import Table, labelled_tables

# Old identifiers name the archive and the month (hep-th/9301001), new ones the month alone.
_OLD_IDENTIFIER = re.compile(r"^(?P<archive>[a-z-]+)(\.[A-Z]{2})?/(?P<month>\d{4})\d{3}$")
_NEW_IDENTIFIER = re.compile(r"^(?P<month>\d{4})\.\d{4,5}$")


class Paper(NamedTuple):
    """Paper on arXiv: its archive, such as hep-th, ISO date of its first version, and text."""

    archive: str
    date: str
    text: str


def parse_arxiv(entry: Entry, files: dict[str, RawFile]) -> dict[str, Table]:
    """Read arXiv papers as documents whose classes are archives, such as hep-th.

    `files` has one file of metadata. `entry` has the range of dates, the archives, and the smallest
    number of papers per archive. Return {"data": table}.
    """
    (file,) = files.values()
    parser = entry.parser
    read = {
        "arxiv_snapshot": read_snapshot,
        "arxiv_oai_xml": read_oai_xml,
        "paperscape": read_paperscape,
    }
    papers = [
        paper
        for paper in read[parser.kind](file)
        if parser.first_date <= paper.date <= parser.last_date and paper.archive in parser.archives
    ]
    counts = Counter(paper.archive for paper in papers)
    class_names = [archive for archive in counts if counts[archive] >= parser.min_documents]
    if len(class_names) < 2:
        found = (
            f"{len(papers)} papers in the range of dates and archives, {len(class_names)} archives "
            f"with {parser.min_documents} or more"
        )
        raise ParseError(file.location, None, found, "two or more such archives")
    kept = [paper for paper in papers if paper.archive in class_names]
    X = np.array([paper.text for paper in kept], dtype=object)
    return labelled_tables({"data": (X, [paper.archive for paper in kept])})


def read_snapshot(file: RawFile) -> Iterator[Paper]:
    """Yield the papers of arXiv's metadata snapshot, which has one JSON object per line."""
    expected = "a JSON object with id, categories, title, abstract and versions"
    with file.open() as stream:
        for number, line in enumerate(stream, start=1):
            if not line.strip():
                continue
            try:
                record = json.loads(line.decode("utf-8"))
                created = record["versions"][0]["created"]
                date = datetime.datetime.strptime(created, "%a, %d %b %Y %H:%M:%S %Z").date()
                archive = _archive(record["id"], record["categories"].split())
                text = "\n".join([record["title"], record["abstract"]])
            except (ValueError, LookupError, TypeError, AttributeError) as error:
                found = f"{line.strip()[:60]!r} ({type(error).__name__}: {str(error)[:80]})"
                raise ParseError(file.location, number, found, expected) from error
            yield Paper(archive, date.isoformat(), text)


def read_paperscape(file: RawFile) -> Iterator[Paper]:
    """Yield the papers in CSV files of Paperscape, a map of arXiv, with titles as texts.

    The files have no days, so dates are the first of the month.
    """
    for _, content in file.members():
        for line in content.decode("utf-8").splitlines():
            if not line.startswith("#"):
                # The title is the last of seven fields and may hold semicolons.
                identifier, categories, *_, title = line.split(";", 6)
                archive = _archive(identifier, categories.split(","))
                yield Paper(archive, f"{_month(identifier)}-01", title)


def read_oai_xml(file: RawFile) -> Iterator[Paper]:
    """Yield the papers in XML files of arXiv's OAI interface, with title and abstract as text."""
    for _, content in file.members():
        for record in defusedxml.ElementTree.fromstring(content).iter("record"):
            identifier = record.findtext("header/identifier", "").removeprefix("oai:arXiv.org:")
            date = record.findtext("metadata/date", "")
            texts = [record.findtext(f"metadata/{tag}", "") for tag in ("title", "description")]
            # Records of the single-set harvest name no category: their set is quant-ph.
            yield Paper(_archive(identifier, ["quant-ph"]), date, "\n".join(texts))


def _archive(identifier: str, categories: list[str]) -> str:
    """Return the archive in an old arXiv identifier, otherwise of the first category."""
    match = _OLD_IDENTIFIER.match(identifier)
    return match["archive"] if match else categories[0].split(".")[0]


def _month(identifier: str) -> str:
    """Return the month of an arXiv identifier, such as 1993-01."""
    match = _OLD_IDENTIFIER.match(identifier) or _NEW_IDENTIFIER.match(identifier)
    year = int(match["month"][:2])
    return f"{1900 + year if year >= 91 else 2000 + year}-{match['month'][2:]}"
