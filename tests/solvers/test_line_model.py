"""The one-dimensional model against a fine search."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from beyond_accuracy.solvers.line_model import minimize_line_model


@settings(max_examples=300)
@given(
    st.integers(1, 12),
    st.floats(0, 5),
    st.floats(-5, 5),
    st.floats(0.01, 10),
    st.integers(0, 2**31),
)
def test_equals_bounded_search(n_lines, quadratic, linear, bound, seed):
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
