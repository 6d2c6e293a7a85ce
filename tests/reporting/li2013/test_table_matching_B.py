"""The table of the B that matches: a point, an interval, none, and what could not be searched."""

import pandas as pd

from beyond_accuracy.reporting.li2013.table_matching_B import table_matching_B
from beyond_accuracy.reporting.results import PaperResults
from beyond_accuracy.results.studies import study_file, write_study

from ..synthetic_run import record


def test_points_intervals_and_none(tmp_path):
    row = {"data_set": "d", "measure": "f1", "C": 1.0, "status": "ok", "reason": ""}
    found = [
        {"auxiliary": "core_vector_machine", "matching_B": 0.5432, "matches_below": True},
        {"auxiliary": "c45", "matching_B": 0.25, "matches_below": False},
        {"auxiliary": "rbf_network", "matching_B": None, "matches_below": None},
    ]
    failed = {"auxiliary": "c45", "measure": "prbep", "status": "failed", "reason": "no end"}
    rows = [*({**row, **each} for each in found), {**row, **failed}]
    folder = tmp_path / "results"
    write_study(study_file(folder, "li2013", "matching_B", "d"), rows, "matching_B")
    # What an earlier run has left is none of the run's.
    write_study(study_file(folder, "li2013", "matching_B", "other"), rows, "matching_B")
    pd.DataFrame([record("d")]).to_csv(tmp_path / "results" / "data_sets.csv", index=False)
    configuration = {"data_sets": ["d"], "studies": {"matching_B": {"data_sets": []}}}
    table = table_matching_B(PaperResults(tmp_path / "results", "li2013"), configuration)
    shown = table.display.to_numpy().tolist()
    assert shown == [["≤ 0.543", "0.25", "none"], ["", "failed", ""]]
    assert table.frame["matches_below"].iloc[:2].tolist() == [True, False]
    assert any("every smaller one down to 1e-6 do, 1 of 3" in note for note in table.notes)
    assert any("1 of 3 cases" in note and note.startswith("none") for note in table.notes)
