"""The verdicts, each on numbers that decide it."""

import pytest

from beyond_accuracy.reporting.intervals import write_intervals
from beyond_accuracy.reporting.li2013 import claims, claims_of_distance, claims_of_sweeps
from beyond_accuracy.reporting.li2013.methods import CAPO, COLLECTIONS, MEASURES
from beyond_accuracy.reporting.li2013.values import published_values

from .synthetic_capo_run import SWEPT, Run

REUTERS, USPS = "reuters-money-fx", "usps-01234"
TASKS = [(data_set, measure) for data_set in COLLECTIONS for measure in MEASURES]


def verdict(run, function, intervals=()):
    run.write()
    write_intervals(intervals, run.results / "li2013" / "intervals.parquet")
    return function(run.evidence())


@pytest.fixture
def run(tmp_path):
    """All methods alike on all tasks."""
    run = Run(tmp_path, data_sets=COLLECTIONS)
    for data_set, measure in TASKS:
        for method in run.methods:
            run.values[data_set, measure, method] = 0.5
    return run


def raise_(run, method, tasks, by=0.1):
    for data_set, measure in tasks:
        run.values[data_set, measure, method] += by


def non_linear(tasks):
    """Intervals by which SVM-perf RBF is better than linear SVM-perf on these tasks."""
    interval = {"method": "svmperf_rbf less svmperf_linear", "group": "all", "n_tasks": 1}
    interval |= {"estimate": 0.1, "low": 0.01, "high": 0.2, "n_resamples": 9}
    return [{**interval, "data_set": data_set, "measure": measure} for data_set, measure in tasks]


@pytest.mark.parametrize(
    ("wins", "expected"),
    [((11, 11, 11), "reproduced"), ((20, 20, 10), "partly"), ((10, 10, 10), "not reproduced")],
)
def test_improves_on_auxiliaries(run, wins, expected):
    for method, n in zip(("capo_cvm", "capo_c45", "capo_rbfn"), wins, strict=True):
        raise_(run, method, TASKS[:n])
    found = verdict(run, claims.improves_on_its_auxiliaries)
    assert found.verdict == expected
    assert found.numbers["CAPO_cvm: wins/losses/ties"] == f"{wins[0]}/0/{20 - wins[0]}"
    assert found.numbers["CAPO_rbfn: wins published"] == "18 of 20"
    assert "Holm's correction over 3 comparisons" in found.test
    assert "mitfaces stands in for normalized" in found.note


@pytest.mark.parametrize(
    ("better_on", "expected"),
    [(4, "reproduced"), (3, "partly"), (2, "not reproduced")],
)
def test_beats_linear_methods(run, better_on, expected):
    helped = [(name, measure) for name in ("ijcnn1", USPS) for measure in ("f1", "prbep")]
    raise_(run, "capo_star", helped[:better_on])
    # Accuracy does not count, nor Reuters, on which non-linearity does not help.
    intervals = non_linear([*helped, ("ijcnn1", "accuracy")])
    found = verdict(run, claims.beats_linear_methods, intervals)
    assert found.verdict == expected
    assert "Non-linearity does not help on mitfaces, reuters-money-fx, splice" in found.note
    assert found.numbers["CAPO_cvm: wins"] == "0 of 4"


def test_the_better_of_the_linear_methods_counts(run):
    helped = [("splice", "f1")]
    raise_(run, "capo_star", helped)
    raise_(run, "svmlight_linear", helped, by=0.2)
    found = verdict(run, claims.beats_linear_methods, non_linear(helped))
    assert found.verdict == "not reproduced"


def test_without_non_linear_tasks_nothing_can_be_said(run):
    found = verdict(run, claims.beats_linear_methods)
    assert found.verdict == "not testable"
    assert "helps on none of the tasks" in found.note


