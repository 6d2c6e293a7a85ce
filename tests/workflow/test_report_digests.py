"""Reports are made anew for their own code alone, whatever the paper."""

import shutil
from types import SimpleNamespace

import pytest

from beyond_accuracy.pipeline import digest
from beyond_accuracy.pipeline.report_digests import (
    claims_digest,
    figures_digest,
    intervals_digest,
    tables_digest,
)
from beyond_accuracy.reporting.papers import paper_definition

PAPERS = ["joachims2005", "dembczynski2011", "deng2006", "cheng2016", "li2013"]


@pytest.fixture
def package(repository, tmp_path, monkeypatch):
    """Let digests be those of a copy of the library, which may be changed; nothing is imported."""
    folder = tmp_path / "beyond_accuracy"
    source = repository / "src/beyond_accuracy"
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns("__pycache__"))
    place = SimpleNamespace(origin=str(folder / "__init__.py"))
    monkeypatch.setattr(digest.importlib.util, "find_spec", lambda name: place)
    forget()
    yield folder
    monkeypatch.undo()
    forget()


def forget():
    for function in ("_digest", "_file_digest", "_locate", "_imports", "_exports"):
        getattr(digest, function).cache_clear()


def digests(paper):
    """Return the digest of each report of a paper."""
    forget()
    definition = DEFINITIONS[paper]
    return {
        **{name: tables_digest(paper, [name]) for name in definition.tables},
        **{name: figures_digest(paper, [name]) for name in definition.figures},
        "claims": claims_digest(paper, definition.claims),
        "intervals": intervals_digest(paper),
    }


# Before anything is patched.
DEFINITIONS = {paper: paper_definition(paper) for paper in PAPERS}


def change(path):
    with path.open("a") as stream:
        stream.write("\nCHANGED = 1\n")


@pytest.fixture
def changed_by(package, monkeypatch):
    """Return a function: which reports of a paper a change of each of some files concerns."""
    monkeypatch.setattr("beyond_accuracy.pipeline.report_digests.paper_definition", DEFINITIONS.get)

    def changes(paper, *files):
        before = digests(paper)
        for file in files:
            change(package / "reporting" / file)
            after = digests(paper)
            yield {name for name in before if before[name] != after[name]}
            before = after

    return changes


@pytest.mark.parametrize("paper", PAPERS)
def test_each_report_is_made_anew_for_its_own_code_alone(changed_by, paper):
    definition = DEFINITIONS[paper]
    drawn, drawn_too, written, judged, listed, shown, bootstrapped = changed_by(
        paper,
        "figures.py",
        "builders/figures.py",
        "builders/tables.py",
        "builders/claims.py",
        "papers.py",
        "templates/macros.html.jinja",
        "intervals.py",
    )
    assert drawn == drawn_too == set(definition.figures)
    assert written == set(definition.tables)
    assert judged == {"claims"}
    assert listed == set()
    assert shown >= set(definition.tables)
    assert "intervals" not in shown
    assert bootstrapped == {"intervals"}


def test_modules_of_a_paper(changed_by):
    expected = {
        "joachims2005/__init__.py": set(),
        "joachims2005/figures.py": {"figure1"},
        "joachims2005/table2.py": {"table2"},
        "joachims2005/claims.py": {"claims"},
        "bootstrap.py": {"intervals"},
        "site.py": set(),
        "cheng2016/claims.py": set(),
    }
    assert list(changed_by("joachims2005", *expected)) == list(expected.values())


def test_compared_methods_count_for_the_intervals():
    definition = paper_definition("cheng2016")
    assert str(definition.pair) in intervals_digest("cheng2016")
    assert str(definition.further_pairs) in intervals_digest("cheng2016")
    assert str(paper_definition("li2013").comparisons) in intervals_digest("li2013")
