"""Jobs of several methods leave the results of single jobs, and a crash costs one method."""

import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression

from beyond_accuracy_pipeline.datasets.prepared import PreparedDataSet, save_prepared
from beyond_accuracy_pipeline.experiments.child_process import (
    CallStopped,
    ProcessDied,
    call_in_child_process,
)
from beyond_accuracy_pipeline.experiments.dotted_paths import PACKAGES_VARIABLE
from beyond_accuracy_pipeline.experiments.experiment import attempt
from beyond_accuracy_pipeline.experiments.run import FitStopped, run_fits
from beyond_accuracy_pipeline.reporting.measurements import measure_scores
from beyond_accuracy_pipeline.results import layout
from beyond_accuracy_pipeline.results.damage import DamagedFile
from beyond_accuracy_pipeline.results.fits import fit_jobs
from beyond_accuracy_pipeline.results.frames import write_frame
from beyond_accuracy_pipeline.results.paper_results import PaperResults

LOGISTIC = {"estimator": "sklearn.linear_model.LogisticRegression", "grid": {"C": [0.1, 1.0]}}
CHAIN = {
    "estimator": "beyond_accuracy.estimators.ProbabilisticClassifierChain",
    "parameters": {"n_samples": 20},
    "base": "beyond_accuracy.estimators.RidgeLogisticRegression",
    "grid": {"C": [1.0]},
    "inference": ["gfm", "marginal_threshold"],
}
BAYES = {"estimator": "sklearn.naive_bayes.GaussianNB"}
PAPERS = {
    "binary": {
        "measures": ["f1", "accuracy"],
        "selection": {"holdout": 0.3},
        "methods": {"first": LOGISTIC, "second": {**LOGISTIC, "grid": {"C": [10.0]}}},
    },
    "multiclass": {
        "measures": ["error_rate"],
        "cross_validation": {"n_folds": 3, "n_inner_folds": 2},
        "cost_matrices": {"number": 1, "largest": 5},
        "methods": {
            "first": {**BAYES, "reweighter": "beyond_accuracy.reweighting.SequentialReweighter"},
            "second": BAYES,
        },
    },
    "multilabel": {
        "measures": ["hamming_loss"],
        "selection": {"folds": 2},
        "methods": {"first": CHAIN, "second": {**CHAIN, "inference": ["gfm"]}},
    },
}


@pytest.fixture(params=PAPERS)
def protocol(request):
    return request.param


@pytest.fixture
def paper(protocol):
    names = {"data_sets": ["flowers"], "methods_selected": ["first", "second"]}
    return {"protocol": protocol, **names, **PAPERS[protocol]}


@pytest.fixture
def prepared(tmp_path, protocol):
    X, y = load_iris(return_X_y=True)
    order = np.random.default_rng(1).permutation(len(y))
    X, y = X[order], y[order]
    task, names = "multiclass", tuple("abc")
    if protocol == "multilabel":
        task, names, y = "multilabel", tuple("abcd"), (X.mean(axis=0) < X).astype(np.uint8)
    record = {"name": "flowers", "task": task, "status": "ok"}
    parts = X[:90], y[:90], X[90:], y[90:]
    data = PreparedDataSet("flowers", task, *parts, names, record=record)
    save_prepared(tmp_path / "flowers", data)
    return data


def fitted(folder, paper, results="results"):
    """Run all jobs of a paper and return its results."""
    for (data_set, job), fits in fit_jobs(paper).items():
        patterns = {"scores": layout.SCORES, "fits": layout.FITS, "seconds": layout.SECONDS}
        run_fits(
            folder / data_set,
            paper="p",
            data_set=data_set,
            methods={
                key: {"name": fit.method, **paper["methods"][fit.method]}
                for key, fit in fits.items()
            },
            paper_configuration=paper,
            seed=1,
            **{
                kind: folder / results / pattern.format(paper="p", data_set=data_set, job=job)
                for kind, pattern in patterns.items()
            },
        )
    return PaperResults(folder / results, "p", paper)


def sharing_a_job(paper):
    methods = {name: {**method, "job": "both"} for name, method in paper["methods"].items()}
    return {**paper, "methods": methods}


