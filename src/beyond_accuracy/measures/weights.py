"""Check sample weights, and rescale them if their sums would leave the range of float64."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

# Between these, sums of weights and products of two sums neither overflow nor vanish.
_SMALLEST, _LARGEST = 1e-100, 1e100


def check_weights(sample_weight: ArrayLike, n: int) -> NDArray[np.float64]:
    """Return sample weights as float64; raise ValueError unless they are n finite numbers ≥ 0."""
    weight = np.asarray(sample_weight, dtype=np.float64)
    if weight.shape != (n,):
        raise ValueError(f"sample_weight must have the shape ({n},), found {weight.shape}")
    wrong = ~(np.isfinite(weight) & (weight >= 0))
    if wrong.any():
        raise ValueError(
            f"sample_weight holds {weight[wrong][0]:g}; every weight must be finite and at least 0"
        )
    return weight


def scaled_weights(weight: NDArray[np.float64]) -> tuple[NDArray[np.float64], int]:
    """Divide sample weights by a power of 2 if their sums could overflow or vanish.

    Return the divided weights and the exponent of the power of 2. The exponent is 0, and the
    weights are unchanged, if the largest weight is 0 or in [1e-100, 1e100].
    """
    largest = float(weight.max(initial=0.0))
    if largest == 0 or _SMALLEST <= largest <= _LARGEST:
        return weight, 0
    exponent = int(np.frexp(largest)[1])
    return np.ldexp(weight, -exponent), exponent


def total_weight(weight: NDArray[np.float64]) -> float:
    """Return the sum of sample weights; raise ValueError if the sum overflows."""
    with np.errstate(over="ignore"):
        total = float(weight.sum())
    if not np.isfinite(total):
        raise ValueError(
            "the sum of sample_weight exceeds the range of float64; divide the weights by a common "
            "factor"
        )
    return total
