"""A rerun that fails or is stopped leaves earlier results as they were, and is done again."""

import os
import signal
import time

import pytest

pytestmark = pytest.mark.slow

TABLE = "results/joachims2005/tables/table2.csv"
COST_MODEL = "results/joachims2005/fits/tiny/cost_model_svm.parquet"
ARRAYS = "resources/prepared/tiny/arrays.npz"


def results(project):
    """Return the bytes of all results."""
    return {file: content for file, (content, _) in project.files("results").items()}


def change_a_grid(project, j):
    methods = project.paper()["methods"]
    methods["cost_model_svm"]["grid"]["j"] = [j]
    project.configure(methods=methods)


def test_a_fit_that_fails(finished_project):
    project = finished_project
    before = results(project)
    arrays = project.folder / ARRAYS
    good = arrays.read_bytes()
    arrays.write_bytes(good[:200])
    change_a_grid(project, 4)
    output = project.snakemake(TABLE, succeeds=False)
    assert project.jobs(output)["fit"] == 1
    assert "left its earlier results as they were" in output
    assert results(project) == before

    # What stands there is not taken for the result of the new grid.
    arrays.write_bytes(good)
    output = project.snakemake(TABLE)
    assert project.jobs(output)["fit"] == 1
    after = results(project)
    changed = {file for file in before if after[file] != before[file]}
    assert {COST_MODEL, TABLE} <= changed
    assert not [file for file in changed if "multivariate" in file]
    assert "Nothing to be done" in project.snakemake(TABLE, "--dry-run")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_run_that_is_stopped_resumes(finished_project, number):
    project = finished_project
    before = results(project)
    arrays = project.folder / ARRAYS
    good = arrays.read_bytes()
    # The fit waits for its data until it is stopped.
    arrays.unlink()
    os.mkfifo(arrays)
    change_a_grid(project, 4)
    with project.start(COST_MODEL) as process:
        writer = wait_for_reader(arrays, process)
        os.killpg(process.pid, number)
        process.communicate()
        os.close(writer)
    assert results(project) == before

    arrays.unlink()
    arrays.write_bytes(good)
    if number == signal.SIGKILL:
        project.snakemake("--unlock")
    assert project.jobs(project.snakemake(COST_MODEL)) == {"fit": 1, "total": 1}
    assert results(project)[COST_MODEL] != before[COST_MODEL]


def wait_for_reader(fifo, process):
    """Wait until the fit reads its data; return a descriptor that keeps it waiting."""
    while process.poll() is None:
        try:
            return os.open(fifo, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            time.sleep(0.05)
    raise AssertionError(process.stdout.read())
