"""How much MEUF and thresholding can lose: a family of ours for each proposition of the paper.

The paper's proofs are in its supplement, which is not at hand.
"""

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from beyond_accuracy.inference.distributions import expected_f, joint_from_distribution
from beyond_accuracy.inference.gfm import gfm, gfm_threshold
from beyond_accuracy.inference.meuf import meuf

# Status of linprog: no distribution has the prediction beat those of all thresholds.
_INFEASIBLE = 2


@dataclass(frozen=True)
class Distribution:
    """Label vectors of positive probability, shape (r, m), and their probabilities, shape (r,).

    References
    ----------
    K. Dembczyński, W. Waegeman, W. Cheng, E. Hüllermeier, An Exact Algorithm for F-Measure
    Maximization, NIPS 2011.
    https://proceedings.neurips.cc/paper/2011/hash/71ad16ad2c4d81f348082ff6c4b20768-Abstract.html

    Examples
    --------
    >>> import numpy as np
    >>> from beyond_accuracy_pipeline.reproduction.worst_cases import Distribution
    >>> pair = Distribution(np.array([[1, 0], [1, 1]]), np.array([0.25, 0.75]))
    >>> pair.marginals
    array([1.  , 0.75])
    """

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

    def joint(self) -> tuple[NDArray[np.float64], float | NDArray[np.float64]]:
        """P, shape (m, m), and P(Y = 0)."""
        return joint_from_distribution(self.labelings, self.probabilities)


def all_or_nothing(n_labels: int) -> Distribution:
    """Y = 1 with probability m^(−½), else 0: MEUF's regret tends to 1 (Proposition 2.1).

    Raises ValueError for fewer than 1 label.

    References
    ----------
    K. Dembczyński, W. Waegeman, W. Cheng, E. Hüllermeier, An Exact Algorithm for F-Measure
    Maximization, NIPS 2011.
    https://proceedings.neurips.cc/paper/2011/hash/71ad16ad2c4d81f348082ff6c4b20768-Abstract.html

    Examples
    --------
    >>> from beyond_accuracy_pipeline.reproduction.worst_cases import all_or_nothing
    >>> all_or_nothing(4).probabilities
    array([0.5, 0.5])
    """
    p = _chance_of_all(n_labels)
    labelings = np.stack([np.zeros(n_labels), np.ones(n_labels)]).astype(np.uint8)
    return Distribution(labelings, np.array([1.0 - p, p]))


def meuf_of_all_or_nothing(n_labels: int) -> tuple[float, float]:
    """Expected F of MEUF's prediction on `all_or_nothing`, and the optimum.

    Without the joint distribution, so that there can be millions of labels: a prediction of k > 0
    labels has 2k/(m + k) with probability m^(−½), that of none 1 otherwise, so that the regret is
    1 − 2/√m where MEUF predicts all.

    Raises ValueError for fewer than 1 label.

    References
    ----------
    K. Dembczyński, W. Waegeman, W. Cheng, E. Hüllermeier, An Exact Algorithm for F-Measure
    Maximization, NIPS 2011.
    https://proceedings.neurips.cc/paper/2011/hash/71ad16ad2c4d81f348082ff6c4b20768-Abstract.html

    Examples
    --------
    >>> from beyond_accuracy_pipeline.reproduction.worst_cases import meuf_of_all_or_nothing
    >>> meuf_of_all_or_nothing(10_000)
    (0.01, 0.99)
    """
    p = _chance_of_all(n_labels)
    size = int(meuf(np.full(n_labels, p), method="exponential_sum")[0].sum())
    value = p * 2 * size / (n_labels + size) if size else 1.0 - p
    return value, max(p, 1.0 - p)


def largest_threshold_regret(n_labels: int) -> float:
    """Supremum over all distributions of what the best threshold on the marginals loses in F_1.

    The paper bounds it from below and leaves its value open (footnote to Proposition 2.3). For each
    prediction h a linear program over the probabilities of the 2^m label vectors, their marginals
    in descending order: the largest t by which h beats the predictions of the first k labels,
    for all k.

    Raises ValueError if there is no label or more than 8, RuntimeError if a program is not solved;
    with one label there is nothing to lose.

    References
    ----------
    K. Dembczyński, W. Waegeman, W. Cheng, E. Hüllermeier, An Exact Algorithm for F-Measure
    Maximization, NIPS 2011.
    https://proceedings.neurips.cc/paper/2011/hash/71ad16ad2c4d81f348082ff6c4b20768-Abstract.html

    Examples
    --------
    >>> from beyond_accuracy_pipeline.reproduction.worst_cases import largest_threshold_regret
    >>> round(largest_threshold_regret(3), 4)
    0.0238
    """
    if not 1 <= n_labels <= 8:
        raise ValueError(f"1 to 8 labels can be enumerated, found {n_labels}")
    labelings = np.array(list(itertools.product((0, 1), repeat=n_labels)))
    sums = labelings.sum(axis=1)
    total = sums[:, None] + sums
    # f[h, y] = F_1, 1 where both are empty.
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


