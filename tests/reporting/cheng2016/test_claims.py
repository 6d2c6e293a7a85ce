"""The verdicts, each on numbers that decide it."""

import pytest

from beyond_accuracy.reporting.cheng2016 import claims
from beyond_accuracy.reporting.cheng2016.methods import PAPER_METHODS
from beyond_accuracy.reporting.intervals import write_intervals

from .synthetic_svm_run import Run


def verdict(run, function, intervals=()):
    run.write()
    write_intervals(intervals, run.results / "cheng2016" / "intervals.parquet")
    return function(run.evidence())


@pytest.fixture
def run(tmp_path):
    return Run(tmp_path, methods=tuple(PAPER_METHODS))


def best(run, method, data_sets):
    for data_set in data_sets:
        run.f1[data_set, method] = 0.9


def test_no_winner_everywhere(run):
    best(run, "lr_f", ["a3a", "letter"])
    best(run, "bm_ls_cs", ["news20", "satimage"])
    found = verdict(run, claims.no_method_wins_everywhere)
    assert found.verdict == "reproduced"
    assert found.numbers["a3a: best"] == "LR-F"
    assert "acoustic: no file" in found.note
    assert "news20-resplit stands in" in found.note


@pytest.mark.parametrize(("shared", "expected"), [(True, "partly"), (False, "not reproduced")])
def test_a_winner_everywhere(run, shared, expected):
    best(run, "lr_f", run.data_sets)
    if shared:
        best(run, "svm_cs", ["letter"])
    assert verdict(run, claims.no_method_wins_everywhere).verdict == expected


def test_methods_that_are_not_the_paper_s_decide_nothing(run):
    best(run, "lr_f", ["a3a", "letter"])
    best(run, "bm_ls_cs", ["news20", "satimage"])
    best(run, "lr_tuned", run.data_sets)
    run.methods += ("lr_tuned",)
    assert verdict(run, claims.no_method_wins_everywhere).verdict == "reproduced"


@pytest.mark.parametrize(
    ("value", "high", "expected"),
    [(0.5, 0.0, "reproduced"), (0.45, 0.01, "partly"), (0.45, -0.01, "not reproduced")],
)
def test_at_least_svm_perf(run, value, high, expected):
    run.f1["letter", "bm_ls_cs"] = value
    interval = {"data_set": "letter", "measure": "f1", "method": "difference", "group": "all"}
    interval |= {"n_tasks": 1, "estimate": 0, "low": -0.1, "high": high, "n_resamples": 9}
    found = verdict(run, claims.cost_sensitive_at_least_svm_perf, [interval])
    assert found.verdict == expected


@pytest.mark.parametrize(
    ("fastest_on", "expected"),
    [
        (("a3a", "letter", "satimage"), "reproduced"),
        (("a3a", "letter", "news20"), "partly"),
        (("a3a", "news20"), "not reproduced"),
    ],
)
def test_fastest_on_all_but_news20(run, fastest_on, expected):
    for data_set in run.data_sets:
        run.seconds[data_set, "bm_ls_cs"] = 0.1 if data_set in fastest_on else 3.0
    # Not the paper's.
    run.seconds["a3a", "error_rate"] = 0.01
    run.methods += ("error_rate",)
    found = verdict(run, claims.fastest_on_all_but_news20)
    assert found.verdict == expected
    assert found.numbers["a3a, BM-ls-CS: seconds"] == pytest.approx(0.1)


def test_strict_decrease(run, tmp_path):
    assert verdict(run, claims.primal_decreases_strictly).verdict == "reproduced"
    few = Run(tmp_path / "few", stalls=True, methods=run.methods)
    assert verdict(few, claims.primal_decreases_strictly).verdict == "not reproduced"
    many = Run(tmp_path / "many", stalls=True, methods=run.methods)
    many.iterations = {(name, C): (30, 60) for name in many.data_sets for C in (1.0, 10.0)}
    found = verdict(many, claims.primal_decreases_strictly)
    assert found.verdict == "partly"
    assert found.numbers["without change"] == 8
    assert found.numbers["increasing"] == 0


@pytest.mark.parametrize(
    ("iterations", "expected"),
    [((5, 51), "reproduced"), ((5, 50), "partly")],
)
def test_ten_times_fewer_iterations(run, iterations, expected):
    run.iterations["letter", 10.0] = iterations
    found = verdict(run, claims.more_than_ten_times_fewer_iterations)
    assert found.verdict == expected
    assert found.numbers["letter, C = 10"] == iterations[1] / iterations[0]


def test_not_ten_times_fewer_anywhere(run):
    run.iterations = {(name, C): (5, 20) for name in run.data_sets for C in (1.0, 10.0)}
    found = verdict(run, claims.more_than_ten_times_fewer_iterations)
    assert found.verdict == "not reproduced"


@pytest.mark.parametrize(
    ("slower_on", "expected"), [((), "reproduced"), (("a3a",), "partly"),
                                (("a3a", "letter"), "not reproduced")],
)  # fmt: skip
def test_bm_nls_cs_against_svm_perf(run, slower_on, expected):
    for data_set in run.data_sets:
        run.seconds[data_set, "bm_nls_cs"] = 2.0 if data_set in slower_on else 0.5
    found = verdict(run, claims.bm_nls_cs_is_faster_than_svm_perf)
    assert found.verdict == expected
    assert "enumerates all contingency tables" in found.note


@pytest.mark.parametrize(
    ("seconds", "expected"), [(200.0, "reproduced"), (20.0, "partly"), (2.0, "not reproduced")]
)
def test_speed_ups(run, seconds, expected):
    run.seconds["letter", "svm_perf"] = seconds
    assert verdict(run, claims.speed_ups_of_hundreds).verdict == expected


@pytest.mark.parametrize(
    ("satimage", "news20", "expected"),
    [(0.6, 0.4, "reproduced"), (0.6, 0.6, "partly"), (0.4, 0.4, "partly"),
     (0.4, 0.6, "not reproduced")],
)  # fmt: skip
def test_lr_f_on_satimage_and_news20(run, satimage, news20, expected):
    run.f1["satimage", "lr_f"], run.f1["news20", "lr_f"] = satimage, news20
    assert verdict(run, claims.lr_f_best_on_satimage_and_worst_on_news20).verdict == expected


def test_a_method_that_failed_leaves_its_data_set_out(run):
    run.failed.add(("satimage", "svm_perf"))
    found = verdict(run, claims.lr_f_best_on_satimage_and_worst_on_news20)
    assert found.verdict == "not testable"
    assert "satimage: too few positives" in found.note
    seconds = verdict(run, claims.speed_ups_of_hundreds).numbers
    assert set(seconds) == {"a3a", "letter", "news20"}


def test_where_svm_perf_learns_nothing_the_notes_say_so(run):
    run.degenerate.add(("letter", "svm_perf"))
    for function in (claims.cost_sensitive_at_least_svm_perf, claims.speed_ups_of_hundreds):
        assert "On letter the optimum of SVM-perf is w = 0" in verdict(run, function).note
    other = verdict(run, claims.lr_f_best_on_satimage_and_worst_on_news20)
    assert "a3a" not in other.note


def test_five_methods():
    assert list(PAPER_METHODS) == ["svm_perf", "svm_cs", "lr_f", "bm_nls_cs", "bm_ls_cs"]
