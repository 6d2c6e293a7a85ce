"""Minima in one variable: of a piecewise linear function plus a parabola, and of a cubic."""

import math

import numpy as np

from beyond_accuracy.compilation import compiled, compiled_part


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
    """Minimize ½·quadratic·k² + linear·k + bound·max_j(values_j + slopes_j·k), 0 ≤ k ≤ highest_k.

    Return (k, line that is active left of k, line that is active right of k), from the first
    `n_lines` lines. A falling and a rising line are intersected until no other line lies above the
    intersection (cutting planes in one dimension).
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
    """Return the minimizer of a cubic, or NaN if it has none.

    The cubic has the value `value` and the slope `slope` at 0, and `end_value` and `end_slope` at
    `end` (Nocedal and Wright 2006, equation (3.59)).
    """
    bend = slope + end_slope - 3.0 * (end_value - value) / end
    square = bend * bend - slope * end_slope
    root = math.sqrt(max(square, 0.0))
    divisor = end_slope - slope + 2.0 * root
    if square < 0.0 or divisor == 0.0:
        return math.nan
    return end - end * (end_slope + root - bend) / divisor
