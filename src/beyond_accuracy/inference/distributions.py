"""Joint distributions of labels and label counts, and the expected F-measure of predictions."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from beyond_accuracy.inference.checks import (
    check_beta,
    check_joint,
    check_marginals,
    check_predictions,
    check_samples,
)


def joint_from_distribution(
    labelings: ArrayLike, probabilities: ArrayLike
) -> tuple[NDArray[np.float64], float | NDArray[np.float64]]:
    """Compute the input of the F-measure maximizer `gfm` from a distribution over label vectors.

    Parameters
    ----------
    labelings : array of 0/1, shape (r, m)
        The possible label vectors.
    probabilities : array of float, shape (r,) or (n, r)
        Probability of each label vector, for one or for n examples.

    Returns
    -------
    joint : array of float64, shape (m, m) or (n, m, m)
        Entry [i, s - 1] is P(Y_i = 1, |Y| = s), where |Y| is the number of positive labels.
    p_empty : float or array of float64, shape (n,)
        P(Y = 0), the probability that no label is positive.

    References
    ----------
    K. Dembczyński et al., An Exact Algorithm for F-Measure Maximization, NIPS 2011.
    https://proceedings.neurips.cc/paper/2011/hash/71ad16ad2c4d81f348082ff6c4b20768-Abstract.html

    Examples
    --------
    >>> from beyond_accuracy.inference import joint_from_distribution
    >>> joint, p_empty = joint_from_distribution([[0, 0], [1, 0], [1, 1]], [0.5, 0.3, 0.2])
    >>> joint
    array([[0.3, 0.2],
           [0. , 0.2]])
    >>> p_empty
    0.5
    """
    labelings = np.asarray(labelings, dtype=np.float64)
    probabilities = np.asarray(probabilities, dtype=np.float64)
    single = probabilities.ndim == 1
    probabilities = np.atleast_2d(probabilities)
    n_labels = labelings.shape[1]
    size = labelings.sum(axis=1).astype(np.int64)
    joint = np.zeros((probabilities.shape[0], n_labels, n_labels))
    for s in range(1, n_labels + 1):
        joint[:, :, s - 1] = probabilities[:, size == s] @ labelings[size == s]
    p_empty = probabilities[:, size == 0].sum(axis=1)
    return (joint[0], float(p_empty[0])) if single else (joint, p_empty)


def joint_from_samples(samples: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Estimate the input of the F-measure maximizer `gfm` by frequencies in samples of labels.

    Parameters
    ----------
    samples : array of 0/1, shape (n, n_samples, m)
        Label vectors drawn for each of n examples.

    Returns
    -------
    joint : array of float64, shape (n, m, m)
        Entry [e, i, s - 1] is the share of example e's samples that have s positive labels, label i
        among them.
    p_empty : array of float64, shape (n,)
        Share of each example's samples in which no label is positive.

    References
    ----------
    K. Dembczyński et al., An Exact Algorithm for F-Measure Maximization, NIPS 2011.
    https://proceedings.neurips.cc/paper/2011/hash/71ad16ad2c4d81f348082ff6c4b20768-Abstract.html

    Examples
    --------
    >>> from beyond_accuracy.inference import joint_from_samples
    >>> joint, p_empty = joint_from_samples([[[0, 0], [1, 0], [1, 1], [1, 0]]])
    >>> joint
    array([[[0.5 , 0.25],
            [0.  , 0.25]]])
    >>> p_empty
    array([0.25])
    """
    samples = np.asarray(samples)
    n_examples, n_samples, n_labels = samples.shape
    joint, p_empty = np.empty((n_examples, n_labels, n_labels)), np.empty(n_examples)
    for e, drawn in enumerate(samples):
        of_size = drawn.sum(axis=1, dtype=np.int64)[:, None] == np.arange(n_labels + 1)
        joint[e] = (drawn.T.astype(np.float64) @ of_size)[:, 1:] / n_samples
        p_empty[e] = of_size[:, 0].mean()
    return joint, p_empty


