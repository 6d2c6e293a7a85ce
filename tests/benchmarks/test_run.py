import os
import re
import subprocess
import sys

import numpy as np
import pytest
from sklearn.metrics import f1_score
from sklearn.svm import LinearSVC

from benchmarks.liblinear import objective_of
from benchmarks.report import Section, Target, markdown, significant
from benchmarks.rivals import _binary, _compare
from benchmarks.scaling import fitted_exponent
from benchmarks.tasks import MIRROR_VARIABLE, Tasks, documents, gaussians
from benchmarks.times_of_fits import fit


@pytest.mark.slow
def test_a_quick_run_reports_every_benchmark(repository, tmp_path):
    environment = {name: value for name, value in os.environ.items() if name != MIRROR_VARIABLE}
    subprocess.run(
        [sys.executable, "-m", "benchmarks", "--quick", "--repetitions", "1"]
        + ["--output", str(tmp_path / "report")],
        cwd=repository,
        env=environment,
        check=True,
        capture_output=True,
    )
    text = (tmp_path / "report" / "RESULTS.md").read_text()
    assert "numbers below mean nothing" in text
    for heading in (
        "Time to a given primal",
        "A path over C",
        "Time to the primal at which SVM-perf stops",
        "Fits of every measure",
        "Against the enumeration of contingency tables",
        "Error rate against LIBLINEAR",
        "Cost-sensitive hinge loss",
        "The limit: two matrix-vector products an iteration",
        "Scaling",
        "Blocks",
        "Exact F-measure maximization",
        "Reweighting multi-class classifiers",
        "Operating points",
        "Measured elsewhere, not in this run",
    ):
        assert f"\n## {heading}\n" in text
    assert "ijcnn1 was left out" in text
    assert (tmp_path / "report" / "scaling.svg").read_text().startswith("<?xml")
    (threads,) = (line for line in text.splitlines() if line.startswith("| threads |"))
    assert set(re.findall(r": (\d+)", threads)) == {"1"}


def test_rivals_are_judged_alike_after_the_clock():
    happened = []

    def run(name, positive):
        happened.append(name)
        return lambda scores: np.full(len(scores), positive)

    def quality(rule):
        happened.append("judged")
        return rule(np.zeros(8)).mean()

    rivals = {("sklearn", "all"): lambda: run("rival", 1)}
    rows = _compare("problem", 3, quality, lambda: run("own", 0), rivals)
    # One run before the clock starts, then three timed runs.
    assert happened == 4 * ["own", "rival"] + 2 * ["judged"]
    assert [row[:3] for row in rows] == [
        ("problem", "this package", "0.000000"),
        ("problem", "scikit-learn, all", "1.000000"),
    ]


def test_what_is_judged_is_the_f1_that_was_chosen():
    rng = np.random.default_rng(0)
    (_, name, value, _), *_ = _binary(rng, 400, 1)
    rng = np.random.default_rng(0)
    scores = rng.random(400)
    y = rng.random(400) < scores**3
    best = max(f1_score(y, scores >= threshold) for threshold in scores)
    assert (name, value) == ("this package", f"{best:.6f}")


@pytest.mark.parametrize("make", [lambda: gaussians(2000, 22), lambda: documents(800, 2000)])
def test_generated_tasks_are_learnt_and_not_separable(make):
    task = make()
    solution = fit(task, "accuracy", 1e-5)
    at_zero = task.C * 100
    assert 0.001 * at_zero < solution.objective < at_zero
    assert (make().X != task.X).sum() == 0


def test_the_objective_of_liblinear_is_ours():
    task = gaussians(500, 5, positive_share=0.3)
    model = LinearSVC(loss="hinge", C=100 * task.C / 500, tol=1e-8, max_iter=100_000)
    model.fit(task.X, task.positive)
    assert fit(task, "accuracy", 1e-5).objective == pytest.approx(
        objective_of(model, task), rel=2e-3
    )


def test_first_rows_keep_the_weight_of_an_example():
    task = gaussians(1000, 3)
    part = task.first_rows(100)
    assert part.C / part.X.shape[0] == pytest.approx(task.C / task.X.shape[0])
    assert task.first_rows(5000) is task


def test_the_exponent_of_a_power_is_found():
    assert fitted_exponent([(n, 3e-7 * n**1.25) for n in (10, 100, 1000)]) == pytest.approx(1.25)


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (0.00001234, "0.0000123"), (1.5, "1.5"), (123.456, "123"), (12345.6, "12,346")],
)
def test_numbers_have_three_digits(value, text):
    assert significant(value) == text


def test_a_target_that_was_missed_is_seen():
    tasks = Tasks(gaussians(50, 2), documents(50, 20), None)
    targets = [Target("speed", "2 s", "3 s", False), Target("gap", "1", "1", True)]
    section = Section("Title", "Text.", ("a", "b"), [("x|y", "2")])
    text = markdown("default", 3, {"processor": "any"}, tasks, targets, [section])
    assert "| speed | 2 s | 3 s | **no** |" in text
    assert "| gap | 1 | 1 | yes |" in text
    assert "| x\\|y | 2 |" in text
    assert np.count_nonzero([line.startswith("## ") for line in text.splitlines()]) == 2
