"""Bootstrap intervals of macro-averages by resampling the test examples (Efron 1979).

All tasks and methods of a data set share the resamples. So methods are compared on the same
examples. How often a resample contains each example is the example's weight in the measure.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

Evaluator = Callable[[np.ndarray], np.ndarray]

# Counts held at once. Chunks that stay in the second-level cache are several times faster.
CHUNK_ELEMENTS = 400_000
# Twice a sum of counts, as in the ROC area, is held exactly below 2^24.
_EXACT_IN_FLOAT32 = 2**23


def resample_counts(
    n_examples: int, n_resamples: int, seed: int | list[int]
) -> Iterator[np.ndarray]:
    """Draw bootstrap resamples, and yield how often each example is in each resample.

    The arrays have one row per example and one column per resample. To save memory, each array has
    only some of the resamples.
    """
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
    """Compute the value of each task in each bootstrap resample of the test examples.

    `evaluators` has one list per method, with one function per task, such as one class against the
    rest. A function takes the counts made by `resample_counts`, and returns one value per resample.
    The result has one array per method, shape (n_resamples, n_tasks).
    """
    chunks = [
        [np.column_stack([evaluate(counts) for evaluate in tasks]) for tasks in evaluators]
        for counts in resample_counts(n_examples, n_resamples, seed)
    ]
    return [np.concatenate(parts) for parts in zip(*chunks, strict=True)]


def macro_averages(resampled: np.ndarray, test_set_values: np.ndarray) -> np.ndarray:
    """Return the average over classes in each bootstrap resample, shape (n_resamples,).

    `resampled` has shape (n_resamples, n_classes). NaNs are replaced by the class's value on the
    test set, `test_set_values`.
    """
    return np.where(np.isnan(resampled), test_set_values, resampled).mean(axis=1)


def percentile_interval(resampled: np.ndarray, level: float) -> tuple[float, float, int]:
    """Return (lower end, upper end, number of values) of a bootstrap percentile interval.

    If `level` is 0.95, the interval contains the central 95 % of the values `resampled`. NaNs are
    ignored; without values, both ends are NaN.
    """
    values = resampled[~np.isnan(resampled)]
    if not values.size:
        return float("nan"), float("nan"), 0
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2]).tolist()
    return low, high, values.size
