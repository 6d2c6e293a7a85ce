"""Reading a results folder, and pairing methods."""

import numpy as np
import pandas as pd
import pytest

from beyond_accuracy.pipeline.digest import imported_modules
from beyond_accuracy.reporting.comparison import Pair, compare, training_positives
from beyond_accuracy.reporting.frequency import bin_labels, frequency_bins
from beyond_accuracy.reporting.results import PaperResults

from .synthetic_run import MEASURES, METHODS, PAPER, measurement, write_parquet

PAIR = Pair(*METHODS)


def test_everything_is_found(run):
    results = PaperResults(run.results, PAPER)
    assert results.data_set_names() == ["text", "failing", "standin", "absent"]
    assert results.data_set_names(["absent", "other", "text"]) == ["absent", "text"]
    assert len(results.fits) == 2 * 4 * (6 + 4 + 3) + 2 * 4
    assert results.seconds["wall_seconds"].sum() == pytest.approx(0.25 * 2 * 4 * 13)
    scores = results.scores("text", "cost_model_svm")
    assert scores.tasks == tuple(f"class {index}" for index in range(6))
    assert set(scores.values) == set(MEASURES)
    np.testing.assert_array_equal(scores.row("f1", "class 2"), scores.values["f1"][2])
    assert results.scores("absent", "cost_model_svm").tasks == ()
    assert results.record("text")["n_classes_found"] == 6
    assert results.record("text")["substitute_for"] is None
    assert results.record("never heard of") == {}


def test_what_is_missing_is_named(tmp_path):
    results = PaperResults(tmp_path, PAPER)
    with pytest.raises(FileNotFoundError, match=r"measurements\.parquet.*Run snakemake"):
        results.measurements  # noqa: B018
    with pytest.raises(FileNotFoundError, match="fits"):
        results.fits  # noqa: B018


def test_measurements_without_a_column_are_refused(tmp_path):
    row = measurement("a", "t", "m", "f1", 0.5)
    del row["status"]
    write_parquet(tmp_path / PAPER / "measurements.parquet", [row])
    with pytest.raises(ValueError, match="missing: status"):
        PaperResults(tmp_path, PAPER).measurements  # noqa: B018


def frame(*rows):
    return pd.DataFrame([measurement("d", *row) for row in rows])


def test_comparison_by_hand():
    one = compare(
        frame(
            ("a", METHODS[0], "f1", 0.50),
            ("b", METHODS[0], "f1", 0.75),
            ("c", METHODS[0], "f1", 0.25),
            ("a", METHODS[1], "f1", 0.25),
            ("b", METHODS[1], "f1", 0.75),
            ("c", METHODS[1], "f1", 0.35),
            ("a", METHODS[1], "prbep", 1.0),
        ),
        "d",
        "f1",
        PAIR,
    )
    assert (one.n_tasks, one.n_excluded, one.available) == (3, 0, True)
    assert one.average(METHODS[0]) == pytest.approx(0.5)
    assert one.average(METHODS[1]) == pytest.approx(0.45)
    assert one.difference == pytest.approx(0.05)
    assert str(one.counts) == "1/1/1"
    assert one.test.n_nonzero == 2


def test_folds_are_averaged_within_a_task():
    rows = [measurement("d", "a", method, "f1", 0.5) for method in METHODS]
    rows += [measurement("d", "a", METHODS[0], "f1", 0.7) | {"fold": 1}]
    one = compare(pd.DataFrame(rows), "d", "f1", PAIR)
    assert one.average(METHODS[0]) == pytest.approx(0.6)


def test_a_failed_task_is_left_out_of_both_averages():
    one = compare(
        frame(
            ("a", METHODS[0], "f1", 0.5),
            ("b", METHODS[0], "f1", np.nan, "failed", "too hard"),
            ("a", METHODS[1], "f1", 0.4),
            ("b", METHODS[1], "f1", 0.9),
        ),
        "d",
        "f1",
        PAIR,
    )
    assert (one.n_tasks, one.n_excluded, one.reason) == (1, 1, "too hard")
    assert one.average(METHODS[1]) == pytest.approx(0.4)


def test_an_unavailable_data_set_has_nothing_to_compare(run):
    one = compare(PaperResults(run.results, PAPER).measurements, "absent", "f1", PAIR)
    assert not one.available
    assert (one.n_tasks, one.n_excluded, one.reason) == (0, 0, "no network")
    assert np.isnan(one.difference)
    assert np.isnan(one.test.p_value)


def test_a_row_without_its_partner_is_an_error():
    with pytest.raises(ValueError, match="'a' has a row of only one of the methods"):
        compare(frame(("a", METHODS[0], "f1", 0.5)), "d", "f1", PAIR)


def test_training_positives_by_task(run):
    counts = training_positives(PaperResults(run.results, PAPER).fits, "failing")
    assert counts.to_dict() == {"class 0": 2, "class 1": 8, "class 2": 32, "class 3": 128}


def test_frequency_bins_by_hand():
    assert bin_labels((1, 3, 4, 10)) == ("1–2", "3", "4–9", "≥10")
    positives = pd.Series([0, 1, 2, 3, 9, 10, 5000])
    expected = ["", "1–2", "1–2", "3", "4–9", "≥10", "≥10"]
    assert frequency_bins(positives, (1, 3, 4, 10)).tolist() == expected
    with pytest.raises(ValueError, match="increase"):
        bin_labels((3, 3))


def test_reports_need_no_solver():
    used = imported_modules("beyond_accuracy.reporting", f"beyond_accuracy.reporting.{PAPER}")
    floors = {name.split(".")[1] for name in used if "." in name}
    assert floors == {"reporting", "measures", "published", "datasets"}
    borrowed = {name for name in used if name.startswith("beyond_accuracy.datasets.")}
    assert borrowed == {"beyond_accuracy.datasets.prepared", "beyond_accuracy.datasets.errors"}
