"""The convergence study: recorded values, and the line search against brute force."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_classification

from beyond_accuracy.solvers.hinge import BundleMethod, HingePath, HingeProblem
from beyond_accuracy_pipeline.datasets.prepared import PreparedDataSet
from beyond_accuracy_pipeline.experiments.studies.convergence import convergence, line_search
from beyond_accuracy_pipeline.papers.cheng2016.figures import subdifferential_zero

SETTINGS = {
    "t": 0.4,
    "C": [0.1, 1.0],
    "mu": 0.1,
    "tol": 1e-3,
    "max_iter": 1000,
    "liblinear_rounds": [1, 3, 1000],
}


@pytest.fixture(scope="module")
def data():
    X, y = make_classification(300, 5, weights=[0.8], class_sep=0.7, random_state=2)
    y = np.where(y, 1, -1).astype(np.int8)
    return PreparedDataSet("d", "binary", X, y, X, y, ("no", "yes"))


def bundle_method(data, **parameters):
    """Return BM-ls-CS for the costs of `SETTINGS`."""
    cost = np.where(data.y_train > 0, 1.6, 0.4)
    problem = HingeProblem(data.X_train, data.y_train > 0, cost, intercept="regularized")
    return BundleMethod(problem, **parameters)


def test_curves_are_of_one_objective(data):
    X, positive = data.X_train, data.y_train > 0
    curves, seconds = map(pd.DataFrame, convergence(data, SETTINGS, ()))
    for C, rows in curves.groupby("C"):
        exact = HingePath(X, positive, algorithm="interior_point")
        optimum = exact.solve(C * 1.6, C * 0.4, tol=1e-8).objective
        bundle = rows[rows["method"] != "svm_cs"]
        assert (bundle["dual"] <= optimum * (1 + 1e-7)).all()
        assert (rows["primal"] >= optimum * (1 - 1e-7)).all()
        assert (rows["visited"] >= rows["primal"] * (1 - 1e-12)).all()
        for _, curve in bundle.groupby("method"):
            assert (curve["primal"].diff().dropna() <= 0).all()
            assert curve["primal"].iloc[0] == pytest.approx(
                C * (1.6 * positive + 0.4 * ~positive).sum()
            )
            assert curve["primal"].iloc[-1] <= optimum * (1 + 1.1e-3)
        liblinear = rows[rows["method"] == "svm_cs"]
        assert liblinear["primal"].iloc[-1] == pytest.approx(optimum, rel=1e-3)
    visited = curves[curves["method"] == "bm_nls_cs"]
    assert (visited["visited"] > visited["primal"]).any()
    keys = ["C", "method", "iteration"]
    assert seconds[keys].equals(curves[keys])
    bundle = seconds[seconds["method"] != "svm_cs"]
    assert (bundle.groupby(["C", "method"])["cpu_seconds"].diff().dropna() >= 0).all()


def test_the_zero_of_the_subdifferential_is_the_minimum_of_the_line(data):
    method = bundle_method(data)
    method.solve(1.0, max_iter=3)
    before, scores = method.best
    k, left, right = method.derivative_along_line(1.0)
    assert (np.diff(k) >= 0).all()
    assert (right >= left).all()
    zero = subdifferential_zero(k, left, right)
    target, _ = method._minimize_model(1.0)
    signs, cost = data.y_train, np.where(data.y_train > 0, 1.6, 0.4)

    def objective(step):
        w = before + step * (target[0] - before)
        f = scores + step * (target[1] - scores)
        return 0.5 * w @ w + cost @ np.maximum(0.0, 1.0 - signs * f)

    steps = zero + np.concatenate([np.linspace(-1, 1, 2001), np.linspace(-1e-3, 1e-3, 2001)])
    assert objective(zero) <= min(map(objective, steps)) + 1e-9
    middle = (k[:-1] + k[1:])[20:40] / 2
    for place, step in enumerate(middle, start=20):
        slope = (objective(step + 1e-7) - objective(step - 1e-7)) / 2e-7
        assert right[place] - 1e-4 <= slope <= left[place + 1] + 1e-4


def test_the_line_search_kept_is_that_of_the_iteration(data):
    rows, _ = line_search(data, {**SETTINGS, "C": 1.0, "iteration": 3}, ())
    method = bundle_method(data, mu=0.1)
    method.solve(1.0, max_iter=2)
    assert [(row["k"], row["before"], row["after"]) for row in rows] == list(
        zip(*method.derivative_along_line(1.0), strict=True)
    )
    assert {(row["C"], row["iteration"]) for row in rows} == {(1.0, 3)}


@pytest.mark.parametrize(
    ("k", "before", "after", "zero"),
    [
        ([0.0, 1.0], [-2.0, 1.0], [-1.0, 3.0], 0.5),
        ([0.0, 1.0], [-2.0, 1.0], [0.5, 3.0], 0.0),
        ([0.0, 1.0], [-2.0, -1.0], [-1.5, 0.0], 1.0),
        ([0.0, 1.0], [1.0, 2.0], [1.5, 3.0], 0.0),
    ],
)
def test_zero_between_and_at_breakpoints(k, before, after, zero):
    assert subdifferential_zero(*map(np.array, (k, before, after))) == pytest.approx(zero)