def independent_joint(marginals: ArrayLike) -> tuple[NDArray[np.float64], float]:
    """Compute the input of the F-measure maximizer `gfm` for independent labels.

    Parameters
    ----------
    marginals : array of float, shape (m,)
        P(Y_i = 1) of each label.

    Returns
    -------
    joint : array of float64, shape (m, m)
    p_empty : float
        See `joint_from_distribution`.

    References
    ----------
    K. Dembczyński et al., An Exact Algorithm for F-Measure Maximization, NIPS 2011.
    https://proceedings.neurips.cc/paper/2011/hash/71ad16ad2c4d81f348082ff6c4b20768-Abstract.html

    Examples
    --------
    >>> from beyond_accuracy.inference import independent_joint
    >>> joint, p_empty = independent_joint([0.5, 0.4])
    >>> joint
    array([[0.3, 0.2],
           [0.2, 0.2]])
    >>> p_empty
    0.3
    """
    marginals = np.asarray(marginals, dtype=np.float64)
    n_labels = len(marginals)
    joint = np.empty((n_labels, n_labels))
    for i in range(n_labels):
        # Distribution of the number of other positive labels.
        others = np.ones(1)
        for p in np.delete(marginals, i):
            others = np.append((1.0 - p) * others, 0.0) + np.append(0.0, p * others)
        joint[i] = marginals[i] * others
    return joint, float(np.prod(1.0 - marginals))


def expected_f(
    joint: ArrayLike, p_empty: ArrayLike, prediction: ArrayLike, beta: float = 1.0
) -> float | NDArray[np.float64]:
    """Compute the expected F_β of given predictions.

    Parameters
    ----------
    joint : array of float, shape (m, m) or (n, m, m)
    p_empty : float or array of float, shape (n,)
        See `joint_from_distribution`.
    prediction : array of 0/1, shape (m,) or (n, m)
        Predicted labels of one or of n examples.
    beta : float, default 1.0

    Returns
    -------
    float or array of float64, shape (n,)
        Expected F_β of each prediction.

    References
    ----------
    K. Dembczyński et al., An Exact Algorithm for F-Measure Maximization, NIPS 2011.
    https://proceedings.neurips.cc/paper/2011/hash/71ad16ad2c4d81f348082ff6c4b20768-Abstract.html

    Examples
    --------
    >>> from beyond_accuracy.inference import expected_f, independent_joint
    >>> expected_f(*independent_joint([0.5, 0.5]), [1, 0])
    0.41666666666666663
    """
    square = check_beta(beta) ** 2
    joint, p_empty, single = check_joint(joint, p_empty)
    n_examples, n_labels, _ = joint.shape
    prediction = check_predictions(prediction, n_examples, n_labels)
    size = prediction.sum(axis=1, dtype=np.int64)
    in_size = np.einsum("ni,nis->ns", prediction.astype(np.float64), joint)
    weight = (1.0 + square) / (square * np.arange(1, n_labels + 1) + np.maximum(size, 1)[:, None])
    value = np.where(size == 0, p_empty, (in_size * weight).sum(axis=1))
    return float(value[0]) if single else value


def expected_f_from_samples(
    samples: ArrayLike, prediction: ArrayLike, beta: float = 1.0
) -> NDArray[np.float64]:
    """Return the mean F_β of each example's prediction over samples of its labels, shape (n,).

    `samples`, shape (n, n_samples, m), and `prediction`, shape (n, m), are 0/1 labels.
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

    `marginals` and the 0/1 labels `prediction` have shape (n, m).
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
        predicted = prediction[:, label]
        for distribution, rows in ((inside, predicted), (outside, ~predicted)):
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
        parts = inside[rows, 1 : k + 1], weight, outside[rows, : n_labels - k + 1]
        expected[rows] = np.einsum("ea,ab,eb->e", *parts, optimize=True)
    return expected
