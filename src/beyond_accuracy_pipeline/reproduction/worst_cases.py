"""Distributions of labels on which MEUF or thresholding loses much expected F-measure.

MEUF maximizes the expected F-measure as if labels were independent. The distributions replace the
constructions for Propositions 2.1 and 2.3 of K. Dembczyński, W. Waegeman, W. Cheng, E. Hüllermeier,
An Exact Algorithm for F-Measure Maximization, NIPS 2011, whose supplement was not available. Regret
is the optimal expected F-measure minus the value of a prediction.
"""

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from beyond_accuracy.inference.distributions import joint_from_distribution
from beyond_accuracy.inference.meuf import meuf

# Regrets under `misleading_order` are this close to their limit.
_EPSILON = 1e-9
# Status of linprog if no distribution lets the prediction beat the predictions of all thresholds.
_INFEASIBLE = 2


@dataclass(frozen=True)
class Distribution:
    """Probability distribution over r label vectors, in a problem with m labels.

    `labelings` are the 0/1 label vectors, shape (r, m), and `probabilities` are positive.
    """

    labelings: np.ndarray
    probabilities: np.ndarray

    @property
    def marginals(self) -> np.ndarray:
        """Probability P(Y_i = 1) of each label i, shape (m,)."""
        return np.clip(self.probabilities @ self.labelings, 0.0, 1.0)

    def joint(self) -> tuple[NDArray[np.float64], float | NDArray[np.float64]]:
        """Return P(i is one of s positive labels), indexed [i, s − 1], and P(no positive label)."""
        return joint_from_distribution(self.labelings, self.probabilities)


def all_or_nothing(n_labels: int) -> Distribution:
    """Return a distribution in which all m labels are positive with probability 1/√m, else none."""
    p = n_labels**-0.5
    labelings = np.stack([np.zeros(n_labels), np.ones(n_labels)]).astype(np.uint8)
    return Distribution(labelings, np.array([1.0 - p, p]))


def meuf_of_all_or_nothing(n_labels: int) -> tuple[float, float]:
    """Return (expected F_1 of MEUF, optimal expected F_1) for the distribution `all_or_nothing`.

    MEUF predicts as if labels were independent. There can be millions of labels, because only the
    number k > 0 of predicted labels matters: F_1 is 2k/(m + k) if all m labels are positive, else
    0.
    """
    p = n_labels**-0.5
    size = int(meuf(np.full(n_labels, p), method="exponential_sum")[0].sum())
    value = p * 2 * size / (n_labels + size) if size else 1.0 - p
    return value, max(p, 1.0 - p)


def largest_threshold_regret(n_labels: int) -> float:
    """Return the largest expected F_1 that predicting by a threshold can lose, for m labels.

    The loss is the optimal expected F_1 minus the expected F_1 of the best threshold. The maximum
    is over all distributions of labels. It is computed by 2^m linear programs over the
    probabilities of the 2^m label vectors.
    """
    labelings = np.array(list(itertools.product((0, 1), repeat=n_labels)))
    sums = labelings.sum(axis=1)
    total = sums[:, None] + sums
    # f[h, y] = F_1, which is 1 if both are empty.
    f = np.divide(2.0 * labelings @ labelings.T, total, out=np.ones(total.shape), where=total > 0)
    first = np.tril(np.ones((n_labels + 1, n_labels), dtype=int), -1)
    thresholds = [int(np.flatnonzero((labelings == row).all(axis=1))[0]) for row in first]
    ascending = (labelings[:, 1:] - labelings[:, :-1]).T
    objective = np.append(np.zeros(len(f)), -1.0)
    best = 0.0
    for prediction in range(len(f)):
        if prediction in thresholds:
            continue
        beaten = np.column_stack([f[thresholds] - f[prediction], np.ones(n_labels + 1)])
        order = np.column_stack([ascending, np.zeros(n_labels - 1)])
        solved = linprog(
            objective,
            np.vstack([beaten, order]),
            np.zeros(2 * n_labels),
            np.append(np.ones(len(f)), 0.0)[None, :],
            np.ones(1),
            bounds=[(0.0, None)] * (len(f) + 1),
            method="highs",
        )
        if solved.status == 0:
            best = max(best, -solved.fun)
        elif solved.status != _INFEASIBLE:
            raise RuntimeError(
                f"the linear program of the prediction {labelings[prediction].tolist()} is not "
                f"solved: {solved.message}"
            )
    return best


def misleading_order(n_labels: int) -> Distribution:
    """Return a distribution of labels on which every threshold on marginal probabilities is poor.

    With probability ½ − ε, only the first label is positive. Otherwise the second label is
    positive, together with one of two equally likely halves of the other labels. `n_labels` must be
    even. As ε → 0, the regret of the best threshold tends to `threshold_regret_bound`.
    """
    labelings = np.zeros((3, n_labels), dtype=np.uint8)
    labelings[0, 0] = 1
    labelings[1:, 1] = 1
    half = (n_labels - 2) // 2
    labelings[1, 2 : 2 + half] = 1
    labelings[2, 2 + half :] = 1
    rest = (0.5 + _EPSILON) / 2
    return Distribution(labelings, np.array([0.5 - _EPSILON, rest, rest]))


def threshold_regret_bound(n_labels: int) -> float:
    """Return a lower bound on the largest expected F_1 that predicting by a threshold can lose.

    This is max(0, 1/6 − 2/(m + 4)) for m labels (Dembczyński et al. 2011, Proposition 2.3).
    """
    return max(0.0, 1.0 / 6.0 - 2.0 / (n_labels + 4.0))
