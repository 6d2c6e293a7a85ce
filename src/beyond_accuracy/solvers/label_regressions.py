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
    """Fitted ridge logistic regressions of m binary labels, one per label, on the same d features.

    In a classifier chain, the regression of a label has the earlier labels as additional features.
    `label_coef[j, l]` is then the weight of label l in the regression of a later label j; without a
    chain, all these weights are 0.

    `coef`, shape (m, d), is in the features' original scale. `C`, shape (m,), is the inverse
    strength of the penalty, chosen per label. For a label that is constant in training, `intercept`
    is −inf or inf and `C` is NaN. `validation_loss`, shape (m, number of candidates for C), is the
    log-loss on held-out data; NaN for candidates that were not tried. `n_iter` is the number of
    Newton steps per label, and `converged` tells whether the fit of each label converged.
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
    """Fit one ridge logistic regression per label, with C chosen by the log-loss on held-out folds.

    X has shape (n, d), and Y holds 0/1 labels, shape (n, m). C is the inverse strength of the
    penalty, as in scikit-learn. Candidates for C, ascending, are tried until two in a row do not
    lower the loss. Among equally good candidates, the smallest C is chosen. With `shared_C`, all
    labels get the C with the lowest mean loss; otherwise each label has its own C. A fold is left
    out of the loss of a label that is constant in the training part of the fold.

    If `chained`, the regression of a label has the earlier labels as additional features.
    `rescale`, if given, is called with the features of the training rows and returns two values:
    the features divided by scales, and the scales. The penalty is then on the weights of the
    divided features. `n_repeats` is the number of random divisions of the rows into `n_folds`
    folds. `tol` and `max_iter` are for each fit by Newton's method.
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
    """Choose one of several candidate values of C for each label, by the lowest validation loss.

    Return the index of the chosen candidate per label, shape (m,). With `shared`, all labels get
    the candidate with the lowest mean loss. The mean is over the labels that are not constant,
    whose indices are `varying`. `loss`, shape (m, number of candidates), is NaN for candidates not
    tried.
    """
    tried = np.where(np.isnan(loss), np.inf, loss)
    if shared:
        return np.full(len(loss), tried[varying].mean(axis=0).argmin())
    return tried.argmin(axis=1)


def held_out_folds(n_rows, n_folds, n_repeats, seed):
    """Return the held-out row indices of each fold of a repeated random cross-validation.

    The list has `n_folds` index arrays for each of `n_repeats` random divisions of the rows. Raises
    ValueError if there are fewer rows than folds.
    """
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
    """Return sparse X as a dense array, whose products are faster, if the array is small enough.

    The array may take at most 512 MiB, and at least 2 % of its entries must be nonzero. Otherwise,
    and if X is dense already, X is returned unchanged.
    """
    if not scipy.sparse.issparse(X):
        return X
    n_cells = X.shape[0] * X.shape[1]
    if X.nnz >= _DENSE_SHARE * n_cells and 8 * n_cells <= _MOST_DENSE_BYTES:
        return X.toarray()
    return X
