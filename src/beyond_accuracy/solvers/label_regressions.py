"""Ridge logistic regressions of all labels, with the penalty chosen by validation."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy.sparse

from beyond_accuracy.solvers.logistic_newton import LogisticProblem, log_loss

_DENSE_SHARE = 0.02
_MOST_DENSE_BYTES = 2**29
_RISES_TO_STOP = 2


@dataclass(frozen=True)
class LabelRegressions:
    """Regressions of m labels on d features and, in a chain, on the earlier labels.

    `coef`, shape (m, d), is in the features' original scale. `label_coef[j, l]` is the weight of
    label l in the regression of a later label j. `intercept` is −inf or inf for a label that is
    constant in training, and its `C` is NaN. `validation_loss`, shape (m, number of candidates), is
    the log-loss on held-out data; NaN if not tried. `n_iter` counts Newton steps.
    """

    coef: np.ndarray
    label_coef: np.ndarray
    intercept: np.ndarray
    C: np.ndarray
    validation_loss: np.ndarray
    n_iter: np.ndarray
    converged: np.ndarray


def fit_label_regressions(
    X,
    Y,
    candidates,
    *,
    chained,
    rescale: Callable | None = None,
    shared_C=False,
    penalize_intercept=False,
    n_folds=3,
    n_repeats=1,
    seed=0,
    tol=1e-5,
    max_iter=100,
) -> LabelRegressions:
    """Fit regressions of all labels, with C chosen by the log-loss on held-out folds.

    Candidates for C, ascending, are tried until two in a row do not lower the loss. Among equally
    good candidates, the smallest C is chosen. If `shared_C`, all labels have the C with the lowest
    mean loss.

    If `chained`, the regression of a label has the earlier labels as additional features.
    `rescale(features of the training rows)` returns (features divided by scales, scales); the
    penalty is on the weights of the divided features. A fold whose training data has a constant
    label does not count for this label.
    """
    n_rows, n_features = X.shape
    n_labels = Y.shape[1]
    features = _stacked(X, Y) if chained else dense_if_small(X)
    used = None
    if chained:
        used = np.ones((n_labels, n_features + n_labels), dtype=bool)
        used[:, n_features:] = np.tril(np.ones((n_labels, n_labels), dtype=bool), -1)
    varying = _varying(Y)
    loss = np.full((n_labels, len(candidates)), np.nan)
    chosen = np.zeros(n_labels, dtype=np.int64)
    if len(candidates) > 1 and len(varying):
        folds = held_out_folds(n_rows, n_folds, n_repeats, seed)
        loss[varying] = _validate(
            features, Y[:, varying], used if used is None else used[varying], candidates, folds,
            rescale, shared_C, penalize_intercept, tol, max_iter,
        )  # fmt: skip
        chosen = lowest_losses(loss, varying, shared_C)
    C = np.asarray(candidates, dtype=np.float64)[chosen]
    coef = np.zeros((n_labels, features.shape[1]))
    intercept = np.where(Y[0] > 0, np.inf, -np.inf) if n_rows else np.zeros(n_labels)
    n_iter = np.zeros(n_labels, dtype=np.int64)
    converged = np.ones(n_labels, dtype=bool)
    if len(varying):
        scaled, scale = rescale(features) if rescale else (features, 1.0)
        mask = used if used is None else used[varying]
        problem = LogisticProblem(
            scaled, Y[:, varying], mask, penalize_intercept=penalize_intercept
        )
        solution = problem.solve(C[varying], tol=tol, max_iter=max_iter)
        coef[varying], intercept[varying] = solution.coef / scale, solution.intercept
        n_iter[varying], converged[varying] = solution.n_iter, solution.converged
    C[np.setdiff1d(np.arange(n_labels), varying)] = np.nan
    label_coef = coef[:, n_features:] if chained else np.zeros((n_labels, n_labels))
    return LabelRegressions(coef[:, :n_features], label_coef, intercept, C, loss, n_iter, converged)


def _varying(Y):
    count = Y.sum(axis=0, dtype=np.int64)
    return np.flatnonzero((count > 0) & (count < len(Y)))


def lowest_losses(loss, varying, shared):
    """Return the index of the C with the lowest loss per label, or lowest mean loss if `shared`.

    `loss`, shape (m, number of candidates), is NaN for candidates not tried. The mean is over the
    labels in `varying`, which are not constant.
    """
    tried = np.where(np.isnan(loss), np.inf, loss)
    if shared:
        return np.full(len(loss), tried[varying].mean(axis=0).argmin())
    return tried.argmin(axis=1)


def held_out_folds(n_rows, n_folds, n_repeats, seed):
    """Return index arrays of random folds: `n_repeats` divisions into `n_folds` folds."""
    if n_rows < n_folds:
        raise ValueError(f"{n_folds} folds need at least as many samples, found {n_rows}")
    rng = np.random.default_rng(seed)
    divisions = [np.array_split(rng.permutation(n_rows), n_folds) for _ in range(n_repeats)]
    return [fold for folds in divisions for fold in folds]


def _validate(
    features, Y, used, candidates, folds, rescale, shared_C, penalize_intercept, tol, max_iter
):  # fmt: skip
    """Return the log-loss on held-out data, shape (m, number of candidates); NaN if not tried."""
    n_labels = Y.shape[1]
    problems = []
    for fold in folds:
        training = np.ones(len(Y), dtype=bool)
        training[fold] = False
        labels = _varying(Y[training])
        fitted, scale = features[training], 1.0
        if rescale:
            fitted, scale = rescale(fitted)
        mask = used if used is None else used[labels]
        problem = LogisticProblem(
            fitted, Y[training][:, labels], mask, penalize_intercept=penalize_intercept
        )
        start = problem.solve(np.full(len(labels), candidates[0]), tol=np.inf)
        problems.append((problem, scale, labels, start.coef, start.intercept))
    loss = np.full((n_labels, len(candidates)), np.nan)
    going = np.ones(n_labels, dtype=bool)
    best, rises = np.full(n_labels, np.inf), np.zeros(n_labels, dtype=np.int64)
    for c, C in enumerate(candidates):
        loss[going, c] = 0.0
        for fold, (problem, scale, labels, coef, intercept) in zip(folds, problems, strict=True):
            kept = np.flatnonzero(going[labels])
            if not len(kept):
                continue
            part = problem.of_labels(kept)
            solution = part.solve(
                np.full(len(kept), C),
                (coef[kept], intercept[kept]),
                tol=tol,
                max_iter=max_iter,
            )
            coef[kept], intercept[kept] = solution.coef, solution.intercept
            scores = np.asarray(features[fold] @ (solution.coef / scale).T) + solution.intercept
            loss[labels[kept], c] += log_loss(scores, Y[fold][:, labels[kept]]) * len(fold)
        criterion = np.full(n_labels, loss[:, c].mean()) if shared_C else loss[:, c]
        rises = np.where(criterion < best, 0, rises + 1)
        best = np.fmin(best, criterion)
        going &= rises < _RISES_TO_STOP
        if not going.any():
            break
    return loss / sum(map(len, folds))


def _stacked(X, Y):
    X = dense_if_small(X)
    if scipy.sparse.issparse(X):
        return scipy.sparse.hstack([X, scipy.sparse.csr_matrix(Y.astype(np.float64))], format="csr")
    return np.hstack([X, Y])


def dense_if_small(X):
    """Return sparse features as a dense array, with faster products, if it is worthwhile.

    The array may take at most 512 MiB, and at least 2 % of its entries must be nonzero.
    """
    if not scipy.sparse.issparse(X):
        return X
    n_cells = X.shape[0] * X.shape[1]
    if X.nnz >= _DENSE_SHARE * n_cells and 8 * n_cells <= _MOST_DENSE_BYTES:
        return X.toarray()
    return X
