"""Directions and step lengths of the line search of the cutting-plane method.

The directions are limited-memory BFGS directions (Nocedal 1980), used as long as they reduce the
gradient. Step lengths minimize a piecewise linear function plus a parabola, or a cubic.
"""

import math
from collections import deque

import numpy as np

from beyond_accuracy.compilation import compiled, compiled_part

# Pairs of steps and gradient changes.
_PAIRS_KEPT = 20
# Steps within which the squared gradient must halve, or the directions are given up.
_PATIENCE = 5
# Curvature of R falls as w grows: from one C to another by this power of their ratio.
_FALL = 0.3


@compiled_part
def _highest(values, slopes, n_lines, k):
    best = -np.inf
    line = 0
    for j in range(n_lines):
        value = values[j] + slopes[j] * k
        if value > best or (value == best and slopes[j] > slopes[line]):
            best = value
            line = j
    return line


@compiled
def minimize_line_model(quadratic, linear, bound, values, slopes, n_lines, highest_k):
    """Minimize a parabola plus a maximum of lines over a step length k, 0 ≤ k ≤ `highest_k`.

    The function is ½·quadratic·k² + linear·k + bound·max_j(values_j + slopes_j·k) over the first
    `n_lines` lines j. Return three values: the minimizer k, and the indices of two lines, of which
    at least one is the highest line at k. If the highest line changes at k, the first index is the
    highest line just left of k, and the second one just right of k. The method intersects a falling
    and a rising line until no other line lies above the intersection.
    """
    left = _highest(values, slopes, n_lines, 0.0)
    if linear + bound * slopes[left] >= 0.0:
        return 0.0, left, left
    right = _highest(values, slopes, n_lines, highest_k)
    if quadratic * highest_k + linear + bound * slopes[right] <= 0.0:
        return highest_k, right, right
    for _ in range(2 * n_lines + 10):
        # The minimum of the quadratic along one of the two lines, if it lies on the side of that
        # line.
        difference = slopes[right] - slopes[left]
        crossing = np.inf
        if difference > 0.0:
            crossing = (values[left] - values[right]) / difference
        k = crossing
        if quadratic > 0.0:
            along_left = -(linear + bound * slopes[left]) / quadratic
            along_right = -(linear + bound * slopes[right]) / quadratic
            if along_left <= crossing:
                k = along_left
            elif along_right >= crossing:
                k = along_right
        k = min(max(k, 0.0), highest_k)
        line = _highest(values, slopes, n_lines, k)
        above = values[line] + slopes[line] * k
        envelope = max(values[left] + slopes[left] * k, values[right] + slopes[right] * k)
        if above <= envelope + 1e-14 * abs(envelope):
            return k, left, right
        if quadratic * k + linear + bound * slopes[line] < 0.0:
            left = line
        else:
            right = line
    return k, left, right


def minimize_cubic(end, value, slope, end_value, end_slope) -> float:
    """Return the local minimizer of a cubic polynomial, or NaN if there is none.

    The polynomial is given by its value and slope at 0, and by its value and slope at `end`. The
    formula is Equation (3.59) of Nocedal and Wright, Numerical Optimization (2006).
    """
    bend = slope + end_slope - 3.0 * (end_value - value) / end
    square = bend * bend - slope * end_slope
    root = math.sqrt(max(square, 0.0))
    divisor = end_slope - slope + 2.0 * root
    if square < 0.0 or divisor == 0.0:
        return math.nan
    return end - end * (end_slope + root - bend) / divisor


class Curvature:
    """Last 20 steps of w in a quasi-Newton method, with the changes of the gradient along them.

    The objective is ½‖w‖² + C·R(w). The changes are stored for R(w) alone, so that a fit with
    another C can use them.
    """

    def __init__(self):
        self._pairs = deque(maxlen=_PAIRS_KEPT)

    def note(self, step, change, C):
        """Store a step of w along which the gradient of ½‖w‖² + C·R(w) changed by `change`."""
        self._pairs.append((step, (change - step) / C, C))

    def under(self, C):
        """Yield (step, change of the gradient) for each stored step of w, converted to one C.

        The change is that of the gradient of ½‖w‖² + C·R(w) along the step. If the step was stored
        for another C, the change of the gradient of R is multiplied by (other C / C)^0.3, because
        the curvature of R falls as w grows.
        """
        for step, change, stored_C in self._pairs:
            yield step, step + C * change * (stored_C / C) ** _FALL


class QuasiNewton:
    """Limited-memory BFGS: approximate Newton directions from the last steps and their gradients.

    Before each call of `direction` or `judge`, the caller sets the attribute `gradient` to the
    gradient at the current point. `worthwhile` becomes False when the gradient no longer shrinks;
    then the caller stops. `curvature`, if given, is a `Curvature` that stores the steps of all
    fits. The first directions use its steps from other fits, converted to this fit's `C`.
    """

    def __init__(self, C=1.0, curvature=None):
        self.gradient = None
        self.worthwhile = True
        self._C, self._curvature = C, curvature
        self._pairs = deque(maxlen=_PAIRS_KEPT)
        for step, change in curvature.under(C) if curvature is not None else ():
            self._learn(step, change)
        self._last = None
        self._smallest = np.inf
        self._waited = 0

    @property
    def knows_curvature(self):
        """Whether a step is stored, so that directions have a meaningful length.

        Without a stored step, `direction` returns the negative gradient.
        """
        return bool(self._pairs)

    def judge(self, objective):
        """Set `worthwhile` to False if the gradient has not shrunk enough in the last five calls.

        The criterion is ½‖gradient‖²/`objective`, an upper bound on the relative duality gap. In
        five calls, the criterion must fall below half of its previous minimum at least once.
        """
        gap = 0.5 * float(self.gradient @ self.gradient) / objective if objective > 0 else 0.0
        self._waited += 1
        if gap < 0.5 * self._smallest:
            self._smallest, self._waited = gap, 0
        self.worthwhile = self._waited < _PATIENCE

    def direction(self, w):
        """Return the L-BFGS descent direction at `w`, given the gradient there in `gradient`.

        If the objective has positive curvature along the step from the previous `w`, this step is
        stored first. Without any stored step, the direction is the negative gradient.
        """
        gradient = self.gradient
        if self._last is not None:
            step, change = w - self._last[0], gradient - self._last[1]
            if self._learn(step, change) and self._curvature is not None:
                self._curvature.note(step, change, self._C)
        self._last = (w, gradient)
        direction = -gradient
        shares = []
        for step, change, inverse in reversed(self._pairs):
            share = inverse * float(step @ direction)
            shares.append(share)
            direction -= share * change
        if self._pairs:
            _, change, inverse = self._pairs[-1]
            direction /= inverse * float(change @ change)
        for (step, change, inverse), share in zip(self._pairs, reversed(shares), strict=True):
            direction += (share - inverse * float(change @ direction)) * step
        return direction if np.isfinite(direction).all() else -gradient

    def _learn(self, step, change):
        """Store a step and its change of the gradient; return whether its curvature is positive."""
        curvature = float(step @ change)
        positive = curvature > 1e-12 * float(change @ change)
        if positive:
            self._pairs.append((step, change, 1.0 / curvature))
        return positive
