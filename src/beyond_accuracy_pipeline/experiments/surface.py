"""Operating points that fixed weights reach on given scores: the raw material of an ROC surface."""

import itertools

import numpy as np

LATTICE = 81
"""Values of each of the two logarithms of ratios of weights."""


def operating_points(scores: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Share of each class that is predicted rightly, shape (LATTICE², 3), for a lattice of weights.

    The weights of the second and third class over the first run through quantiles of the ratios of
    scores at which predictions turn, and beyond them, so that the lattice is dense where it
    matters.

    Raises
    ------
    ValueError
        If there are not three classes, all of which occur.
    """
    if scores.shape[1] != 3 or len(np.unique(y)) != 3:
        raise ValueError(f"an ROC surface is of three classes that occur; found {scores.shape[1]}")
    logs = np.log(np.maximum(scores, 1e-300))
    levels = np.linspace(0, 1, LATTICE - 2)
    axes = []
    for j in (1, 2):
        turns = np.quantile(logs[:, 0] - logs[:, j], levels)
        axes.append(np.concatenate([[turns[0] - 1.0], turns, [turns[-1] + 1.0]]))
    points = np.empty((LATTICE**2, 3))
    sizes = np.bincount(y, minlength=3)
    for point, ratios in zip(points, itertools.product(*axes), strict=True):
        predicted = np.argmax(logs + np.array([0.0, *ratios]), axis=1)
        point[:] = np.bincount(y[predicted == y], minlength=3) / sizes
    return points
