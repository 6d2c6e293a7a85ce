"""Check the arguments of the maximizers of the expected F-measure; errors name the wrong entry."""

from numbers import Real

import numpy as np
from numpy.typing import ArrayLike, NDArray

# The square of this β, times a number of labels, is finite.
_LARGEST_BETA = 1e100
_MASS_TOLERANCE = 1e-6


def check_beta(beta: float) -> float:
    """Return β of F_β as a float; raise ValueError unless it is above 0 and at most 1e100."""
    if not isinstance(beta, Real) or not 0 < beta <= _LARGEST_BETA:
        raise ValueError(
            f"beta must be a number above 0 and at most {_LARGEST_BETA:g}, found {beta!r}"
        )
    return float(beta)


def check_marginals(marginals: ArrayLike) -> tuple[NDArray[np.float64], bool]:
    """Return marginal probabilities, shape (n, m), and whether a single example was given, (m,)."""
    array, single = _batched(marginals, 1, "marginals must have shape (m,) or (n, m)")
    _check_sizes(array.shape[0], array.shape[1])
    _check_probabilities(array, "marginals", 1.0)
    return array, single


def check_joint(
    joint: ArrayLike, p_empty: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.float64], bool]:
    """Return `joint`, shape (n, m, m), `p_empty`, (n,), and whether a single example was given."""
    message = "joint must have shape (m, m) or (n, m, m), entry [i, s - 1] = P(Y_i = 1, |Y| = s)"
    array, single = _batched(joint, 2, message)
    n_examples, n_labels, n_sizes = array.shape
    if n_sizes != n_labels:
        raise ValueError(f"{message}, found {np.shape(joint)}")
    _check_sizes(n_examples, n_labels)
    empty = np.atleast_1d(np.asarray(p_empty, dtype=np.float64))
    if empty.shape != (n_examples,):
        raise ValueError(
            f"p_empty must hold P(Y = 0) of each of {n_examples} examples, "
            f"found shape {np.shape(p_empty)}"
        )
    for values, name in ((array, "joint"), (empty, "p_empty")):
        # Entries of at most 1 follow from their sum, which allows for rounding.
        _check_probabilities(values, name, np.finfo(np.float64).max)
    mass = empty + array.sum(axis=1) @ (1.0 / np.arange(1, n_labels + 1))
    if (mass > 1 + _MASS_TOLERANCE).any():
        row = int(np.argmax(mass))
        raise ValueError(
            f"the probabilities of example {row} add up to {mass[row]:.9g}, above 1: p_empty plus "
            "the sum over s of the column sums of joint divided by s must be at most 1"
        )
    return array, np.ascontiguousarray(empty), single


def check_samples(samples: ArrayLike) -> tuple[NDArray[np.uint8], bool]:
    """Return samples as uint8, shape (n, n_samples, m), and whether a single example was given."""
    values = np.asarray(samples)
    if values.ndim not in (2, 3):
        raise ValueError(
            f"samples must have shape (n_samples, m) or (n, n_samples, m), found {values.shape}"
        )
    single = values.ndim == 2
    values = values[None] if single else values
    _check_sizes(values.shape[0], values.shape[2])
    if values.shape[1] == 0:
        raise ValueError("no samples: at least 1 a test example is needed, found 0")
    array = np.ascontiguousarray(values, dtype=np.uint8)
    if array.max() > 1 or (values.dtype not in (np.uint8, bool) and (array != values).any()):
        wrong = values[(values != 0) & (values != 1)].ravel()[0]
        raise ValueError(f"samples hold 0 and 1 only, found {wrong}")
    return array, single


def check_predictions(predictions: ArrayLike, n_examples: int, n_labels: int) -> NDArray[np.uint8]:
    """Return 0/1 label predictions as uint8, shape (n_examples, n_labels)."""
    values = np.asarray(predictions)
    values = values[None] if values.ndim == 1 else values
    if values.shape != (n_examples, n_labels):
        raise ValueError(
            f"predictions must have shape ({n_examples}, {n_labels}), found {np.shape(predictions)}"
        )
    if ((values != 0) & (values != 1)).any():
        raise ValueError("predictions hold 0 and 1 only")
    return np.ascontiguousarray(values, dtype=np.uint8)


def _batched(values, n_dimensions, message):
    array = np.asarray(values, dtype=np.float64)
    if array.ndim not in (n_dimensions, n_dimensions + 1):
        raise ValueError(f"{message}, found {array.shape}")
    single = array.ndim == n_dimensions
    return np.ascontiguousarray(array[None] if single else array), single


def _check_sizes(n_examples, n_labels):
    if n_examples == 0:
        raise ValueError("empty test set: at least 1 example is needed, found 0")
    if n_labels == 0:
        raise ValueError("no labels: at least 1 is needed, found 0")


def _check_probabilities(array, name, largest):
    wrong = ~((array >= 0) & (array <= largest))
    if wrong.any():
        index = tuple(int(i) for i in np.argwhere(wrong)[0])
        place = ", ".join(f"{n} {i}" for n, i in zip(("example", "label"), index, strict=False))
        if len(index) == 3:
            place += f", size {index[2] + 1}"
        raise ValueError(
            f"{name} must hold probabilities, from 0 to 1, found {array[index]:g} at {place}"
        )
