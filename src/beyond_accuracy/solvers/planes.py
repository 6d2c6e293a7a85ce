"""Stores of cutting planes b + a·w: as vectors of features, or as integers per example.

A cutting plane has a = Σ weights_i·x_i. Every weight is an integer times a constant: −1, 0 or 1 for
measures of the contingency table, and a number of pairs for ROC area. If there are fewer examples
than features, it is cheaper to store these integers, and the products a·x_i with all examples. Then
a linear combination w of planes is given by its weights of the examples and by its scores. The
inner product of two such vectors is the product of one's weights with the other's scores. The data
is used only when a plane is added.

Each store has its own representation of a vector w: its entries (`FeaturePlanes`), or its weights
of the examples (`ExamplePlanes`). The methods below call it the coordinates of w.
"""

import numpy as np

from beyond_accuracy.compilation import compiled
from beyond_accuracy.solvers.data_matrix import DataMatrix

_BLOCK = 1024


@compiled(fastmath={"reassoc", "contract", "nsz"})
def _integer_products(rows, n_rows, vector, out):
    for j in range(n_rows):
        total = 0.0
        for i in range(len(vector)):
            total += rows[j, i] * vector[i]
        out[j] = total


# Four rows at a time, one after the other, and a cached block of the sums: the sums are read and
# written a quarter as often.
@compiled(fastmath={"contract"})
def _combination(rows, n_rows, coefficients, out):
    used, n_used = np.empty(n_rows, dtype=np.int64), 0
    for j in range(n_rows):
        if coefficients[j] != 0.0:
            used[n_used] = j
            n_used += 1
    for start in range(0, len(out), _BLOCK):
        sums = out[start : start + _BLOCK]
        sums[:] = 0.0
        in_fours = n_used - n_used % 4
        for j in range(0, in_fours, 4):
            first, second, third, fourth = used[j], used[j + 1], used[j + 2], used[j + 3]
            a, b = coefficients[first], coefficients[second]
            c, d = coefficients[third], coefficients[fourth]
            row_a, row_b = rows[first, start:], rows[second, start:]
            row_c, row_d = rows[third, start:], rows[fourth, start:]
            for i in range(len(sums)):
                total = sums[i] + a * row_a[i] + b * row_b[i]
                sums[i] = total + c * row_c[i] + d * row_d[i]
        for j in range(in_fours, n_used):
            a, row_a = coefficients[used[j]], rows[used[j], start:]
            for i in range(len(sums)):
                sums[i] += a * row_a[i]


def _with_room(rows, n_rows, capacity):
    if n_rows < len(rows):
        return rows
    more = np.zeros((min(2 * n_rows, capacity), rows.shape[1]), dtype=rows.dtype)
    more[:n_rows] = rows
    return more


class FeaturePlanes:
    """Cutting planes as vectors of d + 1 floats, at most `capacity`.

    The first plane is the zero plane.
    """

    def __init__(self, data: DataMatrix, capacity: int):
        self._data = data
        self._capacity = capacity
        self._rows = np.zeros((min(capacity, 32), data.n_features + 1))
        self._n = 1

    def add(self, weights):
        """Add a plane by its weights of the examples.

        Return (inner products with the earlier planes, squared norm).
        """
        plane = np.empty(self._rows.shape[1])
        self._data.combination(weights, plane)
        return self.append(plane)

    def append(self, plane):
        """Add a plane given as a vector of features, shape (d + 1,).

        Return (inner products with the earlier planes, squared norm).
        """
        self._rows = _with_room(self._rows, self._n, self._capacity)
        self._rows[self._n] = plane
        # The solver reports an overflow with its own message.
        with np.errstate(over="ignore", invalid="ignore"):
            products = self._rows[: self._n] @ plane
            square = float(plane @ plane)
        self._n += 1
        return products, square

    def plane(self, index):
        """Return the vector a of the plane with the given index, shape (d + 1,)."""
        return self._rows[index]

    def products(self, w, scores):
        """Return a_j·w for every plane j. `scores` are unused here."""
        return self._rows[: self._n] @ w

    def zero(self):
        """Return w = 0, shape (d + 1,)."""
        return np.zeros(self._data.n_features + 1)

    @staticmethod
    def inner(w, scores, vector):
        """Return the inner product of w and `vector`. `scores` are unused here."""
        return float(w @ vector)

    @staticmethod
    def weights(w):
        """Return w as a vector of features, shape (d + 1,)."""
        return w

    def mean(self, planes, shares):
        """Return the mean, shape (d + 1,), of the planes with indices `planes`.

        `shares` are their weights.
        """
        return shares @ self._rows[planes]

    def combine(self, alpha):
        """Return (Σ α_j·a_j, None); None stands for its scores, which would cost a product."""
        return alpha @ self._rows[: self._n], None

    def keep(self, kept):
        """Keep the cutting planes with the indices `kept`, and delete all others.

        `kept` is an integer array in ascending order.
        """
        self._rows[: len(kept)] = self._rows[kept]
        self._n = len(kept)


