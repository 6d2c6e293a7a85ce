"""The cutting planes against HiGHS on the complete linear program."""

import numpy as np
import pytest
from scipy.optimize import linprog

from beyond_accuracy_pipeline.reproduction import LinearProgramReweighter
from beyond_accuracy_pipeline.reproduction.budget import BudgetExceededError


def written_out(scores, y, costs, normalization, eta):
    """Return the least value of (9)–(14) over w, γ, I and u, where u represents |w − 1|."""
    n, m = scores.shape
    objective = np.concatenate([np.zeros(m + n), costs[y].ravel() / n, np.full(m, eta)])
    # One row per example and class, with blocks for w_j·S_ij, γ_i, I_ij and u_j.
    product = np.vstack([np.diag(row) for row in scores])
    largest, share, none = np.repeat(np.eye(n), m, axis=0), np.eye(n * m), np.zeros((n * m, m))
    upper = np.block([[product, -largest, 0 * share, none], [-product, largest, share, none]])
    between = np.zeros((m, n + n * m))
    upper = np.vstack([upper, np.block([[np.eye(m), between, -np.eye(m)]])])
    upper = np.vstack([upper, np.block([[-np.eye(m), between, -np.eye(m)]])])
    limits = np.repeat([0.0, 1.0, 1.0, -1.0], [n * m, n * m, m, m])
    equal = np.hstack([np.zeros((n, m + n)), largest.T, np.zeros((n, m))])
    if normalization == "sum":
        equal = np.vstack([equal, np.repeat([1.0, 0.0], [m, n + n * m + m])])
    bounds = [(0, 1)] * m + [(0, None)] * (n + n * m + m)
    if normalization == "majority":
        bounds[np.bincount(y, minlength=m).argmax()] = (1, 1)
    return linprog(objective, upper, limits, equal, np.ones(len(equal)), bounds=bounds).fun


@pytest.mark.parametrize("normalization", ["none", "sum", "majority"])
@pytest.mark.parametrize(("n", "m", "seed"), [(1, 2, 0), (10, 3, 1), (30, 4, 2), (25, 6, 3)])
@pytest.mark.parametrize("eta", [1e-6, 0.3])
def test_equals_the_program_written_out(problem, normalization, n, m, seed, eta):
    scores, y, costs = problem(n, m, seed)
    # A class whose cheapest prediction has a cost adds a part without slope.
    for matrix in (1.0 - np.eye(m), costs, costs + np.arange(m)[::-1, None]):
        model = LinearProgramReweighter(normalization, eta=eta).fit(scores, y, matrix)
        expected = written_out(scores, y, matrix, normalization, eta)
        assert model.program_value_ == pytest.approx(expected, rel=2e-6, abs=2e-6 / n)
        assert model.program_bound_ <= expected + 1e-6 / n


def test_as_printed_the_optimum_is_zero_and_predicts_the_first_class(problem):
    scores, y, costs = problem(100, 3)
    model = LinearProgramReweighter().fit(scores, y, costs)
    assert model.program_value_ == pytest.approx(3e-6, rel=1e-9)
    assert (model.weights_ == 0).all()
    assert (model.predict(scores) == 0).all()
    assert model.objective_ == pytest.approx(costs[y, 0].mean())
    # w = 0 loses if its regularization exceeds the relaxed cost of equal weights.
    assert (LinearProgramReweighter(eta=10.0).fit(scores, y, costs).weights_ == 1).all()


@pytest.mark.parametrize("tol", [1e-3, 1e-6])
@pytest.mark.parametrize(("n", "m", "eta"), [(1, 2, 0.3), (10, 3, 1e-6), (25, 6, 0.3), (30, 4, 1)])
def test_interior_points_reach_the_value_to_the_gap(problem, n, m, eta, tol):
    scores, y, costs = problem(n, m, 1)
    model = LinearProgramReweighter(solver="interior_point", eta=eta, tol=tol)
    model.fit(scores, y, costs)
    gap = tol * max(eta * m, 1 / n)
    expected = written_out(scores, y, costs, "none", eta)
    # Products of slacks and multipliers agree to one percent.
    assert 0 < model.program_value_ - expected < 1.01 * gap
    assert model.program_bound_ == pytest.approx(model.program_value_ - gap)


