"""Expected F-measure of given predictions, from samples of the labels or for independent labels."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from beyond_accuracy.inference.checks import (
    check_beta,
    check_marginals,
    check_predictions,
    check_samples,
)


def expected_f_from_samples(
    samples: ArrayLike, prediction: ArrayLike, beta: float = 1.0
) -> NDArray[np.float64]:
    """Return the mean F_β of each example's prediction over samples of its labels, shape (n,).

    `samples`, shape (n, n_samples, m), and `prediction`, shape (n, m), are 0/1 labels. F_β is 1 if
    a sample and the prediction have no positive label.
    """
    square = check_beta(beta) ** 2
    samples, _ = check_samples(samples)
    prediction = check_predictions(prediction, samples.shape[0], samples.shape[2])
    expected = np.empty(len(samples))
    for e, (drawn, chosen) in enumerate(zip(samples, prediction.astype(bool), strict=True)):
        hits = drawn[:, chosen].sum(axis=1, dtype=np.int64)
        size = square * drawn.sum(axis=1, dtype=np.int64) + np.count_nonzero(chosen)
        value = np.ones(len(drawn))
        np.divide((1.0 + square) * hits, size, out=value, where=size > 0)
        expected[e] = value.mean()
    return expected


def expected_f_from_marginals(
    marginals: ArrayLike, prediction: ArrayLike, beta: float = 1.0
) -> NDArray[np.float64]:
    """Return the expected F_β of each example's prediction if labels are independent, shape (n,).

    `marginals`, shape (n, m), are the probabilities of the labels, and `prediction` is a 0/1 array
    of the same shape. F_β is 1 if no label is true or predicted.
    """
    square = check_beta(beta) ** 2
    marginals, _ = check_marginals(np.atleast_2d(marginals))
    n_examples, n_labels = marginals.shape
    prediction = check_predictions(prediction, n_examples, n_labels).astype(bool)
    # Distributions of the positives among the predicted labels, and among the other labels.
    inside, outside = np.zeros((2, n_examples, n_labels + 1))
    inside[:, 0] = outside[:, 0] = 1.0
    for label in range(n_labels):
        p = marginals[:, [label]]
        for distribution, rows in (
            (inside, prediction[:, label]),
            (outside, ~prediction[:, label]),
        ):
            chance, part = p[rows], distribution[rows]
            longer = (1.0 - chance) * part
            longer[:, 1:] += chance * part[:, :-1]
            distribution[rows] = longer
    size = prediction.sum(axis=1)
    count = np.arange(n_labels + 1)
    expected = outside[:, 0].copy()
    for k in np.unique(size[size > 0]):
        rows = size == k
        hits = count[1 : k + 1]
        positives = hits[:, None] + count[: n_labels - k + 1][None, :]
        weight = (1.0 + square) * hits[:, None] / (square * positives + k)
        expected[rows] = np.einsum(
            "ea,ab,eb->e",
            inside[rows, 1 : k + 1],
            weight,
            outside[rows, : n_labels - k + 1],
            optimize=True,
        )
    return expected
