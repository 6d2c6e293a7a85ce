"""Ridge logistic regressions of many labels on the same features, with C chosen by validation.

All labels are fitted at once, by a truncated Newton method with matrix products, which saves much
time. Labels are independent problems; each has its own step lengths and stopping test.
"""

import copy
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy.sparse

_DENSE_SHARE = 0.02
_MOST_DENSE_BYTES = 2**29
_RISES_TO_STOP = 2
_MOST_DENSE_COLUMNS = 2000
_MOST_CONJUGATE_STEPS = 100
_ARMIJO = 1e-4
_SMALLEST_STEP = 2.0**-20


@dataclass(frozen=True)
class LabelRegressions:
    """Fitted ridge logistic regressions of m binary labels, one per label, on the same d features.

    - `coef`, shape (m, d): weights in the features' original scale.
    - `label_coef`, shape (m, m): entry [j, l] is the weight of label l in the regression of a later
      label j of a classifier chain; 0 without a chain.
    - `intercept`, shape (m,): −inf or inf for a label that is constant in training.
    - `C`, shape (m,): inverse strength of the penalty; NaN for a constant label.
    - `validation_loss`, shape (m, number of candidates for C): log-loss on held-out data; NaN for
      candidates that were not tried.
    - `n_iter`, `converged`, shape (m,): number of Newton steps, and whether the fit converged.
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
    penalty, as in scikit-learn.

    - `candidates`: values of C, ascending. They are tried until two in a row do not lower the loss.
      Of equally good ones, the smallest is chosen.
    - `chained`: the regression of a label has the earlier labels as additional features.
    - `rescale`: function that returns (X divided by scales, the scales) for the training rows of X.
      The penalty is then on the weights of the divided features.
    - `shared_C`: all labels get the C with the lowest mean loss.
    - `n_folds`, `n_repeats`: the rows are divided into folds at random, `n_repeats` times.
    - `tol`, `max_iter`: see `LogisticProblem.solve`.
    """
    n_rows, n_features = X.shape
    n_labels = Y.shape[1]
    features = dense_if_small(X)
    if chained:
        features = with_columns(features, Y)
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
        problem = LogisticProblem(scaled, Y[:, varying], mask, penalize_intercept)
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
    """Return the index of the candidate for C with the lowest validation loss, per label.

    `loss`, shape (m, number of candidates), is NaN for candidates not tried. If `shared`, all m
    labels get the candidate with the lowest mean loss over the labels with the indices `varying`.
    """
    tried = np.where(np.isnan(loss), np.inf, loss)
    if shared:
        return np.full(len(loss), tried[varying].mean(axis=0).argmin())
    return tried.argmin(axis=1)


def held_out_folds(n_rows, n_folds, n_repeats, seed):
    """Return the held-out row indices of each fold, for `n_repeats` random divisions of rows."""
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
        fitted = features[training]
        fitted, scale = rescale(fitted) if rescale else (fitted, 1.0)
        mask = used if used is None else used[labels]
        problem = LogisticProblem(fitted, Y[training][:, labels], mask, penalize_intercept)
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
            start = coef[kept], intercept[kept]
            solution = problem.of_labels(kept).solve(C, start, tol=tol, max_iter=max_iter)
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


def with_columns(X, Y):
    """Return X, dense or sparse, with the columns of the dense matrix Y added on the right."""
    if scipy.sparse.issparse(X):
        return scipy.sparse.hstack([X, scipy.sparse.csr_matrix(Y.astype(np.float64))], format="csr")
    return np.hstack([X, Y])


def dense_if_small(X):
    """Return sparse X as a dense array, whose products are faster, if the array is small enough.

    Small means at most 512 MiB, with at least 2 % of the entries nonzero. Else return X itself.
    """
    if not scipy.sparse.issparse(X):
        return X
    n_cells = X.shape[0] * X.shape[1]
    small = X.nnz >= _DENSE_SHARE * n_cells and 8 * n_cells <= _MOST_DENSE_BYTES
    return X.toarray() if small else X


@dataclass(frozen=True)
class LogisticSolution:
    """Fitted logistic regressions of m labels on d features.

    `coef` has shape (m, d). `intercept`, `n_iter` (number of Newton steps) and `converged` have one
    entry per label, shape (m,).
    """

    coef: np.ndarray
    intercept: np.ndarray
    n_iter: np.ndarray
    converged: np.ndarray


