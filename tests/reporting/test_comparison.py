"""Pairing methods, and bins of classes."""

import numpy as np
import pandas as pd
import pytest

from beyond_accuracy_pipeline.reporting.comparison import (
    Pair,
    bin_labels,
    compare,
    frequency_bins,
)

METHODS = ("multivariate_svm", "cost_model_svm")
PAIR = Pair(*METHODS)


def compared(*rows):
    """Compare by F1; each row is (task, method, measure, value, status, reason)."""
    rows = [(*row, "ok", "")[:6] for row in rows]
    frame = pd.DataFrame(rows, columns=["task", "method", "measure", "value", "status", "reason"])
    return compare(frame.assign(data_set="d"), "d", "f1", PAIR)


def test_comparison_by_hand():
    comparison = compared(
        ("a", METHODS[0], "f1", 0.50),
        ("b", METHODS[0], "f1", 0.75),
        ("c", METHODS[0], "f1", 0.25),
        ("a", METHODS[1], "f1", 0.25),
        ("b", METHODS[1], "f1", 0.75),
        ("c", METHODS[1], "f1", 0.35),
        ("a", METHODS[1], "prbep", 1.0),
    )
    assert (comparison.n_tasks, comparison.n_excluded, comparison.available) == (3, 0, True)
    assert comparison.average(METHODS[0]) == pytest.approx(0.5)
    assert comparison.average(METHODS[1]) == pytest.approx(0.45)
    assert comparison.difference == pytest.approx(0.05)
    assert comparison.counts == (1, 1, 1)
    assert comparison.test.n_nonzero == 2


def test_folds_are_averaged_within_a_task():
    rows = [("a", method, "f1", 0.5) for method in METHODS]
    comparison = compared(*rows, ("a", METHODS[0], "f1", 0.7))
    assert comparison.average(METHODS[0]) == pytest.approx(0.6)


def test_a_failed_task_is_left_out_of_both_averages():
    comparison = compared(
        ("a", METHODS[0], "f1", 0.5),
        ("b", METHODS[0], "f1", np.nan, "failed", "too hard"),
        ("a", METHODS[1], "f1", 0.4),
        ("b", METHODS[1], "f1", 0.9),
    )
    assert (comparison.n_tasks, comparison.n_excluded, comparison.reason) == (1, 1, "too hard")
    assert comparison.average(METHODS[1]) == pytest.approx(0.4)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([("", own, "f1", np.nan, "unavailable", "no network") for own in METHODS], "no network"),
        (
            [
                ("", METHODS[0], "f1", np.nan, "failed", "the process died of SIGKILL"),
                ("a", METHODS[1], "f1", 0.4),
                ("b", METHODS[1], "f1", 0.9),
            ],
            "the process died of SIGKILL",
        ),
        ([("a", METHODS[0], "f1", 0.5)], ""),
    ],
    ids=["unavailable", "died", "not measured"],
)
def test_without_one_of_the_methods_there_is_nothing_to_compare(rows, reason):
    comparison = compared(*rows)
    assert not comparison.available
    assert (comparison.n_tasks, comparison.n_excluded, comparison.reason) == (0, 0, reason)
    assert np.isnan(comparison.difference)
    assert np.isnan(comparison.test.p_value)


def test_frequency_bins_by_hand():
    assert bin_labels((1, 3, 4, 10)) == ("1–2", "3", "4–9", "≥10")
    positives = pd.Series([0, 1, 2, 3, 9, 10, 5000])
    expected = ["", "1–2", "1–2", "3", "4–9", "≥10", "≥10"]
    assert frequency_bins(positives, (1, 3, 4, 10)).tolist() == expected
