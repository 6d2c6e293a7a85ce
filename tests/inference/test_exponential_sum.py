"""The error bound of the exponential sums, and results that depend on it."""

import numpy as np
import pytest

from beyond_accuracy.inference import meuf
from beyond_accuracy.inference.exponential_sum import exponential_sum


@pytest.mark.parametrize("ratio", [1.0, 2.0, 101.0, 91_701.0])
@pytest.mark.parametrize("tolerance", [1e-3, 1e-7, 1e-13])
def test_error_is_within_the_tolerance(ratio, tolerance):
    exponents, weights = exponential_sum(ratio, tolerance)
    r = np.geomspace(1, ratio, 2000)
    value = (weights * np.exp(-exponents * r[:, None])).sum(axis=1)
    assert abs(value * r - 1).max() <= tolerance + 1e-14
    assert len(weights) < 100


@pytest.mark.parametrize("arguments", [(10.0, 0.0), (10.0, 0.5)])
def test_arguments_out_of_range(arguments):
    with pytest.raises(ValueError, match=r"must be in \["):
        exponential_sum(*arguments)


def test_a_whole_test_set_as_one_example():
    """3,000 probabilities against the quadratic algorithm, within the tolerance."""
    marginals = np.random.default_rng(0).beta(0.3, 2.7, size=3000)
    prediction, expected = meuf(marginals)
    fast, value = meuf(marginals, method="exponential_sum")
    assert (fast == prediction).all()
    assert value == pytest.approx(expected, rel=2e-13)
    _, rough = meuf(marginals, method="exponential_sum", tolerance=1e-4)
    assert 0 < abs(rough / expected - 1) <= 1e-4


def test_more_examples_than_a_table_would_hold():
    """The count is concentrated, so an expansion gives the expected F of equal marginals."""
    n_labels, p = 91_701, 0.1
    prediction, expected = meuf(np.full(n_labels, p), method="exponential_sum")
    # If all labels are predicted, F is 2·S/(S + n). Expand its expectation around the mean of S.
    mean, variance = n_labels * p, n_labels * p * (1 - p)
    curvature = -4 * n_labels / (mean + n_labels) ** 3
    assert prediction.all()
    assert expected == pytest.approx(
        2 * mean / (mean + n_labels) + curvature * variance / 2, abs=1e-9
    )


def test_too_large_a_table_is_refused_with_the_way_out():
    with pytest.raises(ValueError, match=r"would need \d+\.\d GiB.*exponential_sum"):
        meuf(np.full(50_000, 0.4))
