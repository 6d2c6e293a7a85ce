"""Paired t-tests over the folds of one data set: the paper's, and one corrected for overlap."""

from dataclasses import dataclass

import numpy as np
import scipy

# Decimals of a difference that are more than rounding.
DECIMALS = 12


@dataclass(frozen=True)
class PairedTest:
    """A two-sided t-test of the mean difference of pairs.

    Attributes
    ----------
    difference : float
        Mean of the first minus the second.
    p_value : float
        1 when all differences are zero, 0 when they are all the same and not zero.
    """

    difference: float
    p_value: float

    def is_win(self, level: float) -> bool:
        """Whether the first is significantly lower."""
        return self.difference < 0 and self.p_value < level

    def is_loss(self, level: float) -> bool:
        """Whether the first is significantly higher."""
        return self.difference > 0 and self.p_value < level


def paired_t_test(first: np.ndarray, second: np.ndarray) -> PairedTest:
    """Student's paired t-test of two arrays of one shape; every entry is a pair."""
    differences = np.round(np.ravel(first) - np.ravel(second), DECIMALS)
    return _t_test(differences, 1 / len(differences))


def corrected_t_test(
    first: np.ndarray, second: np.ndarray, test_per_training_example: float
) -> PairedTest:
    """The corrected resampled t-test (Nadeau and Bengio 2003) of values by fold, shape (J,).

    Training parts of different folds overlap, so that folds are not independent: the variance of
    the mean is taken as (1/J + n_test/n_train) times that of the differences. Values under several
    cost matrices have to be averaged within folds before.
    """
    differences = np.round(first - second, DECIMALS)
    return _t_test(differences, 1 / len(differences) + test_per_training_example)


def _t_test(differences: np.ndarray, factor: float) -> PairedTest:
    mean, deviation = float(differences.mean()), float(differences.std(ddof=1))
    if deviation == 0:
        return PairedTest(mean, 1.0 if mean == 0 else 0.0)
    statistic = mean / (deviation * np.sqrt(factor))
    return PairedTest(mean, float(2 * scipy.stats.t.sf(abs(statistic), len(differences) - 1)))
