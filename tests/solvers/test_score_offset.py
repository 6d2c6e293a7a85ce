"""Multivariate SVMs with offset scores against the enumeration of all labellings."""

import itertools

import numpy as np
import pytest
import scipy.sparse

from beyond_accuracy.solvers import make_solver
from beyond_accuracy.solvers.quadratic_program import QuadraticProgram


def _planes(positive, measure):
    """Yield Δ in percent and the weights over examples, for every labelling."""
    n, n_positives = len(positive), positive.sum()
    for labelling in itertools.product([False, True], repeat=n):
        predicted = np.array(labelling)
        tp = (predicted & positive).sum()
        if measure == "accuracy":
            loss = 100 * (predicted != positive).mean()
        elif measure == "prbep":
            if predicted.sum() != n_positives:
                continue
            loss = 100 * (1 - tp / n_positives)
        else:
            loss = 100 * (1 - 2 * tp / (n_positives + predicted.sum()))
        yield loss, 100 / n * (predicted.astype(float) - positive)


def exact_optimum(X, positive, measure, offset, C):
    """Return the minimum of ½‖w‖² + C·ξ over scores offset + X·w, and w; check the dual."""
    losses, weights = map(np.array, zip(*_planes(positive, measure), strict=True))
    constants, slopes = losses + weights @ offset, weights @ X
    program = QuadraticProgram(len(slopes) + 1)
    for n, (slope, constant) in enumerate(zip(slopes, constants, strict=True)):
        program.add(np.append(0.0, slopes[:n] @ slope), slope @ slope, constant)
    program.solve(C)
    alpha = program.alpha[1 : len(slopes) + 1]
    w = -alpha @ slopes
    primal = 0.5 * w @ w + C * max((constants + slopes @ w).max(), 0.0)
    assert primal == pytest.approx(alpha @ constants - 0.5 * w @ w)
    return primal, w


@pytest.mark.parametrize("measure", ["f1", "accuracy", "prbep"])
@pytest.mark.parametrize("C", [0.02, 0.5])
@pytest.mark.parametrize("seed", [0, 1])
def test_optimum_is_that_over_all_labellings(measure, C, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(7, 2))
    positive = np.array([True, False, True, False, False, True, False])
    offset = np.where(rng.random(7) < 0.7, 1.0, -1.0) * np.where(positive, 1, -1)
    with_intercept = np.column_stack([X, np.ones(7)])
    expected, w = exact_optimum(with_intercept, positive, measure, offset, C)
    for line_search in (True, False):
        solver = make_solver(X, positive, measure, offset=offset, line_search=line_search)
        found = solver.solve(C, tol=1e-8)
        assert found.objective == pytest.approx(expected, rel=1e-5, abs=1e-6)
        assert found.w == pytest.approx(w, abs=2e-3)


@pytest.mark.parametrize("measure", ["f1", "prbep", "accuracy", "roc_area"])
@pytest.mark.parametrize("n_features", [5, 60, 1200])
def test_no_offset_is_the_usual_problem_and_a_constant_none_for_ranking(measure, n_features):
    """With 1200 features, the usual problem for accuracy has another solver."""
    rng = np.random.default_rng(4)
    density = 0.05 if n_features == 1200 else 1.0
    X = scipy.sparse.random(40, n_features, density, "csr", rng=rng, data_rvs=rng.standard_normal)
    positive = X[:, [0]].toarray()[:, 0] + rng.normal(size=40) > 0.4

    def objective(offset):
        solver = make_solver(X, positive, measure, offset=offset)
        return solver.solve(0.3, tol=1e-6).objective

    usual = objective(None)
    assert objective(np.zeros(40)) == pytest.approx(usual, rel=1e-5)
    if measure in ("prbep", "roc_area"):
        assert objective(np.full(40, 3.0)) == pytest.approx(usual, rel=1e-5)


def test_roc_area_is_the_mean_hinge_over_pairs():
    rng = np.random.default_rng(5)
    X, positive = rng.normal(size=(30, 2)), np.arange(30) % 3 == 0
    offset = np.sign(rng.normal(size=30))
    found = make_solver(X, positive, "roc_area", offset=offset).solve(0.1, tol=1e-7)
    scores = X @ found.w[:2] + offset
    differences = scores[positive][:, None] - scores[~positive][None, :]
    value = 0.5 * found.w @ found.w + 0.1 * 100 * np.maximum(0, 1 - differences).mean()
    assert found.objective == pytest.approx(value)
    assert found.dual_gap < 1e-6
