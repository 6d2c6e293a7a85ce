"""Model of a convex loss R(w): the maximum of the cutting planes b + a·w found so far.

A cutting plane has a = Σ weights_i·x_i. Every weight is an integer times a constant: −1, 0 or 1 for
measures of the contingency table, and a number of pairs for ROC area. If there are fewer examples
than features, it is cheaper to store these integers, and the products a·x_i with all examples. Then
a linear combination w of planes is given by its weights of the examples and by its scores. The
inner product of two such vectors is the product of one's weights with the other's scores. The data
is used only when a plane is added.

Each store has its own representation of a vector w: its entries (`FeaturePlanes`), or its weights
of the examples (`ExamplePlanes`). The methods below call this representation w as well.
"""

import numpy as np

from beyond_accuracy.compilation import compiled
from beyond_accuracy.solvers.data_matrix import DataMatrix
from beyond_accuracy.solvers.quadratic_program import QuadraticProgram

_SPARE_PLANES = 50
_IDLE_ITERATIONS = 20
_BLOCK = 1024


class ScaleError(ValueError):
    """Error if products of features, or C times such products, overflow."""

    def __init__(
        self,
        message="a sum of features squared, or C times it, exceeds the range of float64: scale "
        "the features",
    ):
        super().__init__(message)


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
    """Store of cutting planes, each a vector of d + 1 floats; the first is the zero plane."""

    def __init__(self, data: DataMatrix, capacity: int):
        self._data = data
        self._capacity = capacity
        self._rows = np.zeros((min(capacity, 32), data.n_features + 1))
        self._n = 1

    def add(self, weights):
        """Add Σ weights_i·x_i; return (inner products with the earlier planes, squared norm)."""
        plane = np.empty(self._rows.shape[1])
        self._data.combination(weights, plane)
        return self.append(plane)

    def append(self, plane):
        """Add a vector; return (inner products with the earlier planes, squared norm)."""
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
        """Return a_j·w for every plane j."""
        return self._rows[: self._n] @ w

    def zero(self):
        """Return w = 0."""
        return np.zeros(self._data.n_features + 1)

    @staticmethod
    def inner(w, scores, vector):
        """Return the inner product of w and `vector`."""
        return float(w @ vector)

    @staticmethod
    def weights(w):
        """Return w as a vector of features, shape (d + 1,)."""
        return w

    def mean(self, planes, shares):
        """Return the mean of the planes with the given indices, weighted by `shares`."""
        return shares @ self._rows[planes]

    def combine(self, alpha):
        """Return (Σ α_j·a_j, None), with None for the scores, which would need all the data."""
        return alpha @ self._rows[: self._n], None

    def keep(self, kept):
        """Remove all planes except those with the indices `kept`, which must be sorted."""
        self._rows[: len(kept)] = self._rows[kept]
        self._n = len(kept)


class ExamplePlanes:
    """Store of cutting planes Σ weights_i·x_i, each as n integers; the first is the zero plane.

    The weight of example i is an integer of type `dtype` times `scale`, which is a float or an
    array with one value per example.
    """

    def __init__(self, data: DataMatrix, capacity: int, scale, dtype):
        self._data = data
        self._capacity = capacity
        self._scale = scale
        self._rows = np.zeros((min(capacity, 32), data.n_samples), dtype=dtype)
        self._scores = np.zeros((len(self._rows), data.n_samples))
        self._n = 1

    def add(self, weights):
        """Add Σ weights_i·x_i; return (inner products with the earlier planes, squared norm)."""
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
        """Return a_j·w for every plane j, from the scores of w."""
        products = np.empty(self._n)
        _integer_products(self._rows, self._n, self._scale * scores, products)
        return products

    def zero(self):
        """Return the weights of the examples for w = 0, shape (n,)."""
        return np.zeros(self._data.n_samples)

    @staticmethod
    def inner(weights, scores, vector):
        """Return w·v, from the scores of w and from `vector`, the weights of the examples for v."""
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
        """Remove all planes except those with the indices `kept`, which must be sorted."""
        self._rows[: len(kept)] = self._rows[kept]
        self._scores[: len(kept)] = self._scores[kept]
        self._n = len(kept)


