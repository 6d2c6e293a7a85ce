"""Average values of methods over folds, with bootstrap intervals and differences to the best."""

from collections.abc import Sequence

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


def compared_values(
    methods: Sequence[Folds],
    rule: Folds,
    criterion: Criterion,
    margin: float,
    seed: int,
) -> pd.DataFrame:
    """Average values over folds, with bootstrap intervals and differences to the best method.

    Test rows are resampled within folds, in the same way for all methods, so that differences are
    paired. Models are not fitted again, so intervals do not include the variance from other
    training data.

    Parameters
    ----------
    methods : sequence of Folds
        True labels, decisions and costs of each method on each fold.
    rule : Folds
        True labels, decisions and costs of the trivial rule, which is never the best method.
    criterion : Criterion
    margin : float
        Difference that does not matter in practice.
    seed : int

    Returns
    -------
    DataFrame
        One row per method, the last one for the rule, with the columns value, low, high,
        difference, difference_low, difference_high, probability and within. "probability" is the
        share of resamples in which the method is within the margin of the best. "within" is `YES`
        if the whole interval of the difference is within the margin, `NO` if none of it is, and
        `OPEN` otherwise.
    """
    folds = zip(*methods, rule, strict=True)
    drawn = [_values_of_fold(fold, criterion, [seed, n]) for n, fold in enumerate(folds)]
    values = np.mean(drawn, axis=0)
    best = np.argmax(criterion.sign * values[0, : len(methods)])
    differences = values - values[:, [best]]
    gains = criterion.sign * differences
    rows = []
    for column in range(len(methods) + 1):
        low, high = _interval(gains[1:, column])
        rows.append(
            (
                *(values[0, column], *_interval(values[1:, column])),
                *(differences[0, column], *_interval(differences[1:, column])),
                np.mean(gains[1:, column] > -margin),
                YES if low > -margin else NO if high < -margin else OPEN,
            )
        )
    columns = ["value", "low", "high", "difference", "difference_low", "difference_high"]
    return pd.DataFrame(rows, columns=[*columns, "probability", "within"])


def _interval(resampled):
    return np.quantile(resampled, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]).tolist()


def _values_of_fold(fold, criterion, seed) -> NDArray[np.float64]:
    """Return the values of all methods on one fold, shape (1 + N_RESAMPLES, number of methods).

    The first row is computed without resampling. It is repeated for resamples without rows of both
    classes.
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
