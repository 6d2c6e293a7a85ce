"""Model of a convex loss R(w): the highest of the cutting planes found so far."""

import numpy as np

from beyond_accuracy.solvers.data_matrix import DataMatrix
from beyond_accuracy.solvers.planes import FeaturePlanes, make_planes
from beyond_accuracy.solvers.quadratic_program import QuadraticProgram

_SPARE_PLANES = 50
_IDLE_ITERATIONS = 20


class ScaleError(ValueError):
    """Error if products of features, or C times these, overflow."""

    def __init__(
        self,
        message="a sum of features squared, or C times it, exceeds the range of float64: scale "
        "the features",
    ):
        super().__init__(message)


class PlaneModel:
    """Planes, the quadratic program over them, and values per plane; none depends on C.

    There can be `max_planes` besides the zero plane, which is plane 0; for `scale` and `dtype` see
    `ExamplePlanes`. `tangent` is the plane that touches R at the best point, −1 if none is known.
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
        """Number of planes, the zero plane included."""
        return self._qp.n_planes

    @property
    def is_full(self) -> bool:
        """Whether no plane can be added."""
        return self._qp.n_planes == self._qp.capacity

    @property
    def has_features(self) -> bool:
        """Whether the coordinates of a vector are the vector itself."""
        return isinstance(self.planes, FeaturePlanes)

    @property
    def offsets(self):
        """Value b of each plane at w = 0."""
        return self._qp.offsets[: self.n_planes]

    @property
    def minimizer_values(self):
        """Value b + a·w of each plane at the last minimizer."""
        return self._qp.gradient[: self.n_planes]

    @property
    def values(self):
        """Value b + a·w of each plane at the best point, to be set whenever that moves."""
        return self._values[: self.n_planes]

    @values.setter
    def values(self, values):
        self._values[: self.n_planes] = values
        self.tangent = -1

    def values_at(self, w, scores):
        """Compute b + a·w of each plane, for the coordinates and scores of w."""
        return self.offsets + self.planes.products(w, scores)

    def minimize(self, C):
        """Minimize ½‖w‖² + C·model.

        Returns coordinates of the minimizer, its scores if these come for free or else None, and
        the minimum. Raises ScaleError.
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
        """Return values at the best point of the active planes and the zero plane, and slopes.

        The slopes are along the line to the last minimizer, which the line reaches at 1.
        """
        held = self._qp.alpha[: self.n_planes] != 0.0
        held[0] = True
        active = np.flatnonzero(held)
        values = self._values[active]
        return values, self._qp.gradient[active] - values

    def tangent_slope(self):
        """Return the slope of the tangent plane along that line."""
        return self._qp.gradient[self.tangent] - self._values[self.tangent]

    def add(self, weights, offset, value=np.nan):
        """Append a plane by its weights over the examples, b, and its value at the best point.

        Raises ScaleError if features are so large that products overflow.
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
        """Keep only the planes with the given indices, which increase and begin with 0."""
        m = len(kept)
        tangent = np.flatnonzero(kept == self.tangent)
        self.tangent = int(tangent[0]) if len(tangent) else -1
        self.planes.keep(kept)
        self._idle[:m] = self._idle[kept]
        self._values[:m] = self._values[kept]
        self._qp.keep(kept)

    def drop_idle(self, at_once=False):
        """Drop the planes inactive for 20 iterations, if `at_once` or if they are many."""
        used = self._idle[: self.n_planes] <= _IDLE_ITERATIONS
        used[0] = True
        spare = 0 if at_once else max(_SPARE_PLANES, self.n_planes // 2)
        if self.n_planes - np.count_nonzero(used) > spare:
            self.keep(np.flatnonzero(used))

    def make_room(self, points):
        """Drop the planes that have been inactive longest; merge active ones if all are active.

        If the planes change into vectors of features, the coordinates `w` of the points change with
        them.
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
