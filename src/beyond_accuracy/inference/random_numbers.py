"""Random numbers by counting: each is a function of its index, in any order of computation.

splitmix64 (Steele, Lea and Flood 2014) serves as a hash. An example has a key; its r-th sample has
a stream; the t-th number of a stream is uniform in (0, 1].
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
    """Apply the output function of splitmix64 to uint64 numbers or arrays."""
    x = (x ^ (x >> _SHIFT_1)) * _MULTIPLIER_1
    x = (x ^ (x >> _SHIFT_2)) * _MULTIPLIER_2
    return x ^ (x >> _SHIFT_3)


mix_compiled: Callable[[np.uint64], np.uint64] = compiled(inline="always")(mix)


def streams(keys: ArrayLike, n_samples: int) -> NDArray[np.uint64]:
    """Return the state of each sample's stream, uint64, shape (n, n_samples), from keys (n,)."""
    r = np.arange(1, n_samples + 1, dtype=np.uint64)
    return mix(np.asarray(keys, dtype=np.uint64)[:, None] + r[None, :] * _STREAM)


def uniforms(state: NDArray[np.uint64], t: int) -> NDArray[np.floating]:
    """Return the t-th uniform number in (0, 1] of streams; t = 0, 1, …"""
    # NumPy warns if a product of two scalars wraps around, but not for arrays.
    step = np.uint64((t + 1) * int(_GOLDEN) % 2**64)
    bits = mix(np.asarray(state) + step)
    return ((bits >> _SHIFT_TO_53) + _ONE) * _SCALE


@compiled
def uniform(state: np.uint64, t: int) -> np.float64:
    """Do the same as `uniforms`, compiled and for one number."""
    bits = mix_compiled(state + np.uint64(t + 1) * _GOLDEN)
    return np.float64((bits >> _SHIFT_TO_53) + _ONE) * _SCALE


def hash_rows(X: Any, seed: np.uint64) -> NDArray[np.uint64]:
    """Hash the rows of a float64 matrix, dense or CSR, to uint64 keys; zeros are ignored.

    Equal rows have equal keys in any matrix. So the samples of an example depend neither on its
    position nor on the other examples. The seed is uint64.
    """
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
