"""Recall at k under both constraints, by hand; and without the method."""

import numpy as np
import pandas as pd
import pytest

from beyond_accuracy.reporting.joachims2005.table_at_most_k import AT_MOST_K, table_at_most_k
from beyond_accuracy.reporting.results import PaperResults

from .synthetic_run import PAPER, write_run


def test_averages_and_wins_by_hand(tmp_path):
    run = write_run(tmp_path)
    path = run.results / PAPER / "measurements.parquet"
    rows = pd.read_parquet(path)
    third = rows[(rows["method"] == "cost_model_svm") & (rows["measure"] == "recall_at_2p")].copy()
    third["method"] = AT_MOST_K
    third["value"] += np.where(third["task"] == "class 0", 0.25, 0.0)
    pd.concat([rows, third]).to_parquet(path)
    frame = table_at_most_k(PaperResults(run.results, PAPER), run.configuration).frame
    frame = frame.set_index("data_set")
    values = third[third["data_set"] == "text"]["value"]
    assert frame.loc["text", AT_MOST_K] == pytest.approx(values.mean())
    assert frame.loc["text", "cost_model_svm"] == pytest.approx(values.mean() - 0.25 / len(values))
    assert (frame.loc["text", "wins"], frame.loc["text", "losses"]) == (1, 0)


def test_without_the_method_its_column_is_empty(run):
    frame = table_at_most_k(PaperResults(run.results, PAPER), run.configuration).frame
    assert frame[AT_MOST_K].isna().all()
    assert frame["multivariate_svm"].notna().any()
