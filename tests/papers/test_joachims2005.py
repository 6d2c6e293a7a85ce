"""The reports of Joachims (2005), on drawn numbers."""

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics
from matplotlib.collections import PathCollection

from beyond_accuracy_pipeline.papers.joachims2005.figures import figure1
from beyond_accuracy_pipeline.papers.joachims2005.names import (
    ARXIV,
    BASELINE,
    COLLECTIONS,
    COVERTYPE,
    MEASURES,
    PAIR,
    PROPOSED,
    REUTERS,
    TUNED,
)
from beyond_accuracy_pipeline.papers.joachims2005.tables import (
    table1,
    table2,
    table_oracle_thresholds,
)
from beyond_accuracy_pipeline.reporting.comparison import CELL
from beyond_accuracy_pipeline.reporting.tables import display
from beyond_accuracy_pipeline.results.variants import Variant

from .synthetic import paper_configuration, synthetic_run, verdict_on

N_TASKS = 8


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """Return a run of the paper's collections, with eight classes each."""
    return synthetic_run(
        tmp_path_factory.mktemp("own"),
        "joachims2005",
        configuration=paper_configuration("joachims2005", data_sets=list(COLLECTIONS)),
        n_classes=dict.fromkeys(COLLECTIONS, N_TASKS),
        fits=lambda row: {"n_iter": 100, "n_train_positives": 2 ** int(row["task"][-1])},
    )


def values_of(differences):
    """Return values by (data set, method, measure, task): 0.5 plus differences, 0 by default."""
    values = {}
    for data_set in COLLECTIONS:
        for measure in MEASURES:
            changes = differences.get((data_set, measure), [0.0] * N_TASKS)
            for index in range(N_TASKS):
                key = (measure, f"class {index}")
                known = changes is not None
                values[data_set, PROPOSED, *key] = 0.5 + changes[index] if known else None
                values[data_set, BASELINE, *key] = 0.5 if known else None
    return values


BETTER = [0.01 * (index + 1) for index in range(N_TASKS)]
WORSE = [-change for change in BETTER]
UNSURE = [0.10, -0.01, 0.02, -0.03, 0.04, -0.05, 0.06, -0.07]
RARER = BETTER[::-1]


def every(changes, *, of=COLLECTIONS, measures=MEASURES):
    return {(data_set, measure): changes for data_set in of for measure in measures}


def improve(n):
    """Return differences with which exactly n of the 16 macro-averages improve."""
    pairs = [(data_set, measure) for data_set in COLLECTIONS for measure in MEASURES]
    return dict.fromkeys(pairs[:n], BETTER) | dict.fromkeys(pairs[n:], WORSE)


F1 = (REUTERS, "f1")
PRBEP = (REUTERS, "prbep")
ROC_AREA = (REUTERS, "roc_area")
RECALL = (REUTERS, "recall_at_2p")
MORE = [2 * change for change in BETTER]
THRICE = [3 * change for change in BETTER]
LESS = [2 * change for change in WORSE]
ON_AVERAGE = "regular_svm_has_better_recall_at_2p_on_average"
LARGEST = "improvements_are_largest_on_text"
SMALLER = "prbep_and_roc_area_gain_less_than_f1"
LESS_POPULAR = "gains_are_larger_for_less_popular_classes"
SIGNIFICANT = "significant_improvements_outnumber_significant_declines"
TEXT = [REUTERS, ARXIV]
MUCH_ON_TEXT = every(MORE, of=TEXT, measures=["f1"])

