"""Minima along a line: planes and cubics against a fine search, hinge losses exactly."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.interpolate import CubicHermiteSpline
from scipy.optimize import minimize_scalar

from beyond_accuracy.solvers.hinge.bundle import minimize_along_line
from beyond_accuracy.solvers.iterations import minimize_cubic, minimize_line_model


@settings(max_examples=300)
@given(
    st.integers(1, 12),
    st.floats(0, 5),
    st.floats(-5, 5),
    st.floats(0.01, 10),
    st.integers(0, 2**31),
)
def test_model_equals_bounded_search(n_lines, quadratic, linear, bound, seed):
    rng = np.random.default_rng(seed)
    values, slopes = rng.normal(size=n_lines), 3 * rng.normal(size=n_lines)

    def model(k):
        return 0.5 * quadratic * k * k + linear * k + bound * (values + slopes * k).max()

    k, left, right = minimize_line_model(quadratic, linear, bound, values, slopes, n_lines, 1.0)
    search = minimize_scalar(model, bounds=(0, 1), method="bounded", options={"xatol": 1e-10})
    lowest = min(search.fun, model(0.0), model(1.0))
    assert 0 <= k <= 1
    assert model(k) == pytest.approx(lowest, abs=1e-7)
    active = max(values[left] + slopes[left] * k, values[right] + slopes[right] * k)
    assert active == pytest.approx((values + slopes * k).max(), abs=1e-9)


@given(st.floats(0.1, 4), st.floats(-5, 5), st.floats(-5, -0.1), st.floats(-5, 5), st.floats(-5, 5))
def test_cubic_has_its_minimum_where_the_spline_has(end, value, slope, end_value, end_slope):
    spline = CubicHermiteSpline([0.0, end], [value, end_value], [slope, end_slope])
    third, second, first, _ = spline.c[:, 0]
    minima = [
        root.real
        for root in np.roots([3 * third, 2 * second, first])
        if abs(root.imag) < 1e-9 and 6 * third * root.real + 2 * second > 1e-3
    ]
    found = minimize_cubic(end, value, slope, end_value, end_slope)
    if minima:
        assert found == pytest.approx(minima[0], rel=1e-4, abs=1e-4)
    else:
        assert not 6 * third * found + 2 * second > 1e-2


SOME = st.sampled_from([-3.0, -1.0, -0.5, 0.0, 0.25, 1.0, 2.0])


@given(
    st.lists(st.tuples(SOME, SOME, st.sampled_from([0.5, 1.0, 4.0])), min_size=1, max_size=12),
    st.sampled_from([0.1, 1.0, 5.0]),
    SOME,
    st.sampled_from([0.1, 1.0, 10.0]),
)
def test_zero_is_a_subgradient_where_the_line_search_ends(examples, quadratic, linear, C):
    """Cases include ties, zero slopes, and minima at k < 0, at 0 and on breakpoints."""
    a, b, cost = (np.array(column) for column in zip(*examples, strict=True))
    k = minimize_along_line(quadratic, linear, C, cost, a, b, *np.empty((2, len(a))))
    slack = a - k * b
    slope = quadratic * k + linear - C * cost @ (b * (slack > 1e-9))
    jumps = C * cost * b * (abs(slack) <= 1e-9)
    assert slope - jumps[jumps < 0].sum() >= -1e-9
    # Algorithm 2 of Cheng et al. stays at k = 0 if the function falls to the left.
    if k > 0:
        assert slope - jumps[jumps > 0].sum() <= 1e-9
