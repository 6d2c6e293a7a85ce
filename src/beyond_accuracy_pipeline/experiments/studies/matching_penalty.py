"""Find the penalties B for which CAPO gives its auxiliary classifier the weight 1.

CAPO (classifier adaptation, Li et al. 2013) trains a linear SVM on the features and on the output
of an auxiliary classifier. In the paper's problem (9), the auxiliary's output is added with weight
1. In problem (14), the weight is learned and penalized by B.
"""

import functools
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from beyond_accuracy.estimators.auxiliaries import augment, fit_auxiliaries
from beyond_accuracy.estimators.validation import MatrixLike
from beyond_accuracy.measures import Measure
from beyond_accuracy.measures.contingency import TableFunction
from beyond_accuracy.solvers import make_solver
from beyond_accuracy_pipeline.datasets.prepared import PreparedDataSet
from beyond_accuracy_pipeline.experiments.dotted_paths import load_estimator
from beyond_accuracy_pipeline.experiments.experiment import CannotRun
from beyond_accuracy_pipeline.experiments.memory import ResultMemory
from beyond_accuracy_pipeline.experiments.studies.cells import evaluate_cells
from beyond_accuracy_pipeline.results.columns import Rows


def matching_penalty(
    data: PreparedDataSet, settings: Mapping[str, Any], seed_and_paper
) -> tuple[Rows, Rows]:
    """Search the largest matching B for each auxiliary and measure, on the first task.

    A B matches if problem (14) of Li et al. (2013) gives the auxiliary the weight 1. In a row,
    `matching_B` is the largest B that matches. `matches_below` says whether every smaller B of the
    range matches too. If no B matches, both are missing. If a problem could not be solved, the
    status is "failed". Return (rows, []).

    `settings` has `auxiliaries` (configurations by name), `measures`, and for each problem `C`
    (SVM-perf's convention) and `tol`.
    """
    cells = [
        {"auxiliary": auxiliary, "measure": measure, "C": settings["C"]}
        for auxiliary in settings["auxiliaries"]
        for measure in settings["measures"]
    ]

    def start(data, task):
        auxiliaries = {
            name: load_estimator(given["estimator"])(**(given.get("parameters") or {}))
            for name, given in settings["auxiliaries"].items()
        }
        train, classes = ResultMemory().cache(fit_auxiliaries), np.array([0, 1])

        def search(row):
            training = [auxiliaries[row["auxiliary"]]], data.X_train, task.train.astype(int)
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


def matching_B(
    X: MatrixLike,
    output: NDArray[np.float64],
    positive: NDArray[np.bool_],
    measure: str | Measure | TableFunction,
    C: float,
    *,
    tol: float = 1e-6,
    **options: Any,
) -> MatchingB | None:
    """Return the largest penalty B at which CAPO gives its auxiliary the weight 1, or None.

    CAPO and problems (9) and (14) are those of Li et al. (2013). In (9), the auxiliary's output has
    the weight 1. In (14), its weight is learned and penalized by B.

    Let g(a) be the optimum of problem (9) for the offset a·output. The weight a(B) of problem (14)
    minimizes B/2·a² + g(a). It is continuous in B, and a(B)² does not increase with B. The weight
    is 1 if −B is a subgradient of g at 1. If g is differentiable at 1, this holds for at most one
    B. If g has a kink at 1, which is common for losses like the hinge loss, it holds for an
    interval of B. This interval begins at 0 if g does not decrease beyond 1. If a(B) stays below 1
    for all B, no B reproduces problem (9).

    A weight counts as 1 if it differs from 1 by at most √(2·gap/B) and at most √tol. The first
    bound follows from the duality gap: the objective exceeds the optimum by at least B/2 times the
    squared distance of a from a(B). The second bound is needed for small B, where the first is
    large.

    Parameters
    ----------
    X, positive, measure, **options
        See `beyond_accuracy.solvers.make_solver`.
    output : ndarray, shape (n,)
        Output of the auxiliary.
    C : float
        Cost of the loss, in SVM-perf's convention.
    tol : float, default 1e-6
        Relative duality gap of each of the 10 to 40 problems. If the optimum is close to 0, an
        absolute gap of 100·C·tol² is enough, because rounding prevents a smaller one. (The optimum
        is at most 100·C.)

    Returns
    -------
    MatchingB or None
        `largest` is in [1e-6, 1e6], with a relative error of 1e-4 and the error that the tolerance
        of weights allows. `matches_below` says that all B from 1e-6 to `largest` match. Otherwise a
        single B matches, or an interval that begins above 1e-6. None if no B in the range matches.

    Raises
    ------
    RuntimeError
        If a problem could not be solved to this gap.
    """

    @functools.cache
    def excess(log_B):
        """Return (weight − 1, tolerance of the weight) at a logarithm of B."""
        B = float(np.exp(log_B))
        solver = make_solver(augment(X, output[:, None], B), positive, measure, **options)
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
