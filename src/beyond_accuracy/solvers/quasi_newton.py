"""Limited-memory BFGS directions (Nocedal 1980), used as long as they reduce the gradient."""

from collections import deque

import numpy as np

# Pairs of steps and gradient changes.
_PAIRS_KEPT = 20
# Steps within which the squared gradient must halve, or the directions are given up.
_PATIENCE = 5
# Curvature of R falls as w grows: from one C to another by this power of their ratio.
_FALL = 0.3


class Curvature:
    """Steps of w, and the changes of the gradient of the loss R(w) over them, valid for every C."""

    def __init__(self):
        self._pairs = deque(maxlen=_PAIRS_KEPT)

    def note(self, step, change, C):
        """Store a step over which the gradient of ½‖w‖² + C·R(w) changed by `change`."""
        self._pairs.append((step, (change - step) / C, C))

    def under(self, C):
        """Yield (step, change of the gradient of ½‖w‖² + C·R(w)) for each stored step."""
        for step, change, known_at in self._pairs:
            yield step, step + C * change * (known_at / C) ** _FALL


class QuasiNewton:
    """Approximate Newton directions from the last few points and gradients (L-BFGS).

    The caller sets `gradient`, the gradient at the current point, and stops when `worthwhile` is
    False. If `curvature` is given, directions start with its steps from another C, and new steps
    are added to it.
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
        """Whether a step was stored, so that the length of a direction is meaningful."""
        return bool(self._pairs)

    def judge(self, objective):
        """Set `worthwhile` to False if ½‖gradient‖²/objective, a bound on the gap, stays large."""
        gap = 0.5 * float(self.gradient @ self.gradient) / objective if objective > 0 else 0.0
        self._waited += 1
        if gap < 0.5 * self._smallest:
            self._smallest, self._waited = gap, 0
        self.worthwhile = self._waited < _PATIENCE

    def direction(self, w):
        """Return the descent direction at w; pairs without positive curvature are left out."""
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
        """Store a step and the change of the gradient if the curvature is positive.

        Return whether it is.
        """
        curvature = float(step @ change)
        positive = curvature > 1e-12 * float(change @ change)
        if positive:
            self._pairs.append((step, change, 1.0 / curvature))
        return positive
