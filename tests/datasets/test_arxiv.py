import json

import pytest

from beyond_accuracy_pipeline.datasets.errors import ParseError
from beyond_accuracy_pipeline.datasets.parsers.arxiv import (
    parse_arxiv,
    read_oai_xml,
    read_paperscape,
    read_snapshot,
)


def record(identifier, categories, created="Mon, 5 Jan 2004 10:00:00 GMT"):
    return json.dumps(
        {
            "id": identifier,
            "categories": categories,
            "title": f"Title of {identifier}",
            "abstract": "An abstract\nof two lines",
            "versions": [{"version": "v1", "created": created}, {"version": "v2"}],
        }
    )


def test_snapshot_records(raw_file):
    lines = [
        record("hep-th/9301001", "hep-th gr-qc", "Fri, 1 Jan 1993 00:00:00 GMT"),
        "",
        record("math.GT/0309136", "math.GT math.DG"),
        record("0704.0001", "astro-ph.CO hep-ph", "Mon, 2 Apr 2007 19:18:42 GMT"),
    ]
    papers = list(read_snapshot(raw_file("\n".join(lines))))
    assert [(paper.archive, paper.date) for paper in papers] == [
        ("hep-th", "1993-01-01"),
        ("math", "2004-01-05"),
        ("astro-ph", "2007-04-02"),
    ]
    assert papers[0].text == "Title of hep-th/9301001\nAn abstract\nof two lines"


def test_dates_archives_and_small_archives_are_filtered(make_entry, raw_file):
    lines = [record(f"hep-th/040100{n}", "hep-th") for n in range(3)]
    lines += [record(f"quant-ph/040100{n}", "quant-ph hep-th") for n in range(2)]
    lines += [record("gr-qc/0401001", "gr-qc"), record("cs/0401001", "cs.LG")] * 2
    late = "Sat, 1 Jan 2005 00:00:00 GMT"
    lines += [record("hep-th/0501001", "hep-th", late), record("nucl-ex/0401001", "nucl-ex")]
    entry = make_entry(
        parser={
            "kind": "arxiv_snapshot",
            "first_date": "1991-01-01",
            "last_date": "2004-12-31",
            "archives": ["hep-th", "quant-ph", "gr-qc", "nucl-ex"],
            "min_documents": 2,
        }
    )
    table = parse_arxiv(entry, {"data": raw_file("\n".join(lines))})["data"]
    assert table.class_names == ("gr-qc", "hep-th", "quant-ph")
    assert table.y.tolist() == [1, 1, 1, 2, 2, 0, 0]


def test_too_little_left_is_an_error(make_entry, raw_file):
    parser = {"kind": "arxiv_snapshot", "first_date": "1991-01-01", "last_date": "1991-12-31"}
    entry = make_entry(parser=parser | {"archives": ["hep-th", "hep-lat"], "min_documents": 1})
    with pytest.raises(ParseError, match="found 0 papers"):
        parse_arxiv(entry, {"data": raw_file(record("hep-th/0401001", "hep-th"))})


@pytest.mark.parametrize(
    "line",
    [
        b"\xff\xfe",
        b'{"id": "hep-th/0401001"}',
        record("hep-th/0401001", "hep-th", "yesterday").encode(),
        json.dumps(json.loads(record("hep-th/0401001", "hep-th")) | {"title": None}).encode(),
    ],
)
def test_faults_of_a_snapshot_name_file_and_line(raw_file, line):
    good = record("hep-th/0401002", "hep-th").encode()
    with pytest.raises(ParseError) as caught:
        list(read_snapshot(raw_file(good + b"\n\n" + line + b"\n", "snapshot.json")))
    assert (caught.value.file, caught.value.line) == ("snapshot.json", 3)


def test_paperscape_lines(archive):
    text = "# remark\nhep-th/9301001;hep-th,gr-qc;0;22;;A.B;A title; with a semicolon\n"
    papers = list(read_paperscape(archive({"pscp-1993.csv": text})))
    assert papers == [("hep-th", "1993-01-01", "A title; with a semicolon")]


OAI = """<?xml version="1.0"?><ListRecords><record><header>
<identifier>oai:arXiv.org:{}</identifier></header><metadata><title>A &amp; B</title>
<description>Words</description><date>1994-06-09</date></metadata></record></ListRecords>"""


def test_oai_records(archive):
    members = {"a.xml": OAI.format("hep-th/9406058"), "b.xml": OAI.format("0704.0001")}
    assert list(read_oai_xml(archive(members))) == [
        ("hep-th", "1994-06-09", "A & B\nWords"),
        ("quant-ph", "1994-06-09", "A & B\nWords"),
    ]
