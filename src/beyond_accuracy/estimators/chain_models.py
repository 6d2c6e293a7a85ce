"""Models of a classifier chain, P(Y_j = 1 | x, y_1..y_{j-1}): logistic regressions or others."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray
from scipy.special import expit

from beyond_accuracy.inference.ancestral_sampling import (
    SMALLEST_POSITION,
    sample_logistic_chain,
    spacing,
)
from beyond_accuracy.inference.random_numbers import streams, uniforms


@dataclass(frozen=True)
class LogisticChain:
    """Chain of logistic regressions, one per label, on the features and the earlier labels.

    For m labels and d features, row j of `coef`, shape (m, d), holds the weights of the features in
    the regression of label j. Entry [j, l] of `label_coef`, shape (m, m), is the weight of label l
    in this regression. It is 0 unless l < j.
    """

    coef: np.ndarray
    label_coef: np.ndarray
    intercept: np.ndarray

    def prepare(self, X: Any) -> NDArray[np.float64]:
        """Return the part of each label's log-odds that depends only on the features, shape (n, m).

        The other methods take this array as the argument `prepared`.
        """
        return np.asarray(X @ self.coef.T) + self.intercept

    def probabilities(self, prepared: Any, j: int, prefixes: np.ndarray) -> NDArray[np.float64]:
        """Return P(Y_j = 1) for n examples and r combinations of earlier labels, shape (n, r).

        `prepared` is the result of `prepare` for the n examples. Each row of `prefixes`, shape (r,
        j), holds 0/1 values of the first j labels in the chain.
        """
        effect = prefixes @ self.label_coef[j, :j]
        return expit(prepared[:, j, None] + effect[None, :])

    def sample(
        self,
        prepared: Any,
        keys: NDArray[np.uint64],
        n_samples: int,
        positions: NDArray[np.float64] | None = None,
    ) -> NDArray[np.uint8]:
        """Draw vectors of m labels for each of n examples, uint8, shape (n, n_samples, m).

        Labels are in the order of the chain. `prepared` is the result of `prepare`, and `keys`,
        shape (n,), holds a random seed per example. By default, label vectors are drawn
        independently. If `positions`, shape (n, n_samples), is given, with numbers in (0, 1], the
        result holds these quantiles of the distribution of label vectors.
        """
        return sample_logistic_chain(prepared, self.label_coef, keys, n_samples, positions)

    def log_probability(self, prepared: Any, labelings: np.ndarray) -> NDArray[np.float64]:
        """Return log P(y | x) of r label vectors y for each of n examples x, shape (n, r).

        `prepared` is the result of `prepare` for the n examples. `labelings`, shape (n, r, m),
        holds the label vectors, in the order of the chain.
        """
        labelings = labelings.astype(np.float64)
        scores = prepared[:, None, :] + labelings @ self.label_coef.T
        margins = np.where(labelings > 0, scores, -scores)
        return -np.logaddexp(0.0, -margins).sum(axis=2)


@dataclass(frozen=True)
class GeneralChain:
    """Chain of fitted classifiers, one per label, on the features and the earlier labels.

    `estimators` holds one classifier with `predict_proba` per label, or a float, the value, if the
    label is constant in training. For the methods, see `LogisticChain`.
    """

    estimators: tuple[Any, ...]

    def prepare(self, X: Any) -> Any:
        """Return X, which the other methods take as the argument `prepared`."""
        return X

    def probabilities(self, prepared: Any, j: int, prefixes: np.ndarray) -> NDArray[np.float64]:
        """Return P(Y_j = 1), shape (n, r); see `LogisticChain.probabilities`."""
        n_examples, n_prefixes = prepared.shape[0], len(prefixes)
        rows = np.repeat(np.arange(n_examples), n_prefixes)
        tiled = np.tile(prefixes, (n_examples, 1))
        return self._predict(prepared, j, rows, tiled).reshape(n_examples, n_prefixes)

    def sample(
        self,
        prepared: Any,
        keys: NDArray[np.uint64],
        n_samples: int,
        positions: NDArray[np.float64] | None = None,
    ) -> NDArray[np.uint8]:
        """Draw label vectors, uint8, shape (n, n_samples, m); see `LogisticChain.sample`."""
        n_examples, n_labels = prepared.shape[0], len(self.estimators)
        samples = np.zeros((n_examples * n_samples, n_labels), dtype=np.uint8)
        state = streams(keys, n_samples).ravel()
        if positions is not None:
            left, mass = positions.ravel(), np.ones(positions.size)
            least = np.repeat(spacing(positions), n_samples)
        for j, probability in enumerate(self._along(prepared, samples, n_samples)):
            if positions is None:
                samples[:, j] = uniforms(state, j) <= probability
                continue
            # As in `sample_logistic_chain`, fresh numbers if a part holds at most one position.
            u = np.where(mass >= least, left, uniforms(state, j))
            positive = u > 1.0 - probability
            below = np.where(positive, 1.0 - probability, 0.0)
            share = np.where(positive, probability, 1.0 - probability)
            left, mass = np.clip((u - below) / share, SMALLEST_POSITION, 1.0), mass * share
            samples[:, j] = positive
        return samples.reshape(n_examples, n_samples, n_labels)

    def log_probability(self, prepared: Any, labelings: np.ndarray) -> NDArray[np.float64]:
        """Return log P(y | x), shape (n, r); see `LogisticChain.log_probability`."""
        n_examples, n_each, n_labels = labelings.shape
        flat = labelings.reshape(-1, n_labels)
        total = np.zeros(len(flat))
        for j, probability in enumerate(self._along(prepared, flat, n_each)):
            with np.errstate(divide="ignore"):
                total += np.log(np.where(flat[:, j] > 0, probability, 1.0 - probability))
        return total.reshape(n_examples, n_each)

    def _along(self, X, labels, n_each):
        """Yield P(Y_j = 1) given the earlier labels, shape (n·n_each,), for each label j in turn.

        `labels`, shape (n·n_each, m), has `n_each` rows per row of X. The caller fills column j
        after it has received the probabilities of label j.
        """
        group = np.repeat(np.arange(X.shape[0]), n_each)
        for j in range(len(self.estimators)):
            # Rows of one example with equal earlier labels form a group that is predicted once.
            _, first, group = np.unique(group, return_index=True, return_inverse=True)
            yield self._predict(X, j, first // n_each, labels[first, :j])[group]
            group = 2 * group + labels[:, j]

    def _predict(self, X, j, rows, prefixes):
        estimator = self.estimators[j]
        if isinstance(estimator, float):
            return np.full(len(rows), estimator)
        return estimator.predict_proba(with_labels(X[rows], prefixes))[:, 1]


def with_labels(X: Any, prefixes: np.ndarray) -> Any:
    """Append label columns `prefixes`, shape (n, j), to X; the result is sparse if X is sparse."""
    if scipy.sparse.issparse(X):
        return scipy.sparse.hstack(
            [X, scipy.sparse.csr_matrix(prefixes.astype(np.float64))], format="csr"
        )
    return np.hstack([X, prefixes])


def enumerate_chain(
    model: LogisticChain | GeneralChain, prepared: Any, n_labels: int
) -> tuple[NDArray[np.float64], np.ndarray]:
    """Compute the probabilities of all 2^m vectors of m labels under a classifier chain.

    Return (probabilities, vectors), of shapes (n, 2^m) and (2^m, m), with labels in the order of
    the chain. `prepared` is the result of `model.prepare` for n examples, and `n_labels` is m.
    """
    codes = np.arange(2**n_labels)
    labelings = ((codes[:, None] >> np.arange(n_labels)) & 1).astype(np.uint8)
    probabilities = np.ones((prepared.shape[0], 1))
    for j in range(n_labels):
        positive = model.probabilities(prepared, j, labelings[: 2**j, :j])
        probabilities = np.hstack([probabilities * (1.0 - positive), probabilities * positive])
    return probabilities, labelings
