"""The files for hosts of repositories name commands, files and papers that exist."""

import re

import pytest
import yaml

from beyond_accuracy_pipeline.papers import load_paper, paper_ids


def commands(value):
    """Return all shell commands of a workflow."""
    if isinstance(value, list):
        return [command for each in value for command in commands(each)]
    if isinstance(value, dict):
        own = [value["run"]] if isinstance(value.get("run"), str) else []
        return own + [command for each in value.values() for command in commands(each)]
    return []


@pytest.fixture
def workflows(repository):
    files = sorted((repository / ".github/workflows").glob("*.yml"))
    return {file.stem: yaml.safe_load(file.read_text()) for file in files}


@pytest.fixture
def targets(repository):
    makefile = (repository / "Makefile").read_text().replace("\\\n", " ")
    (phony,) = re.findall(r"^\.PHONY: (.*)$", makefile, re.M)
    return set(phony.split())


def test_workflows_call_targets_and_scripts_that_exist(workflows, targets, repository):
    for workflow in workflows.values():
        called = commands(workflow["jobs"])
        assert called
        made = re.findall(r"^make (?!ARGS)([a-z-]+)", "\n".join(called), re.M)
        assert {*made} <= targets
        scripts = {command for command in called if command.startswith(".")}
        assert all((repository / script).stat().st_mode & 0o100 for script in scripts)


def test_jobs_write_no_more_than_they_need(workflows):
    """By default tokens only read, and no text of a user ends in a command."""
    for workflow in workflows.values():
        assert workflow["permissions"] == {"contents": "read"}
        assert not any("${{" in command for command in commands(workflow["jobs"]))


# An arena makes no claims.
PAPERS = [paper for paper in paper_ids() if load_paper(paper).claims]


def test_the_reference_workflow_offers_all_papers(workflows):
    # YAML 1.1 reads the key `on` as true.
    paper = workflows["reference"][True]["workflow_dispatch"]["inputs"]["paper"]
    assert paper["options"] == PAPERS
    assert paper["default"] in PAPERS


def test_the_citation_has_all_papers(repository):
    citation = yaml.safe_load((repository / "CITATION.cff").read_text())
    cited = {reference["title"].casefold(): reference for reference in citation["references"]}
    own = {paper: load_paper(paper).citation.casefold() for paper in PAPERS}
    assert len(cited) == len(own)
    for title, reference in cited.items():
        (text,) = [text for text in own.values() if title in text]
        assert str(reference["year"]) in text
        for author in reference["authors"]:
            assert author.get("family-names", "et al").casefold() in text


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "reference/README.md"])
def test_targets_of_a_page_exist(page, repository, targets):
    text = (repository / page).read_text()
    assert {*re.findall(r"(?:`|\$ )make ([a-z-]+)", text)} <= targets
