"""The results page of a whole run, of a partial one and of an empty folder."""

import shutil
from html.parser import HTMLParser

import pytest

from beyond_accuracy.papers import paper_report
from beyond_accuracy.reporting import build_site
from beyond_accuracy.results import layout


class Links(HTMLParser):
    """Collects what a page refers to, and checks that its elements are closed in order."""

    VOID = ("meta", "img", "br", "link", "hr", "input")

    def __init__(self):
        super().__init__()
        self.links, self.names, self.open = [], set(), []

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.links += [attributes[key] for key in ("href", "src") if key in attributes]
        self.names |= {attributes["id"]} if "id" in attributes else set()
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def parsed(path) -> Links:
    page = Links()
    page.feed(path.read_text(encoding="utf-8"))
    assert page.open == []
    return page


@pytest.mark.parametrize("name", [layout.SITE, layout.TIMING])
def test_every_link_leads_somewhere_within_the_folder(run, name):
    page = parsed(run.folder / name)
    assert page.links
    for link in page.links:
        if link.startswith("#"):
            assert link[1:] in page.names
        else:
            assert (run.folder / link).is_file(), link


def test_table_pages_are_well_formed(run):
    for table in run.configuration["tables"]:
        parsed(run.path(layout.TABLE, table=table, suffix="html"))


def test_the_page_says_what_a_reader_needs(run):
    page = (run.folder / layout.SITE).read_text(encoding="utf-8")
    for text in (
        "A Support Vector Method for Multivariate Performance Measures",
        '<span class="verdict not-testable">not testable</span>',
        "4 data sets: 1 unavailable,\n1 stood in for by a substitute",
        "no network Set a mirror.",
        "standin: the substitute twin stands in for standin: the real one is &lt;private&gt;.",
        "joachims2005/figures/figure1.svg",
        "Macro-averages over classes in percent",
    ):
        assert text in page
    assert "wall" not in page.lower()
    timing = (run.folder / layout.TIMING).read_text(encoding="utf-8")
    assert "<td>1.50</td><td>1.20</td>" in timing  # six classes of 0.25 and 0.2 seconds


def test_papers_without_results_are_named(run, tmp_path):
    output = tmp_path / layout.SITE
    build_site([paper_report(tmp_path, run.paper, run.configuration)], output)
    page = output.read_text(encoding="utf-8")
    assert "No results in this folder." in page
    assert "No data sets in this folder." in page
    parsed(output)


def test_what_is_not_there_is_left_out(run, tmp_path):
    folder = tmp_path / "results"
    shutil.copytree(run.folder, folder)
    shutil.rmtree(folder / run.paper / "figures")
    (folder / run.paper / "tables" / "table1.html").unlink()
    build_site([paper_report(folder, run.paper, run.configuration)], folder / layout.SITE)
    page = (folder / layout.SITE).read_text(encoding="utf-8")
    assert "figure1" not in page
    assert "table1" not in page
    assert "table2" in page
