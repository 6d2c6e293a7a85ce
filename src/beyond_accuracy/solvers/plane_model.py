"""Model of a convex loss R(w): the maximum of the cutting planes b + a·w found so far."""

import numpy as np

from beyond_accuracy.solvers.data_matrix import DataMatrix
from beyond_accuracy.solvers.planes import FeaturePlanes, make_planes
from beyond_accuracy.solvers.quadratic_program import QuadraticProgram

_SPARE_PLANES = 50
_IDLE_ITERATIONS = 20


class ScaleError(ValueError):
    """Error if products of features, or C times such products, overflow."""

    def __init__(
        self,
        message="a sum of features squared, or C times it, exceeds the range of float64: scale "
        "the features",
    ):
        super().__init__(message)


class PlaneModel:
    """Cutting planes, the quadratic program over them, and their values at two points.

    Nothing depends on C. Plane 0 is the zero plane, a = 0 and b = 0; there can be `max_planes`
    others. `tangent` is the index of the plane that touches R at the best point, or −1. `scale` and
    `dtype` are explained in `ExamplePlanes`.
    """

    def __init__(self, data: DataMatrix, max_planes: int, scale, dtype):
        capacity = max_planes + 1
        self.planes = make_planes(data, capacity, scale, dtype)
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
        """Value b + a·w of each cutting plane at the last minimizer of the model."""
        return self._qp.gradient[: self.n_planes]

    @property
    def values(self):
        """Value b + a·w of each cutting plane at the best point.

        The caller sets these values whenever the best point moves.
        """
        return self._values[: self.n_planes]

    @values.setter
    def values(self, values):
        self._values[: self.n_planes] = values
        self.tangent = -1

    def values_at(self, w, scores):
        """Return b + a·w of each cutting plane for a vector w and its scores.

        w is represented as described in `planes`.
        """
        return self.offsets + self.planes.products(w, scores)

    def minimize(self, C):
        """Minimize ½‖w‖² + C·model; return (minimizer w, its scores, minimum).

        w is represented as described in `planes`. The scores are None if they would cost a product
        with the data. Raises ScaleError.
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
        """Return (values, slopes) of the active cutting planes and of the zero plane.

        The values are at the best point. The slopes are along the line from the best point (0) to
        the last minimizer (1).
        """
        held = self._qp.alpha[: self.n_planes] != 0.0
        held[0] = True
        active = np.flatnonzero(held)
        values = self._values[active]
        return values, self._qp.gradient[active] - values

    def tangent_slope(self):
        """Return the slope of the tangent plane towards the last minimizer.

        The slope is along the line from the best point (0) to the last minimizer (1).
        """
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
        """Keep the cutting planes with the indices `kept`, and delete all others.

        `kept` is an integer array in ascending order. Its first element is 0, the zero plane.
        """
        m = len(kept)
        tangent = np.flatnonzero(kept == self.tangent)
        self.tangent = int(tangent[0]) if len(tangent) else -1
        self.planes.keep(kept)
        self._idle[:m] = self._idle[kept]
        self._values[:m] = self._values[kept]
        self._qp.keep(kept)

    def drop_idle(self, at_once=False):
        """Drop the cutting planes that have been inactive for 20 iterations.

        This happens if there are many of them, or if `at_once` is True.
        """
        used = self._idle[: self.n_planes] <= _IDLE_ITERATIONS
        used[0] = True
        spare = 0 if at_once else max(_SPARE_PLANES, self.n_planes // 2)
        if self.n_planes - np.count_nonzero(used) > spare:
            self.keep(np.flatnonzero(used))

    def make_room(self, points):
        """Drop the cutting planes that have been inactive longest, or merge some if all are active.

        If the store of planes changes to vectors of features, the representation `w` of the points
        changes too.
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