def test_the_interior_point_minimizes_the_logarithmic_barrier(problem):
    """Newton's method on the barrier problem, with all variables and constraints explicit."""
    n, m, eta, tol = 8, 3, 1e-3, 0.01
    scores, y, costs = problem(n, m, 4)
    product = np.vstack([np.diag(row) for row in scores])
    largest, share = np.repeat(np.eye(n), m, axis=0), np.eye(n * m)
    rows = [[product, -largest, 0 * share], [-product, largest, share], [0 * product, 0 * largest]]
    rows[2].append(-share)
    matrix = np.vstack([np.hstack(row) for row in rows])
    of_weights = np.eye(m, m + n + n * m)
    matrix = np.vstack([matrix, -of_weights, of_weights])
    limits = np.repeat([0.0, 1.0, 0.0, 0.0, 1.0], [n * m, n * m, n * m, m, m])
    sums = np.hstack([np.zeros((n, m + n)), largest.T])
    linear = np.concatenate([np.full(m, -eta), np.zeros(n), costs[y].ravel() / n])
    strength = tol * max(eta * m, 1 / n) / len(limits)
    x = np.concatenate([np.full(m, 0.25), np.full(n, 0.4), np.full(n * m, 1 / m)])
    for barrier in np.geomspace(1.0, strength, 60):
        for _ in range(5):
            slacks = limits - matrix @ x
            gradient = linear + barrier * matrix.T @ (1 / slacks)
            hessian = barrier * matrix.T @ (matrix / slacks[:, None] ** 2)
            system = np.block([[hessian, sums.T], [sums, np.zeros((n, n))]])
            step = np.linalg.solve(system, np.append(-gradient, np.zeros(n)))[: len(x)]
            rising = matrix @ step / slacks
            x += min(1.0, 0.9 / max(rising.max(), 1e-9)) * step
    model = LinearProgramReweighter(solver="interior_point", eta=eta, tol=tol)
    weights = model.fit(scores, y, costs).weights_
    np.testing.assert_allclose(weights, x[:m] / x[:m].max(), rtol=0.02)


def test_interior_points_near_zero_have_ratios_that_the_gap_does_not_change(problem):
    scores, y, costs = problem(100, 3)
    fits = [
        LinearProgramReweighter(solver="interior_point", tol=tol).fit(scores, y, costs)
        for tol in (1e-4, 1e-6)
    ]
    assert all((model.weights_ > 0).all() for model in fits)
    np.testing.assert_allclose(fits[0].weights_, fits[1].weights_, rtol=0.03)


def test_interior_points_go_without_a_normalization_and_within_a_budget(problem):
    scores, y, costs = problem(100, 4)
    with pytest.raises(ValueError, match="needs normalization='none'; found 'sum'"):
        LinearProgramReweighter("sum", solver="interior_point").fit(scores, y, costs)
    model = LinearProgramReweighter(solver="interior_point", max_operations=5_000_000)
    with pytest.raises(BudgetExceededError, match="100 examples and 4 classes .* 4 steps"):
        model.fit(scores, y, costs)


@pytest.mark.parametrize(("eta", "expected"), [(0.049, [0.0, 0.0]), (0.051, [2 / 3, 1.0])])
def test_zero_is_left_where_the_shortfall_is_below_eta(eta, expected):
    """By hand: weights (t, 1) fall short of the true class by 0.05·(1 + t) for 3/7 ≤ t ≤ 2/3."""
    scores, y = np.array([[0.6, 0.4], [0.7, 0.3]]), np.array([0, 1])
    weights = LinearProgramReweighter(eta=eta).fit(scores, y).weights_
    assert weights.tolist() == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(
    ("budget", "message"),
    [
        (2000, "100 examples and 4 classes .* the bound"),
        # Enough for the first cuts and two simplex iterations.
        (100 * 16 + 100 * 4 * (4 + 2) + 1_000_000, "after 1 iterations"),
    ],
)
def test_budget_ends_a_master_problem_and_names_the_gap(problem, budget, message):
    scores, y, costs = problem(100, 4)
    with pytest.raises(BudgetExceededError, match=message):
        LinearProgramReweighter(normalization="sum", max_operations=budget).fit(scores, y, costs)


@pytest.mark.parametrize(("n", "m"), [(100, 3), (500, 60)])
def test_sum_to_one_excludes_zero_within_the_budget(problem, n, m):
    """Many classes give many cuts, for which the simplex method needs few iterations."""
    model = LinearProgramReweighter(normalization="sum").fit(*problem(n, m))
    assert model.weights_.max() == 1.0
    assert model.program_value_ - model.program_bound_ <= 1e-6 * max(model.program_value_, 1 / n)
