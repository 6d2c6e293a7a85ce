"""Bootstrap intervals of macro-averages by resampling the test examples (Efron 1979).

One resample serves all tasks and all methods of a data set, so that methods are compared on the
same examples (paired) and the dependence between classes is kept. A resample is a vector of
repetition counts; a task's value in it is the measure with these counts as weights.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

Evaluator = Callable[[np.ndarray], np.ndarray]

# Counts held at once. Chunks that stay in the second-level cache are several times faster.
CHUNK_ELEMENTS = 400_000
# Twice a sum of counts, as in the ROC area, is held exactly below 2^24.
_EXACT_IN_FLOAT32 = 2**23


class Interval(NamedTuple):
    """The value on the test set, and percentiles of its `n_resamples` resampled values."""

    estimate: float
    low: float
    high: float
    n_resamples: int


def resample_counts(
    n_examples: int, n_resamples: int, seed: int | list[int]
) -> Iterator[np.ndarray]:
    """Yield chunks of repetition counts of bootstrap resamples, shape (n_examples, chunk).

    The counts depend on the seed alone and not on the size of the chunks. They are float32, which
    holds all sums of counts exactly, or float64 from 2^23 examples on.
    """
    if n_examples < 1:
        raise ValueError("A bootstrap needs at least one test example; found none.")
    generator = np.random.default_rng(np.random.SeedSequence(seed))
    chunk = max(1, CHUNK_ELEMENTS // n_examples)
    dtype = np.float32 if n_examples < _EXACT_IN_FLOAT32 else np.float64
    for start in range(0, n_resamples, chunk):
        size = min(chunk, n_resamples - start)
        counts = np.empty((n_examples, size), dtype=dtype)
        for column in range(size):
            drawn = generator.integers(0, n_examples, size=n_examples)
            counts[:, column] = np.bincount(drawn, minlength=n_examples)
        yield counts


def resampled_values(
    evaluators: Sequence[Sequence[Evaluator]],
    n_examples: int,
    n_resamples: int,
    seed: int | list[int],
) -> list[np.ndarray]:
    """Evaluate measures on many resamples of the test examples.

    Parameters
    ----------
    evaluators : sequence of sequences of callable
        Of each average its tasks: functions of repetition counts, shape (n_examples, r), to
        values, shape (r,).
    n_examples, n_resamples : int
        Test examples, and resamples of them.
    seed : int or list of int
        Feeds a `numpy.random.SeedSequence`.

    Returns
    -------
    list of ndarray of float64, shape (n_resamples, n_tasks)
        NaN where a resample holds no positive (or, for a measure of pairs, no negative) example.
    """
    chunks = [
        [np.column_stack([evaluate(counts) for evaluate in tasks]) for tasks in evaluators]
        for counts in resample_counts(n_examples, n_resamples, seed)
    ]
    return [np.concatenate(parts) for parts in zip(*chunks, strict=True)]


def macro_averages(values: np.ndarray, of_the_test_set: np.ndarray) -> np.ndarray:
    """Average over tasks, shape (n_resamples, n_tasks) to (n_resamples,).

    A class without a value in a resample keeps its value `of_the_test_set`, shape (n_tasks,). To
    leave the class out would shift the averages: it is rare, and rare classes have other values
    than frequent ones.
    """
    return np.where(np.isnan(values), of_the_test_set, values).mean(axis=1)


def percentile_interval(estimate: float, resampled: np.ndarray, level: float) -> Interval:
    """Return the central `level` share of the resampled values, NaN left out."""
    values = resampled[~np.isnan(resampled)]
    if not values.size:
        return Interval(estimate, float("nan"), float("nan"), 0)
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2]).tolist()
    return Interval(estimate, low, high, values.size)
