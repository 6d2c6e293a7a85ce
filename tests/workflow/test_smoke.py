"""The smoke run: everything is made, offline, and made alike whatever the number of cores."""

import csv
import random
import re
from pathlib import Path

import nbformat
import pytest
import yaml
from nbclient import NotebookClient

from beyond_accuracy.papers import FOLDER, load_paper
from beyond_accuracy.reporting.names import data_set_name

SECONDS = {"seconds", "logs", "checksums"}
SMOKE = yaml.safe_load((Path(__file__).parents[2] / "config/smoke.yaml").read_text())
TIMED = {name for paper in SMOKE["papers"] for name in load_paper(paper).timed}


@pytest.fixture(scope="module", params=SMOKE["papers"])
def paper(request):
    """Return a paper's id, and its configuration with that of the smoke run over it."""
    name = request.param
    configuration = yaml.safe_load((FOLDER / name / "paper.yaml").read_text())[name]
    return {**configuration, **SMOKE.get(name, {}), "paper": name}


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
    for name in [*map(data_set_name, paper["data_sets"]), *paper["figures"]]:
        assert name in page
    assert f"pages/papers/{paper['paper']}.html" in (results / "index.html").read_text()
    assert "Results: results/smoke/index.html" in smoke_run.output


def test_all_data_sets_are_listed_with_their_status(results, paper):
    listed = {row["data_set"]: row["status"]
              for row in rows(results / "data_sets.csv")}  # fmt: skip
    assert listed.items() >= dict.fromkeys(paper["data_sets"], "ok").items()


def test_every_claim_has_a_verdict(results, paper):
    wanted = {claim["id"] for claim in paper["claims"]}
    verdicts = {"reproduced", "partly", "undecided", "not reproduced", "not testable"}
    listed = rows(results / "claims.csv")
    found = {row["id"]: row["verdict"] for row in listed if row["paper"] == paper["paper"]}
    assert set(found) == wanted
    assert set(found.values()) <= verdicts


def test_nothing_was_fetched(smoke_run):
    connections = smoke_run.folder / "connections.txt"
    assert not connections.exists(), connections.read_text()


def test_memory_of_each_fit_is_known(results, paper):
    logs = sorted((results / "logs" / paper["paper"] / "fit").rglob("*.log"))
    assert len(logs) == len(list((results / paper["paper"] / "fits").rglob("*.parquet")))
    for log in logs:
        told, last = log.read_text().splitlines()[-1].split(": ")
        assert told == "INFO beyond_accuracy.pipeline.job"
        found = re.fullmatch(r"(.*) s, (.*) CPU s, at most (.*) MiB of memory", last)
        seconds, cpu, memory = map(float, found.groups())
        assert seconds > 0
        assert cpu > 0
        # More than any Python with NumPy has, less than the machine.
        assert 50 < memory < 1e5


def test_second_run_does_nothing(smoke_run):
    before = smoke_run.files("results", "resources")
    output = smoke_run.snakemake("--configfile", "config/smoke.yaml")
    assert "Nothing to be done" in output
    assert smoke_run.files("results", "resources") == before


@pytest.fixture(scope="module")
def report(smoke_run):
    options = ["--configfile", "config/smoke.yaml", "--report", "report.html"]
    smoke_run.snakemake(*options)
    return (smoke_run.folder / "report.html").read_text()


def test_report_shows_tables_and_figures(report, paper):
    for name in (paper["paper"], "Tables", "Figures", *paper["tables"], *paper["figures"]):
        assert name in report


def test_report_opens_on_a_text_of_its_own(report):
    assert "This report is of " in report


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
    studies = [rule for rule in smoke_run.jobs(smoke_run.output) if rule.startswith("study_")]
    assert studies
    made_first = random.Random(0).sample(studies, len(studies) // 2 + 1)
    order = ["--cores", "1", "--prioritize", *made_first]
    second.snakemake("--configfile", "config/smoke.yaml", *order, variables=ELSEWHERE)
    made, made_again = contents(smoke_run), contents(second)
    for kind in ("/intervals.parquet", "/tables/", "/figures/", "/claims.csv", "/pages/"):
        assert any(kind in file for file in made), kind
    assert made.keys() == made_again.keys()
    assert [file for file in made if made[file] != made_again[file]] == []


def contents(project):
    """Return the bytes of all results and prepared data but those that hold seconds."""
    return {
        file: content
        for file, (content, _) in project.files("results", "resources").items()
        if not SECONDS & set(file.split("/"))
        and not file.endswith(("pages/run.html", "pages/run.json", ".snakemake_timestamp"))
        and Path(file).stem not in TIMED
    }
