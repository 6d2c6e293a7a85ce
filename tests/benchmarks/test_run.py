import os
import re
import subprocess
import sys

import pytest
from sklearn.svm import LinearSVC

from benchmarks.__main__ import BENCHMARKS
from benchmarks.fits import Decrease, fit
from benchmarks.liblinear import objective_of
from benchmarks.report import Section, markdown
from benchmarks.summary import summary_section
from benchmarks.tasks import MIRROR_VARIABLE, documents, gaussians


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
    # Each benchmark has a section, beside the quoted numbers and the description of the run.
    assert text.count("\n## ") == len(BENCHMARKS) + 2
    assert text.index("SVM-perf, measured elsewhere") < text.index("How it was measured")
    assert "Real data were left out" in text
    assert (tmp_path / "report" / "scaling.svg").read_text().startswith("<?xml")
    (threads,) = (line for line in text.splitlines() if line.startswith("| threads |"))
    assert set(re.findall(r": (\d+)", threads)) == {"1"}


@pytest.mark.parametrize("make", [lambda: gaussians(2000, 22), lambda: documents(800, 2000)])
def test_generated_tasks_are_learned_and_not_separable(make):
    task = make()
    for name in ("f1", "prbep", "recall_at_2p", "roc_area", "accuracy"):
        solution = fit(task, name, 1e-3)
        # At w = 0 the worst labelling has a loss of 100 percent.
        decrease = Decrease.of(solution)
        assert decrease.at_zero == pytest.approx(100 * task.C)
        assert 0.001 * decrease.at_zero < solution.objective < 0.96 * decrease.at_zero
    assert (make().X != task.X).sum() == 0


def test_the_objective_of_liblinear_is_ours():
    task = gaussians(500, 5, positive_share=0.3)
    model = LinearSVC(loss="hinge", C=100 * task.C / 500, tol=1e-8, max_iter=100_000)
    model.fit(task.X, task.positive)
    assert fit(task, "accuracy", 1e-5).objective == pytest.approx(
        objective_of(model, task), rel=2e-3
    )


def test_the_first_table_and_the_sections_show_the_same_cells():
    columns = ("data", "C", "LIBLINEAR, s", "auto, s", "LIBLINEAR, share", "auto, share")
    row = ("ijcnn1", "100", "> 2.5", "0.5", "99.90 %", "99.95 %")
    section = Section("Cost-sensitive hinge loss", "Text.", columns, [row, ("x|y", *row[1:])])
    first_table, ratios = summary_section([section])
    assert "| LIBLINEAR | > 2.5 | **0.5** | 99.90 % | **99.95 %** |" in first_table
    assert [ratio for _, ratio in ratios] == [5.0]
    tasks = {"any": gaussians(50, 2)}
    text = markdown("default", 3, {"processor": "any"}, tasks, section, [section])
    assert text.count("| x\\|y | 100 | > 2.5 |") == 2
