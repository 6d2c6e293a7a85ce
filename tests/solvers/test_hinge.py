"""The weighted hinge loss against LIBSVM, LIBLINEAR, cutting planes and optimality conditions."""

from typing import get_args

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.svm import SVC, LinearSVC

from beyond_accuracy.measures import get_measure
from beyond_accuracy.solvers import CuttingPlaneSolver, make_solver
from beyond_accuracy.solvers.data_matrix import DataMatrix
from beyond_accuracy.solvers.hinge import (
    BundleMethod,
    HingePath,
    HingeProblem,
    HingeSolver,
    coordinate_descent,
    interior_point,
)
from beyond_accuracy.solvers.hinge.interior_point import _gram
from beyond_accuracy.solvers.hinge.path import Algorithm
from beyond_accuracy.solvers.multivariate_svm import make_oracle


def data(seed=0, n=120, d=5, sparse=False):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    positive = X[:, 0] + 0.8 * rng.standard_normal(n) > 0.9
    if sparse:
        X = scipy.sparse.csr_matrix(np.where(rng.random((n, d)) < 0.3, X, 0.0))
    return X, positive, rng.uniform(0.1, 3.0, n)


def objective(X, positive, cost, w, regularized=False):
    """Compute ½‖w‖² + Σ cost·hinge directly."""
    sign = np.where(positive, 1.0, -1.0)
    loss = cost @ np.maximum(0.0, 1.0 - sign * (X @ w[:-1] + w[-1]))
    return 0.5 * (w[:-1] @ w[:-1] + regularized * w[-1] ** 2) + loss


def by_coordinates(problem, **stopping):
    return coordinate_descent(problem, **stopping)[0]


BOTH = pytest.mark.parametrize("minimize", [interior_point, by_coordinates])


@BOTH
@pytest.mark.parametrize(
    ("intercept", "sparse"),
    [("free", False), ("free", True), ("regularized", False), ("none", False)],
)
def test_equals_libsvm_or_liblinear(minimize, intercept, sparse):
    # With more sparse examples, LIBSVM takes minutes at this tolerance.
    X, positive, cost = data(n=70, sparse=sparse)
    problem = HingeProblem(X, positive, cost, intercept=intercept)
    solution = minimize(problem, tol=1e-7, max_iter=100_000)
    assert solution.converged
    rival = SVC(kernel="linear", C=1.0, tol=1e-9)
    if intercept != "free":
        fit_intercept = intercept == "regularized"
        rival = LinearSVC(loss="hinge", tol=1e-10, max_iter=10**6, fit_intercept=fit_intercept)
    rival.fit(X, positive, sample_weight=cost)
    coef = rival.coef_.toarray()[0] if sparse else rival.coef_[0]
    theirs, ours = (
        objective(X, positive, cost, w, intercept == "regularized")
        for w in (np.append(coef, rival.intercept_), solution.w)
    )
    assert solution.objective == pytest.approx(theirs, rel=2e-7)
    assert solution.objective == pytest.approx(ours, rel=1e-12)
    assert solution.w[:-1] == pytest.approx(coef, abs=2e-3)


@BOTH
@settings(max_examples=25)
@given(seed=st.integers(0, 10**6), scale=st.sampled_from([1e-3, 1.0, 30.0]))
def test_the_gap_is_a_certificate(minimize, seed, scale):
    """The claimed bound holds at other points, and both methods agree within their gaps."""
    X, positive, cost = data(seed, n=25, d=3)
    if positive.all() or not positive.any():
        positive[0] = not positive[0]
    solution = minimize(HingeProblem(X, positive, scale * cost), tol=1e-5, max_iter=100_000)
    assert solution.converged
    assert solution.objective - solution.dual_objective <= 1e-5 * solution.objective * (1 + 1e-12)
    other = SVC(kernel="linear", C=scale, tol=1e-6).fit(X, positive, sample_weight=cost)
    w = np.append(other.coef_[0], other.intercept_)
    assert objective(X, positive, scale * cost, w) >= solution.dual_objective * (1 - 1e-9)


@given(
    arrays(float, 8, elements=st.sampled_from([-2.0, -0.5, 0.0, 0.5, 1.0, 3.0])),
    st.lists(st.booleans(), min_size=8, max_size=8),
    arrays(float, 8, elements=st.sampled_from([0.25, 1.0, 5.0])),
    arrays(float, 8, elements=st.sampled_from([0.5, 1.0, 2.0])),
    st.sampled_from(["free", "regularized"]),
)
def test_no_intercept_is_better_than_the_best(scores, positive, cost, margin, intercept):
    positive = np.array(positive)
    if positive.all() or not positive.any():
        positive[0] = not positive[0]
    problem = HingeProblem(scores[:, None], positive, cost, margin, intercept)
    sign = np.where(positive, 1.0, -1.0)

    def value(b):
        loss = cost @ np.maximum(0.0, margin - sign * (scores + b))
        return loss + 0.5 * b * b * (intercept == "regularized")

    # The function is convex, and its breaks are at least 0.5 apart.
    best = problem.best_intercept(scores)
    for other in (*(sign * margin - scores), best - 1e-6, best + 1e-6):
        assert value(best) <= value(other) + 1e-12