CASES = [
    ("f1-reuters", {F1: BETTER}, "reproduced"),
    ("f1-reuters", {F1: UNSURE}, "partly"),
    ("f1-reuters", {F1: WORSE}, "not reproduced"),
    ("f1-reuters", {F1: None}, "not testable"),
    ("prbep-roc-area-reuters", {PRBEP: BETTER, ROC_AREA: BETTER}, "reproduced"),
    ("prbep-roc-area-reuters", {PRBEP: BETTER, ROC_AREA: WORSE}, "partly"),
    ("prbep-roc-area-reuters", {PRBEP: UNSURE, ROC_AREA: UNSURE}, "partly"),
    ("prbep-roc-area-reuters", {PRBEP: UNSURE}, "not reproduced"),
    ("recall-at-2p-reuters", {RECALL: UNSURE}, "reproduced"),
    ("recall-at-2p-reuters", {RECALL: BETTER}, "partly"),
    ("recall-at-2p-reuters", {RECALL: WORSE}, "not reproduced"),
    (ON_AVERAGE, {RECALL: LESS, (ARXIV, "recall_at_2p"): BETTER}, "reproduced"),
    (
        ON_AVERAGE,
        {RECALL: WORSE, (ARXIV, "recall_at_2p"): WORSE, (COVERTYPE, "recall_at_2p"): THRICE},
        "partly",
    ),
    (ON_AVERAGE, {RECALL: WORSE, (ARXIV, "recall_at_2p"): MORE}, "not reproduced"),
    (ON_AVERAGE, every(None, of=[COVERTYPE]), "not testable"),
    ("most_macro_averages_improve", improve(9), "reproduced"),
    ("most_macro_averages_improve", improve(8), "partly"),
    ("most_macro_averages_improve", improve(7), "not reproduced"),
    ("most_macro_averages_improve", improve(8) | every(None, of=[COVERTYPE]), "not testable"),
    ("most_macro_averages_improve", improve(3) | every(None, of=[COVERTYPE]), "not reproduced"),
    ("covertype_shows_no_significant_difference", every(UNSURE, of=[COVERTYPE]), "reproduced"),
    ("covertype_shows_no_significant_difference", {(COVERTYPE, "f1"): WORSE}, "partly"),
    ("covertype_shows_no_significant_difference", every(BETTER), "not reproduced"),
    ("largest_gains_are_f1_on_text", every(BETTER) | {F1: MORE, (ARXIV, "f1"): MORE}, "reproduced"),
    ("largest_gains_are_f1_on_text", every(WORSE) | {(ARXIV, "f1"): MORE, PRBEP: BETTER}, "partly"),
    ("largest_gains_are_f1_on_text", every(BETTER) | {PRBEP: MORE}, "not reproduced"),
    (LARGEST, every(BETTER, of=TEXT), "reproduced"),
    (LARGEST, every(BETTER, of=[REUTERS]) | every(MORE, of=[COVERTYPE]), "not reproduced"),
    (LARGEST, every(BETTER, of=[COVERTYPE]) | every(MORE, of=[REUTERS]), "partly"),
    (SMALLER, every(BETTER) | MUCH_ON_TEXT, "reproduced"),
    # F1 gains more on text; its gain elsewhere does not matter.
    (SMALLER, every(BETTER) | MUCH_ON_TEXT | {(COVERTYPE, "f1"): WORSE}, "reproduced"),
    (SMALLER, every(BETTER) | MUCH_ON_TEXT | {PRBEP: WORSE}, "partly"),
    (SMALLER, every(BETTER) | MUCH_ON_TEXT | {PRBEP: THRICE}, "partly"),
    # Equal gains, and gains in half of the eight cases.
    (SMALLER, every(BETTER), "not reproduced"),
    (SMALLER, every(BETTER, of=TEXT) | MUCH_ON_TEXT, "not reproduced"),
    (SIGNIFICANT, every(UNSURE) | every(BETTER, of=[REUTERS]) | {F1: WORSE}, "reproduced"),
    (SIGNIFICANT, every(UNSURE) | {F1: BETTER, PRBEP: BETTER}, "partly"),
    (SIGNIFICANT, improve(8), "not reproduced"),
    (LESS_POPULAR, every(RARER) | {RECALL: BETTER}, "reproduced"),
    (LESS_POPULAR, every(RARER) | {F1: BETTER}, "partly"),
    (LESS_POPULAR, {F1: RARER}, "partly"),
    (LESS_POPULAR, {PRBEP: RARER}, "not reproduced"),
]


@pytest.mark.parametrize(("function", "differences", "expected"), CASES)
def test_verdicts(own, function, differences, expected):
    verdict = verdict_on(own.report_on(values_of(differences)), function)
    assert verdict.verdict == expected
    if expected == "not testable":
        assert "no network" in verdict.note


