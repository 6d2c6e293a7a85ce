"""Check sample weights."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


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
