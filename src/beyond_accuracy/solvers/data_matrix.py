"""Dense or CSR features: checks, moments, scores X·w, and combinations of rows.

The data is never copied or reordered. Only the scores are reordered, with the positives first. If
there are many rows, several threads take a block of rows each.
"""

import os
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import NamedTuple

import joblib
import numpy as np
import scipy.sparse

from beyond_accuracy.compilation import compiled

_REASSOCIATE = {"reassoc", "contract", "nsz"}
_VALUES_AT_A_TIME = 1_000_000
# With fewer rows, starting threads takes longer than they save. The blocks depend on the number of
# rows alone, so a sum over blocks has the same rounding for any number of threads.
_ROWS_PER_BLOCK, _MOST_BLOCKS = 65_536, 16


@compiled(fastmath=_REASSOCIATE)
def _dense_scores(X, coef, intercept, is_first, first, second, out):
    first, second = np.uint64(first), np.uint64(second)
    for i in range(X.shape[0]):
        total = 0.0
        for j in range(X.shape[1]):
            total += X[i, j] * coef[j]
        step = np.uint64(is_first[i])
        out[first if step else second] = total + intercept
        first += step
        second += np.uint64(1) - step


@compiled(fastmath=_REASSOCIATE)
def _dense_combination(X, is_first, first, second, weights, out):
    out[:] = 0.0
    first, second = np.uint64(first), np.uint64(second)
    for i in range(X.shape[0]):
        step = np.uint64(is_first[i])
        weight = weights[first if step else second]
        first += step
        second += np.uint64(1) - step
        if weight != 0.0:
            for j in range(X.shape[1]):
                out[j] += weight * X[i, j]


# Reassociation would let the compiler use hardware gathers, which are slower than scalar loads.
# Four sums by hand instead, since in one sum each addition waits for the last. Unsigned indices
# need no check for negative values, which takes as long as the additions.
@compiled
def _sparse_scores(data, indices, indptr, coef, intercept, is_first, first, second, out):
    first, second = np.uint64(first), np.uint64(second)
    one, two, three, four = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
    for i in range(len(indptr) - 1):
        a, b, c, d = 0.0, 0.0, 0.0, 0.0
        k, end = np.uint64(indptr[i]), np.uint64(indptr[i + 1])
        while k + three < end:
            a += data[k] * coef[indices[k]]
            b += data[k + one] * coef[indices[k + one]]
            c += data[k + two] * coef[indices[k + two]]
            d += data[k + three] * coef[indices[k + three]]
            k += four
        while k < end:
            a += data[k] * coef[indices[k]]
            k += one
        step = np.uint64(is_first[i])
        out[first if step else second] = (a + b) + (c + d) + intercept
        first += step
        second += one - step


@compiled
def _sparse_combination(data, indices, indptr, is_first, first, second, weights, out):
    out[:] = 0.0
    first, second = np.uint64(first), np.uint64(second)
    one = np.uint64(1)
    for i in range(len(indptr) - 1):
        step = np.uint64(is_first[i])
        weight = weights[first if step else second]
        first += step
        second += one - step
        if weight != 0.0:
            k, end = np.uint64(indptr[i]), np.uint64(indptr[i + 1])
            while k < end:
                out[indices[k]] += weight * data[k]
                k += one


@compiled
def _dense_magnitudes(X, is_first, share_of_first, share_of_second, out):
    for i in range(X.shape[0]):
        share = share_of_first if is_first[i] else share_of_second
        for j in range(X.shape[1]):
            out[j] += share * abs(X[i, j])


@compiled
def _sparse_magnitudes(data, indices, indptr, is_first, share_of_first, share_of_second, out):
    for i in range(len(indptr) - 1):
        share = share_of_first if is_first[i] else share_of_second
        for k in range(indptr[i], indptr[i + 1]):
            out[indices[k]] += share * abs(data[k])


@compiled
def _move(scores, direction, k, out):
    for i in range(len(scores)):
        out[i] = scores[i] + k * direction[i]


def squared_norms(X):
    """Return the squared Euclidean norm of each row of X, an array or sparse matrix, shape (n,)."""
    if scipy.sparse.issparse(X):
        return np.asarray(X.multiply(X).sum(axis=1)).ravel()
    return np.einsum("ij,ij->i", X, X)