def test_methods_that_share_a_job_give_the_same_bytes(tmp_path, prepared, paper):
    third = {**paper["methods"], "third": paper["methods"]["first"]}
    paper = {**paper, "methods": third, "methods_selected": ["first", "third", "second"]}
    apart = fitted(tmp_path, paper, "apart")
    shared = sharing_a_job(paper)
    shared["methods"]["third"] = third["third"]
    together = fitted(tmp_path, shared, "together")
    assert len(list((tmp_path / "apart/p/fits/flowers").iterdir())) == 3
    assert len(list((tmp_path / "together/p/fits/flowers").iterdir())) == 2
    files = [tmp_path / "apart.parquet", tmp_path / "together.parquet"]
    for file, results in zip(files, (apart, together), strict=True):
        write_frame(file, measure_scores(results, {}))
    assert files[0].read_bytes() == files[1].read_bytes()
    pd.testing.assert_frame_equal(apart.fits, together.fits)
    keys = ["method", "task", "measure", "stage"]
    assert apart.seconds[keys].equals(together.seconds[keys])
    assert (together.seconds["cpu_seconds"] > 0).any()


@pytest.mark.parametrize("status", ["unavailable", "faulty"])
def test_a_missing_data_set_is_one_row_per_measure(tmp_path, paper, status):
    """No file of a fit is read: data_sets.csv gives the reason."""
    record = {"data_set": "flowers", "status": status, "reason": "no source"}
    pd.DataFrame([record]).to_csv(tmp_path / "data_sets.csv", index=False)
    results = PaperResults(tmp_path, "p", sharing_a_job(paper))
    measured = measure_scores(results, {})
    assert list(measured["status"]) == [status] * 2 * len(paper["measures"])
    assert measured["value"].isna().all()
    assert (measured["reason"] == "no data").all()
    assert results.scores("flowers", "first").tasks == ()
    assert results.seconds.empty


class Dying(LogisticRegression):
    def fit(self, X, y):
        os.kill(os.getpid(), signal.SIGABRT)


@pytest.mark.parametrize("protocol", ["binary"], indirect=True)
def test_a_crash_costs_its_method_only(tmp_path, prepared, paper, monkeypatch):
    module = ModuleType("dying")
    module.Dying = Dying
    monkeypatch.setitem(sys.modules, "dying", module)
    monkeypatch.setenv(PACKAGES_VARIABLE, "dying")
    whole = measure_scores(fitted(tmp_path, sharing_a_job(paper), "whole"), {})
    methods = {**paper["methods"], "first": {**LOGISTIC, "estimator": "dying.Dying"}}
    results = fitted(tmp_path, sharing_a_job({**paper, "methods": methods}))
    measured = measure_scores(results, {})
    crashed = measured["method"] == "first"
    assert set(measured["status"][crashed]) == {"failed"}
    assert set(measured["reason"][crashed]) == {"the process died of SIGABRT"}
    others = measured[~crashed].reset_index(drop=True)
    expected = whole[whole["method"] == "second"].reset_index(drop=True)
    pd.testing.assert_frame_equal(others, expected)


def test_a_crash_under_a_limit_of_memory_is_no_result():
    """Compiled code also aborts if it gets no memory, so the abort may not be its fault."""
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (2**50, hard))
    try:
        with pytest.raises(CallStopped, match="exit status 3, under a limit of memory"):
            call_in_child_process([lambda: os._exit(3)])
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


@pytest.mark.parametrize("error", [MemoryError, OSError, ImportError])
def test_what_the_machine_lacks_is_no_result(error):
    """If memory is short, an import may report that an object could not be mapped."""

    def fit():
        raise error("failed to map segment from shared object")

    with pytest.raises(error, match="failed to map"):
        attempt("a fit", fit)


def test_an_error_of_a_damaged_file_comes_through_the_pipe():
    def read():
        raise DamagedFile("results/a.parquet", "half of it")

    with pytest.raises(DamagedFile, match=r"results/a\.parquet: damaged \(half of it\)"):
        call_in_child_process([read])