class LogisticProblem:
    """Ridge logistic regressions of m binary labels on the same features, one per label.

    The regression of label j minimizes mean log-loss + ‖w_j‖²/(2·C_j·n) over its weights w_j and an
    intercept. Y holds 0/1 labels, shape (n, m), and no column of Y may be constant. `used`, a
    boolean array of shape (m, d), marks the features of each label's regression; all by default.
    """

    def __init__(self, X, Y, used=None, penalize_intercept=False):
        self.X = X if scipy.sparse.issparse(X) else np.ascontiguousarray(X)
        self.Y = np.asarray(Y, dtype=np.float64)
        self.cost = np.ones((1, self.Y.shape[1]))
        self.used = used
        self.penalty_0 = float(penalize_intercept)
        self.n_rows, self.n_features = X.shape
        self._basis = _gram_basis(self.X) if self.n_features <= _MOST_DENSE_COLUMNS else None

    def of_labels(self, labels) -> "LogisticProblem":
        """Return a copy of the problem that has only the labels at the indices `labels`."""
        part = copy.copy(self)
        part.Y = self.Y[:, labels]
        part.cost = self.cost[:, labels]
        part.used = None if self.used is None else self.used[labels]
        return part

    def with_costs(self, missed, false_alarm) -> "LogisticProblem":
        """Return a copy of the problem with class weights for each label.

        The log-loss of positive examples is multiplied by `missed`, and of others by `false_alarm`.
        Both have shape (m,).
        """
        part = copy.copy(self)
        part.cost = np.where(self.Y > 0, missed, false_alarm)
        return part

    def solve(self, C, start=None, *, tol=1e-5, max_iter=100) -> LogisticSolution:
        """Fit all regressions by Newton's method, until no entry of a gradient exceeds `tol`.

        `C` has shape (m,) for m labels, or is one number. `start` is the pair (coef, intercept) of
        an earlier solution. Each regression ends after at most `max_iter` steps.
        """
        n_labels = self.Y.shape[1]
        penalty = 1.0 / (np.broadcast_to(C, n_labels) * self.n_rows)
        if start is None:
            share = (self.cost * self.Y).mean(axis=0) / self.cost.mean(axis=0)
            coef = np.zeros((n_labels, self.n_features))
            intercept = np.log(share / (1 - share))
        else:
            coef, intercept = start[0].copy(), start[1].copy()
        n_iter = np.zeros(n_labels, dtype=np.int64)
        converged = np.zeros(n_labels, dtype=bool)
        active = np.arange(n_labels)
        scores = self._scores(coef, intercept)
        for iteration in range(max_iter + 1):
            Y, lam = self.Y[:, active], penalty[active]
            # exp of minus the absolute value never overflows.
            e = np.exp(-abs(scores))
            probability = np.where(scores >= 0, 1.0, e) / (1.0 + e)
            cost = self.cost[:, active]
            residual = cost * (probability - Y) / self.n_rows
            gradient = np.asarray(self.X.T @ residual).T + lam[:, None] * coef[active]
            if self.used is not None:
                gradient *= self.used[active]
            gradient_0 = residual.sum(axis=0) + self.penalty_0 * lam * intercept[active]
            norm = np.maximum(abs(gradient).max(axis=1, initial=0.0), abs(gradient_0))
            done = norm <= tol
            converged[active[done]] = True
            n_iter[active] = iteration
            if done.all() or iteration == max_iter:
                break
            left = ~done
            active, lam, scores, Y = active[left], lam[left], scores[:, left], Y[:, left]
            probability, cost = probability[:, left], cost[:, left]
            weight = cost * probability * (1 - probability) / self.n_rows
            gradient, gradient_0 = gradient[left], gradient_0[left]
            step, step_0, slope = self._newton_step(weight, gradient, gradient_0, lam, active)
            moved = self._scores(step, step_0)
            origin, towards = coef[active], step
            if self.penalty_0:
                origin = np.column_stack([origin, intercept[active]])
                towards = np.column_stack([towards, step_0])
            length = _line_search(scores, moved, Y, cost, origin, towards, lam, slope)
            coef[active] += length[:, None] * step
            intercept[active] += length * step_0
            scores = scores + length * moved
            stuck = length == 0
            if stuck.any():
                # Rounding hides any further descent.
                active, scores = active[~stuck], scores[:, ~stuck]
                if not len(active):
                    break
        return LogisticSolution(coef, intercept, n_iter, converged)

    def _scores(self, coef, intercept):
        return np.asarray(self.X @ coef.T) + intercept

    def _newton_step(self, weight, gradient, gradient_0, lam, active):
        """Return an approximate Newton step of all active labels, by conjugate gradients.

        The result is the step of the weights, the step of the intercepts, and the derivative of the
        objective along the step. `weight` is P·(1 − P)/n for the predicted probabilities P, times
        the costs, and `lam` is the weight of the penalty.
        """
        n_labels = len(active)
        used = None if self.used is None else self.used[active]
        step, step_0 = np.zeros_like(gradient), np.zeros(n_labels)
        # Superlinear convergence: the nearer the optimum, the more exact the step.
        size = np.sqrt((gradient**2).sum(axis=1) + gradient_0**2)
        accuracy = np.minimum(0.1, np.sqrt(size)) ** 2
        inverse = self._preconditioner(weight, lam)
        left = np.arange(n_labels)
        rest, rest_0 = -gradient, -gradient_0
        direction, direction_0 = inverse(rest, rest_0, left, used)
        rz = (rest * direction).sum(axis=1) + rest_0 * direction_0
        goal = accuracy * rz
        for _ in range(_MOST_CONJUGATE_STEPS):
            products = weight * self._scores(direction, direction_0)
            image = np.asarray(self.X.T @ products).T + lam[left][:, None] * direction
            if used is not None:
                image *= used
            image_0 = products.sum(axis=0) + self.penalty_0 * lam[left] * direction_0
            curvature = (direction * image).sum(axis=1) + direction_0 * image_0
            positive = (curvature > 0) & (rz > 0)
            alpha = np.where(positive, rz / np.where(positive, curvature, 1.0), 0.0)
            step[left] += alpha[:, None] * direction
            step_0[left] += alpha * direction_0
            rest, rest_0 = rest - alpha[:, None] * image, rest_0 - alpha * image_0
            z, z_0 = inverse(rest, rest_0, left, used)
            updated = (rest * z).sum(axis=1) + rest_0 * z_0
            going = positive & (updated > goal)
            if not going.any():
                break
            ratio = updated / np.where(positive, rz, 1.0)
            direction, direction_0 = z + ratio[:, None] * direction, z_0 + ratio * direction_0
            rz = updated
            if not going.all():
                left, weight, goal, rz = left[going], weight[:, going], goal[going], rz[going]
                rest, rest_0 = rest[going], rest_0[going]
                direction, direction_0 = direction[going], direction_0[going]
                used = None if used is None else used[going]
        return step, step_0, (step * gradient).sum(axis=1) + step_0 * gradient_0

    def _preconditioner(self, weight, lam):
        """Return a function that applies the inverse of c·XᵀX/n + λ for each label, X centred.

        c is the mean weight of a label's examples.
        """
        weights = weight.sum(axis=0)
        total = weights + self.penalty_0 * lam
        if self._basis is None:
            squares = self.X.multiply(self.X) if scipy.sparse.issparse(self.X) else self.X**2
            diagonal = np.asarray(squares.T @ weight).T + lam[:, None]
            return lambda v, v_0, left, used: (v / diagonal[left], v_0 / total[left])
        mean, eigenvalues, basis = self._basis
        scale = 1.0 / (weights[:, None] * eigenvalues + lam[:, None])
        share = weights / total

        def inverse(v, v_0, left, used):
            # Eliminating the intercept centres the features.
            centred = v - (share[left] * v_0)[:, None] * mean
            if used is not None:
                centred *= used
            w = ((centred @ basis) * scale[left]) @ basis.T
            if used is not None:
                w *= used
            return w, v_0 / total[left] - share[left] * (w @ mean)

        return inverse