@pytest.mark.parametrize(
    ("with_line_search", "without", "expected"),
    [
        ((500.0, True), (None, None), "reproduced"),
        ((501.0, True), (None, None), "not reproduced"),
        ((100.0, False), (None, None), "not reproduced"),
        ((100.0, True), (501.0, True), "not reproduced"),
        ((100.0, True), (90.0, False), "not reproduced"),
        ((900.0, True), (90.0, True), "reproduced"),
    ],
)
def test_iterations(own, with_line_search, without, expected):
    fits = own.report().results.fits
    fits[["n_iter", "converged"]] = with_line_search
    for name, value in zip(("n_iter", "converged"), without, strict=True):
        fits[f"{name}_without_line_search"] = value
    verdict = verdict_on(own.report_on(fits=fits), "often_converges_after_a_few_hundred_iterations")
    assert verdict.verdict == expected


@pytest.mark.parametrize(
    ("n_slow", "where", "expected"),
    [
        (3, COLLECTIONS, "reproduced"),
        (4, [COVERTYPE], "partly"),
        (4, [REUTERS, ARXIV], "partly"),
        (4, [REUTERS, ARXIV, COVERTYPE], "not reproduced"),
    ],
)
def test_often_is_more_than_half_of_the_fits(own, n_slow, where, expected):
    fits = own.report().results.fits
    slow = fits["data_set"].isin(where) & fits["task"].isin([f"class {k}" for k in range(n_slow)])
    fits.loc[slow, "n_iter"] = 900.0
    verdict = verdict_on(own.report_on(fits=fits), "often_converges_after_a_few_hundred_iterations")
    assert verdict.verdict == expected
    assert verdict.numbers[f"{where[-1]}: share"] == (8 - n_slow) / 8


@pytest.mark.parametrize(
    ("n_different", "expected"),
    [([0, 1, 1], "reproduced"), ([0, 3, 1], "partly"), ([0, 0, 11], "not reproduced")],
)
def test_the_theorem_is_judged_by_predictions(own, n_different, expected):
    report = own.report()
    collections = [REUTERS, REUTERS, "optdigits"]
    study = pd.DataFrame({"data_set": collections, "n_test": 1000, "n_different": n_different})
    vars(report.results)["study"] = {"error_rate": study}.__getitem__
    verdict = verdict_on(report, "error_rate_gives_the_ordinary_svm")
    assert verdict.verdict == expected
    assert verdict.numbers["optdigits: share that differs"] == n_different[2] / 1000


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({PROPOSED: -0.1, BASELINE: -0.1}, "reproduced"),
        ({PROPOSED: -0.1, BASELINE: 0.0}, "partly"),
        # Only F1 depends on the intercept, so the other measures say nothing.
        ({PROPOSED: -0.1, BASELINE: -0.1, "measure": "f1"}, "reproduced"),
        ({PROPOSED: 0.1, BASELINE: 0.0}, "not reproduced"),
        (None, "not testable"),
    ],
)
def test_unbiased_hyperplanes_are_compared_method_by_method(own, changes, expected):
    """`changes` are a method's values without an intercept, less its values with one."""
    biased = own.report_on(values_of({}))
    whole = {"readings": {"unbiased": {}}, "readings_selected": ["unbiased"] if changes else []}
    only = (changes or {}).get("measure")
    lower = {
        key: 0.5 + (changes or {}).get(key[1], 0.0) * (only in (None, key[2]))
        for key in values_of({})
    }
    vars(biased)["under"] = {Variant("unbiased"): own.report_on(lower)}.__getitem__
    vars(biased.results)["whole"] = {**biased.results.whole, **whole}
    verdict = verdict_on(biased, "biased_hyperplanes_outperform_unbiased")
    assert verdict.verdict == expected
    if changes:
        n_changed = 4 if only else 16
        average = verdict.numbers[f"{PROPOSED}: average difference"]
        assert average == pytest.approx(-changes[PROPOSED] * n_changed / 16)
        assert verdict.numbers[f"{PROPOSED}: higher"] == n_changed * (changes[PROPOSED] < 0)
        assert verdict.numbers[f"{PROPOSED}: changed"] == n_changed


