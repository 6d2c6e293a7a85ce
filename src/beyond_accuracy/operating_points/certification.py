"""Thresholds at which constraints hold on new data, with a stated probability."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, btdtria

from beyond_accuracy.measures.operating_curve import Tables
from beyond_accuracy.measures.threshold_measures import RATES
from beyond_accuracy.operating_points.constraints import Constraint

# Lower bounds on these rates are safest at the highest thresholds, on others at the lowest ones.
_SAFER_WHEN_HIGH = ("precision", "specificity")
_BISECTIONS = 20


def certified_thresholds(
    tables: Tables, constraints: Sequence[Constraint], confidence: float,
    *, scale: float = 1.0, start: int | None = None,
) -> NDArray[np.bool_]:  # fmt: skip
    """Return which thresholds are certified to meet the constraints on new data, shape (t,).

    With probability `confidence`, all certified thresholds meet all constraints on new data. The
    examples must be independent draws that the classifier has not seen. For scores without ties,
    this holds for any number of examples.

    For each constraint, thresholds are tested by binomial tests, the safest first, until a test
    fails (Learn then Test with a fixed sequence). The constraints share the error probability 1 −
    `confidence` equally. There are two exceptions, with two sequences of tests each:

    - "accuracy": from the threshold at `start`, one sequence goes up, the other one down.
    - A lower bound on precision or negative predictive value: both sequences go to thresholds with
      more predicted positives or negatives, respectively. The first one starts at √n of them, for n
      examples, and the second one at half as many as at `start` (the fallback procedure).

    Parameters
    ----------
    tables : tuple of ndarray, each of shape (t,)
        TP, FP, FN, TN at all thresholds, from all examples predicted positive to none.
    constraints : sequence of Constraint
        Only on rates, such as precision.
    confidence : float
        In (0, 1).
    scale : float, default 1.0
        Factor by which all counts are multiplied. Below 1, the tests are more cautious.
    start : int or None, default None
        Index of the threshold of the classifier's own decision, such as a probability of 0.5. It
        must not depend on the labels. None is 0 for "accuracy". For precision and negative
        predictive value, None leaves out the second sequence.

    References
    ----------
    A. N. Angelopoulos et al., Learn then Test, 2021. https://arxiv.org/abs/2110.01052

    B. L. Wiens, A. Dmitrienko, The Fallback Procedure for Evaluating a Single Family of Hypotheses,
    2005. https://doi.org/10.1080/10543400500265660

    Examples
    --------
    >>> import numpy as np
    >>> from beyond_accuracy.measures.operating_curve import RankedExamples
    >>> from beyond_accuracy.operating_points import certified_thresholds, parse_constraints
    >>> random_state = np.random.RandomState(0)
    >>> positive = random_state.random(2000) < 0.3
    >>> scores = positive + random_state.normal(size=2000)
    >>> curve = RankedExamples(positive, scores).curve()
    >>> certified = certified_thresholds(curve.tables, parse_constraints("recall >= 0.8"), 0.95)
    >>> float(curve.thresholds[certified].max().round(2))
    0.02
    >>> float(np.quantile(scores[positive], 0.2).round(2))  # where recall is 0.8 on these examples
    0.09
    """
    level = (1 - confidence) / len(constraints)
    certified = np.ones(len(tables[0]), dtype=bool)
    for constraint in constraints:
        if constraint.name not in RATES:
            raise ValueError(f"'{constraint}' cannot be certified; what can: {', '.join(RATES)}")
        successes, trials = (scale * counts for counts in RATES[constraint.name](*tables))
        bound = constraint.bound
        if not constraint.at_least:
            successes, bound = trials - successes, 1 - bound
        # The tail of the binomial distribution, for counts that need not be whole numbers.
        tested = successes > 0
        tails = betainc(np.where(tested, successes, 1.0), trials - successes + 1, bound)
        p_values = np.where(tested, tails, 1.0)
        places = np.arange(len(trials))
        if constraint.name == "accuracy":
            up, down = places[start or 0 :], places[(start or 0) :: -1]
            upwards, downwards = (_rejected(p_values, [side], level / 2) for side in (up, down))
            certified &= upwards | downwards
            continue
        if (constraint.name in _SAFER_WHEN_HIGH) == constraint.at_least:
            places = places[::-1]
        starts = [np.sqrt(trials.max()), 0.0 if start is None else trials[start] / 2]
        parts = _sequences(trials[places], bound, level, starts)
        certified &= _rejected(p_values, [places[part] for part in parts], level)
    return certified


def explain_uncertified(
    certify: Callable[..., NDArray[np.bool_]], constraints: Sequence[Constraint], confidence: float
) -> str:
    """Return text that names a lower confidence, and looser bounds, that can be certified.

    `certify(constraints, confidence)` marks the certified thresholds in a bool array, shape (t,).
    """

    def loosened(place, bound):
        others = [*constraints[:place], *constraints[place + 1 :]]
        return [replace(constraints[place], bound=bound), *others]

    listed = ", ".join(f"'{constraint}'" for constraint in constraints)
    parts = [f"no threshold is certain to meet {listed} with probability {confidence:g}"]
    possible = _last(lambda value: certify(constraints, value).any(), 0.01, confidence)
    if possible is not None:
        parts.append(f"one is with confidence={np.floor(100 * possible) / 100:g}")
    for place, constraint in enumerate(constraints):
        bound = _last(
            lambda bound, place=place: certify(loosened(place, bound), confidence).any(),
            0.001 if constraint.at_least else 0.999,
            constraint.bound,
        )
        if bound is not None:
            towards = np.floor if constraint.at_least else np.ceil
            rounded = loosened(place, towards(1000 * bound) / 1000)
            listed = ", ".join(f"'{each}'" for each in rounded)
            parts.append(f"one is certain to meet {listed}")
    return "; ".join([*parts, "more examples help, too"])


def _last(holds, easy, hard):
    """Bisect from `easy` to `hard` for the last value at which `holds`; None if there is none."""
    if not holds(easy):
        return None
    for _ in range(_BISECTIONS):
        middle = (easy + hard) / 2
        easy, hard = (middle, hard) if holds(middle) else (easy, middle)
    return easy


def _sequences(trials, bound, level, starts):
    """Return the indices of thresholds to test, by number of trials, a sequence per start."""
    if trials[0] >= trials[-1]:
        return [np.arange(len(trials))]
    starts = [starts[0], *(start for start in starts[1:] if start > starts[0])]
    ends = [*starts[1:], np.nextafter(trials[-1], np.inf)]
    errors = np.arange(np.ceil(trials[-1] * (1 - bound)) + 1)
    sequences = []
    for number, (start, end) in enumerate(zip(starts, ends, strict=True), start=1):
        # The p-value of k errors in m trials is betainc(m - k, k + 1, bound).
        sizes = errors + btdtria(level * number / len(starts), errors + 1, bound)
        possible = (sizes >= start) & (sizes < end)
        sequences.append(np.unique(np.searchsorted(trials, sizes[possible])))
    return sequences


def _rejected(p_values, sequences, level):
    """Return which hypotheses are rejected by the fallback procedure.

    Each sequence has an equal part of `level` and ends with the first test that fails. If no test
    fails, the next sequence gets its level, too.
    """
    rejected = np.zeros(len(p_values), dtype=bool)
    available = 0.0
    for sequence in sequences:
        available += level / len(sequences)
        fails = np.flatnonzero(p_values[sequence] > available)
        rejected[sequence[: fails[0]] if len(fails) else sequence] = True
        if len(fails):
            available = 0.0
    return rejected
