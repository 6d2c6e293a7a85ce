"""The Bayesian signed-rank test with a region of practical equivalence."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from beyond_accuracy_pipeline.reporting.statistics import differences

_DECISIVE = np.array([0.1, 0.5, 0.9])
_NEAR = 0.03


class Posterior(NamedTuple):
    """Probabilities that a method is worse than another, equivalent in practice, or better."""

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
    n_samples_near: int = 50_000,
    seed: int = 0,
) -> Posterior:
    """Return the probabilities that a method is worse than, equivalent to or better than another.

    `first` and `second` are the values of the two methods on the same data sets; larger is better.
    Differences up to `rope`, the region of practical equivalence, count as equivalent.

    The distribution of differences has a Dirichlet process as prior (Benavoli, Corani, Demšar and
    Zaffalon, Time for a Change: a Tutorial for Comparing Multiple Classifiers Through Bayesian
    Analysis, JMLR 18(77), 2017). The posterior is a Dirichlet distribution over the observed
    differences and a difference of 0, which has the weight `prior`. Each sample from the posterior
    assigns weights to all pairs of differences. The total weights of three groups are compared:
    pairs whose mean difference is below `-rope`, between `-rope` and `rope`, and above `rope`. The
    probability of an outcome is the frequency with which its group has the largest total.

    With 5,000 samples (`n_samples`), the standard error of a probability is below 0.01. If a
    probability is within 0.03 of 0.1, 0.5 or 0.9, the limits of recommendations, `n_samples_near`
    samples are drawn instead, for a smaller error.
    """
    rising = np.sort(differences(first, second))
    negated = -rising[::-1]
    # Sampling always for the same direction makes the result of the other its exact mirror image.
    turned = tuple(negated) > tuple(rising)
    sampled = tuple(negated if turned else rising)
    posterior = _posterior(sampled, rope, prior, (n_samples, n_samples_near), seed)
    if (negated == rising).all():
        beyond = (posterior.worse + posterior.better) / 2
        return Posterior(beyond, posterior.equivalent, beyond)
    return Posterior(*reversed(posterior)) if turned else posterior


# Tables, pages and recommendations need the same pairs.
@lru_cache(maxsize=10_000)
def _posterior(
    rising: tuple[float, ...], rope: float, prior: float, sizes: tuple[int, int], seed: int
) -> Posterior:
    seen = np.array([0.0, *rising])
    sums = seen[:, None] + seen
    beyond = _step(-sums, 2 * rope), _step(sums, 2 * rope)
    n_samples, n_samples_near = sizes
    probabilities = _probabilities(_samples(len(seen), prior, n_samples, seed), *beyond)
    if (np.abs(probabilities[:, None] - _DECISIVE) < _NEAR).any():
        probabilities = _probabilities(_samples(len(seen), prior, n_samples_near, seed), *beyond)
    return Posterior(*probabilities.tolist())


# Tables compare all pairs on the same data sets, one after the other.
@lru_cache(maxsize=4)
def _samples(n: int, prior: float, n_samples: int, seed: int) -> np.ndarray:
    """Return samples of Dirichlet weights, shape (n_samples, n).

    The first weight has the parameter `prior`, all others have 1.
    """
    weights = np.ones(n)
    weights[0] = prior
    return np.random.default_rng(seed).dirichlet(weights, n_samples)


def _probabilities(samples: np.ndarray, below: np.ndarray, above: np.ndarray) -> np.ndarray:
    """Return how often the share of pairs below, inside and above the region is the largest.

    `below` and `above` mark pairs of differences outside the region with 1, at its limit with 0.5.
    """
    worse, better = (
        np.einsum("ij,ij->i", samples @ part, samples, optimize=False) for part in (below, above)
    )
    largest = np.argmax([worse, 1 - worse - better, better], axis=0)
    return np.bincount(largest, minlength=3) / len(samples)


def _step(values: np.ndarray, threshold: float) -> np.ndarray:
    return (values > threshold) + 0.5 * (values == threshold)