@pytest.mark.parametrize(
    ("spread_on", "expected"),
    [((), "reproduced"), (("f1",), "partly"), (("f1", "prbep"), "not reproduced")],
)
def test_agreement_on_reuters(run, spread_on, expected):
    raise_(run, "svmlight_rbf", [(REUTERS, measure) for measure in MEASURES], by=0.03)
    raise_(run, "svmperf_rbf", [(REUTERS, measure) for measure in spread_on], by=0.031)
    # These do not count, and other data sets neither.
    raise_(run, "capo_c45", [(REUTERS, "roc_area"), ("splice", "f1")], by=-0.2)
    found = verdict(run, claims.agreement_on_reuters)
    assert found.verdict == expected
    assert found.numbers["Accuracy: spread"] == pytest.approx(0.03)
    assert found.numbers["ROC area: CAPO_c45 less the best"] == pytest.approx(-0.23)


@pytest.mark.parametrize(
    ("best_on", "expected"),
    [((10, 5, 5), "reproduced"), ((8, 7, 5), "partly"), ((8, 8, 4), "not reproduced")],
)
def test_capo_star_is_best(run, best_on, expected):
    start = 0
    for method, n in zip(("capo_star", "capo_cvm", "capo_c45"), best_on, strict=True):
        raise_(run, method, TASKS[start : start + n])
        start += n
    found = verdict(run, claims.capo_star_is_best)
    assert found.verdict == expected
    assert found.numbers["CAPO*: best"] == best_on[0]
    assert found.numbers["CAPO*: best, published"] == 11


@pytest.mark.parametrize(
    ("wins", "losses", "expected"),
    [(20, 0, "reproduced"), (11, 9, "partly"), (5, 0, "partly"), (5, 5, "not reproduced")],
)
def test_delta_function_against_the_ensemble(run, wins, losses, expected):
    raise_(run, "capo_5cvm", TASKS[:wins])
    raise_(run, "weighted_ensemble_5cvm", TASKS[wins : wins + losses])
    found = verdict(run, claims.delta_function_beats_ensemble)
    assert found.verdict == expected
    assert found.numbers["wins/losses/ties, published"] == "16/1/3"


@pytest.mark.parametrize(
    ("larger_on", "value", "expected"),
    [(10, 0.7, "reproduced"), (11, 0.603, "partly"), (11, 0.7, "not reproduced")],
)
def test_selection_of_auxiliaries(run, larger_on, value, expected):
    run.selected = dict.fromkeys(TASKS[:larger_on], (0.55, value))
    found = verdict(run, claims.selection_does_not_pay)
    assert found.verdict == expected
    assert found.numbers["CAPO larger with the selected five"] == larger_on
    assert found.numbers["auxiliaries: median relative change"] == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("fewer_on", "expected"),
    [((12, 12, 12, 12), "reproduced"), ((16, 16, 16, 8), "partly"), ((16, 16, 0, 0),
     "not reproduced")],
)  # fmt: skip
def test_faster_than_linear_svm_perf(run, fewer_on, expected):
    tasks = [task for task in TASKS if task[0] != REUTERS]
    for method, n in zip(CAPO, fewer_on, strict=True):
        run.seconds |= {(*task, method): 0.5 for task in tasks[:n]}
        # Where the paper does not claim it.
        run.seconds |= {(REUTERS, measure, method): 9.0 for measure in MEASURES}
    found = verdict(run, claims_of_sweeps.faster_than_linear_svm_perf)
    assert found.verdict == expected
    assert found.numbers["CAPO_cvm: fewer seconds"] == f"{fewer_on[0]} of 16"
    assert found.numbers["reuters-money-fx, F1: SVM-perf / CAPO*"] == pytest.approx(1 / 9)


@pytest.mark.parametrize(
    ("more", "expected"),
    [(0, "reproduced"), (1, "partly"), (2, "not reproduced")],
)
def test_oracle_calls(run, more, expected):
    cases = [(USPS, measure, method) for method in ("capo_star", "capo_cvm") for measure in SWEPT]
    run.calls = {(*case, 10.0): 50 for case in cases[:more]}
    # At a smaller C.
    run.calls |= {(*case, 1.0): 99 for case in cases}
    found = verdict(run, claims_of_sweeps.fewer_oracle_calls)
    assert found.verdict == expected
    assert found.numbers["F1, SVM-perf linear"] == 50


