"""Only results that the configuration selects are read, whatever else the folder holds."""

import pandas as pd
import pytest

from beyond_accuracy_pipeline.results.damage import DamagedFile
from beyond_accuracy_pipeline.results.fits import fit_jobs
from beyond_accuracy_pipeline.results.frames import write_frame, write_study
from beyond_accuracy_pipeline.results.layout import (
    DATA_SETS,
    FITS,
    WITHOUT_DATA,
    study_data_sets,
    study_file,
    used_data_sets,
)
from beyond_accuracy_pipeline.results.paper_results import PaperResults

CLASSES = {"one": "one-classes", "two": "two-classes"}
CONFIGURATION = {
    "data_sets": ["one", "two"],
    "measures": ["f1"],
    "methods_selected": ["a", "b", "c"],
    "methods": {"a": {"job": "cheap"}, "b": {"job": "cheap"}, "c": {"data_sets": ["two"]}},
    "studies": {
        "auxiliary_selection": {"data_sets": ["two", "three"]},
        "convergence": {},
        "by_C": None,
    },
}


@pytest.fixture
def results(tmp_path):
    files = {("one", "cheap"): "ab", ("two", "cheap"): "ab", ("two", "c"): "c"}
    left_over = {("three", "cheap"): "ab", ("one", "c"): "c", ("one", "d"): "d"}
    jobs = fit_jobs(CONFIGURATION)
    for (data_set, job), methods in (files | left_over).items():
        columns = ["data_set", "method", "fit", "measure", "n_iter"]
        keys = {fit.method: key for key, fit in jobs.get((data_set, job), {}).items()}
        rows = [(data_set, method, keys.get(method), "f1", None) for method in methods]
        path = tmp_path / FITS.format(paper="paper", data_set=data_set, job=job)
        write_frame(path, pd.DataFrame(rows, columns=columns))
    (tmp_path / "paper").mkdir(exist_ok=True)
    return PaperResults(tmp_path, "paper", CONFIGURATION)


def test_left_over_files_are_not_read(results):
    pairs = results.fits[["data_set", "method"]].itertuples(index=False, name=None)
    assert list(pairs) == [("one", "a"), ("one", "b"), ("two", "a"), ("two", "b"), ("two", "c")]


def test_numbers_that_are_all_missing_are_numbers(results):
    assert results.fits["n_iter"].dtype == "float64"


def test_a_missing_file_is_named(results):
    results.path(FITS, data_set="two", job="c").unlink()
    with pytest.raises(FileNotFoundError, match=r"two/c\.parquet: not found\. Run snakemake"):
        results.fits  # noqa: B018


def test_missing_measurements_columns_are_named(results):
    write_frame(results.path("{paper}/measurements.parquet"), pd.DataFrame({"value": [1.0]}))
    with pytest.raises(DamagedFile, match="columns lack paper, data_set, task"):
        results.measurements  # noqa: B018


def test_the_configuration_of_a_run_is_left_beside_its_results(results):
    results.write_configuration()
    assert PaperResults.of_run(results.folder, "paper") == results
    with pytest.raises(FileNotFoundError, match=r"other/configuration\.json: not found"):
        PaperResults.of_run(results.folder, "other")


def test_studies_are_of_the_data_sets_of_the_paper():
    assert study_data_sets(CONFIGURATION, "auxiliary_selection") == ["two"]
    assert study_data_sets(CONFIGURATION, "convergence") == ["one", "two"]
    assert study_data_sets(CONFIGURATION, "by_C") == []
    assert study_data_sets({"data_sets": ["one"]}, "by_C") == []
    of_others = {"data_sets": ["one"], "studies": {"learnable": {"data_sets": CLASSES}}}
    assert study_data_sets(of_others, "learnable") == ["one-classes"]
    assert used_data_sets(of_others) == ["one", "one-classes"]
    assert study_data_sets({"studies": {"worst_cases": {}}}, "worst_cases") == [WITHOUT_DATA]


def test_left_over_tables_of_studies_are_not_read(results):
    with pytest.raises(FileNotFoundError, match="Run snakemake to make it"):
        results.study("auxiliary_selection")
    for data_set in ("one", "two", "three"):
        path = study_file(results.folder, "paper", "auxiliary_selection", data_set)
        write_study(path, [{"data_set": data_set, "status": "unavailable"}], "auxiliary_selection")
    rows = results.study("auxiliary_selection")
    assert rows["data_set"].tolist() == ["two"]
    assert rows["capo_value"].dtype == "float64"
    assert results.study("by_C").empty
    assert "value" in results.study("by_C")
    assert "cpu_seconds" in results.study("by_C", "seconds")


def test_data_sets_of_a_run_of_other_papers_are_not_taken_for_those_of_this_one(results):
    file = results.path(DATA_SETS)
    file.write_text("data_set,substitute_for\none,\nthree,\n")
    with pytest.raises(DamagedFile, match=r"data_sets\.csv: damaged \(no line of two\)"):
        results.check_data_sets()
    file.write_text("data_set,substitute_for\none,\ntwo,\nthree,\n")
    PaperResults(results.folder, "paper", CONFIGURATION).check_data_sets()
