"""Probabilistic classifier chains: a joint distribution of labels, and decisions from it."""

from numbers import Integral
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.utils import check_random_state

from beyond_accuracy.estimators.chain_models import (
    GeneralChain,
    LogisticChain,
    enumerate_chain,
    with_labels,
)
from beyond_accuracy.estimators.multilabel_classifier import MultiLabelClassifier
from beyond_accuracy.estimators.validation import ArrayLike, MatrixLike
from beyond_accuracy.inference import (
    gfm,
    gfm_from_samples,
    gfm_threshold,
    gfm_threshold_from_samples,
    joint_from_distribution,
    joint_from_samples,
)
from beyond_accuracy.inference.ancestral_sampling import systematic_positions
from beyond_accuracy.inference.random_numbers import hash_rows
from beyond_accuracy.scikit_learn import HasMethods, Interval, StrOptions

MOST_ENUMERATED = 16
_CELLS_AT_ONCE = 2**24


class ProbabilisticClassifierChain(MultiLabelClassifier):
    """Multi-label classifier that models the joint distribution of the labels by a chain.

    Each label has a classifier on the features and the labels before it: P(y | x) = Π_j P(y_j | x,
    y_1..y_{j−1}). Predictions maximize the expected value of a measure, estimated from samples of
    label vectors or computed from all 2^m label vectors. The samples of an example depend only on
    its features and the seed.

    Parameters
    ----------
    base : estimator or None, default None
        Binary classifier with `predict_proba`. None is `RidgeLogisticRegression()`. Sampling is
        fast with logistic regressions, also of scikit-learn.
    order : array of int, shape (m,), "random" or None, default None
        Indices of the label columns in the order of the chain. None is the order of the columns.
    n_samples : int, default 200
        Number of samples per example. The paper draws 200.
    sampling : {"independent", "systematic"}, default "independent"
        "independent" samples are drawn independently, as in the paper. "systematic" samples are
        evenly spaced quantiles of the distribution, with one random offset per example. A label
        vector of probability p then occurs n·p times among n samples, rounded up or down. P(Y = 0 |
        x) is computed exactly, and only nonzero label vectors are sampled.
    random_state : int, RandomState or None, default None
        Seed for a random order and for the samples. With None they differ from fit to fit.

    Attributes
    ----------
    n_labels_, classes_
        See `BinaryRelevance`.
    order_ : ndarray of int, shape (m,)
        Indices of the label columns in the order of the chain.
    model_ : LogisticChain or GeneralChain
        The fitted classifiers in the order of the chain.
    regressions_ : LabelRegressions
        With `RidgeLogisticRegression` only: C, iterations and validation losses of each label, in
        the order of the chain.

    References
    ----------
    K. Dembczyński, W. Cheng, E. Hüllermeier, Bayes Optimal Multilabel Classification via
    Probabilistic Classifier Chains, ICML 2010. https://dl.acm.org/doi/10.5555/3104322.3104359

    Examples
    --------
    >>> from sklearn.datasets import make_multilabel_classification
    >>> X, Y = make_multilabel_classification(100, n_classes=3, random_state=0)
    >>> from beyond_accuracy import ProbabilisticClassifierChain
    >>> ProbabilisticClassifierChain().fit(X, Y).predict(X[:2], criterion="f1", exact=True)
    array([[0, 1, 0],
           [0, 1, 1]])
    """

    _parameter_constraints: dict[str, list[Any]] = {
        "base": [HasMethods(["fit", "predict_proba"]), None],
        "order": [StrOptions({"random"}), "array-like", None],
        "n_samples": [Interval(Integral, 1, None, closed="left")],
        "sampling": [StrOptions({"independent", "systematic"})],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        base: Any | None = None,
        *,
        order: Literal["random"] | ArrayLike | None = None,
        n_samples: int = 200,
        sampling: Literal["independent", "systematic"] = "independent",
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.base = base
        self.order = order
        self.n_samples = n_samples
        self.sampling = sampling
        self.random_state = random_state

    _criteria = ("f1", "hamming", "subset", "threshold")

    def fit(self, X: MatrixLike, Y: MatrixLike) -> Self:
        """Fit to X, shape (n, d), dense or sparse, and a 0/1 indicator Y, shape (n, m).

        Raises ValueError for invalid data, and if `order` is not a permutation of the labels.
        """
        X, Y = self._check_labelled(X, Y)
        random_state = check_random_state(self.random_state)
        self.order_: NDArray[np.integer] = self._check_order(random_state)
        self._seed = np.uint64(random_state.randint(2**31 - 1))
        self.model_: LogisticChain | GeneralChain = self._fit_chain(
            X, np.ascontiguousarray(Y[:, self.order_])
        )
        return self

    def sample(self, X: MatrixLike, n_samples: int | None = None) -> NDArray[np.uint8]:
        """Draw label vectors of each row of X from P(y | x), uint8, shape (n, n_samples, m).

        `n_samples` is the number of label vectors per row; None is the parameter of the class.
        """
        X = self._check_features(X)
        n_samples = self.n_samples if n_samples is None else n_samples
        samples = np.empty((X.shape[0], n_samples, self.n_labels_), dtype=np.uint8)
        for rows in self._batches(X.shape[0], n_samples * self.n_labels_):
            samples[rows] = self._sample(X[rows], n_samples)
        return samples

    def predict_proba(self, X: MatrixLike, *, exact: bool = False) -> NDArray[np.float64]:
        """Compute the marginal probability of each label, P(y_j = 1 | x), float64, shape (n, m).

        If `exact`, all 2^m label vectors are enumerated, for at most 16 labels. Otherwise the
        probabilities are estimated from samples.
        """

        def marginals(labelings, p):
            return np.clip(p @ labelings, 0.0, 1.0)

        return np.concatenate(self._parts(X, exact, self._sampled_marginals, marginals))

    def joint(
        self, X: MatrixLike, *, exact: bool = False
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Estimate the probabilities of each label together with the number of positive labels.

        Return two float64 arrays, which `inference.gfm` takes. Entry [e, i, s − 1] of the first
        one, shape (n, m, m), is P(Y_i = 1, |Y| = s | x), the probability for example e that label i
        is positive and that s labels are positive in total. The second one, shape (n,), holds P(Y =
        0 | x), the probability that no label is positive. For `exact`, see `predict_proba`.
        """
        parts = self._parts(X, exact, self._sampled_joint, joint_from_distribution)
        joint, p_empty = map(np.concatenate, zip(*parts, strict=True))
        return joint, p_empty

    def predict(
        self,
        X: MatrixLike,
        criterion: Literal["f1", "hamming", "subset", "threshold"] = "f1",
        beta: float = 1.0,
        *,
        exact: bool = False,
    ) -> NDArray[np.int64]:
        """Predict the label vectors that are best for a measure.

        Parameters
        ----------
        X : array or CSR matrix, shape (n, d)
        criterion : {"f1", "hamming", "subset", "threshold"}, default "f1"
            "f1" maximizes the expected F_β of each example, by `inference.gfm`. "threshold" does so
            among thresholds on the marginal probabilities, by `inference.gfm_threshold`. "hamming"
            predicts the labels with a probability of at least ½. "subset" predicts the most
            probable label vector (among the samples, unless `exact`).
        beta : float, default 1.0
            Weight of recall against precision; only for "f1" and "threshold".
        exact : bool, default False
            Whether to enumerate all 2^m label vectors instead of sampling; for at most 16 labels.

        Returns
        -------
        ndarray of int64, shape (n, m)
            0/1 indicator of the predicted labels.

        Raises
        ------
        ValueError
            If the criterion or beta is invalid, X is empty or holds NaN, or exact=True with more
            than 16 labels.
        """
        self._check_criterion(criterion)
        if criterion == "hamming":
            return (self.predict_proba(X, exact=exact) >= 0.5).astype(np.int64)
        if criterion == "subset":
            of_rows = self._most_probable

            def of_distribution(labelings, p):
                return labelings[p.argmax(axis=1)]
        else:
            maximize = gfm if criterion == "f1" else gfm_threshold
            of_samples = gfm_from_samples if criterion == "f1" else gfm_threshold_from_samples

            def of_rows(rows):
                if self.sampling == "systematic":
                    return maximize(*self._sampled_joint(rows), beta)[0]
                return of_samples(self._sample(rows, self.n_samples), beta)[0]

            def of_distribution(labelings, p):
                return maximize(*joint_from_distribution(labelings, p), beta)[0]

        parts = self._parts(X, exact, of_rows, of_distribution)
        return np.concatenate(parts).astype(np.int64)

    def _check_order(self, random_state):
        if self.order is None:
            return np.arange(self.n_labels_)
        if isinstance(self.order, str):
            return random_state.permutation(self.n_labels_)
        order = np.asarray(self.order)
        if order.shape != (self.n_labels_,) or (np.sort(order) != np.arange(self.n_labels_)).any():
            raise ValueError(
                f"order must be a permutation of 0..{self.n_labels_ - 1}, found {self.order!r}"
            )
        return order.astype(np.int64)

    def _fit_chain(self, X, Y):
        estimators = self._fit_base(
            Y,
            lambda ridge: ridge.fit_labels(X, Y, chained=True),
            lambda j: with_labels(X, Y[:, :j]),
        )
        if hasattr(self, "regressions_"):
            fits = self.regressions_
            return LogisticChain(fits.coef, fits.label_coef, fits.intercept)
        if all(isinstance(estimator, float) or _is_logistic(estimator) for estimator in estimators):
            return _logistic_chain(estimators, X.shape[1])
        return GeneralChain(tuple(estimators))

    def _batches(self, n_examples, cells_of_one):
        step = max(_CELLS_AT_ONCE // cells_of_one, 1)
        return [slice(start, start + step) for start in range(0, n_examples, step)]

    def _sample(self, X, n_samples):
        return self._in_columns(self._sample_chain(self.model_.prepare(X), X, n_samples))

    def _sample_chain(self, prepared, X, n_samples, lowest=0.0):
        keys, positions = hash_rows(X, self._seed), None
        if self.sampling == "systematic":
            positions = systematic_positions(keys, n_samples, lowest)
        return self.model_.sample(prepared, keys, n_samples, positions)

    def _sampled_joint(self, X):
        if self.sampling == "independent":
            return joint_from_samples(self._sample(X, self.n_samples))
        prepared = self.model_.prepare(X)
        nothing = np.zeros((X.shape[0], 1, self.n_labels_), dtype=np.uint8)
        p_empty = np.exp(self.model_.log_probability(prepared, nothing)[:, 0])
        # Positions up to P(Y = 0) belong to the empty label vector.
        in_chain = self._sample_chain(prepared, X, self.n_samples, p_empty)
        joint, _ = joint_from_samples(self._in_columns(in_chain))
        return joint * (1.0 - p_empty)[:, None, None], p_empty

    def _sampled_marginals(self, X):
        if self.sampling == "independent":
            return self._sample(X, self.n_samples).mean(axis=1)
        return self._sampled_joint(X)[0].sum(axis=2)

    def _in_columns(self, in_chain):
        """Reorder labels (last axis) from the order of the chain to the order of Y's columns."""
        labels = np.empty_like(in_chain)
        labels[..., self.order_] = in_chain
        return labels

    def _parts(self, X, exact, of_rows, of_distribution):
        """Apply a function to X in parts of rows, and return the list of results.

        Without `exact`, the function is of_rows(rows). With `exact`, it is of_distribution(label
        vectors, probabilities), for all 2^m label vectors.
        """
        X = self._check_features(X)
        if exact:
            return [of_distribution(*distribution) for distribution in self._enumerate(X)]
        batches = self._batches(X.shape[0], self.n_samples * self.n_labels_)
        return [of_rows(X[rows]) for rows in batches]

    def _most_probable(self, X):
        prepared = self.model_.prepare(X)
        in_chain = self._sample_chain(prepared, X, self.n_samples)
        # Vectors are ranked by probability, since counts in the samples have many ties.
        best = self.model_.log_probability(prepared, in_chain).argmax(axis=1)
        return self._in_columns(in_chain[np.arange(X.shape[0]), best])

    def _enumerate(self, X):
        if self.n_labels_ > MOST_ENUMERATED:
            raise ValueError(
                f"exact=True enumerates 2^m label vectors and takes at most {MOST_ENUMERATED} "
                f"labels, found {self.n_labels_}; use exact=False"
            )
        for rows in self._batches(X.shape[0], 8 * 2**self.n_labels_):
            prepared = self.model_.prepare(X[rows])
            probabilities, in_chain = enumerate_chain(self.model_, prepared, self.n_labels_)
            yield self._in_columns(in_chain), probabilities


def _is_logistic(estimator):
    """Return whether `estimator` is a binary logistic regression, P = 1/(1 + exp(−score))."""
    # Otherwise scikit-learn fits two classes by a softmax.
    multinomial = getattr(estimator, "multi_class", None) == "multinomial"
    return isinstance(estimator, LogisticRegression) and not multinomial


def _logistic_chain(estimators, n_features):
    n_labels = len(estimators)
    coef = np.zeros((n_labels, n_features))
    label_coef = np.zeros((n_labels, n_labels))
    intercept = np.empty(n_labels)
    for j, estimator in enumerate(estimators):
        if isinstance(estimator, float):
            intercept[j] = np.inf if estimator else -np.inf
        else:
            coef[j] = estimator.coef_[0, :n_features]
            label_coef[j, :j] = estimator.coef_[0, n_features:]
            intercept[j] = estimator.intercept_[0]
    return LogisticChain(coef, label_coef, intercept)