@given(
    arrays(float, 12, elements=st.floats(0, 1)), st.sampled_from(["free", "regularized", "none"])
)
def test_every_alpha_gives_a_lower_bound(shares, intercept):
    X, positive, cost = data(3, n=12, d=2)
    positive[:2] = True, False
    problem = HingeProblem(X, positive, cost, intercept=intercept)
    optimum = interior_point(problem, tol=1e-9, max_iter=100).objective
    assert problem.dual(shares * cost) <= optimum * (1 + 1e-9)


@pytest.mark.parametrize("measure", ["accuracy", "balanced_accuracy"])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_documents_equal_cutting_planes(measure, fit_intercept):
    rng = np.random.default_rng(5)
    X = scipy.sparse.random(80, 1500, density=0.01, random_state=5, format="csr")
    positive = rng.random(80) < 0.3
    solver = make_solver(X, positive, measure, fit_intercept=fit_intercept)
    assert isinstance(solver, HingeSolver)
    matrix = DataMatrix(X, positive, fit_intercept)
    oracle = make_oracle(get_measure(measure).loss, matrix.n_positives, 80 - matrix.n_positives)
    planes = CuttingPlaneSolver(matrix, oracle)
    # C rises and falls, and each fit starts at the solution before.
    for C in (0.5, 20.0, 0.1):
        ours, theirs = solver.solve(C, tol=1e-6), planes.solve(C, tol=1e-6)
        assert ours.converged
        assert ours.objective == pytest.approx(theirs.objective, rel=2e-6)


def test_hard_costs_and_duplicate_features_converge():
    """Coordinate descent would need 100,000s of rounds; LIBSVM stops far from the optimum."""
    X, positive, _ = data(7, n=300, d=4)
    X = np.hstack([X, X + 1e-6, 1e3 * X[:, :1]])
    solution = HingePath(X, positive, intercept="free").solve(1e4, 1e4, tol=1e-6)
    assert solution.converged
    assert solution.n_iter < 100


def test_same_seed_same_bytes_and_a_callback():
    X, positive, cost = data(2, n=60, d=600)
    problem, seen = HingeProblem(X, positive, cost), []
    first = coordinate_descent(problem, tol=1e-4, max_iter=1000, seed=4, callback=seen.append)[0]
    again = coordinate_descent(problem, tol=1e-4, max_iter=1000, seed=4)[0]
    assert first.w.tobytes() == again.w.tobytes()
    assert seen == first.history
    assert [step.primal for step in seen] == sorted((step.primal for step in seen), reverse=True)
    assert not coordinate_descent(problem, tol=1e-12, max_iter=1)[0].converged


@pytest.mark.parametrize("algorithm", get_args(Algorithm))
@pytest.mark.parametrize("intercept", ["regularized", "none"])
@pytest.mark.parametrize("shape", [(120, 5, False), (60, 300, True)])
def test_a_path_equals_single_fits(algorithm, intercept, shape, monkeypatch):
    """Each fit starts at the solution before; with "auto", planes keep the costs of their fit."""
    # Treat the problem as large.
    monkeypatch.setattr("beyond_accuracy.solvers.hinge.path._SMALL_PROBLEM", 0)
    X, positive, weight = data(4, *shape)
    path = HingePath(X, positive, weight, algorithm=algorithm, intercept=intercept)
    costs = [(1.0, 1.0), (10.0, 10.0), (5.0, 1.0), (0.1, 0.1)]
    if algorithm == "auto":
        costs = [(3 * scale, scale) for scale in (1e-3, 1.0, 2e-3, 10.0, 1.0)]
    used = []
    for pair in costs:
        solution = path.solve(*pair, tol=1e-4)
        used.append(path.algorithm)
        cost = weight * np.where(positive, *pair)
        problem = HingeProblem(X, positive, cost, intercept=intercept)
        expected = interior_point(problem, tol=1e-8, max_iter=200)
        assert solution.converged
        assert solution.objective == pytest.approx(expected.objective, rel=1.1e-4)
        assert solution.dual_objective <= expected.objective * (1 + 1e-9)
        primal = objective(X, positive, cost, solution.w, intercept == "regularized")
        assert solution.objective == pytest.approx(primal, rel=1e-9)
    if algorithm == "auto" and shape == (120, 5, False):
        assert used == ["coordinate_descent", "bundle", "coordinate_descent", "bundle", "bundle"]


