"""Thresholds at which constraints hold on new data, with a stated probability."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from beyond_accuracy.operating_points.constraints import RATES, Constraint

_MOST_THRESHOLDS = 1000
_STARTS = 10
_SAFER_WHEN_HIGH = {
    ("precision", True),
    ("specificity", True),
    ("false_positive_rate", False),
    ("predicted_positive_rate", False),
}
_SAFER_WHEN_LOW = {("recall", True), ("negative_predictive_value", True)}
# Not so: few examples are beyond an extreme threshold, and these may be the wrong ones.
_UNCERTAIN_AT_THE_END = {"precision", "negative_predictive_value"}


def certified_thresholds(
    positive: NDArray[np.bool_],
    scores: NDArray[np.float64],
    constraints: Sequence[Constraint],
    probability: float,
    random_state: np.random.RandomState,
) -> np.ndarray:
    """Return thresholds such that, with the probability, all of them meet the constraints.

    The probability is over the examples, independent draws that the classifier has not seen, and
    holds whatever of these thresholds is chosen, and why. Thresholds are quantiles of the scores of
    a fifth of the examples; on the others each is tested (successes given trials are binomial; of
    several constraints the largest p-value counts), one after another, for as long as tests reject
    (fixed-sequence testing; Angelopoulos et al. 2021, "Learn then Test"). The tests begin where the
    constraints are safest; where that end has too few examples for a rate, at ten places: there
    where 1/2, 1/4, 1/8, … of the thresholds are left, in equal parts of the error allowed. Where
    constraints are safest at both ends, both ways from ten places.

    Parameters
    ----------
    positive : array of bool, shape (n,)
    scores : array of float, shape (n,)
    constraints : sequence of Constraint
    probability : float
        In (0, 1).
    random_state : RandomState

    Returns
    -------
    ndarray
        Increasing; empty if none can be certified.

    Raises
    ------
    ValueError
        If a constraint is not on a rate: for others no exact test is known.

    References
    ----------
    A. N. Angelopoulos et al., Learn then Test: Calibrating Predictive Algorithms to Achieve Risk
    Control, 2021. https://arxiv.org/abs/2110.01052

    Examples
    --------
    >>> import numpy as np
    >>> from beyond_accuracy.operating_points import certified_thresholds, parse_constraints
    >>> random_state = np.random.RandomState(0)
    >>> positive = random_state.random(2000) < 0.3
    >>> scores = positive + random_state.normal(size=2000)
    >>> constraints = parse_constraints("recall >= 0.8")
    >>> thresholds = certified_thresholds(positive, scores, constraints, 0.95, random_state)
    >>> float(thresholds.max().round(2))
    -0.01
    >>> float(np.quantile(scores[positive], 0.2).round(2))  # that of a recall of 0.8 here
    0.09
    """
    for constraint in constraints:
        if constraint.name not in RATES:
            raise ValueError(f"'{constraint}' cannot be guaranteed; what can: {', '.join(RATES)}")
    shuffled = random_state.permutation(len(scores))
    first, rest = np.split(shuffled, [max(len(scores) // 5, 1)])
    levels = np.linspace(0, 1, min(len(first), _MOST_THRESHOLDS))
    thresholds = np.unique(np.quantile(scores[first], levels, method="inverted_cdf"))
    tables = _tables(positive[rest], scores[rest], thresholds)
    p_values = np.max([_p_values(constraint, tables) for constraint in constraints], axis=0)
    sequences = _sequences(constraints, len(thresholds))
    level = (1 - probability) / len(sequences)
    certified = np.zeros(len(thresholds), dtype=bool)
    for sequence in sequences:
        for place in sequence:
            if p_values[place] > level:
                break
            certified[place] = True
    return thresholds[certified]


def _sequences(constraints, n_thresholds):
    """Ranges of thresholds to be tested in their order, each until a test does not reject."""
    last = n_thresholds - 1
    kinds = {(constraint.name, constraint.at_least) for constraint in constraints}
    if not (kinds <= _SAFER_WHEN_HIGH or kinds <= _SAFER_WHEN_LOW):
        starts = np.unique(np.linspace(0, last, _STARTS).round().astype(int))
        upwards = [range(start, n_thresholds) for start in starts]
        return upwards + [range(start, -1, -1) for start in starts]
    starts = np.zeros(1, dtype=int)
    if any(name in _UNCERTAIN_AT_THE_END for name, _ in kinds):
        starts = np.unique((last * 0.5 ** np.arange(1, _STARTS + 1)).astype(int))
    if kinds <= _SAFER_WHEN_LOW:
        return [range(start, n_thresholds) for start in starts]
    return [range(last - start, -1, -1) for start in starts]


def _tables(positive, scores, thresholds):
    tp, fp = (
        len(members) - np.searchsorted(np.sort(members), thresholds, side="right")
        for members in (scores[positive], scores[~positive])
    )
    return tp, fp, positive.sum() - tp, (~positive).sum() - fp


def _p_values(constraint, tables):
    successes, trials = RATES[constraint.name](*tables)
    if constraint.at_least:
        return stats.binom.sf(successes - 1, trials, constraint.bound)
    return stats.binom.cdf(successes, trials, constraint.bound)