def test_oracle_calls_until_the_limit_count(run):
    run.calls[USPS, "f1", "svmperf_linear", 10.0] = 500
    run.calls[USPS, "f1", "capo_cvm", 10.0] = 500
    found = verdict(run, claims_of_sweeps.fewer_oracle_calls)
    assert found.verdict == "partly"
    assert found.numbers["F1, SVM-perf linear"] == 500
    assert "Stopped at the limit: F1, SVM-perf linear, F1, CAPO_cvm" in found.note


@pytest.mark.parametrize(
    ("wide", "expected"), [(0, "reproduced"), (1, "partly"), (4, "not reproduced")]
)
def test_robustness(run, wide, expected):
    places = [(sweep, name, measure) for sweep in ("by_C", "by_B") for name in (REUTERS, USPS)
              for measure in SWEPT]  # fmt: skip
    for sweep, name, measure in places[:wide]:
        run.swept[sweep, name, measure, "capo_5cvm", 10.0] = 0.9
    found = verdict(run, claims_of_sweeps.robust_in_C_and_B)
    assert found.verdict == expected
    assert found.numbers["comparisons"] == f"{12 - 2 * wide} of 12"


@pytest.mark.parametrize(
    ("seconds", "value", "expected"),
    [(2.0, 0.9, "reproduced"), (2.0, 0.1, "partly"), (8.0, 0.9, "partly"),
     (200.0, 0.9, "not reproduced")],
)  # fmt: skip
def test_growth_with_the_training_size(run, seconds, value, expected):
    # At the shares 0.1, 0.5 and 1 the rest takes 0.2, 1 and 2 seconds.
    key = ("by_training_size", "ijcnn1", "f1", "capo_5cvm", 1.0)
    run.swept_seconds[key], run.swept[key] = seconds, value
    slow = ("by_training_size", "ijcnn1", "f1", "svmperf_linear", 1.0)
    run.swept_seconds[slow] = 1e6
    found = verdict(run, claims_of_sweeps.scales_in_training_size)
    assert found.verdict == expected
    assert found.numbers["ROC area, CAPO_cvm: slope"] == pytest.approx(1.0)


def test_methods_that_were_not_selected_are_not_testable(run):
    run.methods = ("capo_cvm", "core_vector_machine")
    assert verdict(run, claims.capo_star_is_best).verdict == "not testable"
    assert verdict(run, claims_of_sweeps.faster_than_linear_svm_perf).verdict == "not testable"
    found = verdict(run, claims.improves_on_its_auxiliaries)
    assert "CAPO_c45: p, Holm" not in found.numbers
    assert found.test.endswith("Holm's correction over 1 comparison")


@pytest.mark.parametrize(
    ("near", "expected"), [(16, "reproduced"), (15, "partly"), (11, "partly"),
                           (10, "not reproduced")],
)  # fmt: skip
def test_values_of_capo_star(run, near, expected):
    published, intervals = published_values()["capo_star"], []
    for place, task in enumerate(TASKS):
        run.values[*task, "capo_star"] = published[task] - (0.03 if place < near else 0.031)
        run.values[*task, "capo_star_cross_fit"] = published[task]
        run.values[*task, "capo_star_identified"] = published[task] - 0.04 * (place % 2)
        interval = {"data_set": task[0], "measure": task[1], "method": "capo_star", "group": "all"}
        interval |= {"n_tasks": 1, "estimate": 0.0, "low": 0.0, "n_resamples": 9}
        intervals.append(interval | {"high": 1.0 if place < near else 0.0})
    found = verdict(run, claims_of_distance.values_of_capo_star, intervals)
    assert found.verdict == expected
    assert found.numbers["near or above"] == f"{near} of 20"
    # The last ones are below.
    assert found.numbers["usps-01234, ROC area: less the published"] == pytest.approx(-0.031)
    assert found.numbers["usps-01234, ROC area: the same, cross-fitted"] == pytest.approx(0.0)
    assert "ijcnn1, Accuracy: less the published" not in found.numbers
    key = "usps-01234, ROC area: the same, identified core vector machine"
    assert found.numbers[key] == pytest.approx(-0.04)
    # Near wherever the place is even.
    assert found.numbers["near or above, identified core vector machine"] == "10 of 20"