@pytest.mark.parametrize("intercept", ["free", "regularized", "none"])
def test_a_small_problem_is_solved_to_rounding(intercept):
    """Therefore the order of examples, and weights instead of repetitions, change nothing."""
    X, positive, weight = data(4, 120, 5, False)
    weight = np.ceil(3 * weight)
    solution = HingePath(X, positive, weight, intercept=intercept).solve(1.0, 1.0)
    order = np.random.default_rng(0).permutation(np.repeat(np.arange(120), weight.astype(int)))
    repeated = HingePath(X[order], positive[order], intercept=intercept).solve(1.0, 1.0)
    assert solution.dual_gap < 1e-10
    assert repeated.w == pytest.approx(solution.w, abs=1e-7)
    few = HingePath(X, positive, weight, intercept=intercept).solve(1.0, 1.0, max_iter=2)
    assert few.n_iter == 2
    assert not few.converged


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_gram_of_sparse_rows_equals_the_dense_product(monkeypatch, fit_intercept):
    X, positive, weights = data(7, sparse=True)
    # A row may store its columns in any order, and more than once.
    starts, columns, values = X.indptr * 2, np.repeat(X.indices, 2), np.repeat(X.data / 2, 2)
    for array in (columns, values):
        for start, stop in zip(starts[:-1], starts[1:], strict=True):
            array[start:stop] = array[start:stop][::-1]
    stored = scipy.sparse.csr_matrix((values, columns, starts), shape=X.shape)
    Z = np.hstack([X.toarray(), np.full((X.shape[0], 1), float(fit_intercept))])
    monkeypatch.setitem(_gram.__globals__, "_MOST_DENSITY_OF_PAIRS", 1.0)
    # Dense blocks would be taken from this matrix.
    monkeypatch.setattr(DataMatrix, "matrix", None)
    gram = _gram(DataMatrix(stored, positive, fit_intercept), weights)
    assert gram == pytest.approx((Z.T * weights) @ Z, rel=1e-12, abs=1e-12)


def test_bundles_line_search_descends_and_needs_fewer_iterations():
    X, positive, cost = data(n=1000, d=10)
    problem = HingeProblem(X, positive, cost, intercept="regularized")
    with_search = BundleMethod(problem).solve(10.0, tol=1e-4)
    without = BundleMethod(problem, line_search=False).solve(10.0, tol=1e-4)
    assert 3 * with_search.n_iter < without.n_iter
    primal = [step.primal for step in with_search.history]
    assert primal == sorted(primal, reverse=True)


def test_a_bundle_of_few_planes_ends_with_what_was_reached():
    X, positive, cost = data(n=400, d=20)
    problem = HingeProblem(X, positive, cost, intercept="regularized")
    short = BundleMethod(problem, max_planes=5).solve(100.0, tol=1e-9)
    other = HingeProblem(X, positive, 100 * cost, intercept="regularized")
    expected = by_coordinates(other, tol=1e-3, max_iter=10**5)
    assert not short.converged
    assert short.dual_objective <= expected.objective
    assert short.objective >= expected.dual_objective


def test_the_bundle_method_refuses_a_free_intercept():
    X, positive, cost = data()
    with pytest.raises(ValueError, match="regularizes the intercept"):
        BundleMethod(HingeProblem(X, positive, cost))


@pytest.mark.parametrize(
    ("n_features", "intercept", "sparse", "scale", "tol", "expected"),
    [
        (501, "free", True, 1.0, 1e-3, "coordinate_descent"),
        (500, "free", False, 1.0, 1e-3, "interior_point"),
        (500, "regularized", False, 1.0, 1e-6, "interior_point"),
        (500, "regularized", True, 100.0, 1e-3, "interior_point"),
        (500, "regularized", False, 100.0, 1e-3, "bundle"),
        (500, "regularized", True, 15.0, 1e-3, "coordinate_descent"),
        (500, "none", False, 0.1, 1e-3, "coordinate_descent"),
    ],
)
def test_auto_decides_by_features_intercept_and_scale(
    n_features, intercept, sparse, scale, tol, expected
):
    X = np.full((4, n_features), np.sqrt(scale / n_features))
    X = scipy.sparse.csr_matrix(X) if sparse else X
    path = HingePath(X, np.arange(4) < 2, intercept=intercept)
    path.solve(1.0, 1.0, tol=tol, max_iter=1)
    assert path.algorithm == expected