class ExamplePlanes:
    """Cutting planes as integers per example, at most `capacity`; the first is the zero plane.

    The weights of a plane are integers times `scale`, a float or an array of shape (n,). `dtype` is
    an integer type large enough for these integers.
    """

    def __init__(self, data: DataMatrix, capacity: int, scale, dtype):
        self._data = data
        self._capacity = capacity
        self._scale = scale
        self._rows = np.zeros((min(capacity, 32), data.n_samples), dtype=dtype)
        self._scores = np.zeros((len(self._rows), data.n_samples))
        self._n = 1

    def add(self, weights):
        """Add a plane by its weights of the examples.

        Return (inner products with the earlier planes, squared norm).
        """
        self._rows = _with_room(self._rows, self._n, self._capacity)
        self._scores = _with_room(self._scores, self._n, self._capacity)
        scores = self._scores[self._n]
        np.rint(weights / self._scale, out=scores)
        self._rows[self._n] = scores
        plane = np.empty(self._data.n_features + 1)
        self._data.combination(weights, plane)
        self._data.scores(plane, scores)
        products = self.products(weights, scores)
        self._n += 1
        return products, float(plane @ plane)

    def products(self, weights, scores):
        """Return a_j·w for every plane j from the scores of w, shape (n,). `weights` are unused."""
        products = np.empty(self._n)
        _integer_products(self._rows, self._n, self._scale * scores, products)
        return products

    def zero(self):
        """Return the weights of the examples for w = 0, shape (n,)."""
        return np.zeros(self._data.n_samples)

    @staticmethod
    def inner(weights, scores, vector):
        """Return w·v from the scores of w and the weights of the examples of v, `vector`.

        `weights`, the weights of w, are unused here.
        """
        return float(scores @ vector)

    def weights(self, weights):
        """Return w as a vector of features, shape (d + 1,), from its weights of the examples."""
        w = np.empty(self._data.n_features + 1)
        self._data.combination(weights, w)
        return w

    def combine(self, alpha):
        """Return (weights of the examples, scores) of w = Σ α_j·a_j."""
        scores = self._data.room()
        weights = np.empty(self._data.n_samples)
        _combination(self._rows, self._n, alpha, weights)
        weights *= self._scale
        if np.count_nonzero(alpha) * self._data.n_samples < 2 * self._data.arrays[0].size:
            _combination(self._scores, self._n, alpha, scores)
        else:
            self._data.scores(self.weights(weights), scores)
        return weights, scores

    def as_feature_planes(self):
        """Return a store of the same planes as vectors of features."""
        planes = FeaturePlanes(self._data, self._capacity)
        for j in range(1, self._n):
            planes.add(self._scale * self._rows[j])
        return planes

    def keep(self, kept):
        """Keep the cutting planes with the indices `kept`, and delete all others.

        `kept` is an integer array in ascending order.
        """
        self._rows[: len(kept)] = self._rows[kept]
        self._scores[: len(kept)] = self._scores[kept]
        self._n = len(kept)


def make_planes(data: DataMatrix, capacity: int, scale, dtype):
    """Return a new store of at most `capacity` planes, which takes the least memory per plane.

    `scale` and `dtype` are explained in `ExamplePlanes`.
    """
    bytes_of_examples = data.n_samples * (np.dtype(dtype).itemsize + 8)
    if data.holds_scores and bytes_of_examples < (data.n_features + 1) * 8:
        return ExamplePlanes(data, capacity, scale, dtype)
    return FeaturePlanes(data, capacity)
