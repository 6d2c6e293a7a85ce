"""Training of SVMs: checks of the data, the fit, and the fitted attributes."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from beyond_accuracy.estimators.binary_classifier import BinaryClassifier, binary_examples
from beyond_accuracy.measures import Measure
from beyond_accuracy.measures.losses import TopLoss
from beyond_accuracy.scikit_learn import check_sample_weight
from beyond_accuracy.solvers.data_matrix import column_variances
from beyond_accuracy.solvers.hinge import HingePath
from beyond_accuracy.solvers.multivariate_svm import advice_at_zero
from beyond_accuracy.solvers.solution import Iteration, Solution

# In LIBLINEAR's convention. If the means of the classes hardly differ, their unit has no bound.
_LARGEST_DEFAULT = 1e4
_ROWS_FOR_SCALES, _LARGEST_RATIO, _LEAST_DEVIATION = 10_000, 100.0, 1e-7


class SolvedClassifier(BinaryClassifier):
    """Base class of SVMs that are fitted by the solvers of this package; declares attributes."""

    _warns_of_data = True
    objective_: float
    dual_gap_: float
    n_iter_: int
    history_: list[Iteration]


def weight_of_loss(estimator: Any, n_samples: int, scaled: Callable[[], float]) -> float:
    """Return the weight of the loss in SVM-perf's unit, from the estimator's `C` and its unit.

    Parameters
    ----------
    estimator : classifier with `C` and `C_convention`
    n_samples : int
    scaled : callable
        Function that returns `scaled_unit` of the data. It is called only if the unit is needed.
    """
    C, convention = estimator.C, estimator.C_convention
    if C is not None and convention == "svm_perf":
        return float(C)
    if convention == "scaled":
        unit = 100 * scaled() or n_samples
    elif C is None:
        unit = n_samples * min(max(100 * scaled() / n_samples, 1.0), _LARGEST_DEFAULT)
    else:
        unit = n_samples
    return float(1.0 if C is None else C) * unit / 100


def solve_for_weight(
    estimator: Any, solver: Any, C: float, *, warn: bool = True
) -> NDArray[np.float64]:
    """Fit with the weight C of the loss in SVM-perf's unit, and set the attributes of the fit.

    Return the weights of the features followed by the intercept, shape (d + 1,). Warns if w = 0 is
    optimal, unless `warn` is False. `solver` has a method `solve`, as `CuttingPlaneSolver`.
    """
    solution = solver.solve(C, tol=estimator.tol, eps=estimator.eps, max_iter=estimator.max_iter)
    store_solution(estimator, solution)
    estimator.degenerate_ = solution.zero_is_optimal
    if estimator.degenerate_ and warn:
        warn_of_zero(estimator.measure)
    return solution.w


def warn_of_zero(measure: Any) -> None:
    """Warn that w = 0 is optimal for the measure."""
    warnings.warn(
        f"w = 0 is optimal for every C: the predictions are arbitrary; {advice_at_zero(measure)}",
        UserWarning,
        stacklevel=3,
    )


def best_threshold(
    measure: Measure, positive: NDArray[np.bool_], scores: NDArray[np.float64]
) -> float:
    """Return the threshold on the scores, shape (n,), that is best for the measure.

    For measures of the top k of the ranking, k scores exceed it. For other rankings it is 0.
    """
    if not isinstance(measure.loss, TopLoss):
        return measure.best_threshold(positive, scores)
    k = measure.loss.size.count(np.count_nonzero(positive), len(positive))
    ordered = np.append(np.sort(scores)[::-1], scores.min() - 1.0)
    return float((ordered[k - 1] + ordered[k]) / 2)


def warn_of_scales(X: Any) -> None:
    """Warn if the scales of the columns of X differ by orders of magnitude.

    X is an array or CSR matrix. Both standard deviations and largest absolute values must differ,
    in up to 10,000 of the rows. So neither standardized features nor features divided by their
    largest values give a warning.
    """
    X = X[:: -(-X.shape[0] // _ROWS_FOR_SCALES)]
    deviations = np.sqrt(column_variances(X))
    largest = abs(X).max(axis=0)
    largest = largest.toarray().ravel() if scipy.sparse.issparse(X) else largest
    if not np.isfinite(deviations).all():
        return
    # Smaller deviations may be rounding of a constant column.
    varies = deviations > _LEAST_DEVIATION * largest
    if not varies.any():
        return
    deviations, largest = deviations[varies], largest[varies]
    ratio = min(deviations.max() / deviations.min(), largest.max() / largest.min())
    if ratio < _LARGEST_RATIO:
        return
    scaler = "MaxAbsScaler" if scipy.sparse.issparse(X) else "StandardScaler"
    warnings.warn(
        f"the scales of the features differ by a factor of about 10^{np.log10(ratio):.0f}, and the "
        "features of small scale hardly count; scale them, as in "
        f"make_pipeline(sklearn.preprocessing.{scaler}(), classifier)",
        UserWarning,
        stacklevel=5,
    )


def weighted_examples(estimator: Any, X: Any, y: Any, sample_weight: Any) -> tuple[Any, Any, Any]:
    """Validate the data and set `classes_`; return (X, positive, weights).

    `positive` is a boolean array, shape (n,), and the weights are None if none are given. Raises
    ValueError if the data is invalid, or if the weights leave no example of a class.
    """
    X, positive, estimator.classes_ = binary_examples(estimator, X, y)
    if estimator._warns_of_data:
        warn_of_scales(X)
    if sample_weight is None:
        return X, positive, None
    weight = check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
    used = positive[weight > 0]
    if used.all() or not used.any():
        raise ValueError(
            "the examples of weight above 0 are of one class only; both classes are needed"
        )
    return X, positive, weight


def hinge_path(estimator: Any, X: Any, positive: Any, weight: Any, **options: Any) -> HingePath:
    """Return the solver for the examples with weight above 0.

    `options` are keywords of `HingePath`.
    """
    if weight is not None and not (weight > 0).all():
        used = weight > 0
        X, positive, weight = X[used], positive[used], weight[used]
    seed = check_random_state(estimator.random_state).randint(2**31)
    return HingePath(X, positive, weight, seed=seed, **options)


def solve_for_costs(estimator: Any, path: HingePath, missed: float, false_alarm: float) -> None:
    """Fit with the costs `missed` and `false_alarm` of the two errors, and set fitted attributes.

    `missed` is the cost of a positive predicted negative, and `false_alarm` of the opposite error.
    """
    solution = path.solve(missed, false_alarm, tol=estimator.tol, max_iter=estimator.max_iter)
    w = estimator._sign * solution.w
    estimator.coef_, estimator.intercept_ = w[None, :-1], w[-1:]
    estimator.algorithm_ = path.algorithm
    store_solution(estimator, solution)


def store_solution(estimator: Any, solution: Solution) -> None:
    """Set `objective_`, `dual_gap_`, `n_iter_` and `history_`.

    Gives a ConvergenceWarning if the fit has not converged.
    """
    estimator.objective_ = solution.objective
    estimator.dual_gap_ = solution.dual_gap
    estimator.n_iter_ = solution.n_iter
    estimator.history_ = solution.history
    if solution.converged:
        return
    remedy = "increase max_iter or scale the features to a similar range"
    if solution.n_iter < estimator.max_iter:
        remedy = "rounding lets it shrink no further: scale the features to a similar range"
    warnings.warn(
        f"stopped after {solution.n_iter} iterations at a duality gap of "
        f"{solution.dual_gap:.2g} of the objective, more than tol={estimator.tol:g} allows; "
        f"{remedy}",
        ConvergenceWarning,
        stacklevel=2,
    )
