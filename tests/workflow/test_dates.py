"""Files that a wrong clock has dated in the future get the present date, and keep their content."""

import os
import time

import pytest

from beyond_accuracy.pipeline.dates import end_future_dates

YEAR = 365 * 86400


def test_only_future_dates_change(tmp_path):
    dates = {"past": -YEAR, "now": -1, "future": YEAR}
    for name, shift in dates.items():
        file = tmp_path / "results" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(name)
        os.utime(file, (time.time() + shift,) * 2)
    before = {name: (tmp_path / "results" / name).stat().st_mtime for name in dates}
    assert end_future_dates([tmp_path / "results", tmp_path / "absent"]) == [
        tmp_path / "results/future"
    ]
    after = {name: (tmp_path / "results" / name).stat().st_mtime for name in dates}
    assert after["future"] <= time.time()
    assert {**after, "future": 0} == {**before, "future": 0}
    assert (tmp_path / "results/future").read_text() == "future"


@pytest.mark.slow
def test_a_run_mends_what_is_prepared_in_the_future(finished_project):
    """Snakemake alone refuses results that are older than what they are made from, each time."""
    project = finished_project
    for file in (project.folder / "resources/prepared/tiny").iterdir():
        os.utime(file, (time.time() + YEAR,) * 2)
    (project.folder / "results/joachims2005/fits/tiny/multivariate_svm.parquet").unlink()
    target = "results/joachims2005/fits/tiny/multivariate_svm.parquet"
    output = project.snakemake(target)
    assert "its date, in the future, is today's now" in output
    assert "Nothing to be done" in project.snakemake(target)


@pytest.mark.slow
def test_what_another_run_has_locked_is_left_alone(finished_project):
    """A run that meets the lock ends, and touches nothing before it does."""
    project = finished_project
    target = "results/joachims2005/fits/tiny/multivariate_svm.parquet"
    file = project.folder / target
    os.utime(file, (time.time() + YEAR,) * 2)
    before = file.stat().st_mtime
    locks = project.folder / ".snakemake/locks"
    locks.mkdir(parents=True, exist_ok=True)
    other = "results/joachims2005/fits/tiny/cost_model_svm.parquet"
    (project.folder / other).unlink()
    (locks / "0.output.lock").write_text(f"{other}\n")
    output = project.snakemake(other, succeeds=False)
    assert "lock" in output.lower()
    assert file.stat().st_mtime == before
    (locks / "0.output.lock").unlink()
    project.snakemake(other)
    assert file.stat().st_mtime < before
