"""The cutting planes against the linear program written out for HiGHS."""

import numpy as np
import pytest
from scipy.optimize import linprog

from beyond_accuracy.reweighting import BudgetExceededError, LinearProgramReweighter


def written_out(scores, y, costs, normalized, eta):
    """Least value of (9)–(14) over w, γ and I."""
    n, m = scores.shape
    objective = np.concatenate([np.zeros(m), np.full(n, eta / n), costs[y].ravel() / n])
    # Of each example and class: w_j·S_ij, γ_i and I_ij.
    product = np.vstack([np.diag(row) for row in scores])
    largest, share = np.repeat(np.eye(n), m, axis=0), np.eye(n * m)
    upper = np.block([[product, -largest, 0 * share], [-product, largest, share]])
    limits = np.repeat([0.0, 1.0], n * m)
    equal = np.hstack([np.zeros((n, m + n)), largest.T])
    if normalized:
        equal = np.vstack([equal, np.repeat([1.0, 0.0], [m, n + n * m])])
    bounds = [(0, 1)] * m + [(0, None)] * (n + n * m)
    return linprog(objective, upper, limits, equal, np.ones(len(equal)), bounds=bounds).fun


@pytest.mark.parametrize("normalized", [False, True])
@pytest.mark.parametrize(("n", "m", "seed"), [(1, 2, 0), (10, 3, 1), (30, 4, 2), (25, 6, 3)])
@pytest.mark.parametrize("eta", [1e-6, 0.3])
def test_equals_the_program_written_out(problem, normalized, n, m, seed, eta):
    scores, y, costs = problem(n, m, seed)
    # A class whose cheapest prediction costs something has a part without any slope.
    for matrix in (1.0 - np.eye(m), costs, costs + np.arange(m)[::-1, None]):
        model = LinearProgramReweighter(normalized, eta=eta).fit(scores, y, matrix)
        expected = written_out(scores, y, matrix, normalized, eta)
        assert model.program_value_ == pytest.approx(expected, rel=2e-6, abs=2e-6 / n)
        assert model.program_bound_ <= expected + 1e-6 / n


def test_as_printed_the_optimum_is_zero_and_predicts_the_first_class(problem):
    scores, y, costs = problem(100, 3)
    model = LinearProgramReweighter().fit(scores, y, costs)
    assert model.program_value_ == 0.0
    assert (model.weights_ == 0).all()
    assert (model.predict(scores) == 0).all()
    assert model.objective_ == pytest.approx(costs[y, 0].mean())


@pytest.mark.parametrize(
    ("budget", "message"),
    [
        (2000, "100 examples and 4 classes .* the bound"),
        # Allows for the first cuts and two of the simplex iterations.
        (100 * 16 + 100 * 4 * (4 + 2) + 1_000_000, "after 1 iterations"),
    ],
)
def test_budget_ends_a_master_problem_and_names_the_gap(problem, budget, message):
    scores, y, costs = problem(100, 4)
    with pytest.raises(BudgetExceededError, match=message):
        LinearProgramReweighter(normalized=True, max_operations=budget).fit(scores, y, costs)


@pytest.mark.parametrize(("n", "m"), [(100, 3), (500, 60)])
def test_normalized_excludes_zero_within_the_budget(problem, n, m):
    """Many classes make many cuts, of which the simplex method needs few iterations."""
    model = LinearProgramReweighter(normalized=True).fit(*problem(n, m))
    assert model.weights_.max() == 1.0
    assert model.program_value_ - model.program_bound_ <= 1e-6 * max(model.program_value_, 1 / n)
