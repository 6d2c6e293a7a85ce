"""The Bayesian signed-rank test with a region of practical equivalence."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from beyond_accuracy.reporting.statistics import differences


class Posterior(NamedTuple):
    """How probable it is that the first is worse, equivalent in practice, or better."""

    worse: float
    equivalent: float
    better: float


def signed_rank_posterior(
    first: Sequence[float],
    second: Sequence[float],
    rope: float,
    *,
    prior: float = 0.5,
    n_samples: int = 5000,
    seed: int = 0,
) -> Posterior:
    """Compare paired values by a Dirichlet process on their differences.

    The distribution of the differences has a Dirichlet posterior on those seen, and one more of 0
    with the weight `prior`. Of each sample of it, it is known what share of the pairs of
    differences has a mean below -rope, within, and above rope; the probabilities are those with
    which each of the three is the largest share.

    Parameters
    ----------
    first, second : sequence of float, shape (n,)
        Averages of two methods on n data sets; more is better.
    rope : float
        Differences up to it are none in practice; above 0.
    prior : float, default 0.5
        Weight of the difference 0, against 1 of each data set's.
    n_samples : int, default 5000
        The standard error of a probability is below 0.01.
    seed : int, default 0

    References
    ----------
    A. Benavoli, G. Corani, J. Demšar, M. Zaffalon, Time for a Change: a Tutorial for Comparing
    Multiple Classifiers Through Bayesian Analysis, JMLR 18(77), 2017.
    """
    if not rope > 0:
        raise ValueError(f"the region of practical equivalence must be above 0, found {rope}")
    seen = np.concatenate([[0.0], differences(first, second)])
    sums = seen[:, None] + seen
    above = _step(sums, 2 * rope)
    below = _step(-sums, 2 * rope)
    samples = _samples(len(seen), prior, n_samples, seed)
    worse, better = (((samples @ part) * samples).sum(axis=1) for part in (below, above))
    largest = np.argmax([worse, 1 - worse - better, better], axis=0)
    return Posterior(*(np.bincount(largest, minlength=3) / n_samples).tolist())


@lru_cache(maxsize=64)
def _samples(n: int, prior: float, n_samples: int, seed: int) -> np.ndarray:
    """The same weights for all pairs of methods on the same number of data sets."""
    weights = np.ones(n)
    weights[0] = prior
    return np.random.default_rng(seed).dirichlet(weights, n_samples)


def _step(values: np.ndarray, threshold: float) -> np.ndarray:
    return (values > threshold) + 0.5 * (values == threshold)
