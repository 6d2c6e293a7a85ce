"""Multivariate SVM for losses that are sums over examples, on data with many features."""

import numpy as np

from beyond_accuracy.measures.losses import SeparableLoss
from beyond_accuracy.solvers.hinge.coordinate_descent import coordinate_descent
from beyond_accuracy.solvers.hinge.problem import HingeProblem
from beyond_accuracy.solvers.solution import Solution, check_regularization


class HingeSolver:
    """Solver of multivariate SVMs whose loss is a sum over examples, for one or several C.

    It minimizes ½‖w‖² + C·R(w) with R(w) = (100/n)·Σ max(0, margin_i − y_i·f(x_i)). The margins are
    1 for the error rate. Dual coordinate descent takes a tenth of the time of the cutting-plane
    method on text data.

    Parameters
    ----------
    X : CSR matrix, shape (n, d)
    positive : array of bool, shape (n,)
    loss : SeparableLoss
    fit_intercept : bool, default True
    """

    def __init__(self, X, positive, loss: SeparableLoss, fit_intercept=True):
        n = len(positive)
        n_positives = int(np.count_nonzero(positive))
        false_negative, false_positive = loss.costs(n_positives, n - n_positives)
        margin = n * np.where(positive, false_negative, false_positive)
        intercept = "regularized" if fit_intercept else "none"
        self._problem = HingeProblem(X, positive, np.ones(n), margin, intercept)
        self._shares = None

    # Overflow is an error, not a warning.
    @np.errstate(over="ignore", invalid="ignore")
    def solve(self, C, *, tol=1e-3, eps=0.0, max_iter=10_000, callback=None) -> Solution:
        """Minimize for one C, starting from the solution for the previous C.

        See `CuttingPlaneSolver.solve` for the parameters.
        """
        check_regularization(C)
        n = self._problem.data.n_samples
        self._problem.cost = np.full(n, C * 100 / n)
        stopping = {"tol": tol, "eps": C * eps, "max_iter": max_iter, "callback": callback}
        solution, self._shares = coordinate_descent(self._problem, shares=self._shares, **stopping)
        return self._problem.within_range(solution)
