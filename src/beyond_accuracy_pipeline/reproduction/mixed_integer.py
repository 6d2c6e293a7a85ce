"""The mixed-integer program for few examples and any number of classes."""

from numbers import Integral, Real

import numpy as np
import scipy.sparse
from scipy.optimize import Bounds, LinearConstraint, milp

from beyond_accuracy.reweighting.base import WeightReweighter
from beyond_accuracy.reweighting.objective import scale_rows
from beyond_accuracy.scikit_learn import Interval
from beyond_accuracy_pipeline.reproduction.budget import BudgetExceededError

# Statuses of scipy.optimize.milp.
_OPTIMAL, _INFEASIBLE = 0, 2


class MixedIntegerReweighter(WeightReweighter):
    """Minimizes the average cost, equation (1), by a mixed-integer program (HiGHS).

    With I_ij ∈ {0, 1} the prediction of example i, Σ_j I_ij = 1, and δ ≤ w_j ≤ 1,

        w_j·S_ij ≥ w_k·S_ik + μ·S_ij − (1 + μ)·(1 − I_ij)   for all k ≠ j,

    where each row of S is divided by its largest entry. Without δ and μ the program would have the
    hole of the relaxation, w = 0; with them it finds the best weights whose ratios stay below 1/δ
    and whose predictions hold by the margin μ. That is the optimum of equation (1) unless only
    narrower cells attain it. For the exact optimum of three classes there is
    ExactThreeClassReweighter; the time of this one grows exponentially with n.

    Parameters
    ----------
    delta : float, default 1e-3
        Smallest weight; the largest is 1.
    margin : float, default 1e-5
        μ above; the default is ten times HiGHS's tolerance on constraints and integers.
    max_nodes : int or None, default 100_000
        Budget: branch-and-bound nodes after which BudgetExceededError is raised.

    Attributes
    ----------
    weights_, objective_, n_classes_
        As in the other reweighters with weights.
    bound_ : float
        Certified lower bound of the average cost under δ and μ.

    References
    ----------
    HiGHS, https://highs.dev/

    Examples
    --------
    >>> from beyond_accuracy import reweighting
    >>> scores = [[0.6, 0.3, 0.1], [0.5, 0.4, 0.1], [0.5, 0.1, 0.4], [0.7, 0.2, 0.1]]
    >>> scores.append(scores[0])  # and with another label
    >>> y = [0, 1, 2, 0, 1]
    >>> costs = [[0, 1, 1], [4, 0, 1], [4, 1, 0]]
    >>> rule = reweighting.MixedIntegerReweighter().fit(scores, y, costs)
    >>> rule.predict(scores)
    array([1, 1, 2, 0, 1])
    >>> round(rule.objective_, 6)
    0.2
    """

    _parameter_constraints = {
        "delta": [Interval(Real, 0, 1, closed="neither")],
        "margin": [Interval(Real, 0, 1, closed="neither")],
        "max_nodes": [None, Interval(Integral, 0, None, closed="left")],
    }

    def __init__(
        self, *, delta: float = 1e-3, margin: float = 1e-5, max_nodes: int | None = 100_000
    ) -> None:
        self.delta = delta
        self.margin = margin
        self.max_nodes = max_nodes

    def _find_weights(self, scores, labels, grouped, costs):
        n, m = scores.shape
        objective = np.concatenate([np.zeros(m), costs[labels].ravel() / n])
        result = milp(
            objective,
            integrality=np.concatenate([np.zeros(m), np.ones(n * m)]),
            bounds=Bounds(np.concatenate([np.full(m, self.delta), np.zeros(n * m)]), 1.0),
            constraints=[_one_prediction(n, m), _argmax(scale_rows(scores), self.margin)],
            options={} if self.max_nodes is None else {"node_limit": self.max_nodes},
        )
        if result.status == _INFEASIBLE:
            raise ValueError(
                f"no weights of at least delta={self.delta:g} predict every example by the margin "
                f"{self.margin:g}; lower margin"
            )
        if result.status != _OPTIMAL and self.max_nodes is None:
            raise RuntimeError(f"HiGHS ends without an optimum: {result.message}")
        # SciPy has no status of its own for the limit of nodes, at which there may be weights that
        # are not the best.
        if result.status != _OPTIMAL:
            raise BudgetExceededError(
                f"the mixed-integer program of {n} examples and {m} classes needs more than "
                f"max_nodes={self.max_nodes}; raise it, or take fewer examples"
            )
        self.bound_: float = float(result.mip_dual_bound)
        return result.x[:m]


def _one_prediction(n, m):
    rows = np.repeat(np.arange(n), m)
    columns = m + np.arange(n * m)
    matrix = scipy.sparse.csr_array((np.ones(n * m), (rows, columns)), shape=(n, m + n * m))
    return LinearConstraint(matrix, 1.0, 1.0)


def _argmax(scores, margin):
    """w_j·S_ij − w_k·S_ik − (1 + μ)·I_ij ≥ μ·S_ij − (1 + μ), for all i and j ≠ k."""
    n, m = scores.shape
    example, j, k = (index.ravel() for index in np.indices((n, m, m)))
    example, j, k = (index[j != k] for index in (example, j, k))
    rows = np.arange(len(example))
    big = 1.0 + margin
    matrix = scipy.sparse.csr_array(
        (
            np.concatenate([scores[example, j], -scores[example, k], np.full(len(rows), -big)]),
            (np.tile(rows, 3), np.concatenate([j, k, m + example * m + j])),
        ),
        shape=(len(rows), m + n * m),
    )
    return LinearConstraint(matrix, margin * scores[example, j] - big, np.inf)