def _gram_basis(X):
    mean = np.asarray(X.mean(axis=0)).ravel()
    gram = X.T @ X
    gram = gram.toarray() if scipy.sparse.issparse(gram) else gram
    covariance = gram / X.shape[0] - np.outer(mean, mean)
    if not np.isfinite(covariance).all():
        raise ValueError("products of features exceed the range of float64; scale the features")
    eigenvalues, basis = np.linalg.eigh(covariance)
    return mean, np.maximum(eigenvalues, 0.0), basis


def log_loss(scores, Y, cost=1.0):
    """Return the mean of `cost` times the log-loss per label, shape (m,), from log-odds `scores`.

    `scores` and the 0/1 labels `Y` have shape (n, m).
    """
    margins = np.where(Y > 0, scores, -scores)
    return (cost * (np.log1p(np.exp(-abs(margins))) + np.maximum(-margins, 0.0))).mean(axis=0)


def _line_search(scores, moved, Y, cost, coef, step, lam, slope):
    """Return the step length of each label, by halving from 1; 0 if not even a tiny step helps.

    `scores` change by `moved` over the whole step, and `coef` by `step`.
    """

    def objective(length, columns):
        w = coef[columns] + length[columns, None] * step[columns]
        moved_scores = scores[:, columns] + length[columns] * moved[:, columns]
        losses = log_loss(moved_scores, Y[:, columns], cost[:, columns])
        return losses + lam[columns] / 2 * (w**2).sum(axis=1)

    length = np.ones(len(lam))
    everything = np.arange(len(lam))
    before = objective(np.zeros(len(lam)), everything)
    searching = everything
    while len(searching):
        after = objective(length, searching)
        # Near the optimum the decrease drowns in rounding.
        slack = 1e-15 * (1.0 + abs(before[searching]))
        enough = after <= before[searching] + _ARMIJO * length[searching] * slope[searching] + slack
        searching = searching[~enough]
        length[searching] /= 2
        small = length[searching] < _SMALLEST_STEP
        length[searching[small]] = 0.0
        searching = searching[~small]
    return length
