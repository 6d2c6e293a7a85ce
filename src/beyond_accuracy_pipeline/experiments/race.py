"""Comparisons over several validation parts, without candidates that can no longer win."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

# Far more than rounding adds to a mean of values in [0, 1].
_ROUNDING = 1e-9


def race(
    values: NDArray[np.float64],
    paths: Sequence[Sequence[int]],
    goes_on: bool,
    best: NDArray[np.float64],
    validate: Callable[[int, list[int]], None],
) -> None:
    """Fill in values until no further one can change which candidate has the highest mean.

    All candidates are validated on the first part, then the paths of those that are best there,
    and then those of the others whose mean could still reach the highest one, were the values that
    are missing 1, the largest there is.

    Parameters
    ----------
    values : ndarray, shape (n_measures, n_parts, n_candidates)
        NaN, and what is missing stays NaN; where a measure has no value all candidates go on.
    paths : sequence of sequences of int
        The candidates, those together that share work, in the order in which they are fitted.
    goes_on : bool
        Whether a fit of a path depends on those before it, which are then made again.
    best : ndarray, shape (n_measures,)
        The highest means of other candidates, −inf without.
    validate : callable
        `validate(part, candidates)` writes their values on a part.
    """
    _, n_parts, n_candidates = values.shape
    validate(0, list(range(n_candidates)))
    ahead = set(np.nan_to_num(values[:, 0], nan=-1.0).argmax(axis=1).tolist())
    leading = [path for path in paths if ahead & set(path)]
    for heat in (leading, [path for path in paths if path not in leading]):
        for part in range(1, n_parts):
            bounds = np.where(np.isnan(values), 1.0, values).mean(axis=1)
            hopeful = (bounds >= best[:, None] - _ROUNDING).any(axis=0)
            chosen = [i for path in heat for i in _needed(path, hopeful, goes_on)]
            if not chosen:
                break
            validate(part, chosen)
        best = np.fmax(best, np.fmax.reduce(values.mean(axis=1), axis=1))


def _needed(path, hopeful, goes_on):
    """The hopeful candidates of a path, and those before them if their fits depend on these."""
    places = np.flatnonzero(hopeful[list(path)])
    if goes_on and len(places):
        places = range(places[-1] + 1)
    return [path[place] for place in places]