def misleading_order(n_labels: int, epsilon: float = 1e-9) -> Distribution:
    """A distribution on which any threshold on the marginals loses (Proposition 2.3).

    The first label alone with probability ½ − ε; otherwise, equally likely, the second with one or
    the other half of the rest. As ε → 0 the regret attains max(0, 1/6 − 2/(m + 4)).

    Raises ValueError if the number of labels is odd or below 4, or epsilon is not in (0, ½).

    References
    ----------
    K. Dembczyński, W. Waegeman, W. Cheng, E. Hüllermeier, An Exact Algorithm for F-Measure
    Maximization, NIPS 2011.
    https://proceedings.neurips.cc/paper/2011/hash/71ad16ad2c4d81f348082ff6c4b20768-Abstract.html

    Examples
    --------
    >>> from beyond_accuracy_pipeline.reproduction.worst_cases import misleading_order
    >>> misleading_order(4, epsilon=0.1).marginals
    array([0.4, 0.6, 0.3, 0.3])
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
    """Expected F_β that MEUF, which takes labels for independent, loses against the optimum.

    References
    ----------
    K. Dembczyński, W. Waegeman, W. Cheng, E. Hüllermeier, An Exact Algorithm for F-Measure
    Maximization, NIPS 2011.
    https://proceedings.neurips.cc/paper/2011/hash/71ad16ad2c4d81f348082ff6c4b20768-Abstract.html

    Examples
    --------
    >>> from beyond_accuracy_pipeline.reproduction.worst_cases import all_or_nothing, meuf_regret
    >>> round(meuf_regret(all_or_nothing(100)), 4)
    0.8
    """
    joint, p_empty = distribution.joint()
    prediction, _ = meuf(distribution.marginals, beta)
    return float(gfm(joint, p_empty, beta)[1] - expected_f(joint, p_empty, prediction, beta))


def threshold_regret(distribution: Distribution, beta: float = 1.0) -> float:
    """Expected F_β that the best threshold on the marginals loses against the optimum.

    References
    ----------
    K. Dembczyński, W. Waegeman, W. Cheng, E. Hüllermeier, An Exact Algorithm for F-Measure
    Maximization, NIPS 2011.
    https://proceedings.neurips.cc/paper/2011/hash/71ad16ad2c4d81f348082ff6c4b20768-Abstract.html

    Examples
    --------
    >>> from beyond_accuracy_pipeline.reproduction.worst_cases import (
    ...     misleading_order,
    ...     threshold_regret,
    ... )
    >>> round(threshold_regret(misleading_order(20)), 4)
    0.0833
    """
    joint, p_empty = distribution.joint()
    return float(gfm(joint, p_empty, beta)[1] - gfm_threshold(joint, p_empty, beta)[1])


def threshold_regret_bound(n_labels: int) -> float:
    """max(0, 1/6 − 2/(m + 4)), the lower bound of Proposition 2.3 on the worst regret, for F_1.

    References
    ----------
    K. Dembczyński, W. Waegeman, W. Cheng, E. Hüllermeier, An Exact Algorithm for F-Measure
    Maximization, NIPS 2011.
    https://proceedings.neurips.cc/paper/2011/hash/71ad16ad2c4d81f348082ff6c4b20768-Abstract.html

    Examples
    --------
    >>> from beyond_accuracy_pipeline.reproduction.worst_cases import threshold_regret_bound
    >>> round(threshold_regret_bound(20), 4)
    0.0833
    """
    return max(0.0, 1.0 / 6.0 - 2.0 / (n_labels + 4.0))


def _chance_of_all(n_labels: int) -> float:
    """P(Y = 1) of `all_or_nothing`."""
    if n_labels < 1:
        raise ValueError(f"at least 1 label is needed, found {n_labels}")
    return n_labels**-0.5
