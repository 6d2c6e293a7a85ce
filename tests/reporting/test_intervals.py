"""The table of intervals of a whole run."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from beyond_accuracy import reporting
from beyond_accuracy.datasets.prepared import PreparedDataSet, load_prepared
from beyond_accuracy.measures import get_measure
from beyond_accuracy.reporting.bootstrap import resample_counts
from beyond_accuracy.reporting.intervals import positive_examples
from beyond_accuracy.reporting.intervals_table import IntervalLookup
from beyond_accuracy.reporting.results import PaperResults

from .synthetic_run import MEASURES, METHODS, PAPER, report, write_run


@pytest.fixture(scope="module")
def intervals(reported):
    return PaperResults(reported.results, PAPER).intervals


def test_rows(intervals):
    everything = intervals[intervals["group"] == "all"]
    assert set(everything["data_set"]) == {"text", "failing", "standin"}
    assert set(everything["method"]) == {*METHODS, "difference"}
    sizes = everything.groupby("data_set")["n_tasks"].unique().to_dict()
    assert {name: list(found) for name, found in sizes.items()} == {
        "text": [6],
        "failing": [3],
        "standin": [3],
    }
    assert (intervals["low"] <= intervals["high"]).all()
    groups = intervals[intervals["data_set"] == "text"].groupby("group")["n_tasks"].first()
    assert groups.drop("all").sum() == 6


def test_estimates_are_the_macro_averages(reported, intervals):
    measurements = PaperResults(reported.results, PAPER).measurements
    text = measurements[measurements["data_set"] == "text"]
    averages = text.groupby(["measure", "method"])["value"].mean()
    rows = intervals[(intervals["data_set"] == "text") & (intervals["group"] == "all")]
    estimates = rows.set_index(["measure", "method"])["estimate"]
    for measure in MEASURES:
        first, second = (averages[measure, method] for method in METHODS)
        assert estimates[measure, METHODS[0]] == pytest.approx(first)
        assert estimates[measure, "difference"] == pytest.approx(first - second)


def test_one_interval_against_a_plain_loop(reported, intervals):
    results = PaperResults(reported.results, PAPER)
    prepared = load_prepared(reported.resources / "prepared" / "failing")
    scores = {method: results.scores("failing", method) for method in METHODS}
    seed = [3, *PAPER.encode(), 0, *b"failing"]
    differences = []
    for counts in np.hstack(list(resample_counts(200, 40, seed))).T:
        rows = np.repeat(np.arange(200), counts)
        averages = []
        for method in METHODS:
            values = []
            for task in ("class 0", "class 2", "class 3"):
                positive = prepared.y_test[rows] == prepared.class_names.index(task)
                values.append(
                    get_measure("roc_area").score(
                        positive, scores[method].row("roc_area", task)[rows]
                    )
                )
            averages.append(np.mean(values))
        differences.append(averages[0] - averages[1])
    low, high = IntervalLookup(intervals).difference("failing", "roc_area")
    assert (low, high) == pytest.approx(tuple(np.quantile(differences, [0.025, 0.975])))


def with_method(run, name, measures, seed=11):
    """Add the results of one more method, on all data sets and the given measures."""
    generator = np.random.default_rng(seed)
    folder = run.results / PAPER
    measurements = pd.read_parquet(folder / "measurements.parquet")
    taken = measurements[
        (measurements["method"] == METHODS[1]) & measurements["measure"].isin(measures)
    ].assign(method=name)
    for data_set in dict.fromkeys(taken["data_set"]):
        with np.load(folder / "scores" / data_set / f"{METHODS[1]}.npz") as file:
            tasks, scores = file["tasks"], {m: file[m] for m in measures if m in file}
        prepared = load_prepared(run.resources / "prepared" / data_set) if len(tasks) else None
        for measure, values in scores.items():
            values += generator.normal(scale=0.5, size=values.shape)
            for place, task in enumerate(tasks):
                row = (taken["data_set"] == data_set) & (taken["measure"] == measure)
                row &= (taken["task"] == task) & (taken["status"] == "ok")
                positive = positive_examples(prepared, str(task))
                taken.loc[row, "value"] = get_measure(measure).score(positive, values[place])
        np.savez(folder / "scores" / data_set / f"{name}.npz", tasks=tasks, **scores)
        fits = pd.read_parquet(folder / "fits" / data_set / f"{METHODS[1]}.parquet")
        fits[fits["measure"].isin(measures)].assign(method=name).to_parquet(
            folder / "fits" / data_set / f"{name}.parquet", index=False
        )
    pd.concat([measurements, taken]).to_parquet(folder / "measurements.parquet", index=False)
    run.configuration["methods_selected"] = [*METHODS, name]
    return run


def test_an_added_method_has_intervals_and_leaves_the_others_alone(tmp_path, intervals):
    run = with_method(write_run(tmp_path), "added", ("f1", "roc_area"))
    report(run)
    with_it = PaperResults(run.results, PAPER).intervals
    added = with_it[with_it["method"].str.endswith("added")]
    assert set(added["method"]) == {"added", "difference from added"}
    assert set(added["measure"]) == {"f1", "roc_area"}
    rest = with_it.drop(added.index).reset_index(drop=True)
    pd.testing.assert_frame_equal(rest, intervals)
    # The same frame is read, and every method has a row, in the table of all methods.
    table = pd.read_csv(run.results / PAPER / "tables" / "table_methods.csv")
    row = table.set_index(["data_set", "measure", "method"]).loc[("failing", "f1", "added")]
    measured = PaperResults(run.results, PAPER).measurements
    values = measured[
        (measured["data_set"] == "failing")
        & (measured["measure"] == "f1")
        & (measured["method"] == "added")
    ].set_index("task")["value"]
    # The proposed method failed on class 1.
    assert row["average"] == pytest.approx(values.drop("class 1").mean())
    assert (row["n_tasks"], row["n_excluded"]) == (3, 1)
    assert (row["low"], row["high"]) == pytest.approx(
        IntervalLookup(with_it)("failing", "f1", "added")
    )
    assert set(table.loc[table["method"] == "added", "measure"]) == {"f1", "roc_area"}
    shown = (run.results / "index.html").read_text(encoding="utf-8")
    assert "added" in shown
    assert "(3 of 4)" in shown


def test_lookup_of_nothing_is_nan(intervals):
    assert np.isnan(IntervalLookup(intervals)("absent", "f1", METHODS[0])).all()


def test_a_run_without_data_has_an_empty_table(tmp_path):
    run = write_run(tmp_path)
    run.configuration["data_sets"] = ["absent"]
    report(run)
    frame = PaperResults(run.results, PAPER).intervals
    assert frame.empty
    assert "n_resamples" in frame.columns
    assert (run.results / "index.html").is_file()


def prepared_with(task, y_test, class_names):
    return PreparedDataSet(
        "d", task, np.zeros((1, 1)), np.zeros(1), np.zeros((3, 1)), y_test, class_names
    )


@pytest.mark.parametrize(
    ("prepared", "task"),
    [
        (prepared_with("binary", np.array([-1, 1, 1], dtype=np.int8), ("no", "yes")), "anything"),
        (prepared_with("multiclass", np.array([0, 1, 1]), ("a", "b")), "b"),
        (prepared_with("multilabel", np.array([[1, 0], [0, 1], [1, 1]]), ("a", "b")), "b"),
        (prepared_with("multilabel", sp.csr_matrix([[1, 0], [0, 1], [1, 1]]), ("a", "b")), "b"),
    ],
)
def test_positive_examples_of_each_kind_of_task(prepared, task):
    assert positive_examples(prepared, task).tolist() == [False, True, True]


def test_a_task_that_the_data_set_has_not_is_named():
    prepared = prepared_with("multiclass", np.array([0, 1, 1]), ("a", "b"))
    with pytest.raises(ValueError, match="task 'c'.*classes a, b"):
        positive_examples(prepared, "c")


def test_intervals_are_the_same_on_every_run(reported, tmp_path):
    again = tmp_path / "intervals.parquet"
    arguments = {
        "results_folder": reported.results,
        "resources_folder": reported.resources,
        "paper": PAPER,
        "paper_configuration": reported.configuration,
    }
    reporting.build_intervals(**arguments, seed=3, output=again)
    assert again.read_bytes() == (reported.results / PAPER / "intervals.parquet").read_bytes()
    reporting.build_intervals(**arguments, seed=4, output=again)
    other = pd.read_parquet(again)
    assert not other.equals(PaperResults(reported.results, PAPER).intervals)
