"""Network of Gaussian basis functions, as WEKA's RBFNetwork, as a scikit-learn classifier."""

import warnings
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

from beyond_accuracy.estimators.validation import ArrayLike, MatrixLike, validate_data
from beyond_accuracy.scikit_learn import StrOptions
from beyond_accuracy.solvers.data_matrix import column_variances
from beyond_accuracy.solvers.plane_model import ScaleError
from beyond_accuracy_pipeline.reproduction.weka_k_means import weka_k_means

# WEKA's defaults: clusters per class, smallest standard deviation in standardized units, and the
# regression's penalty on the squared coefficients.
_N_CLUSTERS = 2
_MIN_STD = 0.1
_RIDGE = 1e-8
_MAX_NEWTON_ITERATIONS = 1000


class RBFNetwork(ClassifierMixin, BaseEstimator):
    """Logistic regression on normalized Gaussian basis functions, as in WEKA's RBFNetwork.

    The features are standardized, and k-means divides the examples of each class into two clusters,
    with features scaled to their range within the class. Each cluster becomes a Gaussian with its
    own mean and standard deviation per feature. The inputs of the regression are the posterior
    probabilities of the clusters. The prior of a cluster is its share of its class, with 1 added to
    each count, times the share of the class. A standard deviation of at most 0.1 is replaced by the
    class's standard deviation, or by 0.1 if that is larger. Sparse X is never made dense.

    Parameters
    ----------
    starts : {"random", "weka"}, default "random"
        Initial centres of k-means. With "weka", the network is the same as WEKA's with its default
        seed, 1, for this order of the rows, and `random_state` has no effect.
    random_state : int, RandomState or None, default 0
        Seed of the random initial centres.

    References
    ----------
    I. H. Witten, E. Frank, Data Mining: Practical Machine Learning Tools and Techniques, 2nd ed.,
    2005: RBFNetwork, which builds on WEKA's Standardize, SimpleKMeans, MakeDensityBasedClusterer,
    ClusterMembership and Logistic. https://ml.cms.waikato.ac.nz/weka/
    """

    _parameter_constraints: dict[str, list[Any]] = {
        "starts": [StrOptions({"random", "weka"})],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        *,
        starts: Literal["random", "weka"] = "random",
        random_state: int | np.random.RandomState | None = 0,
    ) -> None:
        self.starts = starts
        self.random_state = random_state

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def fit(self, X: MatrixLike, y: ArrayLike) -> Self:
        """Fit to X, shape (n, d), dense or sparse, and labels y, shape (n,)."""
        self._validate_params()
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError("RBFNetwork needs samples of two classes, found one class")
        random_state = check_random_state(self.random_state)
        scale = np.sqrt(column_variances(X, ddof=1))
        if not np.isfinite(scale).all():
            raise ScaleError
        scale[scale == 0.0] = 1.0
        mean = None if scipy.sparse.issparse(X) else X.sum(axis=0) / len(X)
        centers, widths, weights = [], [], []
        for code in range(len(self.classes_)):
            examples = X[codes == code]
            labels = self._cluster(examples, mean, scale, random_state)
            parts = [examples[labels == label] for label in np.unique(labels)]
            class_width = np.sqrt(column_variances(examples, ddof=1)) / scale
            for part in parts:
                centers.append(np.asarray(part.mean(axis=0)).ravel())
                width = np.sqrt(column_variances(part, ddof=0)) / scale
                width = np.where(width <= _MIN_STD, class_width, width)
                widths.append(np.maximum(width, _MIN_STD) * scale)
                share = (part.shape[0] + 1) / (examples.shape[0] + len(parts))
                weights.append(share * examples.shape[0] / X.shape[0])
        self.centers_, self.widths_ = np.array(centers), np.array(widths)
        self.weights_: NDArray[np.float64] = np.array(weights)
        self._fit_logistic(self._basis(X), codes)
        return self

    def decision_function(self, X: MatrixLike) -> NDArray[np.float64]:
        """Return decision scores, shape (n,) for two classes, else (n, n_classes)."""
        scores = self._scores(X)
        return scores[:, 1] if len(self.classes_) == 2 else scores

    def predict_proba(self, X: MatrixLike) -> NDArray[np.float64]:
        return softmax(self._scores(X), axis=1)

    def predict(self, X: MatrixLike) -> np.ndarray:
        scores = self._scores(X)
        return self.classes_[scores.argmax(axis=1)]

    def _scores(self, X):
        """Return decision scores, shape (n, n_classes). With two classes, the first column is 0."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        scores = self._basis(X) @ self.coef_.T + self.intercept_
        return np.pad(scores, ((0, 0), (1, 0))) if scores.shape[1] == 1 else scores

    def _cluster(self, examples, mean, scale, random_state):
        """Return the cluster of each example of one class; `mean` is None for sparse X."""
        if self.starts == "weka":
            if mean is not None:
                examples = (examples - mean) / scale
            return weka_k_means(examples, _N_CLUSTERS)
        sparse = scipy.sparse.issparse(examples)
        extent = examples.max(axis=0) - examples.min(axis=0)
        extent = extent.toarray().ravel() if sparse else extent
        inverse = np.divide(1.0, extent, out=np.zeros_like(extent), where=extent > 0)
        scaled = examples @ scipy.sparse.diags(inverse) if sparse else examples * inverse
        kmeans = KMeans(
            min(_N_CLUSTERS, examples.shape[0]),
            init="random",
            n_init=1,
            random_state=random_state.randint(2**31),
        )
        with warnings.catch_warnings():
            # Fewer distinct examples than clusters: empty clusters are left out.
            warnings.simplefilter("ignore", ConvergenceWarning)
            return kmeans.fit_predict(scaled)

    @np.errstate(over="ignore", invalid="ignore")
    def _basis(self, X):
        """Return the posterior probability of each cluster for each row, shape (n, n_basis)."""
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
        """Fit the logistic regression to `basis`, shape (n, n_basis), and class `codes`, (n,)."""
        mean, scale = basis.mean(axis=0), basis.std(axis=0, ddof=1)
        scale[scale < 1e-12] = 1.0
        # scikit-learn minimizes ½‖coef‖² + C·(negative log-likelihood).
        logistic = LogisticRegression(
            C=0.5 / _RIDGE, solver="newton-cg", tol=1e-6, max_iter=_MAX_NEWTON_ITERATIONS
        )
        logistic.fit((basis - mean) / scale, codes)
        self.coef_: NDArray[np.float64] = logistic.coef_ / scale
        self.intercept_: NDArray[np.float64] = logistic.intercept_ - self.coef_ @ mean
        self.n_iter_: int = int(logistic.n_iter_.max())
