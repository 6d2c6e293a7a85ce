"""Compare candidates on several validation parts, and drop candidates that can no longer win."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

# Far larger than the rounding error of a mean of values in [0, 1].
_ROUNDING = 1e-9


def race(
    values: NDArray[np.float64],
    paths: Sequence[Sequence[int]],
    needs_earlier: bool,
    best_before: NDArray[np.float64],
    validate: Callable[[int, list[int]], None],
) -> None:
    """Fill in validation scores until the candidate with the highest mean is certain.

    All candidates are validated on the first part. On the other parts, candidates are validated in
    two rounds: first the paths that contain a best candidate of the first part, then the other
    paths. A candidate is dropped as soon as its mean could not reach the highest mean, even if all
    its missing scores were 1, the largest possible score.

    Parameters
    ----------
    values : ndarray, shape (n_measures, n_parts, n_candidates)
        Scores, changed in place. Initially NaN; scores that are not needed stay NaN. If a measure
        has no scores at all, no candidate is dropped.
    paths : sequence of sequences of int
        Candidates that are fitted together because they share work, in the order of their fits.
    needs_earlier : bool
        Whether a fit depends on the earlier fits of its path, which are then repeated.
    best_before : ndarray, shape (n_measures,)
        Highest mean among candidates compared before this call, or −inf.
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
            can_win = (bounds >= best_before[:, None] - _ROUNDING).any(axis=0)
            chosen = [i for path in heat for i in _needed(path, can_win, needs_earlier)]
            if not chosen:
                break
            validate(part, chosen)
        best_before = np.fmax(best_before, np.fmax.reduce(values.mean(axis=1), axis=1))


def _needed(path, can_win, needs_earlier):
    """Return the candidates of a path that must be validated, in the order of the path.

    `can_win` says for each candidate whether it could still be the best, shape (n_candidates,). If
    `needs_earlier`, the earlier candidates of the path are needed too.
    """
    positions = np.flatnonzero(can_win[list(path)])
    if needs_earlier and len(positions):
        positions = range(positions[-1] + 1)
    return [path[position] for position in positions]
