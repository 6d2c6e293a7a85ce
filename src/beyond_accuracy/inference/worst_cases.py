"""The distributions by which the paper shows how much MEUF and thresholding can lose."""

from dataclasses import dataclass

import numpy as np

from beyond_accuracy.inference.distributions import expected_f, joint_from_distribution
from beyond_accuracy.inference.gfm import gfm, gfm_threshold
from beyond_accuracy.inference.meuf import meuf


@dataclass(frozen=True)
class Distribution:
    """Label vectors of positive probability, shape (r, m), and their probabilities, shape (r,)."""

    labelings: np.ndarray
    probabilities: np.ndarray

    @property
    def n_labels(self) -> int:
        """Number of labels m."""
        return self.labelings.shape[1]

    @property
    def marginals(self) -> np.ndarray:
        """P(Y_i = 1), shape (m,)."""
        return np.clip(self.probabilities @ self.labelings, 0.0, 1.0)

    def joint(self):
        """P, shape (m, m), and P(Y = 0)."""
        return joint_from_distribution(self.labelings, self.probabilities)


def all_or_nothing(n_labels: int) -> Distribution:
    """Y = 1 with probability m^(−½), else 0: MEUF's regret tends to 1 (Proposition 2.1).

    Raises ValueError for fewer than 2 labels.
    """
    if n_labels < 2:
        raise ValueError(f"at least 2 labels are needed, found {n_labels}")
    p = n_labels**-0.5
    labelings = np.stack([np.zeros(n_labels), np.ones(n_labels)]).astype(np.uint8)
    return Distribution(labelings, np.array([1.0 - p, p]))


def misleading_order(n_labels: int, epsilon: float = 1e-9) -> Distribution:
    """A distribution on which any threshold on the marginals loses (Proposition 2.3).

    The first label alone with probability ½ − ε; otherwise, equally likely, the second with one or
    the other half of the rest. As ε → 0 the regret attains max(0, 1/6 − 2/(m + 4)).

    Raises ValueError if the number of labels is odd or below 4, or epsilon is not in (0, ½).
    """
    if n_labels < 4 or n_labels % 2:
        raise ValueError(f"an even number of at least 4 labels is needed, found {n_labels}")
    if not 0 < epsilon < 0.5:
        raise ValueError(f"epsilon must be in (0, 0.5), found {epsilon!r}")
    labelings = np.zeros((3, n_labels), dtype=np.uint8)
    labelings[0, 0] = 1
    labelings[1:, 1] = 1
    half = (n_labels - 2) // 2
    labelings[1, 2 : 2 + half] = 1
    labelings[2, 2 + half :] = 1
    rest = (0.5 + epsilon) / 2
    return Distribution(labelings, np.array([0.5 - epsilon, rest, rest]))


def meuf_regret(distribution: Distribution, beta: float = 1.0) -> float:
    """Expected F_β that MEUF, which takes labels for independent, loses against the optimum."""
    joint, p_empty = distribution.joint()
    prediction, _ = meuf(distribution.marginals, beta)
    return gfm(joint, p_empty, beta)[1] - expected_f(joint, p_empty, prediction, beta)


def threshold_regret(distribution: Distribution, beta: float = 1.0) -> float:
    """Expected F_β that the best threshold on the marginals loses against the optimum."""
    joint, p_empty = distribution.joint()
    return gfm(joint, p_empty, beta)[1] - gfm_threshold(joint, p_empty, beta)[1]


def threshold_regret_bound(n_labels: int) -> float:
    """max(0, 1/6 − 2/(m + 4)), the lower bound of Proposition 2.3 on the worst regret, for F_1."""
    return max(0.0, 1.0 / 6.0 - 2.0 / (n_labels + 4.0))
