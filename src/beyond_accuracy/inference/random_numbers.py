"""Random numbers as a function of (key, sample, index), in any order of computation.

Each example has a key (its seed), such as a hash of its features. Each sample of an example has a
stream of random numbers. The hash function is splitmix64 (Steele, Lea and Flood 2014).
"""

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
import scipy.sparse
from numpy.typing import ArrayLike, NDArray

from beyond_accuracy.compilation import compiled

Word = TypeVar("Word", np.uint64, NDArray[np.uint64])

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_STREAM = np.uint64(0xD1B54A32D192ED03)
_MULTIPLIER_1 = np.uint64(0xBF58476D1CE4E5B9)
_MULTIPLIER_2 = np.uint64(0x94D049BB133111EB)
_SHIFT_1, _SHIFT_2, _SHIFT_3 = np.uint64(30), np.uint64(27), np.uint64(31)
_SHIFT_TO_53 = np.uint64(11)
_ONE = np.uint64(1)
_SCALE = 2.0**-53


def mix(x: Word) -> Word:
    """Hash uint64 numbers or arrays elementwise as the generator splitmix64 does."""
    x = (x ^ (x >> _SHIFT_1)) * _MULTIPLIER_1
    x = (x ^ (x >> _SHIFT_2)) * _MULTIPLIER_2
    return x ^ (x >> _SHIFT_3)


mix_compiled: Callable[[np.uint64], np.uint64] = compiled(inline="always")(mix)


def streams(keys: ArrayLike, n_samples: int) -> NDArray[np.uint64]:
    """Return the start states of random streams for integer seeds, shape (n, n_samples)."""
    r = np.arange(1, n_samples + 1, dtype=np.uint64)
    return mix(np.asarray(keys, dtype=np.uint64)[:, None] + r[None, :] * _STREAM)


def uniforms(state: NDArray[np.uint64], t: int) -> NDArray[np.floating]:
    """Return the t-th uniform random number in (0, 1] of each random stream; t counts from 0."""
    # NumPy warns if a product of two scalars wraps around, but not for arrays.
    step = np.uint64((t + 1) * int(_GOLDEN) % 2**64)
    bits = mix(np.asarray(state) + step)
    return ((bits >> _SHIFT_TO_53) + _ONE) * _SCALE


@compiled
def uniform(state: np.uint64, t: int) -> np.float64:
    """Return what `uniforms` returns, for one stream and in compiled code."""
    bits = mix_compiled(state + np.uint64(t + 1) * _GOLDEN)
    return np.float64((bits >> _SHIFT_TO_53) + _ONE) * _SCALE


def hash_rows(X: Any, seed: np.uint64) -> NDArray[np.uint64]:
    """Hash each row of a float64 matrix to a uint64 number, equal for dense and sparse rows."""
    X = scipy.sparse.csr_matrix(X).sorted_indices()
    keys = np.empty(X.shape[0], dtype=np.uint64)
    _hash_rows(X.data.view(np.uint64), X.indices, X.indptr, seed, keys)
    return keys


@compiled
def _hash_rows(data, indices, indptr, seed, keys):
    for i in range(len(indptr) - 1):
        key = mix_compiled(seed + _GOLDEN)
        for k in range(indptr[i], indptr[i + 1]):
            bits = data[k]
            # An entry of −0 has only its upper bit set.
            if bits << _ONE != np.uint64(0):
                key = mix_compiled(key ^ bits) + np.uint64(indices[k] + 1) * _STREAM
        keys[i] = mix_compiled(key)