class PlaneModel:
    """Maximum of cutting planes, which can be minimized together with ½‖w‖².

    The planes do not depend on C. Plane 0 is the zero plane, a = 0 and b = 0; there can be
    `max_planes` others. They are stored as features or, if this needs less memory, as integers per
    example: `scale` times integers of type `dtype`. The solver sets the best point so far, and
    `tangent` is the index of the plane that touches R at this point, or −1 if there is none.
    """

    def __init__(self, data: DataMatrix, max_planes: int, scale, dtype):
        capacity = max_planes + 1
        bytes_of_examples = data.n_samples * (np.dtype(dtype).itemsize + 8)
        if data.holds_scores and bytes_of_examples < (data.n_features + 1) * 8:
            self.planes = ExamplePlanes(data, capacity, scale, dtype)
        else:
            self.planes = FeaturePlanes(data, capacity)
        self.tangent = -1
        self._qp = QuadraticProgram(capacity)
        self._idle = np.zeros(capacity, dtype=np.int64)
        self._values = np.zeros(capacity)

    @property
    def n_planes(self) -> int:
        """Number of cutting planes, including the zero plane."""
        return self._qp.n_planes

    @property
    def is_full(self) -> bool:
        """Whether no cutting plane can be added."""
        return self._qp.n_planes == self._qp.capacity

    @property
    def has_features(self) -> bool:
        """Whether a vector w is represented by its entries, instead of by weights of examples."""
        return isinstance(self.planes, FeaturePlanes)

    @property
    def offsets(self):
        """Value b of each cutting plane at w = 0."""
        return self._qp.offsets[: self.n_planes]

    @property
    def minimizer_values(self):
        """Value b + a·w of each cutting plane, where w is the last minimizer of ½‖w‖² + C·model."""
        return self._qp.gradient[: self.n_planes]

    @property
    def values(self):
        """Value b + a·w of each cutting plane at the best point; set whenever this point moves."""
        return self._values[: self.n_planes]

    @values.setter
    def values(self, values):
        self._values[: self.n_planes] = values
        self.tangent = -1

    def values_at(self, w, scores):
        """Return b + a·w of each cutting plane for a vector w and its scores."""
        return self.offsets + self.planes.products(w, scores)

    def minimize(self, C):
        """Minimize ½‖w‖² + C·model; return (minimizer w, its scores, minimum).

        The scores are None if they would cost a product with the data. Raises ScaleError.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            if not np.isfinite(C * self._qp.gram.diagonal()[: self.n_planes].max()):
                raise ScaleError
            self._qp.solve(C)
            alpha = self._qp.alpha[: self.n_planes]
            w, scores = self.planes.combine(-alpha)
            minimum = float(alpha @ self.offsets) - 0.5 * self.planes.inner(w, scores, w)
        if not np.isfinite(minimum):
            raise ScaleError
        idle = self._idle[: self.n_planes]
        idle[:] = np.where(alpha > 0, 0, idle + 1)
        return w, scores, minimum

    def active_lines(self):
        """Return (values, slopes) of the active planes along the line to the last minimizer.

        The line goes from the best point (0) to the last minimizer (1), and the values are at 0.
        The zero plane is included.
        """
        is_active = self._qp.alpha[: self.n_planes] != 0.0
        is_active[0] = True
        active = np.flatnonzero(is_active)
        values = self._values[active]
        return values, self._qp.gradient[active] - values

    def tangent_slope(self):
        """Return the slope of the plane `tangent` on the line to the last minimizer."""
        return self._qp.gradient[self.tangent] - self._values[self.tangent]

    def add(self, weights, offset, value=np.nan):
        """Add a cutting plane by its weights of the examples and its value `offset` at w = 0.

        `value` is its value at the best point. Raises ScaleError if products of features overflow.
        """
        self._append(self.planes.add(weights), offset, value)

    def _append(self, products_and_square, offset, value):
        products, square = products_and_square
        if not np.isfinite(square):
            raise ScaleError
        n = self.n_planes
        self._qp.add(products, square, offset)
        self._idle[n] = 0
        self._values[n] = value

    def keep(self, kept):
        """Remove all planes except those with the indices `kept`, sorted and including 0."""
        m = len(kept)
        tangent = np.flatnonzero(kept == self.tangent)
        self.tangent = int(tangent[0]) if len(tangent) else -1
        self.planes.keep(kept)
        self._idle[:m] = self._idle[kept]
        self._values[:m] = self._values[kept]
        self._qp.keep(kept)

    def drop_idle(self, at_once=False):
        """Drop planes that have been inactive for 20 iterations, if there are many or `at_once`."""
        used = self._idle[: self.n_planes] <= _IDLE_ITERATIONS
        used[0] = True
        spare = 0 if at_once else max(_SPARE_PLANES, self.n_planes // 2)
        if self.n_planes - np.count_nonzero(used) > spare:
            self.keep(np.flatnonzero(used))

    def make_room(self, points):
        """Drop the cutting planes that have been inactive longest, or merge some if all are active.

        If the planes are stored as features afterwards, `w` of the `points` is converted, too.
        """
        n, alpha = self.n_planes, self._qp.alpha
        inactive = np.flatnonzero(alpha[1:n] == 0) + 1
        if len(inactive):
            longest = inactive[np.argsort(-self._idle[inactive], kind="stable")]
            self.keep(np.setdiff1d(np.arange(n), longest[: max(n // 4, 1)]))
            return
        if not self.has_features:
            for point in points:
                point.w = self.planes.weights(point.w)
            self.planes = self.planes.as_feature_planes()
        least = np.argsort(alpha[1:n], kind="stable")[: max(n // 2, 2)] + 1
        total = alpha[least].sum()
        share = alpha[least] / total
        offset, value = float(share @ self.offsets[least]), float(share @ self.values[least])
        mean = self.planes.mean(least, share)
        self.keep(np.setdiff1d(np.arange(n), least))
        self._append(self.planes.append(mean), offset, value)
        self._qp.alpha[self.n_planes - 1] = total
