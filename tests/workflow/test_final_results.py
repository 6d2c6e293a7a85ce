"""Tables, figures, verdicts and pages: of the same bytes anywhere, and made anew once damaged."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from beyond_accuracy.pipeline.checksums import Checksums
from beyond_accuracy.pipeline.final_results import damage_mark, mark_damaged
from beyond_accuracy.pipeline.plan import Plan

from .conftest import make_project
from .test_smoke import ELSEWHERE, contents

# What workflow/scripts/site.py calls, to another folder; it prints the files that were read.
PAGES = """
import json, sys

opened = set()
sys.addaudithook(lambda event, given: event == "open" and opened.add(given[:2]))

from beyond_accuracy.papers import paper_report
from beyond_accuracy.reporting import build_site, write_agreement
from beyond_accuracy.results import damage

# Arrow opens files itself.
existing = damage.existing
damage.existing = lambda path: opened.add((path, "rb")) or existing(path)
results, output, configurations = json.load(sys.stdin)
reports = [paper_report(results, *each).medians() for each in configurations.items()]
write_agreement(reports, f"{output}/agreement.csv")
build_site(reports, f"{output}/index.html")
print(*{str(path) for path, mode in opened if mode and mode.startswith("r")}, sep="\\n")
"""
REPOSITORY = Path(__file__).parents[2]
SMALL = ["--configfile", "config/smoke.yaml", str(REPOSITORY / "checks/small.yaml")]


@pytest.fixture
def config(tmp_path):
    return {"results": str(tmp_path / "results"), "resources": str(tmp_path / "resources")}


def test_damaged_and_lost_files_mark_their_job(config, tmp_path):
    files = [tmp_path / "results" / name for name in ("a.csv", "b.csv", "c.csv")]
    files[0].parent.mkdir()
    for file in files:
        file.write_text("1\n")
    Checksums.of(config).store(files[:2])
    names = [str(file) for file in files]
    assert mark_damaged(config, "site", names) == []
    assert not damage_mark(config, "site").exists()
    files[0].write_text("2\n")
    files[1].unlink()
    # It has no checksum.
    files[2].write_text("2\n")
    lines = mark_damaged(config, "site", names)
    assert lines == [f"{file}: damaged or gone, and made anew." for file in names[:2]]
    first = damage_mark(config, "site").read_text()
    mark_damaged(config, "site", names)
    assert damage_mark(config, "site").read_text() != first
    assert files[0].read_text() == "2\n"


@pytest.mark.slow
def test_final_results_elsewhere_and_after_damage(tmp_path, repository):
    here = make_project(tmp_path / "here", repository)
    there = here.copy(tmp_path / "Ein anderer Ordner")
    here.snakemake(*SMALL)
    there.snakemake(*SMALL, "--cores", "1", variables=ELSEWHERE)
    made = contents(here)
    for kind in ("/tables/", "/figures/", "/claims.csv", "/pages/", "/index.html"):
        assert any(kind in file for file in made), kind
    assert contents(there) == made
    # One that nothing asks for, and one in a folder.
    table = next(file for file in made if "/tables/" in file and file.endswith(".json"))
    for file in (table, "results/smoke/pages/run.html"):
        (here.folder / file).write_bytes((here.folder / file).read_bytes()[:-9])
    output = here.snakemake(*SMALL)
    for file in (table, "results/smoke/pages"):
        assert f"{file}: damaged or gone, and made anew." in output
    assert contents(here) == made
    assert "Nothing to be done" in here.snakemake(*SMALL)


def test_pages_are_made_from_inputs_of_their_job_alone(smoke_run, tmp_path):
    """What is not among them is not checked: its damage would stand on a page."""
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
