"""Model of a convex loss R(w): the maximum of the cutting planes b + a·w found so far.

A cutting plane has a = Σ weights_i·x_i over the examples x_i. Every weight is an integer times a
constant. If there are fewer examples than features, it is cheaper to store these integers, and the
products a·x_i with all examples. Then the inner product of two vectors is the product of one's
weights with the other's scores.

So a vector w is represented by its entries (`FeaturePlanes`), or by its weights of the examples
(`ExamplePlanes`). Below, `w` is this representation, and `scores` are X·w.
"""

import numpy as np

from beyond_accuracy.compilation import compiled
from beyond_accuracy.solvers.data_matrix import DataMatrix
from beyond_accuracy.solvers.quadratic_program import QuadraticProgram

_SPARE_PLANES = 50
_IDLE_ITERATIONS = 20
_BLOCK = 1024


class ScaleError(ValueError):
    """Error for features so large that sums of their squares, or C times such sums, overflow."""

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
    """List of cutting planes b + a·w, each given by its gradient a, a vector of d + 1 floats.

    The constants b are not stored here. Plane 0 has a = 0. The list has room for `capacity` planes.
    """

    def __init__(self, data: DataMatrix, capacity: int):
        self._data = data
        self._capacity = capacity
        self._rows = np.zeros((min(capacity, 32), data.n_features + 1))
        self._n = 1

    def add(self, weights):
        """Add the cutting plane with the gradient a = Σ weights_i·x_i over all examples x_i.

        Return the inner products of a with the gradients of all earlier planes, and ‖a‖².
        """
        plane = np.empty(self._rows.shape[1])
        self._data.combination(weights, plane)
        return self.append(plane)

    def append(self, gradient):
        """Add a cutting plane, given by its gradient, shape (d + 1,).

        Return the inner products of `gradient` with all earlier gradients, and ‖gradient‖².
        """
        self._rows = _with_room(self._rows, self._n, self._capacity)
        self._rows[self._n] = gradient
        # The solver reports an overflow with its own message.
        with np.errstate(over="ignore", invalid="ignore"):
            products = self._rows[: self._n] @ gradient
            square = float(gradient @ gradient)
        self._n += 1
        return products, square

    def plane(self, index):
        """Return the gradient of the cutting plane at an index, shape (d + 1,)."""
        return self._rows[index]

    def products(self, w, scores):
        """Return the inner product of `w` with the gradient of each plane; `scores` is not used."""
        return self._rows[: self._n] @ w

    def zero(self):
        """Return the vector w = 0."""
        return np.zeros(self._data.n_features + 1)

    @staticmethod
    def inner(w, scores, vector):
        """Return the inner product of the vectors `w` and `vector`; `scores` is not used."""
        return float(w @ vector)

    @staticmethod
    def entries(w):
        """Return `w` unchanged, which is already an array of d + 1 entries."""
        return w

    def mean(self, planes, shares):
        """Return the mean of the gradients at the indices `planes`, with the weights `shares`."""
        return shares @ self._rows[planes]

    def combine(self, alpha):
        """Return w = Σ alpha_j·a_j over the gradients a_j of all cutting planes, and None.

        `ExamplePlanes` returns the scores X·w instead of None.
        """
        return alpha @ self._rows[: self._n], None

    def keep(self, kept):
        """Remove all cutting planes except those at the sorted indices `kept`."""
        self._rows[: len(kept)] = self._rows[kept]
        self._n = len(kept)


