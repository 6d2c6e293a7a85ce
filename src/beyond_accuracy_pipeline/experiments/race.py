"""Compare candidates on several validation parts, and drop candidates that can no longer win."""

import numpy as np

# Far larger than the rounding error of a mean of values in [0, 1].
_ROUNDING = 1e-9


def race(values, paths, needs_earlier, best_before, validate) -> None:
    """Compute validation scores of hyperparameter candidates until the best candidate is certain.

    All candidates are validated on the first validation part. A candidate is dropped once its mean
    cannot reach the highest mean, even if all its missing scores were 1.

    - `values`, shape (n_measures, n_parts, n_candidates), is the output array; fill it with NaN.
    - `paths` lists groups of candidates that are fitted together.
    - `needs_earlier` says whether a fit needs the earlier fits of its group.
    - `best_before` has the highest mean per measure in earlier calls, or −inf.
    - `validate(part, candidates)` writes the scores of some candidates into `values`.
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
    """Return the candidates of a path that must be validated, because they can still win."""
    positions = np.flatnonzero(can_win[list(path)])
    if needs_earlier and len(positions):
        positions = range(positions[-1] + 1)
    return [path[position] for position in positions]
