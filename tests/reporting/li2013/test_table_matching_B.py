"""The table of the B that matches: a point, an interval, none, and what could not be searched."""

import pandas as pd

from beyond_accuracy.reporting.li2013.table_matching_B import table_matching_B
from beyond_accuracy.reporting.results import PaperResults

from ..synthetic_run import record, write_parquet


def test_points_intervals_and_none(tmp_path):
    row = {"data_set": "d", "measure": "f1", "C": 1.0, "status": "ok", "reason": ""}
    found = [
        {"auxiliary": "core_vector_machine", "matching_B": 0.5432, "matches_below": True},
        {"auxiliary": "c45", "matching_B": 0.25, "matches_below": False},
        {"auxiliary": "rbf_network", "matching_B": None, "matches_below": None},
    ]
    failed = {"auxiliary": "c45", "measure": "prbep", "status": "failed", "reason": "no end"}
    rows = [*({**row, **each} for each in found), {**row, **failed}]
    folder = tmp_path / "results" / "li2013" / "sweeps" / "matching_B"
    write_parquet(folder / "d.parquet", rows)
    pd.DataFrame([record("d")]).to_csv(tmp_path / "results" / "data_sets.csv", index=False)
    table = table_matching_B(PaperResults(tmp_path / "results", "li2013"), {})
    shown = table.display.to_numpy().tolist()
    assert shown == [["≤ 0.543", "0.25", "none"], ["", "failed", ""]]
    assert table.frame["matches_below"].iloc[:2].tolist() == [True, False]
    assert any("every smaller one down to 1e-6 do, 1 of 3" in note for note in table.notes)
    assert any("1 of 3 cases" in note and note.startswith("none") for note in table.notes)