class ExamplePlanes:
    """List of cutting planes b + a·w, each given by one integer per example.

    The gradient is a = Σ weights_i·x_i over the n examples x_i. The integers are weights_i/`scale`,
    of type `dtype`. `scale` is a float or an array with one value per example. The list has room
    for `capacity` planes. See `FeaturePlanes` for the methods. They represent any vector w by
    weights of the examples.
    """

    def __init__(self, data: DataMatrix, capacity: int, scale, dtype):
        self._data = data
        self._capacity = capacity
        self._scale = scale
        self._rows = np.zeros((min(capacity, 32), data.n_samples), dtype=dtype)
        self._scores = np.zeros((len(self._rows), data.n_samples))
        self._n = 1

    def add(self, weights):
        self._rows = _with_room(self._rows, self._n, self._capacity)
        self._scores = _with_room(self._scores, self._n, self._capacity)
        scores = self._scores[self._n]
        np.rint(weights / self._scale, out=scores)
        self._rows[self._n] = scores
        plane = self.entries(weights)
        self._data.scores(plane, scores)
        products = self.products(weights, scores)
        self._n += 1
        return products, float(plane @ plane)

    def products(self, weights, scores):
        products = np.empty(self._n)
        _integer_products(self._rows, self._n, self._scale * scores, products)
        return products

    def zero(self):
        return np.zeros(self._data.n_samples)

    @staticmethod
    def inner(weights, scores, vector):
        return float(scores @ vector)

    def entries(self, weights):
        w = np.empty(self._data.n_features + 1)
        self._data.combination(weights, w)
        return w

    def combine(self, alpha):
        scores = self._data.empty_scores()
        weights = np.empty(self._data.n_samples)
        _combination(self._rows, self._n, alpha, weights)
        weights *= self._scale
        if np.count_nonzero(alpha) * self._data.n_samples < 2 * self._data.arrays[0].size:
            _combination(self._scores, self._n, alpha, scores)
        else:
            self._data.scores(self.entries(weights), scores)
        return weights, scores

    def as_feature_planes(self):
        """Return these cutting planes as `FeaturePlanes`, with one entry per feature."""
        planes = FeaturePlanes(self._data, self._capacity)
        for j in range(1, self._n):
            planes.add(self._scale * self._rows[j])
        return planes

    def keep(self, kept):
        self._rows[: len(kept)] = self._rows[kept]
        self._scores[: len(kept)] = self._scores[kept]
        self._n = len(kept)


