"""The bundle method: the minimum of its line search, and what the line search is good for."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beyond_accuracy.solvers.hinge import BundleMethod, HingeProblem, coordinate_descent
from beyond_accuracy.solvers.hinge.line_search import minimize_along_line

SOME = st.sampled_from([-3.0, -1.0, -0.5, 0.0, 0.25, 1.0, 2.0])


@given(
    st.lists(st.tuples(SOME, SOME, st.sampled_from([0.5, 1.0, 4.0])), min_size=1, max_size=12),
    st.sampled_from([0.1, 1.0, 5.0]),
    SOME,
    st.sampled_from([0.1, 1.0, 10.0]),
)
def test_zero_is_a_subgradient_where_the_line_search_ends(examples, quadratic, linear, C):
    """Ties, zero slopes and minima at k < 0, at 0 and on breakpoints included."""
    a, b, cost = (np.array(column) for column in zip(*examples, strict=True))
    k = minimize_along_line(quadratic, linear, C, cost, a, b, *np.empty((2, len(a))))
    slack = a - k * b
    slope = quadratic * k + linear - C * cost @ (b * (slack > 1e-9))
    jumps = C * cost * b * (abs(slack) <= 1e-9)
    assert slope - jumps[jumps > 0].sum() <= 1e-9
    assert slope - jumps[jumps < 0].sum() >= -1e-9


def data(n=150, d=6):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, d))
    return X, X[:, 0] + rng.standard_normal(n) > 0.7, rng.uniform(0.1, 2.0, n)


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
