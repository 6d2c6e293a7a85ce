"""The Bayesian signed-rank test with a region of practical equivalence."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from .statistics import differences

_DECISIVE = np.array([0.1, 0.5, 0.9])
_NEAR = 0.03
# The weight of a difference of 0, where each observed difference has the weight 1.
_PRIOR = 0.5
# Samples of the posterior. The second number is for probabilities near a limit of recommendations.
_SIZES = (5000, 50_000)


class Posterior(NamedTuple):
    """Probabilities that a method is worse than another, equivalent in practice, or better."""

    worse: float
    equivalent: float
    better: float


def signed_rank_posterior(
    first: Sequence[float], second: Sequence[float], rope: float
) -> Posterior:
    """Return the probabilities that the first of two methods is worse, equivalent or better.

    `first` and `second` are the methods' values on the same data sets; larger is better.
    Differences up to `rope`, the region of practical equivalence, count as equivalent. The prior of
    the differences is a Dirichlet process, in which a difference of 0 has the weight 0.5 (Benavoli,
    Corani, Demšar and Zaffalon, JMLR 18(77), 2017).

    The probabilities are estimated from 5,000 samples of the posterior. If a probability is within
    0.03 of 0.1, 0.5 or 0.9, the limits of recommendations, 50,000 samples are drawn instead.
    """
    rising = np.sort(differences(first, second))
    negated = -rising[::-1]
    # Sampling always for the same direction makes the result of the other its exact mirror image.
    turned = tuple(negated) > tuple(rising)
    sampled = tuple(negated if turned else rising)
    posterior = _posterior(sampled, rope, _SIZES)
    if (negated == rising).all():
        beyond = (posterior.worse + posterior.better) / 2
        return Posterior(beyond, posterior.equivalent, beyond)
    return Posterior(*reversed(posterior)) if turned else posterior


# Tables, pages and recommendations need the same pairs.
@lru_cache(maxsize=10_000)
def _posterior(rising: tuple[float, ...], rope: float, sizes: tuple[int, ...]) -> Posterior:
    seen = np.array([0.0, *rising])
    sums, limit = seen[:, None] + seen, 2 * rope
    # Pairs of differences outside the region count 1, at its limit 0.5.
    beyond = [(side > limit) + 0.5 * (side == limit) for side in (-sums, sums)]
    for n_samples in sizes:
        samples = _samples(len(seen), n_samples)
        worse, better = (
            np.einsum("ij,ij->i", samples @ part, samples, optimize=False) for part in beyond
        )
        largest = np.argmax([worse, 1 - worse - better, better], axis=0)
        probabilities = np.bincount(largest, minlength=3) / n_samples
        if not (np.abs(probabilities[:, None] - _DECISIVE) < _NEAR).any():
            break
    return Posterior(*probabilities.tolist())


# Tables compare all pairs on the same data sets, one after the other.
@lru_cache(maxsize=4)
def _samples(n: int, n_samples: int) -> np.ndarray:
    weights = np.ones(n)
    weights[0] = _PRIOR
    return np.random.default_rng(0).dirichlet(weights, n_samples)
