"""Find the penalties B for which CAPO gives its auxiliary classifier the weight 1.

CAPO (classifier adaptation, Li et al. 2013) trains a linear SVM on the features and on the output
of an auxiliary classifier. In the paper's problem (9), the auxiliary's output is added with weight
1. In problem (14), the weight is learned and penalized by B.
"""

import functools
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

from beyond_accuracy.estimators.auxiliaries import augment, fit_auxiliaries
from beyond_accuracy.solvers import make_solver
from beyond_accuracy_pipeline.experiments.dotted_paths import make_estimator
from beyond_accuracy_pipeline.experiments.experiment import CannotRun
from beyond_accuracy_pipeline.experiments.memory import ResultMemory
from beyond_accuracy_pipeline.experiments.studies.cells import evaluate_cells
from beyond_accuracy_pipeline.results.columns import Rows


def matching_penalty(data, settings, seed_and_paper) -> tuple[Rows, Rows]:
    """Search the largest matching B for each auxiliary classifier and measure.

    In a row, `matching_B` is the largest B that gives the auxiliary the weight 1, and
    `matches_below` says whether every smaller B does so too. Without such a B, both are missing.
    The study uses the first task of the data set.
    """
    cells = [
        {"auxiliary": auxiliary, "measure": measure, "C": settings["C"]}
        for auxiliary in settings["auxiliaries"]
        for measure in settings["measures"]
    ]

    def start(data, task):
        train, classes = ResultMemory().cache(fit_auxiliaries), np.array([0, 1])

        def search(row):
            auxiliary = make_estimator(settings["auxiliaries"][row["auxiliary"]])
            training = [auxiliary], data.X_train, task.train.astype(int)
            _, outputs, left_out = train(*training, classes)
            if left_out:
                raise CannotRun("it predicts one class only on the training data")
            X, positive, tol = data.X_train, task.train, settings["tol"]
            match = matching_B(X, outputs[:, 0], positive, row["measure"], row["C"], tol=tol)
            if match is not None:
                row |= {"matching_B": match.largest, "matches_below": match.matches_below}

        return search

    return evaluate_cells(data, cells, start)


_B_RANGE = (1e-6, 1e6)


class MatchingB(NamedTuple):
    """Largest B that gives the auxiliary the weight 1, and whether all smaller B do so too."""

    largest: float
    matches_below: bool


def matching_B(X, output, positive, measure, C, *, tol=1e-6) -> MatchingB | None:
    """Return the largest penalty B in [1e-6, 1e6] at which CAPO's auxiliary has the weight 1.

    Let g(a) be the optimum of problem (9) for the offset a·output. The weight a(B) of problem (14)
    minimizes B/2·a² + g(a). It is continuous in B, and a(B)² does not increase with B. The weight
    is 1 if −B is a subgradient of g at 1. If g is differentiable at 1, this holds for at most one
    B. If g has a kink at 1, which is common for losses like the hinge loss, it holds for an
    interval of B. This interval begins at 0 if g does not decrease beyond 1. If a(B) stays below 1
    for all B, no B reproduces problem (9), and the result is None.

    A weight counts as 1 if it differs from 1 by at most √(2·gap/B) and at most √tol. The first
    bound follows from the duality gap: the objective exceeds the optimum by at least B/2 times the
    squared distance of a from a(B). The second bound is needed for small B, where the first is
    large.

    `tol` is the relative duality gap of each of the 10 to 40 problems. If the optimum is close to
    0, an absolute gap of 100·C·tol² is enough, because rounding prevents a smaller one.
    """

    @functools.cache
    def excess(log_B):
        """Return (weight − 1, tolerance of the weight) at a logarithm of B."""
        B = float(np.exp(log_B))
        solver = make_solver(augment(X, output[:, None], B), positive, measure)
        solution = solver.solve(C, tol=tol, eps=100.0 * tol**2)
        if not solution.converged:
            raise RuntimeError(
                f"at B={B:g} the relative duality gap is {solution.dual_gap:.3g}, above "
                f"tol={tol:g}, so that the weight is not known: allow a larger tol or scale the "
                "features"
            )
        gap = solution.objective - solution.dual_objective
        return solution.w[0] * np.sqrt(1.0 / B) - 1.0, min(np.sqrt(2.0 * gap / B), np.sqrt(tol))

    def upper(log_B):
        return sum(excess(log_B))

    low, high = np.log(_B_RANGE)
    if upper(low) < 0.0 or upper(high) >= 0.0:
        return None
    end = brentq(upper, low, high, xtol=1e-4)
    above, tolerance = excess(low)
    if above <= tolerance:
        return MatchingB(float(np.exp(end)), True)
    crossing = brentq(lambda log_B: excess(log_B)[0], low, high, xtol=1e-4)
    # Weights that decrease slowly with B can all be within the tolerance. Only in a true interval
    # the weight does not decrease.
    above, tolerance = excess((crossing + end) / 2.0)
    is_interval = above >= -min(tolerance, 0.1 * np.sqrt(tol))
    return MatchingB(float(np.exp(end if is_interval else crossing)), False)
