"""The results page of a whole run, of a partial one and of an empty folder."""

import shutil
from html.parser import HTMLParser

import pytest

from beyond_accuracy import reporting

from .synthetic_run import PAPER, small_configuration


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


def test_every_link_leads_somewhere_within_the_folder(reported):
    for name in ("index.html", "timing.html"):
        page = parsed(reported.results / name)
        assert page.links
        for link in page.links:
            if link.startswith("#"):
                assert link[1:] in page.names
            else:
                assert (reported.results / link).is_file(), link


@pytest.mark.parametrize("table", ["table1", "table2", "table2_per_class", "table_iterations"])
def test_table_pages_are_well_formed(reported, table):
    parsed(reported.results / PAPER / "tables" / f"{table}.html")


def test_the_page_says_what_a_reader_needs(reported):
    page = (reported.results / "index.html").read_text(encoding="utf-8")
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
    timing = (reported.results / "timing.html").read_text(encoding="utf-8")
    assert "<td>1.50</td><td>1.20</td>" in timing  # six classes of 0.25 and 0.2 seconds


def test_papers_without_results_are_named(tmp_path):
    configurations = {PAPER: small_configuration()}
    reporting.build_site(tmp_path, [PAPER], configurations, tmp_path / "index.html")
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "No results in this folder." in page
    assert "No data sets in this folder." in page
    parsed(tmp_path / "index.html")


def test_what_is_not_there_is_left_out(reported, tmp_path):
    results = tmp_path / "results"
    shutil.copytree(reported.results, results)
    shutil.rmtree(results / PAPER / "figures")
    (results / PAPER / "tables" / "table1.html").unlink()
    arguments = results, [PAPER], {PAPER: reported.configuration}, results / "index.html"
    reporting.build_site(*arguments)
    page = (results / "index.html").read_text(encoding="utf-8")
    assert "figure1" not in page
    assert "table1" not in page
    assert "table2" in page