class PlaneModel:
    """Lower bound on a convex loss R(w): the maximum of cutting planes b + a·w.

    `minimize` minimizes ½‖w‖² + C·(this bound). Plane 0 is constant 0; up to `max_planes` others
    can be added. The attribute `planes` holds the gradients a in the form that takes less memory:
    one float per feature, or one integer of type `dtype` per example, which is multiplied by
    `scale`.

    The attribute `values` holds the value of each plane at the solver's best w so far. `tangent` is
    the index of the plane that touches R at this w, or −1. Setting `values` sets `tangent` to −1.
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
        """Number of cutting planes, including plane 0, which is constant 0."""
        return self._qp.n_planes

    @property
    def is_full(self) -> bool:
        return self._qp.n_planes == self._qp.capacity

    @property
    def has_features(self) -> bool:
        """Whether planes are stored with one entry per feature, instead of one per example."""
        return isinstance(self.planes, FeaturePlanes)

    @property
    def offsets(self):
        """Constant b of each cutting plane b + a·w, shape (n_planes,)."""
        return self._qp.offsets[: self.n_planes]

    @property
    def minimizer_values(self):
        """Value b + a·w of each cutting plane at the w that `minimize` returned last."""
        return self._qp.gradient[: self.n_planes]

    @property
    def values(self):
        """Value b + a·w of each cutting plane at the solver's best w so far."""
        return self._values[: self.n_planes]

    @values.setter
    def values(self, values):
        self._values[: self.n_planes] = values
        self.tangent = -1

    def minimize(self, C, centre=None, proximity=0.0):
        """Minimize ½‖w‖² + C·max_j(b_j + a_j·w) over w, for all cutting planes b_j + a_j·w.

        If `proximity` is positive, ½·proximity·‖w − centre.w‖² is added, which keeps w near the
        solver's best w so far. `centre` is this point, with its scores X·w.

        Return the minimizer w, its scores X·w and a lower bound on the minimum without the added
        term. Without this term, the bound is the minimum. The scores are None if planes are stored
        with one entry per feature. Raises ScaleError if products of features overflow.
        """
        qp, n = self._qp, self.n_planes
        offsets, weight = self.offsets.copy(), 1.0 + proximity
        share = proximity / weight
        with np.errstate(over="ignore", invalid="ignore"):
            if not np.isfinite(C * qp.gram.diagonal()[:n].max()):
                raise ScaleError
            if proximity:
                # Divided by `weight`, the problem in w − share·centre.w has no added term.
                qp.offsets[:n] += share * (self.values - offsets)
            qp.solve(C / weight)
            qp.offsets[:n] = offsets
            alpha = qp.alpha[:n]
            w, scores = self.planes.combine(-alpha)
            square = self.planes.inner(w, scores, w)
            # The bound is the dual objective at weight·α.
            bound = weight * (float(alpha @ offsets) - 0.5 * weight * square)
        if not np.isfinite(bound):
            raise ScaleError
        if proximity:
            w += share * centre.w
            if scores is not None:
                scores += share * centre.scores
        idle = self._idle[:n]
        idle[:] = np.where(alpha > 0, 0, idle + 1)
        return w, scores, bound

    def active_lines(self):
        """Return the values and slopes of the active cutting planes along a line, as two arrays.

        The line goes from the solver's best w so far to the w that `minimize` returned last. Values
        are at the start, and slopes are the changes until the end. Active planes have a positive
        dual variable, or are plane 0.
        """
        is_active = self._qp.alpha[: self.n_planes] != 0.0
        is_active[0] = True
        active = np.flatnonzero(is_active)
        values = self._values[active]
        return values, self._qp.gradient[active] - values

    def tangent_slope(self):
        """Return the change of plane `tangent` from the best w so far to the last minimizer."""
        return self._qp.gradient[self.tangent] - self._values[self.tangent]

    def add(self, weights, offset, value=np.nan):
        """Add the cutting plane offset + a·w with a = Σ weights_i·x_i over all examples x_i.

        `value` is the value of the plane at the solver's best w so far. Raises ScaleError if
        products of features overflow.
        """
        self._append(*self.planes.add(weights), offset, value)

    def _append(self, products, square, offset, value):
        if not np.isfinite(square):
            raise ScaleError
        n = self.n_planes
        self._qp.add(products, square, offset)
        self._idle[n] = 0
        self._values[n] = value

    def keep(self, kept):
        """Remove all cutting planes except those at `kept`, sorted indices that include 0."""
        m = len(kept)
        tangent = np.flatnonzero(kept == self.tangent)
        self.tangent = int(tangent[0]) if len(tangent) else -1
        self.planes.keep(kept)
        self._idle[:m] = self._idle[kept]
        self._values[:m] = self._values[kept]
        self._qp.keep(kept)

    def drop_idle(self, at_once=False):
        """Remove cutting planes that were inactive in the last 21 or more calls of `minimize`.

        A plane is inactive if its dual variable is 0. By default, such planes are removed only if
        they are more than 50 and more than half of all planes. If `at_once`, they are always
        removed.
        """
        used = self._idle[: self.n_planes] <= _IDLE_ITERATIONS
        used[0] = True
        spare = 0 if at_once else max(_SPARE_PLANES, self.n_planes // 2)
        if self.n_planes - np.count_nonzero(used) > spare:
            self.keep(np.flatnonzero(used))

    def make_room(self, points):
        """Remove or merge cutting planes, so that another one can be added.

        A plane is inactive if its dual variable is 0. The planes that were inactive longest are
        removed, at most a quarter of all planes. If no plane is inactive, the half with the
        smallest dual variables is replaced by its weighted mean. This may convert all planes to one
        entry per feature; then the attribute `w` of each object in `points` is converted in place.
        """
        n, alpha = self.n_planes, self._qp.alpha
        inactive = np.flatnonzero(alpha[1:n] == 0) + 1
        if len(inactive):
            longest = inactive[np.argsort(-self._idle[inactive], kind="stable")]
            self.keep(np.setdiff1d(np.arange(n), longest[: max(n // 4, 1)]))
            return
        if not self.has_features:
            for point in points:
                point.w = self.planes.entries(point.w)
            self.planes = self.planes.as_feature_planes()
        least = np.argsort(alpha[1:n], kind="stable")[: max(n // 2, 2)] + 1
        total = alpha[least].sum()
        share = alpha[least] / total
        offset, value = float(share @ self.offsets[least]), float(share @ self.values[least])
        mean = self.planes.mean(least, share)
        self.keep(np.setdiff1d(np.arange(n), least))
        self._append(*self.planes.append(mean), offset, value)
        self._qp.alpha[self.n_planes - 1] = total
