"""A workflow in another folder imports this one as a module."""

import subprocess
import sys

import pytest

IMPORTING = """
config["accuracy"] = {{"papers": ["deng2006"], "results": "tables", "resources": "data"}}

module beyond_accuracy:
    snakefile: "{repository}/workflow/Snakefile"
    {further}

use rule * from beyond_accuracy as accuracy_*
"""
PASSED = 'config: config["accuracy"]'


@pytest.fixture
def importing(repository, tmp_path):
    """Return a function that runs snakemake on a workflow whose `module` has a further line."""

    def run(further, *arguments, succeeds=True):
        text = IMPORTING.format(repository=repository, further=further)
        (tmp_path / "Snakefile").write_text(text)
        ended = subprocess.run(
            [sys.executable, "-m", "snakemake", "--nocolor", *arguments],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        output = ended.stdout + ended.stderr
        assert (ended.returncode == 0) == succeeds, output[-2000:]
        return output

    return run


@pytest.mark.slow
def test_a_configuration_that_is_passed_wins_over_the_files(importing, tmp_path):
    # The imported workflow has no such key.
    output = importing(PASSED, "--dry-run", "--config", "samples=a")
    assert "accuracy_report_deng2006 " in output
    assert "accuracy_report_li2013" not in output
    assert " tables/index.html" in output
    importing(PASSED, "--cores", "1", "data/prepared/digits")
    assert (tmp_path / "data/prepared/digits/arrays.npz").is_file()


@pytest.mark.slow
def test_the_command_line_reaches_an_imported_workflow(importing):
    output = importing("", "--dry-run", "--config", "papers=[cheng2016]", "large_downloads=true")
    assert "accuracy_report_cheng2016 " in output
    assert "accuracy_report_li2013" not in output


@pytest.mark.slow
@pytest.mark.parametrize(
    ("further", "message"),
    [
        (f'prefix: "elsewhere"\n    {PASSED}', "takes no `prefix`"),
        ("config: config", "found: unknown key 'accuracy'"),
    ],
)
def test_errors_of_an_import_are_explained(importing, further, message):
    output = importing(further, "--dry-run", succeeds=False)
    assert message in output
    assert "Traceback" not in output
