"""A network of Gaussian basis functions, as WEKA's RBFNetwork, as a scikit-learn classifier."""

import warnings
from numbers import Integral, Real
from typing import Any, Literal, Self

import numpy as np
import scipy.sparse
from numpy.typing import NDArray
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.utils import Tags, check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from beyond_accuracy.estimators.parameters import (
    ArrayLike,
    MatrixLike,
)
from beyond_accuracy.estimators.validation import validate_data
from beyond_accuracy.scikit_learn import Interval, StrOptions
from beyond_accuracy.solvers.moments import column_variances
from beyond_accuracy.solvers.plane_model import ScaleError
from beyond_accuracy_pipeline.reproduction.weka_k_means import weka_k_means

_MAX_NEWTON_ITERATIONS = 1000


class RBFNetwork(ClassifierMixin, BaseEstimator):
    """Logistic regression on normalized Gaussian basis functions, as WEKA's RBFNetwork.

    The attributes are standardized; the cases of every class are divided by k-means; each cluster
    becomes a Gaussian with its own mean and standard deviation of every attribute. The features of
    the logistic regression are the clusters' posterior probabilities: densities times the share
    of the cluster in its class times the share of the class, divided by their sum.

    Parameters
    ----------
    n_clusters : int, default 2
        Clusters of every class; fewer for a class of fewer distinct cases.
    min_std : float, default 0.1
        A standard deviation of at most this, in standardized units, is replaced by that of the
        class, and, if that is no larger either, by `min_std`.
    ridge : float, default 1e-8
        The regression maximizes the log-likelihood minus ridge·Σ coef² of its standardized
        features; the intercept is free.
    n_init : int, default 1
        Starts of k-means from random cases, of which the best is taken; one, as in WEKA.
    starts : {"random", "weka"}, default "random"
        "weka" starts each class from the cases that WEKA draws with its default seed, 1, given the
        order of the rows, and takes every sum in its order: the same network as WEKA's. n_init and
        random_state are then without effect.
    random_state : int, RandomState or None, default 0
        Starts of k-means.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    centers_ : ndarray, shape (n_basis, n_features)
        Means of the clusters, in the units of X; class after class.
    widths_ : ndarray, shape (n_basis, n_features)
        Standard deviations, in the units of X.
    weights_ : ndarray, shape (n_basis,)
        Shares of the clusters in all cases; with the 1 added to each count that WEKA adds.
    coef_ : ndarray, shape (1, n_basis) or (n_classes, n_basis)
        Of the basis functions.
    intercept_ : ndarray, shape (1,) or (n_classes,)
    n_iter_ : int
        Iterations of the regression.

    Notes
    -----
    k-means measures distances in attributes scaled to the range that they have in the class, as
    WEKA does. X may be sparse: nothing of its size is made dense.

    References
    ----------
    I. H. Witten, E. Frank, Data Mining: Practical Machine Learning Tools and Techniques, 2nd ed.,
    2005: RBFNetwork, which builds on WEKA's Standardize, SimpleKMeans, MakeDensityBasedClusterer,
    ClusterMembership and Logistic. https://ml.cms.waikato.ac.nz/weka/

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(200, weights=[0.8], random_state=0)
    >>> from beyond_accuracy_pipeline.reproduction import RBFNetwork
    >>> classifier = RBFNetwork().fit(X, y)
    >>> classifier.predict(X[y == 1][:5])
    array([1, 1, 1, 0, 1])
    """

    _parameter_constraints: dict[str, list[Any]] = {
        "n_clusters": [Interval(Integral, 1, None, closed="left")],
        "min_std": [Interval(Real, 0, None, closed="neither")],
        "ridge": [Interval(Real, 0, None, closed="neither")],
        "n_init": [Interval(Integral, 1, None, closed="left")],
        "starts": [StrOptions({"random", "weka"})],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_clusters: int = 2,
        *,
        min_std: float = 0.1,
        ridge: float = 1e-8,
        n_init: int = 1,
        starts: Literal["random", "weka"] = "random",
        random_state: int | np.random.RandomState | None = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.min_std = min_std
        self.ridge = ridge
        self.n_init = n_init
        self.starts = starts
        self.random_state = random_state

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def fit(self, X: MatrixLike, y: ArrayLike) -> Self:
        """Fit to X, shape (n, d), dense or sparse, and labels y, shape (n,).

        Raises ValueError if X holds NaN or infinity, y holds one class only, a parameter is out of
        range, or squares of features are.
        """
        self._validate_params()
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64)
        check_classification_targets(y)
        self.classes_: np.ndarray
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(
                "RBFNetwork needs samples of two classes, but the data contains only one class: "
                f"{self.classes_.tolist()[0]!r}"
            )
        random_state = check_random_state(self.random_state)
        scale = np.sqrt(column_variances(X, ddof=1))
        if not np.isfinite(scale).all():
            raise ScaleError
        scale[scale == 0.0] = 1.0
        mean = None if scipy.sparse.issparse(X) else X.sum(axis=0) / len(X)
        centers, widths, weights = [], [], []
        for code in range(len(self.classes_)):
            cases = X[codes == code]
            labels = self._cluster(cases, mean, scale, random_state)
            parts = [cases[labels == label] for label in np.unique(labels)]
            class_width = np.sqrt(column_variances(cases, ddof=1)) / scale
            for part in parts:
                centers.append(_means(part))
                width = np.sqrt(column_variances(part, ddof=0)) / scale
                width = np.where(width <= self.min_std, class_width, width)
                widths.append(np.maximum(width, self.min_std) * scale)
                share = (part.shape[0] + 1) / (cases.shape[0] + len(parts))
                weights.append(share * cases.shape[0] / X.shape[0])
        self.centers_: NDArray[np.float64]
        self.widths_: NDArray[np.float64]
        self.centers_, self.widths_ = np.array(centers), np.array(widths)
        self.weights_: NDArray[np.float64] = np.array(weights)
        self._fit_logistic(self._basis(X), codes)
        return self

    def decision_function(self, X: MatrixLike) -> NDArray[np.float64]:
        """Linear predictor, shape (n,) or (n, n_classes); above 0 predicts `classes_[1]`."""
        scores = self._scores(X)
        return scores[:, 1] if len(self.classes_) == 2 else scores

    def predict_proba(self, X: MatrixLike) -> NDArray[np.float64]:
        """Class probabilities, shape (n, n_classes)."""
        return softmax(self._scores(X), axis=1)

    def predict(self, X: MatrixLike) -> np.ndarray:
        """Predicted labels, shape (n,)."""
        scores = self._scores(X)
        return self.classes_[scores.argmax(axis=1)]

    def _scores(self, X):
        """Linear predictors of all classes, shape (n, n_classes); of two the first has 0."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        scores = self._basis(X) @ self.coef_.T + self.intercept_
        return np.pad(scores, ((0, 0), (1, 0))) if scores.shape[1] == 1 else scores

    def _cluster(self, cases, mean, scale, random_state):
        """The number of every case's cluster, from 0."""
        if self.starts == "weka":
            if mean is not None:
                cases = (cases - mean) / scale
            return weka_k_means(cases, self.n_clusters)
        extent = _ranges(cases)
        inverse = np.divide(1.0, extent, out=np.zeros_like(extent), where=extent > 0)
        scaled = _scale_columns(cases, inverse)
        n_clusters = min(self.n_clusters, cases.shape[0])
        kmeans = KMeans(
            n_clusters,
            init="random",
            n_init=self.n_init,
            random_state=random_state.randint(2**31),
        )
        with warnings.catch_warnings():
            # Fewer distinct cases than clusters: empty clusters are left out.
            warnings.simplefilter("ignore", ConvergenceWarning)
            return kmeans.fit_predict(scaled)

    @np.errstate(over="ignore", invalid="ignore")
    def _basis(self, X):
        """Posterior probabilities of the clusters, shape (n, n_basis)."""
        precision = self.widths_**-2.0
        if scipy.sparse.issparse(X):
            origin, squares = 0.0, X.multiply(X).tocsr()
        else:
            # Moving the origin to the mean centre keeps the digits of the quadratic form.
            origin = self.centers_.mean(axis=0)
            X = X - origin
            squares = X**2
        centers = self.centers_ - origin
        quadratic = squares @ precision.T - 2.0 * (X @ (centers * precision).T)
        constant = (centers**2 * precision).sum(axis=1) + 2.0 * np.log(self.widths_).sum(axis=1)
        log_density = -0.5 * (np.asarray(quadratic) + constant) + np.log(self.weights_)
        basis = softmax(log_density, axis=1)
        if not np.isfinite(basis).all():
            raise ScaleError
        return basis

    def _fit_logistic(self, basis, codes):
        mean, scale = basis.mean(axis=0), basis.std(axis=0, ddof=1)
        scale[scale < 1e-12] = 1.0
        # scikit-learn minimizes ½‖coef‖² + C·(negative log-likelihood).
        logistic = LogisticRegression(
            C=0.5 / self.ridge,
            solver="newton-cg",
            tol=1e-6,
            max_iter=_MAX_NEWTON_ITERATIONS,
        )
        logistic.fit((basis - mean) / scale, codes)
        self.coef_: NDArray[np.float64] = logistic.coef_ / scale
        self.intercept_: NDArray[np.float64] = logistic.intercept_ - self.coef_ @ mean
        self.n_iter_: int = int(logistic.n_iter_.max())


def _means(X):
    return np.asarray(X.mean(axis=0)).ravel()


def _ranges(X):
    extent = X.max(axis=0) - X.min(axis=0)
    return extent.toarray().ravel() if scipy.sparse.issparse(X) else extent


def _scale_columns(X, factors):
    return X @ scipy.sparse.diags(factors) if scipy.sparse.issparse(X) else X * factors
