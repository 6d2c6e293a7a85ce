"""Searches that enumerate all (P + 1)(N + 1) contingency tables, as public codes do.

Each replaces the search of a solver and leaves the rest of the solver unchanged.
"""

import numpy as np
from numba import njit

from beyond_accuracy.measures.losses import RatioLoss
from beyond_accuracy.solvers.oracles.labelling import Labelling, top_threshold
from beyond_accuracy.solvers.oracles.ratio import RatioOracle
from beyond_accuracy.solvers.oracles.top import TopOracle


@njit(cache=True, nogil=True)
def _enumerate_ratio(kept_total, flipped_total, scale, gain, offset, slope):
    best, best_kept, best_flipped = -np.inf, 0, 0
    for a in range(len(kept_total)):
        for b in range(len(flipped_total)):
            loss = 100.0 * (1.0 - gain * a / (offset + slope * a + b))
            value = loss + scale * (kept_total[a] + flipped_total[b])
            if value > best:
                best, best_kept, best_flipped = value, a, b
    return best, best_kept, best_flipped


@njit(cache=True, nogil=True)
def _enumerate_top(kept_total, flipped_total, scale, gain, size, at_most):
    best, best_kept, best_flipped = -np.inf, 0, 0
    for a in range(len(kept_total)):
        for b in range(len(flipped_total)):
            if a + b == size or (at_most and a + b < size):
                value = 100.0 - gain * a + scale * (kept_total[a] + flipped_total[b])
                if value > best:
                    best, best_kept, best_flipped = value, a, b
    return best, best_kept, best_flipped


class _Enumeration:
    def search(self, scores) -> Labelling:
        """The most violated labelling at the given scores, shape (n,), float64."""
        positives = np.sort(scores[: self.n_positives])[::-1]
        negatives = np.sort(scores[self.n_positives :])[::-1]
        kept_total = np.concatenate(([0.0], np.cumsum(positives)))
        kept_total -= kept_total[-1]
        flipped_total = np.concatenate(([0.0], np.cumsum(negatives)))
        value, kept, flipped = self._enumerate(kept_total, flipped_total)
        return Labelling(
            value,
            value - self.scale * (kept_total[kept] + flipped_total[flipped]),
            0.0,
            *top_threshold(positives, kept),
            *top_threshold(negatives, flipped),
        )


class EnumeratingRatioOracle(_Enumeration, RatioOracle):
    """`RatioOracle` with a search through all tables."""

    def _enumerate(self, kept_total, flipped_total):
        gain, offset, slope, scale = self._delta
        return _enumerate_ratio(kept_total, flipped_total, scale, gain, offset, slope)


class EnumeratingTopOracle(_Enumeration, TopOracle):
    """`TopOracle` with a search through all tables."""

    def _enumerate(self, kept_total, flipped_total):
        return _enumerate_top(
            kept_total, flipped_total, self.scale, self._gain, self.size, self._at_most
        )


def make_enumerating_oracle(loss, n_positives: int, n_negatives: int):
    """The enumeration for a RatioLoss or a TopLoss."""
    oracle = EnumeratingRatioOracle if isinstance(loss, RatioLoss) else EnumeratingTopOracle
    return oracle(loss, n_positives, n_negatives)