def test_numbers_of_a_verdict(own):
    numbers = verdict_on(own.report_on(values_of({F1: BETTER})), "f1-reuters").numbers
    assert numbers["F1: multivariate_svm"] == pytest.approx(0.545)
    assert numbers["F1: cost_model_svm"] == pytest.approx(0.5)
    assert (numbers["F1: wins"], numbers["F1: losses"]) == (8, 0)
    assert numbers["F1: p"] == pytest.approx(2 / 2**8)


def test_the_classes_that_decide_are_found_by_judging_without_each(own):
    """Compare with judging again after a class is dropped from the measurements."""
    name = "prbep-roc-area-reuters"
    one = [0.1] + [-0.01] * (N_TASKS - 1)
    report = own.report_on(values_of({PRBEP: one, ROC_AREA: UNSURE}))
    verdict, expected = verdict_on(report, name), {}
    frame = report.results.measurements
    for task in frame["task"].unique():
        without = own.report_on({})
        vars(without.results)["measurements"] = frame[frame["task"] != task]
        other = verdict_on(without, name).verdict
        if other != verdict.verdict:
            expected[f"{task} ({REUTERS})"] = other
    assert expected
    assert verdict.without == expected
    assert verdict.numbers["PRBEP: classes with the sign of the difference"] == 1


def test_table2_agrees_with_the_measurements(run):
    frame = table2(run.report()).frame.set_index(["data_set", "measure"])
    measurements = run.report().results.measurements
    wide = measurements.pivot_table(
        index=["data_set", "measure", "task"], columns="method", values="value"
    )[list(PAIR.methods)].dropna()
    for key, values in wide.groupby(["data_set", "measure"]):
        change = values[PROPOSED] - values[BASELINE]
        row = frame.loc[key]
        assert row[list(PAIR.methods)].tolist() == pytest.approx(values.mean().tolist())
        assert row["difference"] == pytest.approx(change.mean())
        counts = [(change > 0).sum(), (change < 0).sum(), (change == 0).sum()]
        assert row[["wins", "losses", "ties"]].tolist() == counts
    assert set(frame.loc["failing", "n_tasks"]) == {3}
    assert set(frame.loc["failing", "n_excluded"]) == {1}
    assert set(frame.loc["failing", "reason"]) == {"no positive in test"}
    assert set(frame.loc["absent", "n_tasks"]) == {0}


def test_what_is_not_of_the_paper_is_corrected_apart(own):
    changes = {COVERTYPE: UNSURE, REUTERS: BETTER, ARXIV: WORSE}
    differences = {(name, m): change for name, change in changes.items() for m in MEASURES}
    report = own.report_on(values_of(differences))
    report.configuration["measures"].append("accuracy")
    frame = table2(report).frame
    report.configuration["measures"].remove("accuracy")
    ours = frame["measure"] != "accuracy"
    assert frame["of_the_paper"].tolist() == ours.tolist()
    p = frame.loc[ours, "p_value"].to_numpy()
    # Holm's definition: the k-th smallest p-value, times the number of p-values not smaller.
    expected = [min(1, max((p >= other).sum() * other for other in p[p <= value])) for value in p]
    assert frame.loc[ours, "p_value_holm"].tolist() == pytest.approx(expected)


def test_only_significant_improvements_are_bold(run):
    report = run.report(significance={"stars": {"*": 0.1}, "zero_method": "wilcox"})
    table = table2(report)
    _, styles = display(table)
    significant = table.frame["p_value"] <= 0.1
    assert 0 < significant.sum() < len(significant)
    assert (styles == "bold").to_numpy().sum() == significant.sum()


def test_table2_says_what_its_fits_ended_with(own):
    fits = own.report().results.fits
    baseline = fits["method"] == BASELINE
    fits.loc[baseline & (fits["measure"] == "roc_area"), "grid_limit"] = "C = 9.5e-07, lower end"
    fits.loc[fits.index[baseline][:2], "converged"] = False
    notes = " ".join(table2(own.report_on(fits=fits)).notes)
    assert f"SVM with cost model on {REUTERS}, ROC area: C = 9.5e-07, lower end" in notes
    assert f"SVM with cost model 2 of {baseline.sum()}" in notes
    assert "max_extensions" not in " ".join(table2(own.report()).notes)


