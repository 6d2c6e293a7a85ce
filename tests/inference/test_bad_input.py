"""Errors of the maximizers name the invalid input."""

import numpy as np
import pytest

from beyond_accuracy.inference import (
    expected_f,
    gfm,
    gfm_from_samples,
    gfm_threshold,
    meuf,
    meuf_approx,
)

_JOINT = np.array([[0.1, 0.2], [0.1, 0.2]])


@pytest.mark.parametrize("maximize", [gfm, gfm_threshold])
@pytest.mark.parametrize(
    ("joint", "p_empty", "message"),
    [
        ([[0.1, -0.2], [0.1, 0.2]], 0.1, r"found -0\.2 at example 0, label 0, size 2"),
        (_JOINT, np.nan, "p_empty must hold probabilities, .* found nan"),
        (_JOINT, 0.7, r"example 0 add up to 1\.1, above 1"),
        (np.zeros((1, 0, 0)), 0.5, "at least 1 is needed, found 0"),
        (np.zeros((0, 3, 3)), np.zeros(0), "empty test set"),
        (np.zeros((2, 3)), 0.0, "found \\(2, 3\\)"),
        (_JOINT, [0.1, 0.2], "p_empty must hold"),
    ],
)
def test_joints(maximize, joint, p_empty, message):
    with pytest.raises(ValueError, match=message):
        maximize(joint, p_empty)


@pytest.mark.parametrize("maximize", [meuf, meuf_approx])
@pytest.mark.parametrize(
    ("marginals", "message"),
    [
        ([0.2, 1.1], r"found 1\.1 at example 0, label 1"),
        ([[0.2, 0.3], [np.nan, 0.3]], "found nan at example 1, label 0"),
        ([], "no labels"),
        (np.zeros((0, 4)), "empty test set"),
        (0.3, "must have shape"),
    ],
)
def test_marginals(maximize, marginals, message):
    with pytest.raises(ValueError, match=message):
        maximize(marginals)


@pytest.mark.parametrize("beta", [0, np.nan, "1", 10**400])
def test_beta(beta):
    samples = np.ones((2, 3), dtype=np.uint8)
    for call in (
        lambda: gfm(_JOINT, 0.1, beta),
        lambda: gfm_from_samples(samples, beta),
        lambda: gfm_threshold(_JOINT, 0.1, beta),
        lambda: meuf([0.1, 0.2], beta),
        lambda: meuf_approx([0.1, 0.2], beta),
        lambda: expected_f(_JOINT, 0.1, [0, 1], beta),
    ):
        with pytest.raises(ValueError, match="beta must be a number above 0"):
            call()


@pytest.mark.parametrize(
    ("samples", "message"),
    [
        (np.full((2, 3, 4), 2, dtype=np.uint8), "0 and 1 only, found 2"),
        (np.full((3, 4), 0.5), r"0 and 1 only, found 0\.5"),
        (np.zeros((2, 0, 4)), "no samples"),
        (np.zeros((0, 5, 4)), "empty test set"),
        (np.zeros((2, 5, 0)), "no labels"),
        (np.zeros(5), "must have shape"),
    ],
)
def test_samples(samples, message):
    with pytest.raises(ValueError, match=message):
        gfm_from_samples(samples)


def test_predictions_methods_and_probabilities():
    with pytest.raises(ValueError, match="0 and 1 only"):
        expected_f(_JOINT, 0.1, [0, 2])
    with pytest.raises(ValueError, match=r"must have shape \(1, 2\)"):
        expected_f(_JOINT, 0.1, [0, 1, 1])
    with pytest.raises(ValueError, match="method must be one of quadratic, cubic"):
        meuf([0.1, 0.2], method="quartic")
    with pytest.raises(ValueError, match="tail_mass"):
        meuf_approx([0.1, 0.2], tail_mass=1.0)
