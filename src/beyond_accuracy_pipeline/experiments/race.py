"""Compare candidates on several validation parts, and drop candidates that can no longer win."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

# Far larger than the rounding error of a mean of values in [0, 1].
_ROUNDING = 1e-9


def race(
    values: NDArray[np.float64],
    paths: Sequence[Sequence[int]],
    goes_on: bool,
    best: NDArray[np.float64],
    validate: Callable[[int, list[int]], None],
) -> None:
    """Fill in validation scores until the candidate with the highest mean is certain.

    All candidates are validated on the first part. On the other parts, paths with the best
    candidate of the first part come first. Then follow all candidates whose mean could still reach
    the highest mean if their missing scores were 1, the largest possible score.

    Parameters
    ----------
    values : ndarray, shape (n_measures, n_parts, n_candidates)
        Initially NaN; scores that are not needed stay NaN. If a measure has no scores at all, no
        candidate is dropped.
    paths : sequence of sequences of int
        Candidates that are fitted together because they share work, in the order of their fits.
    goes_on : bool
        Whether a fit depends on the earlier fits of its path, which are then repeated.
    best : ndarray, shape (n_measures,)
        Highest mean of candidates compared before, or −inf.
    validate : callable
        `validate(part, candidates)` writes the candidates' scores on a part into `values`.
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
    """Return the hopeful candidates of a path, with all earlier ones if fits depend on them."""
    places = np.flatnonzero(hopeful[list(path)])
    if goes_on and len(places):
        places = range(places[-1] + 1)
    return [path[place] for place in places]
