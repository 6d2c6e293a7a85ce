"""Exact minimum of the weighted hinge loss along a line (Cheng et al. 2016, Algorithm 2).

φ(k) = ½·q·k² + l·k + C·Σ cost_i·max(0, a_i − k·b_i) is convex and piecewise quadratic. Its
derivative rises with slope q and jumps by C·cost_i·|b_i| where a_i = k·b_i. Sorting all breakpoints
would take O(m log m). Instead, the breakpoints beyond the zero are discarded half by half as in
quickselect, O(m) on average.
"""

import numpy as np

from beyond_accuracy.compilation import compiled, compiled_part


@compiled_part
def _one_sided_derivative(linear, C, cost, a, b, side):
    """Return the derivative φ′(0+) for side = 1, or φ′(0−) for side = −1.

    `linear` is l, and the other parameters have the names they have in φ.
    """
    total = 0.0
    for i in range(len(a)):
        if a[i] > 0.0 or (a[i] == 0.0 and side * b[i] < 0.0):
            total += cost[i] * b[i]
    return linear - C * total


@compiled_part
def _descend(quadratic, derivative, C, cost, a, b, side, breaks, jumps):
    """Return the zero k = side·t, t > 0, of the derivative of φ.

    `derivative` is the derivative at 0 in the direction `side` (1 or −1), which is negative.
    `minimize_along_line` explains the other parameters.
    """
    # Jumps only raise the derivative, so the zero lies before the zero without jumps.
    end = -derivative / quadratic if quadratic > 0.0 else np.inf
    n = 0
    for i in range(len(a)):
        slope = side * b[i]
        if (slope > 0.0 and a[i] > 0.0) or (slope < 0.0 and a[i] < 0.0):
            t = a[i] / slope
            if t < end:
                breaks[n] = t
                jumps[n] = C * cost[i] * abs(slope)
                n += 1
    start, first, last = 0.0, 0, n
    while first < last:
        pivot = breaks[(first + last) // 2]
        low, middle, high = first, first, last
        below, at = 0.0, 0.0
        while middle < high:
            value, jump = breaks[middle], jumps[middle]
            if value < pivot:
                below += jump
                breaks[middle], jumps[middle] = breaks[low], jumps[low]
                breaks[low], jumps[low] = value, jump
                low += 1
                middle += 1
            elif value > pivot:
                high -= 1
                breaks[middle], jumps[middle] = breaks[high], jumps[high]
                breaks[high], jumps[high] = value, jump
            else:
                at += jump
                middle += 1
        before = derivative + quadratic * (pivot - start) + below
        if before >= 0.0:
            end, last = pivot, low
        elif before + at >= 0.0:
            return pivot
        else:
            start, derivative, first = pivot, before + at, high
    if quadratic == 0.0:
        return start
    return min(start - derivative / quadratic, end)


@compiled
def minimize_along_line(quadratic, linear, C, cost, a, b, breaks, jumps, two_sided):
    """Return the minimizer k of φ, which is k ≥ 0 unless `two_sided`.

    The parameters are those of φ: q ≥ 0 as `quadratic`, l as `linear`, C > 0, and `cost`, `a` and
    `b`, float64 of shape (m,). `breaks` and `jumps` are work space of this shape. If q = 0, the
    loss must be bounded below along the line.
    """
    right = _one_sided_derivative(linear, C, cost, a, b, 1.0)
    if right < 0.0:
        return _descend(quadratic, right, C, cost, a, b, 1.0, breaks, jumps)
    left = _one_sided_derivative(linear, C, cost, a, b, -1.0) if two_sided else 0.0
    if left > 0.0:
        return -_descend(quadratic, -left, C, cost, a, b, -1.0, breaks, jumps)
    return 0.0
