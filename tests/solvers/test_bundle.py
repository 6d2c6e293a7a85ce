"""The bundle method: its line search against brute force, its optimum against other solvers."""

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

from beyond_accuracy.solvers.hinge import HingeProblem, coordinate_descent, interior_point
from beyond_accuracy.solvers.hinge.bundle import BundleMethod
from beyond_accuracy.solvers.hinge.line_search import minimize_along_line

SOME = st.sampled_from([-3.0, -1.0, -0.5, 0.0, 0.25, 1.0, 2.0])


def brute_force(quadratic, linear, C, cost, a, b):
    """The least φ over all breakpoints and over the zeros of φ′ on all pieces."""

    def value(k):
        return 0.5 * quadratic * k * k + linear * k + C * cost @ np.maximum(0.0, a - k * b)

    breaks = np.unique(a[b != 0] / b[b != 0])
    ends = np.concatenate(([-1e3], breaks, [1e3]))
    middles = 0.5 * (ends[1:] + ends[:-1])
    slopes = [linear - C * cost @ (b * (a - k * b > 0)) for k in middles]
    stationary = [
        min(max(-s / quadratic, low), high)
        for s, low, high in zip(slopes, ends[:-1], ends[1:], strict=True)
    ]
    return min(value(k) for k in (*breaks, *stationary)), value


@given(
    st.lists(st.tuples(SOME, SOME, st.sampled_from([0.5, 1.0, 4.0])), min_size=1, max_size=12),
    st.sampled_from([0.1, 1.0, 5.0]),
    SOME,
    st.sampled_from([0.1, 1.0, 10.0]),
)
def test_line_search_equals_brute_force(examples, quadratic, linear, C):
    """Ties, zero slopes and minima at k < 0, at 0 and on breakpoints included."""
    a, b, cost = (np.array(column) for column in zip(*examples, strict=True))
    best, value = brute_force(quadratic, linear, C, cost, a, b)
    k = minimize_along_line(quadratic, linear, C, cost, a, b, *np.empty((2, len(a))))
    assert value(k) == pytest.approx(best, abs=1e-12)


def data(n=150, d=6, seed=0, sparse=False):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    positive = X[:, 0] + rng.standard_normal(n) > 0.7
    if sparse:
        X = scipy.sparse.csr_matrix(np.where(rng.random((n, d)) < 0.05, X, 0.0))
    return X, positive, rng.uniform(0.1, 2.0, n)


@pytest.mark.parametrize("line_search", [True, False])
@pytest.mark.parametrize("intercept", ["regularized", "none"])
@pytest.mark.parametrize("shape", [(150, 6, False), (60, 300, True)])
def test_equals_other_solvers_along_a_path(line_search, intercept, shape):
    n, d, sparse = shape
    X, positive, cost = data(n, d, sparse=sparse)
    problem = HingeProblem(X, positive, cost, intercept=intercept)
    method = BundleMethod(problem, line_search=line_search)
    for C in (2.0, 0.05, 0.5):
        solution = method.solve(C, tol=1e-5)
        assert solution.converged
        other = HingeProblem(X, positive, C * cost, intercept=intercept)
        expected = interior_point(other, tol=1e-8, max_iter=200)
        assert solution.objective == pytest.approx(expected.objective, rel=1e-5)
        assert solution.dual_objective <= expected.objective * (1 + 1e-9)
        scores = X @ solution.w[:-1] + solution.w[-1]
        loss = C * cost @ np.maximum(0.0, 1.0 - problem.sign * scores)
        assert 0.5 * solution.w @ solution.w + loss == pytest.approx(solution.objective, rel=1e-9)


def test_line_search_descends_and_needs_fewer_iterations():
    X, positive, cost = data(1000, 10)
    problem = HingeProblem(X, positive, cost, intercept="regularized")
    with_search = BundleMethod(problem).solve(10.0, tol=1e-4)
    without = BundleMethod(problem, line_search=False).solve(10.0, tol=1e-4)
    assert 3 * with_search.n_iter < without.n_iter
    primal = [step.primal for step in with_search.history]
    assert primal == sorted(primal, reverse=True)


def test_few_planes_end_with_what_was_reached():
    X, positive, cost = data(400, 20)
    problem = HingeProblem(X, positive, cost, intercept="regularized")
    short = BundleMethod(problem, max_planes=5).solve(100.0, tol=1e-9)
    expected = coordinate_descent(
        HingeProblem(X, positive, 100 * cost, intercept="regularized"), tol=1e-3, max_iter=10**5
    )[0]
    assert not short.converged
    assert short.dual_objective <= expected.objective
    assert short.objective >= expected.dual_objective


def test_a_free_intercept_is_refused():
    X, positive, cost = data()
    with pytest.raises(ValueError, match="regularizes the intercept"):
        BundleMethod(HingeProblem(X, positive, cost))