def far_below(run, tasks, by=0.1):
    """CAPO* that far below the published values, as are its other readings; with intervals."""
    published = published_values()["capo_star"]
    for task in TASKS:
        for method in ("capo_star", "capo_star_cross_fit", "capo_star_identified"):
            run.values[*task, method] = published[task] - (by if task in tasks else 0.0)
    rows = []
    for task in TASKS:
        row = {"data_set": task[0], "measure": task[1], "method": "capo_star", "group": "all"}
        row |= {"n_tasks": 1, "estimate": 0.0, "low": 0.0, "n_resamples": 9}
        rows.append(row | {"high": 0.0 if task in tasks else 1.0})
    return rows


def test_causes_are_named_only_where_the_numbers_show_them(run):
    published = published_values()["capo_star"]
    tasks = [("ijcnn1", "f1"), ("splice", "f1"), (USPS, "f1"), (USPS, "prbep"), ("splice", "prbep")]
    intervals = far_below(run, tasks)
    run.values["ijcnn1", "f1", "capo_star_cross_fit"] = published["ijcnn1", "f1"] - 0.03
    run.values["splice", "f1", "capo_star_identified"] = published["splice", "f1"] + 0.01
    for method in ("capo_star_cross_fit", "capo_star_identified"):
        run.values[USPS, "f1", method] = published[USPS, "f1"]
    run.values["splice", "prbep", "capo_star"] = published["splice", "prbep"] - 0.02
    found = verdict(run, claims_of_distance.values_of_capo_star, intervals)
    assert "what misleads it on ijcnn1 (F1), usps-01234 (F1)." in found.note
    assert "are the cause on splice (F1), usps-01234 (F1)." in found.note
    tried = "cross-fitted, identified core vector machine"
    assert f"Not explained by what was tried ({tried}): usps-01234 (PRBEP)." in found.note
    assert "by at most 0.03, on splice (PRBEP)." in found.note


def test_causes_that_help_nowhere_are_not_named(run):
    found = verdict(run, claims_of_distance.values_of_capo_star, far_below(run, [("splice", "f1")]))
    assert "misleads" not in found.note
    assert "are the cause" not in found.note
    assert "Not explained by what was tried" in found.note
    assert "at most 0.03" not in found.note


def test_nothing_is_said_of_causes_where_nothing_is_below(run):
    found = verdict(run, claims_of_distance.values_of_capo_star, far_below(run, []))
    assert not any(
        text in found.note for text in ("misleads", "the cause", "Not explained", "at most")
    )


@pytest.mark.parametrize(
    ("missing", "expected"),
    [
        (("capo_star_identified",), "Not explained by what was tried (cross-fitted): splice (F1)."),
        (
            ("capo_star_identified", "capo_star_cross_fit"),
            "Not explained as nothing else was run: splice (F1).",
        ),
    ],
)
def test_causes_that_were_not_run(run, missing, expected):
    intervals = far_below(run, [("splice", "f1")])
    run.methods = tuple(method for method in run.methods if method not in missing)
    found = verdict(run, claims_of_distance.values_of_capo_star, intervals)
    assert expected in found.note
    assert not any("identified" in name for name in found.numbers)
    assert found.verdict == "reproduced"


def test_area_of_outputs_with_a_known_table(run, monkeypatch):
    # Of 240 examples 60 are positive; 24 of them and 6 others are predicted to be.
    run.write()
    fits = run.evidence().results.fits
    positives = int(fits.loc[fits["data_set"] == "mitfaces", "n_test_positives"].max())
    assert positives == 60
    known = {"accuracy": 1 - 42 / 240, "f1": 2 * 24 / (2 * 24 + 42)}
    monkeypatch.setattr(claims_of_distance, "_published_cvm", lambda task: known[task[1]])
    size = {"data_set": "mitfaces", "quantity": "n_test", "value": "240"}
    monkeypatch.setattr(claims_of_distance, "published_table", lambda *_: [size])
    area = claims_of_distance.area_of_signs(run.evidence(), "mitfaces")
    assert area == pytest.approx((1 + 24 / 60 - 6 / 180) / 2)
