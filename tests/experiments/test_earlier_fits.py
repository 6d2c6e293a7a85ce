"""Deterministic fits are reused for all seeds, and candidates for several methods."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_digits

from beyond_accuracy_pipeline.datasets.prepared import PreparedDataSet, save_prepared
from beyond_accuracy_pipeline.experiments.earlier_fits import JobFiles
from beyond_accuracy_pipeline.experiments.methods import Method
from beyond_accuracy_pipeline.experiments.run import run_fits

MULTIVARIATE = {
    "estimator": "beyond_accuracy.estimators.MultivariateSVC",
    "grid": {"C": [0.01, 0.1, 1.0]},
}
COSTS = {"estimator": "beyond_accuracy.estimators.CostModelSVC", "grid": {"C": [0.01, 0.1]}}
PAPER = {"protocol": "binary", "measures": ["f1", "prbep"], "selection": {"holdout": 1 / 3}}


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    X, y = load_digits(return_X_y=True)
    X, y = X / 16, np.minimum(y, 5)
    parts = X[:500], y[:500], X[500:900], y[500:900]
    record = {"name": "digits", "task": "multiclass", "status": "ok"}
    data = PreparedDataSet("digits", "multiclass", *parts, tuple("abcdef"), record=record)
    folder = tmp_path_factory.mktemp("prepared") / "digits"
    save_prepared(folder, data)
    return folder


@pytest.fixture
def job(prepared, tmp_path):
    def run(name, seed, methods, earlier=(), **paper):
        methods = {key: {"first_fit": key, **own} for key, own in methods.items()}
        files = JobFiles(*(tmp_path / f"{name}.{kind}" for kind in JobFiles._fields))
        run_fits(
            prepared,
            paper="p",
            data_set="digits",
            methods=methods,
            paper_configuration={**PAPER, **paper},
            seed=seed,
            earlier=earlier,
            **files._asdict(),
        )
        return files

    return run


def contents(files: JobFiles) -> list[bytes]:
    return [Path(file).read_bytes() for file in (files.scores, files.fits)]


def n_selected_anew(one: JobFiles, other: JobFiles) -> int:
    first, second = (pd.read_parquet(files.fits)["selected"] for files in (one, other))
    return int((first != second).sum())


@pytest.fixture
def fits_made(monkeypatch, tmp_path):
    """Return a function that counts the final fits since its last call; forks write a file."""
    told = tmp_path / "fits_made"
    fit = Method.fit

    def counted(*arguments):
        with told.open("a") as stream:
            stream.write("x")
        return fit(*arguments)

    monkeypatch.setattr(Method, "fit", counted)

    def made() -> int:
        count = len(told.read_text()) if told.exists() else 0
        told.unlink(missing_ok=True)
        return count

    return made


def test_a_state_makes_only_what_it_chooses_anew(job, fits_made):
    methods = {"svm": MULTIVARIATE}
    first = job("first", 1, methods)
    assert fits_made() == 12
    alone = job("alone", 2, methods)
    assert fits_made() == 12
    anew = n_selected_anew(first, alone)
    assert 0 < anew < 12
    after = job("after", 2, methods, [first])
    assert fits_made() == anew
    assert contents(after) == contents(alone)
    again = job("again", 2, methods, [first, after])
    assert fits_made() == 0
    assert contents(again) == contents(alone)
    seconds = pd.read_parquet(again.seconds)
    assert (seconds["stage"] == "fit").sum() == 12
    assert set(seconds["method"]) == {"svm"}


def test_what_draws_at_random_is_fitted_in_each_state(job, fits_made):
    first = job("first", 1, {"svm": COSTS})
    made = fits_made()
    job("second", 1, {"svm": COSTS}, [first])
    assert fits_made() == made > 0
    sampled = {"sample": {"train": 300, "test": 200, "tasks": 3, "positives": 10}}
    first = job("third", 1, {"svm": MULTIVARIATE}, **sampled)
    made = fits_made()
    job("fourth", 2, {"svm": MULTIVARIATE}, [first], **sampled)
    assert fits_made() == made


def test_methods_of_one_random_state_share_candidates(job, monkeypatch, tmp_path):
    told = tmp_path / "compared"
    compared = Method.validation_scores

    def counted(*arguments):
        with told.open("a") as stream:
            stream.write("x")
        return compared(*arguments)

    monkeypatch.setattr(Method, "validation_scores", counted)
    tuned = {**COSTS, "tune_threshold": True}
    alone = [job(name, 1, {name: own}) for name, own in (("costs", COSTS), ("tuned", tuned))]
    each = len(told.read_text()) // 2
    told.unlink()
    shared = {**tuned, "random_state_of": "costs"}
    both = job("both", 1, {"costs": COSTS, "tuned": shared})
    assert len(told.read_text()) == each
    apart = pd.read_parquet(alone[0].fits)
    fits = pd.read_parquet(both.fits)
    pd.testing.assert_frame_equal(fits.query("method == 'costs'").reset_index(drop=True), apart)