@np.errstate(over="ignore", invalid="ignore")
def column_variances(X, ddof=0):
    """Return the variance of each column of X, shape (d,), with the divisor n − `ddof`.

    If n is at most `ddof`, all variances are 0. If squares overflow, a variance is infinite or NaN.
    """
    n = X.shape[0]
    if n <= ddof:
        return np.zeros(X.shape[1])
    if not scipy.sparse.issparse(X):
        return X.var(axis=0, ddof=ddof)
    squares = np.asarray(X.multiply(X).mean(axis=0)).ravel()
    variances = squares - np.asarray(X.mean(axis=0)).ravel() ** 2
    # The remainder of a constant column is rounding.
    variances[variances < 1e-14 * squares] = 0.0
    return variances * (n / (n - ddof))


def all_finite(X):
    """Return whether X, an array or a sparse matrix, holds neither NaN nor infinity."""
    values = X.data if scipy.sparse.issparse(X) else X
    if values.ndim == 0 or values.shape[0] == 0:
        return bool(np.isfinite(values).all())
    n_rows = max(_VALUES_AT_A_TIME * values.shape[0] // max(values.size, 1), 1)
    starts = range(0, values.shape[0], n_rows)
    return all(np.isfinite(values[start : start + n_rows]).all() for start in starts)


def check_structure(X, name="X"):
    """Raise ValueError if a CSR or CSC matrix X has indices outside of its arrays or its shape.

    SciPy's constructors accept such matrices, but products would read memory outside of the arrays.
    Other forms of X pass. `name` is the name of X in the message.
    """
    if not scipy.sparse.issparse(X) or X.format not in ("csr", "csc"):
        return
    try:
        if (X.indptr[1:] < X.indptr[:-1]).any():
            raise ValueError("its indptr must not fall")
        # A new matrix with the same arrays, because SciPy's check may replace the arrays.
        type(X)((X.data, X.indices, X.indptr), shape=X.shape).check_format(full_check=True)
    except ValueError as error:
        raise ValueError(f"the sparse matrix {name} is damaged: {error}") from error


class _Block(NamedTuple):
    """Consecutive rows, and the positions of the first score of either class among all scores."""

    rows: slice
    first: int
    second: int


def _available_threads():
    """Return the number of cores, or the environment variable OMP_NUM_THREADS if that is lower."""
    # OpenMP takes a list, such as "4,2": the first number is for the outer level.
    limit, n_cores = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip(), joblib.cpu_count()
    return min(int(limit), n_cores) if limit.isdecimal() and int(limit) > 0 else n_cores


class DataMatrix:
    """Features X, a constant feature as additional last column, and the class of each row.

    X is an array or CSR matrix, shape (n, d), of float64 or float32. If X is C-contiguous, it is
    not copied. `positive` is a boolean array with the class of each row. The constant feature has
    the value `constant_feature`, or 0 if `fit_intercept` is False.

    Arrays with one number per row, such as scores, list the positive class first. If
    `positives_first` is False, they have the order of the rows.

    From 131,072 rows on, products use up to `n_threads` threads. The default is one per core, or
    the environment variable OMP_NUM_THREADS if that is lower. Results do not depend on it.
    """

    # Scores are arrays of n numbers, which planes can be made from.
    holds_scores = True

    def __init__(
        self,
        X,
        positive,
        fit_intercept=True,
        positives_first=True,
        constant_feature=1.0,
        n_threads=None,
    ):
        self.n_samples, self.n_features = X.shape
        self.n_positives = int(np.count_nonzero(positive))
        self.constant_feature = float(constant_feature) if fit_intercept else 0.0
        # Class of each row: one byte per row, where positions would take eight.
        self._is_first = np.ones(self.n_samples, dtype=bool)
        if positives_first:
            self._is_first = np.asarray(positive, dtype=bool)
        self._n_first = self.n_positives if positives_first else self.n_samples
        self._spare_scores = []
        if scipy.sparse.issparse(X):
            check_structure(X)
            X = X.tocsr()
            # Unsigned indices need no check for negative values.
            unsigned = np.uint32 if X.indices.dtype == np.int32 else np.uint64
            # One type for dense rows in coordinate descent, too, which saves compilations.
            self.arrays = (X.data, X.indices.view(unsigned), X.indptr.astype(np.int64))
            self._scores, self._combination = _sparse_scores, _sparse_combination
        else:
            self.arrays = (np.ascontiguousarray(X),)
            self._scores, self._combination = _dense_scores, _dense_combination
        self._blocks = self._cut(min(max(self.n_samples // _ROWS_PER_BLOCK, 1), _MOST_BLOCKS))
        self._n_threads = min(n_threads or _available_threads(), len(self._blocks))

    def _cut(self, n_blocks):
        bounds = np.linspace(0, self.n_samples, n_blocks + 1).astype(int)
        blocks, first, second = [], 0, self._n_first
        for start, stop in zip(bounds[:-1], bounds[1:], strict=True):
            blocks.append(_Block(slice(start, stop), first, second))
            n_of_first = int(np.count_nonzero(self._is_first[start:stop]))
            first += n_of_first
            second += stop - start - n_of_first
        return blocks

    def _content(self, block):
        """Return the arguments of products with a block: features, classes, and positions."""
        rows, first, second = block
        if len(self.arrays) == 1:
            features = (self.arrays[0][rows],)
        else:
            data, indices, indptr = self.arrays
            features = (data, indices, indptr[rows.start : rows.stop + 1])
        return features, (self._is_first[rows], first, second)

    def _for_blocks(self, function, *arguments):
        """Return the results of `function` for each block and an element of each of `arguments`."""
        if self._n_threads == 1:
            return list(map(function, self._blocks, *arguments))
        with ThreadPoolExecutor(self._n_threads) as threads:
            return list(threads.map(function, self._blocks, *arguments))

    @property
    def matrix(self):
        """X as an array or a CSR array, without the constant feature."""
        if len(self.arrays) == 1:
            return self.arrays[0]
        data, indices, indptr = self.arrays
        signed = indices.view(np.int32 if indices.itemsize == 4 else np.int64)
        content = (data, signed, indptr.astype(signed.dtype))
        return scipy.sparse.csr_array(content, shape=(self.n_samples, self.n_features))

    def empty_scores(self):
        """Return an uninitialized array for the scores of the n rows, shape (n,)."""
        return self._spare_scores.pop() if self._spare_scores else np.empty(self.n_samples)

    def release(self, scores):
        """Take back an array of scores that is no longer needed, for `empty_scores` to return."""
        self._spare_scores.append(scores)

    def zero_scores(self):
        """Return the scores for w = 0, an array of n zeros."""
        return np.zeros(self.n_samples)

    def ordered(self, values):
        """Return `values`, one per row of X, in the order of scores, usually positives first."""
        return np.concatenate([values[self._is_first], values[~self._is_first]])

    def scores(self, w, out):
        """Write the scores of a linear model into the output array `out`, shape (n,); return `out`.

        `w`, shape (d + 1,), holds the weights of the d features and, last, of the constant feature.
        Scores of positives come first, unless the matrix has `positives_first=False`.
        """
        coef, intercept = w[:-1], self.constant_feature * w[-1]

        def scores_of(block):
            features, places = self._content(block)
            self._scores(*features, coef, intercept, *places, out)

        self._for_blocks(scores_of)
        return out

    def move(self, scores, direction, k, out):
        """Write scores + k·direction into the output array `out` and return it."""

        def move_block(block):
            _move(scores[block.rows], direction[block.rows], k, out[block.rows])

        self._for_blocks(move_block)
        return out

    @staticmethod
    def difference(scores, others, out):
        """Write scores − others into the output array `out` and return it."""
        return np.subtract(scores, others, out=out)

    @np.errstate(over="ignore", invalid="ignore")
    def in_range(self, scores) -> bool:
        """Return whether the sum of squared scores is finite; then no sum of scores overflows."""
        return bool(np.isfinite(scores @ scores))

    @staticmethod
    def product(weights, scores) -> float:
        """Return the sum of weight times score over all examples."""
        return float(weights @ scores)

    @cached_property
    def magnitudes(self):
        """For each feature, the mean of |x| over positives plus over negatives, shape (d + 1,)."""
        n_negatives = self.n_samples - self.n_positives
        sums = self.absolute_sums(1 / self.n_positives, 1 / n_negatives)
        return np.append(sums, 2.0 * self.constant_feature)

    def absolute_sums(self, positive_weight, negative_weight):
        """Return Σ weight_i·|x_i| over all rows x_i, shape (d,), with one weight per class."""
        out = np.zeros(self.n_features)
        magnitudes = _dense_magnitudes if len(self.arrays) == 1 else _sparse_magnitudes
        magnitudes(*self.arrays, self._is_first, positive_weight, negative_weight, out)
        return out

    def combination(self, weights, out):
        """Write Σ weights_i·(x_i, constant feature) over all rows x_i into the output array `out`.

        `weights`, shape (n,), lists the positive class first, unless the matrix has
        `positives_first=False`. `out` has shape (d + 1,).
        """

        def combine(block, total):
            features, places = self._content(block)
            self._combination(*features, *places, weights, total)

        totals = [out[:-1], *np.empty((len(self._blocks) - 1, self.n_features))]
        self._for_blocks(combine, totals)
        for total in totals[1:]:
            out[:-1] += total
        out[-1] = self.constant_feature * weights.sum() if self.constant_feature else 0.0
