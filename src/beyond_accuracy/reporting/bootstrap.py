"""Bootstrap intervals of macro-averages by resampling the test examples (Efron 1979).

One resample serves all tasks and all methods of a data set, so that methods are compared on the
same examples (paired) and the dependence between classes is kept. A resample is a vector of
repetition counts; a task's value in it is the measure with these counts as weights.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from beyond_accuracy.reporting.resampled_measures import resampled_measure

# Counts held at once. Chunks that stay in the second-level cache are several times faster.
CHUNK_ELEMENTS = 400_000


@dataclass(frozen=True)
class Interval:
    """A percentile interval.

    Attributes
    ----------
    estimate : float
        The value on the test set itself.
    low, high : float
        Percentiles of the resampled values.
    n_resamples : int
        Resamples with a value.
    """

    estimate: float
    low: float
    high: float
    n_resamples: int


def resample_counts(
    n_examples: int,
    n_resamples: int,
    seed: int | list[int],
    *,
    chunk: int | None = None,
) -> Iterator[np.ndarray]:
    """Yield repetition counts of bootstrap resamples, int16, shape (n_examples, at most chunk).

    The counts depend on the seed alone and not on the size of the chunks. Column sums are
    `n_examples`. `seed` feeds a `numpy.random.SeedSequence`.
    """
    if n_examples < 1:
        raise ValueError("A bootstrap needs at least one test example; found none.")
    generator = np.random.default_rng(np.random.SeedSequence(seed))
    chunk = chunk or max(1, CHUNK_ELEMENTS // n_examples)
    for start in range(0, n_resamples, chunk):
        size = min(chunk, n_resamples - start)
        counts = np.empty((n_examples, size), dtype=np.int16)
        for column in range(size):
            drawn = generator.integers(0, n_examples, size=n_examples)
            counts[:, column] = np.bincount(drawn, minlength=n_examples)
        yield counts


def resampled_values(
    labels: Mapping[str, np.ndarray],
    scores: Mapping[tuple[str, str], Mapping[str, np.ndarray]],
    *,
    n_resamples: int,
    seed: int | list[int],
    chunk: int | None = None,
) -> dict[tuple[str, str], np.ndarray]:
    """Evaluate measures on many resamples of the test examples.

    Parameters
    ----------
    labels : dict of task to ndarray of bool, shape (n_test,)
        True where an example is positive.
    scores : dict of (measure, method) to dict of task to ndarray of float64, shape (n_test,)
        Decision values; positive values predict the positive class.
    n_resamples : int
        Number of resamples.
    seed : int or list of int
        Feeds a `numpy.random.SeedSequence`.

    Returns
    -------
    dict of (measure, method) to ndarray of float64, shape (n_resamples, n_tasks)
        Columns in the order of that pair's tasks; NaN where a resample holds no positive (or, for
        a measure of pairs, no negative) example of the class.
    """
    n_examples = len(next(iter(labels.values())))
    evaluators = {
        key: [resampled_measure(key[0], labels[task], by_task[task]) for task in by_task]
        for key, by_task in scores.items()
    }
    values = {key: np.empty((n_resamples, len(by_task))) for key, by_task in scores.items()}
    start = 0
    for counts in resample_counts(n_examples, n_resamples, seed, chunk=chunk):
        stop = start + counts.shape[1]
        for key, prepared in evaluators.items():
            for column, evaluate in enumerate(prepared):
                values[key][start:stop, column] = evaluate(counts)
        start = stop
    return values


def macro_averages(values: np.ndarray, of_the_test_set: np.ndarray) -> np.ndarray:
    """Average over tasks, shape (n_resamples, n_tasks) to (n_resamples,).

    A class without a value in a resample keeps the one `of_the_test_set`, shape (n_tasks,): every
    average is over all classes. To leave such a class out would shift the averages, since it is
    rare, and rare classes have other values than frequent ones.
    """
    return np.where(np.isnan(values), of_the_test_set, values).mean(axis=1)


def percentile_interval(estimate: float, resampled: np.ndarray, level: float) -> Interval:
    """Return the central `level` share of the resampled values, NaN left out."""
    known = resampled[~np.isnan(resampled)]
    if known.size == 0:
        return Interval(estimate, float("nan"), float("nan"), 0)
    low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
    return Interval(estimate, float(low), float(high), int(known.size))
