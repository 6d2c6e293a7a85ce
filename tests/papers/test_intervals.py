"""The table of intervals of a whole run."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score

from beyond_accuracy.measures import Measure
from beyond_accuracy.measures.multilabel import get_multilabel_measure
from beyond_accuracy_pipeline.reporting.bootstrap import resample_counts
from beyond_accuracy_pipeline.reporting.comparison import Pair
from beyond_accuracy_pipeline.reporting.intervals import bootstrap_intervals, bootstrap_variants
from beyond_accuracy_pipeline.reporting.measurements import measure_scores, measure_variants

from .synthetic import N_TEST, paper_configuration, synthetic_run

METHODS = ("multivariate_svm", "cost_model_svm", "cost_model_svm_tuned")
PAIR = Pair("multivariate_svm", "cost_model_svm")


@pytest.fixture(scope="module")
def intervals(run):
    return run.report().results.intervals


def test_averages_are_over_the_tasks_that_succeeded(intervals):
    rows = intervals[(intervals["data_set"] == "failing") & (intervals["measure"] == "prbep")]
    sizes = rows[rows["group"] == "all"].set_index(["method", "baseline"])["n_tasks"]
    assert sizes.to_dict() == {
        ("multivariate_svm", ""): 3,
        ("cost_model_svm", ""): 4,
        PAIR.methods: 3,
    }
    groups = rows[(rows["baseline"] == PAIR.baseline) & (rows["group"] != "all")]
    assert groups["n_tasks"].sum() == 3


def test_estimates_are_the_macro_averages(run, intervals):
    measurements = run.report().results.measurements
    averages = measurements.groupby(["data_set", "measure", "method"])["value"].mean()
    rows = intervals[(intervals["group"] == "all") & (intervals["baseline"] == "")]
    estimates = rows.set_index(["data_set", "measure", "method"])["estimate"]
    pd.testing.assert_series_equal(
        estimates.sort_index(), averages.dropna().sort_index(), check_names=False
    )


def test_one_interval_against_a_plain_loop(run):
    report = run.report()
    scores = [report.results.scores("failing", method) for method in PAIR.methods]
    [all_counts] = resample_counts(N_TEST, 30, [3, *b"joachims2005", 0, *b"failing"])
    differences = []
    for counts in all_counts.T.astype(int):
        rows = np.repeat(np.arange(N_TEST), counts)
        areas = [
            [
                roc_auc_score(own.row("y_test", task)[rows], own.row("roc_area", task)[rows])
                for task in ("class 0", "class 2", "class 3")
            ]
            for own in scores
        ]
        differences.append(np.subtract(*np.mean(areas, axis=1)))
    expected = tuple(np.quantile(differences, [0.025, 0.975]))
    assert report.intervals.difference("failing", "roc_area", PAIR) == pytest.approx(expected)
    turned = report.intervals.difference("failing", "roc_area", Pair(*PAIR.methods[::-1]))
    assert turned == pytest.approx((-expected[1], -expected[0]))


def test_fits_that_serve_several_variants_are_resampled_once_and_alike(run, monkeypatch):
    report = run.report()
    apart = report.over_variants(lambda variant: bootstrap_intervals(variant, 3, {}))
    made = []
    resampled = Measure.resampled
    monkeypatch.setattr(
        Measure, "resampled", lambda *arguments: made.append(arguments) or resampled(*arguments)
    )
    pd.testing.assert_frame_equal(bootstrap_variants(report, 3), apart)
    assert 0 < len(made) < apart.query("baseline == '' and group == 'all'")["n_tasks"].sum()
    measured = report.over_variants(lambda variant: measure_scores(variant.results, {}))
    pd.testing.assert_frame_equal(measure_variants(report), measured)


def test_decisions_are_groups_and_folds_have_no_intervals(tmp_path):
    configuration = paper_configuration("dembczynski2011", data_sets=["scene"])
    run = synthetic_run(tmp_path, "dembczynski2011", configuration=configuration)
    frame = run.report().results.intervals
    own = frame[(frame["method"] == "br") & (frame["baseline"] == "")]
    assert set(own["group"]) == set(configuration["methods"]["br"]["inference"])
    values = run.report().results.measurements
    value = values[(values["method"] == "br") & (values["measure"] == "f1_micro")].iloc[0]
    row = own[(own["measure"] == "f1_micro") & (own["group"] == value["task"])].iloc[0]
    assert row["estimate"] == pytest.approx(value["value"])
    multiclass = paper_configuration("deng2006", data_sets=["iris"])
    folds = synthetic_run(tmp_path / "folds", "deng2006", configuration=multiclass)
    assert folds.report().results.intervals.empty


@pytest.mark.parametrize(
    "measure",
    [
        *("hamming_loss", "subset_zero_one_loss", "f1_instance", "f2_instance"),
        *("f1_micro", "f1_macro"),
    ],
)
def test_resampled_label_measures_are_those_of_the_repeated_examples(measure):
    generator = np.random.default_rng(0)
    truth, prediction = generator.random((2, 20, 4)) < 0.4
    counts = next(resample_counts(20, 9, 1))
    values = get_multilabel_measure(measure).resampled(truth, prediction)(counts)
    for column, value in zip(counts.T.astype(int), values, strict=True):
        rows = np.repeat(np.arange(20), column)
        expected = get_multilabel_measure(measure).score(truth[rows], prediction[rows])
        assert value == pytest.approx(expected)