def test_sizes_and_medians_between_two_numbers(run):
    fits = run.report().results.fits
    fits.loc[fits["data_set"] == "failing", "n_train_positives"] = fits["task"].map(
        {"class 0": 1, "class 1": 18, "class 2": 19, "class 3": 1200}
    )
    table = table1(run.report_on(fits=fits))
    frame = table.frame.set_index("data_set")
    assert frame.loc["text", ["n_classes", "n_train", "n_features"]].tolist() == [6, 1000, 50]
    assert frame.loc["text", ["min_positives", "max_positives"]].tolist() == [2, 2048]
    assert pd.isna(frame.loc["absent", "n_classes"])
    cells, _ = display(table)
    assert cells.loc["failing¶"].iloc[-1] == "1 / 18.5 / 1,200"
    assert "standin†¶" in cells.index


def test_the_tuned_baseline_stands_beside_the_paper_s(own):
    tuned = {(REUTERS, TUNED, "f1", f"class {k}"): 0.25 for k in range(N_TASKS)}
    frame = table2(own.report_on(values_of({F1: BETTER}) | tuned)).frame
    frame = frame.set_index(["data_set", "measure"])
    assert frame.loc[F1, [TUNED, "tuned_difference"]].tolist() == pytest.approx([0.25, 0.295])
    assert frame.loc[F1, "tuned_p_value"] == pytest.approx(2 / 2**8)
    assert pd.isna(frame.loc[PRBEP, TUNED])


def test_oracle_thresholds_equal_a_search_of_all(own):
    report = own.report()
    table = table_oracle_thresholds(report)
    frame = table.frame.set_index(CELL)
    assert set(table.frame["measure"]) == {"f1"}
    for method in (PROPOSED, BASELINE, TUNED):
        scores = report.results.scores(REUTERS, method)
        best = []
        for truth, decision in zip(scores.arrays["y_test"], scores.arrays["f1"], strict=True):
            precision, recall, _ = sklearn.metrics.precision_recall_curve(truth, decision)
            hits = recall > 0
            best.append(max(2 / (1 / precision[hits] + 1 / recall[hits])))
        assert frame.loc[(REUTERS, "f1", method), "oracle"] == pytest.approx(np.mean(best))
    assert (frame["oracle"] >= frame["average"]).all()
    assert "TEST LABELS" in table.caption


def test_figure1_draws_the_averages_of_the_bins(run):
    report = run.report()
    figure = figure1(report)
    panels = [panel for panel in figure.axes if panel.get_title(loc="left")]
    titles = [panel.get_title(loc="left") for panel in panels]
    assert titles == ["F1", "PRBEP", "Rec@2p", "ROC area"]
    rows = report.results.intervals.query(
        "data_set == 'text' and measure == 'f1' and method == @PROPOSED "
        "and baseline == @BASELINE and group != 'all'"
    )
    container = panels[0].containers[0]
    drawn = sorted(container.lines[0].get_ydata())
    np.testing.assert_allclose(drawn, sorted(100 * rows["estimate"]))
    segments = np.array(container.lines[2][0].get_segments())[:, :, 1]
    low, high = report.intervals.difference("text", "f1", PAIR, "1–2")
    assert segments[0] == pytest.approx((100 * low, 100 * high))
    classes = [points for points in panels[0].collections if isinstance(points, PathCollection)]
    assert sum(len(points.get_offsets()) for points in classes) == 6
    left, right = panels[0].get_xlim()
    assert left > 2048 > 2 > right


def test_figure1_is_about_reuters_wherever_it_stands_in_the_list(run):
    """The run has no results of Reuters, but no other data set may take its place unnamed."""
    title = figure1(run.report()).legends[0].get_title().get_text()
    assert title.startswith("text¶ (Reuters is not selected)")
    nothing = figure1(run.report(data_sets=["absent"]))
    assert "absent: nothing to draw" in nothing.texts[0].get_text()
