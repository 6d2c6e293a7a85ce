"""Tables of studies: those that are declared are read, whatever else lies beside them."""

import numpy as np
import pytest

from beyond_accuracy.results.paper_results import PaperResults
from beyond_accuracy.results.studies import WITHOUT_DATA, study_data_sets, study_file
from beyond_accuracy.results.study_frames import write_study

PAPER = {
    "data_sets": ["b", "a"],
    "studies": {"matching_B": {"data_sets": ["a", "c"]}, "convergence": {}, "by_C": None},
}


def test_data_sets_are_those_of_the_paper():
    assert study_data_sets(PAPER, "matching_B") == ["a"]
    assert study_data_sets(PAPER, "convergence") == ["b", "a"]
    assert study_data_sets(PAPER, "by_C") == []
    assert study_data_sets({"data_sets": ["a"]}, "by_C") == []
    assert study_data_sets({"studies": {"worst_cases": {}}}, "worst_cases") == [WITHOUT_DATA]


def test_only_declared_tables_are_read(tmp_path):
    results = PaperResults(tmp_path, "p", PAPER)
    with pytest.raises(FileNotFoundError, match="Run snakemake to make it"):
        results.study("matching_B")
    for data_set in ("a", "b", "c"):
        path = study_file(tmp_path, "p", "matching_B", data_set)
        write_study(path, [{"data_set": data_set, "status": "unavailable"}], "matching_B")
    row = results.study("matching_B")
    assert row["data_set"].tolist() == ["a"]
    # Nothing but missing values are numbers all the same.
    assert row["matching_B"].dtype == np.float64
    assert results.study("by_C").empty
    assert "value" in results.study("by_C")
    assert "cpu_seconds" in results.study("by_C", "seconds")
