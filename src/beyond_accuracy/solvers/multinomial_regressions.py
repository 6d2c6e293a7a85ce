"""Ridge multinomial regressions of many class variables on the same features, fitted at once.

As in `label_regressions`, this is a truncated Newton method with matrix products. The features are
rotated to their principal axes, in which a diagonal preconditioner works well.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse

from beyond_accuracy.solvers.label_regressions import (
    dense_if_small,
    held_out_folds,
    lowest_losses,
    with_columns,
)

_MOST_TURNED = 3000
_MOST_CONJUGATE_STEPS = 50
_ARMIJO = 1e-4
_SMALLEST_STEP = 2.0**-20
_RISES_TO_STOP = 2


@dataclass(frozen=True)
class MultinomialRegressions:
    """Fitted multinomial logistic regressions of p class variables, all on the same d features.

    - `classes`: ascending array of the classes of each variable.
    - `coef`, shape (T, d): weights in the features' original scale. There is one row for each of
      the T classes of all variables: first the classes of the first variable, and so on.
    - `intercept`, shape (T,): in the same order.
    - `C`, shape (p,): inverse strength of the penalty; NaN for a variable with one class.
    - `validation_loss`, shape (p, number of candidates for C): log-loss on held-out data; NaN for
      candidates that were not tried.
    - `n_iter`: number of Newton steps of the final fit.
    - `converged`, shape (p,): whether the fit of each variable converged.
    """

    classes: tuple[np.ndarray, ...]
    coef: np.ndarray
    intercept: np.ndarray
    C: np.ndarray
    validation_loss: np.ndarray
    n_iter: int
    converged: np.ndarray

    def predict_proba(self, X: Any) -> list[np.ndarray]:
        """Return class probabilities, one array of shape (n, number of classes) per variable."""
        starts = _starts(self.classes)
        scores = np.asarray(X @ self.coef.T) + self.intercept
        return np.split(_softmax(scores, starts, _sizes(self.classes))[0], starts[1:], axis=1)


def fit_multinomials(
    X,
    Z,
    candidates,
    *,
    rescale: Callable | None = None,
    shared_C=False,
    penalize_intercept=False,
    n_folds=3,
    n_repeats=1,
    seed=0,
    tol=1e-5,
    max_iter=100,
) -> MultinomialRegressions:
    """Fit one multinomial logistic regression per target variable, all on the same features X.

    Z, integers of shape (n, p), holds the class of each example in each of p target variables. C is
    chosen by the log-loss on held-out folds. The penalty is ‖w‖²/(2C), as in scikit-learn. Here w
    are the weights of all classes; for two classes, of the positive class.

    The search for C ends when two `candidates` in a row do not lower the mean loss of all
    variables. See `fit_label_regressions` for the other arguments.
    """
    candidates = np.asarray(candidates, dtype=np.float64)
    n_rows, n_variables = Z.shape
    varies = np.array([(column != column[0]).any() for column in Z.T])
    loss = np.full((n_variables, len(candidates)), np.nan)
    chosen = np.zeros(n_variables, dtype=np.int64)
    X, folding = dense_if_small(X), (penalize_intercept, tol, max_iter)
    if len(candidates) > 1 and varies.any():
        folds = held_out_folds(n_rows, n_folds, n_repeats, seed)
        loss[varies] = _validate(X, Z[:, varies], candidates, folds, rescale, *folding)
        chosen = lowest_losses(loss, varies, shared_C)
    scaled, scale = rescale(X) if rescale else (X, 1.0)
    problem = _Problem(scaled, Z, penalize_intercept)
    fitted = problem.solve(candidates[chosen], tol=tol, max_iter=max_iter)
    coef, intercept, n_iter, converged = fitted
    C = np.where(varies, candidates[chosen], np.nan)
    return MultinomialRegressions(
        problem.classes, coef / scale, intercept, C, loss, n_iter, converged
    )


def _validate(X, Z, candidates, folds, rescale, penalize_intercept, tol, max_iter):
    """Return the log-loss on held-out data, shape (p, number of candidates); NaN if not tried."""
    loss = np.full((Z.shape[1], len(candidates)), np.nan)
    problems, starts = [], [None] * len(folds)
    for fold in folds:
        training = np.setdiff1d(np.arange(len(Z)), fold)
        scaled, scale = rescale(X[training]) if rescale else (X[training], 1.0)
        problem = _Problem(scaled, Z[training], penalize_intercept)
        problems.append((problem, scale, X[fold], Z[fold]))
    for c, C in enumerate(candidates):
        loss[:, c] = 0.0
        for f, (problem, scale, held_out, classes) in enumerate(problems):
            solution = problem.solve(np.full(Z.shape[1], C), starts[f], tol=tol, max_iter=max_iter)
            starts[f] = coef, intercept = solution[:2]
            loss[:, c] += problem.log_loss(coef / scale, intercept, held_out, classes)
        mean = loss.mean(axis=0)
        if c >= _RISES_TO_STOP and (mean[c - 1 : c + 1] >= np.nanmin(mean[: c - 1])).all():
            break
    return loss / sum(map(len, folds))


class _Problem:
    """Multinomial regressions of all variables, whose objectives are minimized together.

    The objective of a variable is mean log-loss + Σ‖w‖²/(2·C·n) over the weights w of its classes.
    """

    def __init__(self, X, Z, penalize_intercept):
        self.n_rows, self.n_features = X.shape
        self.classes = tuple(np.unique(column) for column in Z.T)
        self.free_intercept = not penalize_intercept
        if penalize_intercept:
            X = with_columns(X, np.ones((self.n_rows, 1)))
        self.starts, self.sizes = _starts(self.classes), _sizes(self.classes)
        codes = np.column_stack(
            [np.searchsorted(labels, z) for labels, z in zip(self.classes, Z.T, strict=True)]
        )
        self.true = codes + self.starts
        self.share = np.bincount(self.true.ravel(), minlength=self.sizes.sum()) / self.n_rows
        self.X, self.axes, self.mean, self.spread = _turned(X, self.free_intercept)

    def solve(self, C, start=None, *, tol, max_iter):
        """Fit the regressions of p class variables, until no gradient entry exceeds `tol`.

        `C`, shape (p,), is the inverse strength of each penalty. `start` is the pair (coef,
        intercept) of an earlier fit. Return `coef`, shape (T, d), and `intercept`, shape (T,), for
        the T classes of all variables, the number of Newton steps, and one boolean per variable for
        convergence.
        """
        penalty = np.repeat(np.where(self.sizes == 2, 2.0, 1.0) / (C * self.n_rows), self.sizes)
        V, b = self._start(start)
        left = np.arange(len(self.sizes))
        scores = np.asarray(self.X @ V) + b
        rows, converged = np.arange(self.n_rows)[:, None], np.ones(len(left), dtype=bool)
        for iteration in range(max_iter + 1):
            sizes = self.sizes[left]
            starts = np.cumsum(sizes) - sizes
            columns = np.repeat(self.starts[left] - starts, sizes) + np.arange(sizes.sum())
            true = self.true[:, left] - self.starts[left] + starts
            lam = penalty[columns]
            probability, log_total = _softmax(scores, starts, sizes)
            before = (log_total - scores[rows, true]).mean(axis=0)
            before += np.add.reduceat(lam / 2 * (V[:, columns] ** 2).sum(axis=0), starts)
            residual = probability / self.n_rows
            residual[rows, true] -= 1.0 / self.n_rows
            gradient = np.asarray(self.X.T @ residual) + lam * V[:, columns]
            gradient_0 = residual.sum(axis=0) * self.free_intercept
            steepest = np.maximum(abs(gradient).max(axis=0, initial=0.0), abs(gradient_0))
            going = np.maximum.reduceat(steepest, starts) > tol
            if not going.any() or iteration == max_iter:
                converged[left[going]] = False
                break
            if not going.all():
                kept = np.repeat(going, sizes)
                left, sizes, before = left[going], sizes[going], before[going]
                columns, lam = columns[kept], lam[kept]
                scores, probability = scores[:, kept], probability[:, kept]
                gradient, gradient_0 = gradient[:, kept], gradient_0[kept]
                starts = np.cumsum(sizes) - sizes
                true = self.true[:, left] - self.starts[left] + starts
            step, step_0 = self._newton_step(probability, gradient, gradient_0, lam, starts, sizes)
            moved = np.asarray(self.X @ step) + step_0
            slope = np.add.reduceat((step * gradient).sum(axis=0) + step_0 * gradient_0, starts)
            length = np.ones(len(left))
            searching = np.ones(len(left), dtype=bool)
            while searching.any():
                wide = np.repeat(length, sizes)
                tried = scores + wide * moved
                _, log_total = _softmax(tried, starts, sizes)
                after = (log_total - tried[rows, true]).mean(axis=0)
                squares = ((V[:, columns] + wide * step) ** 2).sum(axis=0)
                after += np.add.reduceat(lam / 2 * squares, starts)
                # Near the optimum the decrease drowns in rounding.
                slack = 1e-15 * (1.0 + abs(before))
                searching = after > before + _ARMIJO * length * slope + slack
                length[searching] /= 2
                length[length < _SMALLEST_STEP] = 0.0
            V[:, columns] += wide * step
            b[columns] += wide * step_0
            scores = tried
            if not length.all():
                # Rounding hides any further descent.
                converged[left[length == 0]] = False
                scores, left = scores[:, np.repeat(length > 0, sizes)], left[length > 0]
                if not len(left):
                    break
        coef = (V if self.axes is None else self.axes @ V).T
        if self.free_intercept:
            return coef, b - coef @ self.mean, iteration, converged
        return coef[:, :-1], coef[:, -1], iteration, converged

    def _start(self, start):
        if start is None:
            V = np.zeros((self.X.shape[1], len(self.share)))
            return V, np.log(self.share) * self.free_intercept
        coef, intercept = start
        if not self.free_intercept:
            coef = np.column_stack([coef, intercept])
        V = coef.T.copy() if self.axes is None else self.axes.T @ coef.T
        return V, (intercept + coef @ self.mean) * self.free_intercept

    def _newton_step(self, probability, gradient, gradient_0, penalty, starts, sizes):
        """Return approximate Newton steps of weights and intercepts, by conjugate gradients."""

        def inner(a, a_0, b, b_0):
            return np.add.reduceat(np.einsum("rt,rt->t", a, b) + a_0 * b_0, starts)

        curvature = np.maximum((probability * (1.0 - probability)).mean(axis=0), 1e-12)
        inverse = 1.0 / (self.spread[:, None] * curvature + penalty)
        inverse_0 = self.free_intercept / curvature
        step, step_0 = np.zeros_like(gradient), np.zeros_like(gradient_0)
        columns = np.arange(len(step_0))
        rest, rest_0 = -gradient, -gradient_0
        direction, direction_0 = inverse * rest, inverse_0 * rest_0
        size = np.sqrt(inner(rest, rest_0, rest, rest_0))
        rz = inner(rest, rest_0, direction, direction_0)
        # Superlinear convergence: the nearer the optimum, the more exact the step.
        goal = np.minimum(0.1, np.sqrt(size)) ** 2 * rz
        for _ in range(_MOST_CONJUGATE_STEPS):
            products = np.asarray(self.X @ direction) + direction_0
            mean = np.add.reduceat(probability * products, starts, axis=1)
            products -= np.repeat(mean, sizes, axis=1)
            products *= probability
            products /= self.n_rows
            image = np.asarray(self.X.T @ products) + penalty * direction
            image_0 = products.sum(axis=0) * self.free_intercept
            bend = inner(direction, direction_0, image, image_0)
            positive = (bend > 0) & (rz > 0)
            alpha = np.repeat(np.where(positive, rz / np.where(positive, bend, 1.0), 0.0), sizes)
            step[:, columns] += alpha * direction
            step_0[columns] += alpha * direction_0
            rest, rest_0 = rest - alpha * image, rest_0 - alpha * image_0
            z, z_0 = inverse * rest, inverse_0 * rest_0
            updated = inner(rest, rest_0, z, z_0)
            going = positive & (updated > goal)
            if not going.any():
                break
            ratio = np.repeat(updated / np.where(positive, rz, 1.0), sizes)
            direction, direction_0 = z + ratio * direction, z_0 + ratio * direction_0
            rz = updated
            if not going.all():
                kept = np.repeat(going, sizes)
                columns, penalty, probability = columns[kept], penalty[kept], probability[:, kept]
                inverse, inverse_0 = inverse[:, kept], inverse_0[kept]
                rest, rest_0 = rest[:, kept], rest_0[kept]
                direction, direction_0 = direction[:, kept], direction_0[kept]
                rz, goal, sizes = rz[going], goal[going], sizes[going]
                starts = np.cumsum(sizes) - sizes
        return step, step_0

    def log_loss(self, coef, intercept, X, Z):
        """Return the sum of log-losses over the examples for each class variable, shape (p,).

        Z, shape (n, p), holds the classes. Classes that do not occur in the training data are left
        out.
        """
        scores = np.asarray(X @ coef.T) + intercept
        _, log_total = _softmax(scores.copy(), self.starts, self.sizes)
        losses = np.zeros(Z.shape[1])
        for v, (labels, z) in enumerate(zip(self.classes, Z.T, strict=True)):
            code = np.minimum(np.searchsorted(labels, z), len(labels) - 1)
            rows = np.flatnonzero(labels[code] == z)
            losses[v] = (log_total[rows, v] - scores[rows, self.starts[v] + code[rows]]).sum()
        return losses


def _sizes(classes):
    return np.array([len(labels) for labels in classes])


def _starts(classes):
    sizes = _sizes(classes)
    return np.cumsum(sizes) - sizes


def _softmax(scores, starts, sizes):
    """Return (class probabilities within each variable, log of the sum of exponentials).

    Variable k has `sizes[k]` columns of the scores, from `starts[k]` on.
    """
    highest = np.maximum.reduceat(scores, starts, axis=1)
    exponentials = np.exp(scores - np.repeat(highest, sizes, axis=1))
    total = np.add.reduceat(exponentials, starts, axis=1)
    exponentials /= np.repeat(total, sizes, axis=1)
    return exponentials, highest + np.log(total)


def _turned(X, centred):
    """Return (X on its principal axes, the axes (d, r), the mean, the mean squares on the axes).

    Sparse features, and features with more than a few thousand axes, are not rotated.
    """
    n_rows, n_features = X.shape
    if scipy.sparse.issparse(X) or min(X.shape) > _MOST_TURNED:
        squares = X.multiply(X) if scipy.sparse.issparse(X) else X**2
        spread = np.asarray(squares.mean(axis=0)).ravel()
        return X, None, np.zeros(n_features), spread
    mean = X.mean(axis=0) if centred else np.zeros(n_features)
    X = X - mean
    if n_features <= n_rows:
        values, axes = np.linalg.eigh(X.T @ X)
        kept = values > 1e-12 * values[-1]
        axes = axes[:, kept]
    else:
        values, left = np.linalg.eigh(X @ X.T)
        kept = values > 1e-12 * values[-1]
        axes = X.T @ (left[:, kept] / np.sqrt(values[kept]))
    return np.ascontiguousarray(X @ axes), axes, mean, values[kept] / n_rows
