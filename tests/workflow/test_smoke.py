"""The smoke run: everything is made, offline, and made alike whatever the number of cores."""

import csv
import json
import random
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
import yaml
from nbclient import NotebookClient

from beyond_accuracy_pipeline.papers import FOLDER, load_paper
from beyond_accuracy_pipeline.reporting.names import data_set_name
from beyond_accuracy_pipeline.workflow.plan import Plan
from checks.run import differences

from .conftest import QUICK

SMOKE = yaml.safe_load((Path(__file__).parents[2] / "config/smoke.yaml").read_text())


# What workflow/scripts/site.py calls, to another folder; it prints the files that were read.
PAGES = """
import json, sys

opened = set()
sys.addaudithook(lambda event, given: event == "open" and opened.add(given[:2]))

from beyond_accuracy_pipeline.papers import paper_report
from beyond_accuracy_pipeline.reporting import build_site, write_agreement
from beyond_accuracy_pipeline.results import damage

# Arrow opens files itself.
existing = damage.existing
damage.existing = lambda path: opened.add((path, "rb")) or existing(path)
results, output, configurations = json.load(sys.stdin)
reports = [paper_report(results, *each).medians() for each in configurations.items()]
write_agreement(reports, f"{output}/agreement.csv")
build_site(reports, f"{output}/index.html")
print(*{str(path) for path, mode in opened if mode and mode.startswith("r")}, sep="\\n")
"""


@pytest.fixture(
    scope="module",
    params=[
        name if name in QUICK else pytest.param(name, marks=pytest.mark.slow)
        for name in SMOKE["papers"]
    ],
)
def paper(request):
    """Return a paper's id, and its configuration overlaid by the smoke run.

    Tables and figures are all that the paper declares, unless a file names some.
    """
    name = request.param
    declared = {"tables": load_paper(name).tables, "figures": load_paper(name).figures}
    configuration = yaml.safe_load((FOLDER / name / "paper.yaml").read_text())[name]
    return {**declared, **configuration, **SMOKE.get(name, {}), "paper": name}


@pytest.fixture(scope="module")
def results(smoke_run):
    return smoke_run.folder / "results/smoke"


def rows(path):
    with open(path, encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_makes_every_table_and_figure(results, paper):
    folder = results / paper["paper"]
    for table in paper["tables"]:
        assert rows(folder / f"tables/{table}.csv")
        for suffix in ("html", "tex"):
            assert (folder / f"tables/{table}.{suffix}").stat().st_size > 0
    for figure in paper["figures"]:
        assert "<svg" in (folder / f"figures/{figure}.svg").read_text()
        assert (folder / f"figures/{figure}.png").read_bytes().startswith(b"\x89PNG")


def test_page_shows_all(smoke_run, results, paper):
    page = (results / f"pages/papers/{paper['paper']}.html").read_text()
    # Figures that hold seconds differ from run to run, and stand on the run's page.
    page += (results / "pages/run.html").read_text()
    # Figures without values, as those of comparisons of two data sets, are named in a sentence.
    values = results / paper["paper"] / "figures"
    figures = [name for name in paper["figures"] if rows(values / f"{name}.csv")]
    for name in [*map(data_set_name, paper["data_sets"]), *figures]:
        assert name in page
    assert f"pages/papers/{paper['paper']}.html" in (results / "index.html").read_text()
    assert "Results: results/smoke/index.html" in smoke_run.output


def test_data_sets_have_a_status_and_claims_a_verdict(results, paper):
    status = {row["data_set"]: row["status"] for row in rows(results / "data_sets.csv")}
    assert status.items() >= dict.fromkeys(paper["data_sets"], "ok").items()
    listed = rows(results / "claims.csv")
    verdicts = {row["id"]: row["verdict"] for row in listed if row["paper"] == paper["paper"]}
    assert set(verdicts) == {claim["id"] for claim in paper["claims"]}
    valid = {"reproduced", "partly", "undecided", "not reproduced", "not testable"}
    assert set(verdicts.values()) <= valid


def test_nothing_was_fetched(smoke_run):
    connections = smoke_run.folder / "connections.txt"
    assert not connections.exists(), connections.read_text()


def test_second_run_does_nothing(smoke_run):
    before = smoke_run.files("results", "resources")
    assert "Nothing to be done" in smoke_run.snakemake()
    assert smoke_run.files("results", "resources") == before


@pytest.fixture(scope="module")
def report(smoke_run):
    smoke_run.snakemake("--report", "report.html")
    return (smoke_run.folder / "report.html").read_text()


@pytest.mark.slow
def test_report_shows_tables_and_figures(report, paper):
    assert "This report is of " in report
    for name in (paper["paper"], "Tables", "Figures", *paper["tables"], *paper["figures"]):
        assert name in report


@pytest.mark.slow
def test_notebooks_run_on_the_results(results, repository, monkeypatch):
    monkeypatch.setenv("RESULTS", str(results))
    for paper in SMOKE["papers"]:
        path = repository / f"notebooks/{paper}.ipynb"
        notebook = nbformat.read(path, as_version=4)
        NotebookClient(notebook, timeout=120, kernel_name="python3").execute()


# Another place, hour, language, hashing of names, and more threads than cores.
ELSEWHERE = {
    "TZ": "Asia/Kathmandu",
    "LC_ALL": "C",
    "LANG": "tr_TR.UTF-8",
    "PYTHONHASHSEED": "7",
    "OMP_NUM_THREADS": "4",
    "OPENBLAS_NUM_THREADS": "4",
    "NUMBA_NUM_THREADS": "4",
}


@pytest.mark.slow
def test_results_depend_on_inputs_alone(smoke_run, tmp_path):
    """Not on the folder, the number of cores, the order of jobs, or the variables in ELSEWHERE."""
    second = smoke_run.copy(tmp_path / "Ein anderer Ordner")
    for name in ("results", "resources", ".snakemake"):
        shutil.rmtree(second.folder / name)
    studies = [rule for rule in smoke_run.jobs(smoke_run.output) if rule.startswith("study_")]
    assert studies
    made_first = random.Random(0).sample(studies, len(studies) // 2 + 1)
    order = ["--cores", "1", "--prioritize", *made_first]
    second.snakemake(*order, variables=ELSEWHERE)
    made = smoke_run.contents()
    for kind in ("/intervals.parquet", "/tables/", "/figures/", "/claims.csv", "/pages/"):
        assert any(kind in file for file in made), kind
    assert differences(made, second.contents()) == []


def test_pages_are_made_from_inputs_of_their_job_alone(smoke_run, tmp_path):
    """Other files are not checked, so damage in them would reach a page."""
    smoke = yaml.safe_load((smoke_run.folder / "config/smoke.yaml").read_text())
    results = smoke_run.folder / smoke["results"]
    configurations = {
        paper: json.loads((results / paper / "configuration.json").read_text())
        for paper in smoke["papers"]
    }
    run = subprocess.run(
        [sys.executable, "-c", PAGES],
        input=json.dumps([str(results), str(tmp_path), configurations]),
        capture_output=True,
        text=True,
        check=True,
    )
    read = {Path(line) for line in run.stdout.splitlines() if line.startswith(str(results))}
    plan = Plan({**configurations, "papers": smoke["papers"], "results": str(results)})
    inputs = {*map(Path, plan.reports()), *map(Path, plan.site_inputs())}
    inputs |= {results / paper / "configuration.json" for paper in configurations}
    kinds = {file.relative_to(results).parts[1:2] for file in read}
    assert kinds >= {("measurements.parquet",), ("fits",), ("tables",)}
    assert read <= inputs
