"""Thresholds at which constraints hold on new data, with a given probability."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from beyond_accuracy.measures.threshold_measures import RATES
from beyond_accuracy.operating_points.constraints import Constraint

_MOST_THRESHOLDS = 1000
_SET_APART = 5
_SAFER_WHEN_HIGH = {
    ("precision", True),
    ("specificity", True),
    ("false_positive_rate", False),
    ("predicted_positive_rate", False),
}
_SAFER_WHEN_LOW = {("recall", True), ("negative_predictive_value", True)}


def certified_thresholds(
    positive: NDArray[np.bool_],
    scores: NDArray[np.float64],
    constraints: Sequence[Constraint],
    probability: float,
    random_state: np.random.RandomState,
) -> np.ndarray:
    """Return thresholds that all meet the constraints on new data, with a given probability.

    The probability is over the examples, which must be independent draws that the classifier has
    not seen. The guarantee holds for any choice among the thresholds.

    The method is fixed-sequence testing (Angelopoulos et al. 2021, "Learn then Test"):

    1. A fifth of the examples is set apart. The quantiles of their scores are the candidates. The
       candidate at which these examples meet the constraints best is the start.
    2. On the other examples, the start is tested first, and then its neighbours one after another,
       as long as tests reject the hypothesis that a constraint is violated. Given the number of
       trials, the number of successes is binomial. With several constraints, the largest p-value
       counts.
    3. The direction is the one in which constraints become less safe: down for precision, up for
       recall. If it is unknown, tests go both ways, each with half of the allowed error.

    Parameters
    ----------
    positive : array of bool, shape (n,)
        True labels.
    scores : array of float, shape (n,)
        Scores of the positive class.
    constraints : sequence of Constraint
        Constraints on rates.
    probability : float
        Probability of the guarantee, in (0, 1).
    random_state : RandomState

    Returns
    -------
    ndarray
        The thresholds, increasing; empty if no threshold can be certified.

    Raises
    ------
    ValueError
        If a constraint is not on a rate, since there is no exact test.

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
    first, rest = np.split(shuffled, [max(len(scores) // _SET_APART, 1)])
    levels = np.linspace(0, 1, min(len(first), _MOST_THRESHOLDS))
    thresholds = np.unique(np.quantile(scores[first], levels, method="inverted_cdf"))
    # Counts are scaled up to the size of the test examples, to predict where tests will be surest.
    scale = len(rest) / len(first)
    apart = [
        np.round(scale * counts) for counts in _tables(positive[first], scores[first], thresholds)
    ]
    p_values = _p_values(constraints, _tables(positive[rest], scores[rest], thresholds))
    sequences = _sequences(constraints, int(np.argmin(_p_values(constraints, apart))), thresholds)
    level = (1 - probability) / len(sequences)
    certified = np.zeros(len(thresholds), dtype=bool)
    for sequence in sequences:
        for place in sequence:
            if p_values[place] > level:
                break
            certified[place] = True
    return thresholds[certified]


def _sequences(constraints, start, thresholds):
    """Return ranges of threshold indices to test in order, from the index `start` on.

    Each range is tested until a test does not reject.
    """
    kinds = {(constraint.name, constraint.at_least) for constraint in constraints}
    down, up = range(start, -1, -1), range(start, len(thresholds))
    if kinds <= _SAFER_WHEN_HIGH:
        return [down]
    return [up] if kinds <= _SAFER_WHEN_LOW else [down, up]


def _tables(positive, scores, thresholds):
    tp, fp = (
        len(members) - np.searchsorted(np.sort(members), thresholds, side="right")
        for members in (scores[positive], scores[~positive])
    )
    return tp, fp, positive.sum() - tp, (~positive).sum() - fp


def _p_values(constraints, tables):
    """Return the p-value of the hypothesis that some constraint is violated, per threshold.

    `tables` are the contingency tables (TP, FP, FN, TN) of the thresholds.
    """
    values = []
    for constraint in constraints:
        successes, trials = RATES[constraint.name](*tables)
        if constraint.at_least:
            values.append(stats.binom.sf(successes - 1, trials, constraint.bound))
        else:
            values.append(stats.binom.cdf(successes, trials, constraint.bound))
    return np.max(values, axis=0)
