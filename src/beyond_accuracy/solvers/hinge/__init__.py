"""The weighted hinge loss with a certified duality gap: classification SVMs with costs."""

from beyond_accuracy.solvers.hinge.coordinate_descent import coordinate_descent
from beyond_accuracy.solvers.hinge.interior_point import interior_point
from beyond_accuracy.solvers.hinge.problem import HingeProblem, Intercept
from beyond_accuracy.solvers.hinge.solver import HingeSolver
from beyond_accuracy.solvers.solution import Solution

# An interior-point iteration takes n·d² operations, a round of coordinate descent n·d, but the
# number of rounds grows with the costs and without bound where features are alike.
_MOST_FEATURES_OF_INTERIOR_POINT = 500


def hinge_svm(
    X,
    positive,
    cost,
    *,
    margin=None,
    intercept: Intercept = "free",
    tol=1e-3,
    max_iter=10_000,
    seed=0,
    callback=None,
) -> Solution:
    """Minimize ½‖w‖² + Σ cost_i·max(0, margin_i − y_i·(w·x_i + b)).

    By an interior-point method up to 500 features, by dual coordinate descent beyond.

    Parameters
    ----------
    X : ndarray or CSR matrix, shape (n, d), float64 or float32
    positive : array of bool, shape (n,)
        At least one True and one False.
    cost : array of float, shape (n,)
        Each > 0.
    margin : array of float, shape (n,), optional
        Each > 0; 1 by default.
    intercept : {"free", "regularized", "none"}, default "free"
        SVM-light's, LIBLINEAR's (½b² joins the objective), or b = 0.
    tol : float, default 1e-3
        Relative duality gap, (primal − dual) / primal, at which to stop.
    max_iter : int, default 10000
        Iterations, or rounds, at most.
    seed : int, default 0
        Of the order of the examples in coordinate descent.
    callback : callable, optional
        Called with an `Iteration` at each check of the gap.
    """
    problem = HingeProblem(X, positive, cost, margin, intercept)
    stopping = {"tol": tol, "max_iter": max_iter, "callback": callback}
    if X.shape[1] <= _MOST_FEATURES_OF_INTERIOR_POINT:
        return interior_point(problem, **stopping)
    return coordinate_descent(problem, seed=seed, **stopping)[0]


__all__ = [
    "HingeProblem",
    "HingeSolver",
    "coordinate_descent",
    "hinge_svm",
    "interior_point",
]
