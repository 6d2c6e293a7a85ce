"""Average values of methods over folds, with bootstrap intervals and differences to the best."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from beyond_accuracy.comparison.criteria import Costs, Criterion

LEVEL = 0.95
N_RESAMPLES = 500
MARGIN = 0.01
"""Methods up to this far below the best are as good in practice."""
YES, NO, OPEN = "yes", "no", "too few rows to tell"

Folds = Sequence[tuple[NDArray[np.bool_], NDArray[np.float64], Costs]]
"""Per outer fold: positive test rows, decisions, and costs."""


def resampled_values(
    methods: Sequence[Folds], criterion: Criterion, seed: int
) -> NDArray[np.float64]:
    """Compute a measure or the average cost of several methods on bootstrap samples of test rows.

    Return one column per method. Row 0 is without resampling, and each further row is a bootstrap
    sample. Values are averages over the folds. Rows are resampled within folds, in the same way for
    all methods. `methods` holds, per method and outer fold, which test rows are positive, the
    decisions and the costs.
    """
    folds = zip(*methods, strict=True)
    return np.mean([_values_of_fold(fold, criterion, [seed, n]) for n, fold in enumerate(folds)], 0)


def compared_values(values: NDArray[np.float64], sign: int, margin: float) -> pd.DataFrame:
    """Return a table of values, differences from the best method, and 95 % bootstrap intervals.

    The table has one row per method. `values` are the result of `resampled_values`. The last method
    is a trivial rule, which ignores the features and is never the best method. `sign` is −1 if
    lower values are better. In the table, "probability" is the share of bootstrap samples in which
    a method is within `margin` of the best, and "within" says whether the whole interval of the
    difference is within `margin`.
    """
    differences = values - values[:, [np.argmax(sign * values[0, :-1])]]
    rows = []
    for method, difference in zip(values.T, differences.T, strict=True):
        gains = sign * difference
        low, high = _interval(gains[1:])
        rows.append(
            (
                *(method[0], *_interval(method[1:])),
                *(difference[0], *_interval(difference[1:])),
                np.mean(gains[1:] > -margin),
                YES if low > -margin else NO if high < -margin else OPEN,
            )
        )
    columns = ["value", "low", "high", "difference", "difference_low", "difference_high"]
    return pd.DataFrame(rows, columns=[*columns, "probability", "within"])


def paired_differences(
    values: NDArray[np.float64], names: Sequence[str], sign: int
) -> pd.DataFrame:
    """Return a table of the differences between each two methods, with 95 % bootstrap intervals.

    `values` are the result of `resampled_values`, `names` the names of the methods. `sign` is −1 if
    lower values are better. In the table, "difference" is the value of "method" minus the value of
    "other", and "probability" is the share of bootstrap samples in which "method" is better. A tie
    counts as one half.
    """
    rows = []
    for first, second in combinations(range(len(names)), 2):
        difference = values[:, first] - values[:, second]
        gains = sign * difference[1:]
        better = np.mean((gains > 0) + (gains == 0) / 2)
        low, high = _interval(difference[1:])
        rows.append((names[first], names[second], difference[0], low, high, better))
    columns = ["method", "other", "difference", "low", "high", "probability"]
    return pd.DataFrame(rows, columns=columns)


def _interval(resampled):
    return np.quantile(resampled, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]).tolist()


def _values_of_fold(fold, criterion, seed) -> NDArray[np.float64]:
    """Return the values of all methods on one fold, shape (1 + N_RESAMPLES, number of methods).

    The first row is without resampling. A resample without rows of both classes gets the values of
    the first row.
    """
    positive = fold[0][0]
    scorers = [criterion.scorer(*each) for each in fold]
    values = np.empty((1 + N_RESAMPLES, len(fold)))
    values[:] = [score(np.ones(len(positive))) for score in scorers]
    generator = np.random.default_rng(seed)
    for number in range(1, 1 + N_RESAMPLES):
        drawn = generator.integers(0, len(positive), len(positive))
        if 0 < positive[drawn].sum() < len(positive):
            counts = np.bincount(drawn, minlength=len(positive)).astype(np.float64)
            values[number] = [score(counts) for score in scorers]
    return values