def test_a_child_process_ends_with_its_parent(tmp_path):
    """If a user cancels a run, no fit may continue."""
    code = (
        "import os, sys, time\n"
        "from beyond_accuracy_pipeline.experiments.child_process import call_in_child_process\n"
        "def fit():\n"
        "    print(os.getpid(), flush=True)\n"
        "    time.sleep(60)\n"
        "call_in_child_process([fit])\n"
    )
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        child = int(parent.stdout.readline())
        parent.terminate()
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and _is_alive(child):
        time.sleep(0.05)
    assert not _is_alive(child)


def _is_alive(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_a_child_process_returns_results_and_survives_a_crash():
    numbers, number, died, again = call_in_child_process(
        [lambda: np.arange(10**6), os.getpid, lambda: os._exit(3), os.getpid]
    )
    assert numbers.sum() == 499_999_500_000
    assert isinstance(died, ProcessDied)
    assert "exit status 3" in str(died)
    assert len({os.getpid(), number, again}) == 3


class _Unsendable:
    def __reduce__(self):
        raise MemoryError("no room for the result")


def test_a_result_that_cannot_be_sent_is_no_result():
    """If memory is too short to send a result, the job fails, since a row would be final."""
    with pytest.raises(MemoryError, match="no room"):
        call_in_child_process([_Unsendable])

    def ended():
        raise EOFError("of a file that the function reads")

    with pytest.raises(EOFError, match="the function reads"):
        call_in_child_process([ended])


def test_any_number_of_hours_can_be_allowed():
    assert call_in_child_process([os.getppid], 1e9) == [os.getpid()]


@pytest.mark.parametrize("protocol", ["multiclass"], indirect=True)
def test_a_base_classifier_that_fails_costs_its_method_only(tmp_path, prepared, paper):
    """A support vector classifier without probabilities has no scores to reweight."""
    methods = {**paper["methods"], "first": {"estimator": "sklearn.svm.SVC", "keep": "tree"}}
    results = fitted(tmp_path, sharing_a_job({**paper, "methods": methods}))
    measured = measure_scores(results, {}).set_index("method")
    assert set(measured.loc["first", "status"]) == {"failed"}
    assert measured.loc["first", "reason"].str.contains("predict_proba").all()
    assert set(measured.loc["second", "status"]) == {"ok"}


def test_an_error_in_a_child_process_keeps_its_traceback():
    def broken():
        return {}["absent"]

    with pytest.raises(KeyError) as caught:
        call_in_child_process([broken])
    assert "in broken" in "".join(caught.value.__notes__)


@pytest.mark.parametrize("protocol", ["binary"], indirect=True)
@pytest.mark.parametrize(
    ("stop", "message"),
    [
        (lambda: os.kill(os.getpid(), signal.SIGKILL), "killed by SIGKILL.*makes it again"),
        (lambda: os.kill(os.getpid(), signal.SIGTERM), "killed by SIGTERM"),
        (lambda: time.sleep(600), "no result within 0.0001 hours.*longest_fit"),
    ],
)
def test_a_fit_that_is_stopped_is_named_and_leaves_nothing(
    tmp_path, prepared, paper, monkeypatch, stop, message
):
    """A fit killed for lack of memory may succeed next time, and must not count as failed."""

    def fit(*arguments):
        if arguments[-2] == "second":
            (tmp_path / "number").write_text(str(os.getpid()))
            stop()

    monkeypatch.setattr("beyond_accuracy_pipeline.experiments.run._run_method", fit)
    files = {"scores": "scores.npz", "fits": "fits.parquet", "seconds": "seconds.parquet"}
    with pytest.raises(FitStopped, match=f"second on flowers: .*{message}"):
        run_fits(
            tmp_path / "flowers",
            paper="p",
            data_set="flowers",
            methods=paper["methods"],
            paper_configuration=paper,
            seed=1,
            longest_hours=1e-4,
            **{name: tmp_path / file for name, file in files.items()},
        )
    assert not any((tmp_path / file).exists() for file in files.values())
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "number").read_text()), 0)
