"""Logistic regression with an L2 penalty, whose strength cross-validation can choose."""

import warnings
from numbers import Integral, Real
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import check_is_fitted

from beyond_accuracy.estimators.binary_classifier import BinaryClassifier
from beyond_accuracy.estimators.validation import (
    SMALLEST_C,
    ArrayLike,
    MatrixLike,
    binary_examples,
    several_numbers,
)
from beyond_accuracy.scikit_learn import Interval
from beyond_accuracy.solvers.label_regressions import LabelRegressions, fit_label_regressions
from beyond_accuracy.solvers.multinomial_regressions import MultinomialRegressions, fit_multinomials


class RidgeLogisticRegression(BinaryClassifier):
    """Logistic regression with penalty ‖w‖²/(2C), as in scikit-learn.

    The penalty is added to the sum of the log-losses. This class is the default base classifier of
    `ProbabilisticClassifierChain`, `BinaryRelevance` and `ExactFMeasurePlugIn`, which fit the
    regressions of all labels at once.

    Parameters
    ----------
    C : float or sequence of float, default 1.0
        Inverse strength of the penalty, at least 1e-100. Of several values, the one with the least
        log-loss in cross-validation is chosen. They are tried in ascending order, until the
        log-loss has risen twice.
    standardize : bool, default False
        Whether to penalize the weights of standardized features. For this, each feature, and each
        earlier label in a chain, is divided by its standard deviation in the training set. `coef_`
        always refers to the original features.
    shared_C : bool, default False
        Whether all labels that are fitted at once get the same C, with the least mean log-loss.
        Otherwise each label has its own C.
    penalize_intercept : bool, default False
        Whether the intercept is penalized like a weight.
    cv : int, default 3
        Number of random folds for the choice of C.
    cv_repeats : int, default 1
        Number of times that the folds are drawn. Log-losses are means over all of them.
    tol : float, default 1e-5
        Largest entry of the gradient of the mean log-loss at which to stop.
    max_iter : int, default 100
        Number of Newton steps after which a ConvergenceWarning is given.
    random_state : int, default 0
        Seed of the folds.

    Attributes
    ----------
    classes_ : ndarray, shape (2,)
    coef_ : ndarray, shape (1, n_features)
    intercept_ : ndarray, shape (1,)
    C_ : float
        The value of C that was used.
    validation_loss_ : ndarray, shape (n_candidates,)
        Log-loss in cross-validation of each candidate, in ascending order of C; NaN if not tried.
    n_iter_ : int
        Number of Newton steps of the final fit.

    References
    ----------
    https://scikit-learn.org/stable/modules/linear_model.html#logistic-regression

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(200, weights=[0.8], random_state=0)
    >>> from beyond_accuracy import RidgeLogisticRegression
    >>> classifier = RidgeLogisticRegression().fit(X, y)
    >>> classifier.predict(X[y == 1][:5])
    array([1, 1, 1, 0, 1])
    """

    _parameter_constraints: dict[str, list[Any]] = {
        "C": [Interval(Real, 1e-100, None, closed="left"), "array-like"],
        "standardize": ["boolean"],
        "shared_C": ["boolean"],
        "penalize_intercept": ["boolean"],
        "cv": [Interval(Integral, 2, None, closed="left")],
        "cv_repeats": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "random_state": [Interval(Integral, 0, None, closed="left")],
    }

    def __init__(
        self,
        C: float | ArrayLike = 1.0,
        *,
        standardize: bool = False,
        shared_C: bool = False,
        penalize_intercept: bool = False,
        cv: int = 3,
        cv_repeats: int = 1,
        tol: float = 1e-5,
        max_iter: int = 100,
        random_state: int = 0,
    ) -> None:
        self.C = C
        self.standardize = standardize
        self.shared_C = shared_C
        self.penalize_intercept = penalize_intercept
        self.cv = cv
        self.cv_repeats = cv_repeats
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X: MatrixLike, y: ArrayLike) -> Self:
        """Fit to X, shape (n, d), dense or sparse, and labels y, shape (n,), of two classes."""
        self._validate_params()
        X, positive, self.classes_ = binary_examples(self, X, y, dtype=np.float64)
        fits = self.fit_labels(X, positive[:, None].astype(np.uint8), chained=False)
        self.coef_, self.intercept_ = fits.coef, fits.intercept
        self.C_: float = float(fits.C[0])
        self.n_iter_ = int(fits.n_iter[0])
        self.validation_loss_: NDArray[np.float64] = fits.validation_loss[0]
        return self

    def fit_labels(self, X: MatrixLike, Y: np.ndarray, *, chained: bool) -> LabelRegressions:
        """Fit one logistic regression per column of Y, shape (n, m), of 0 and 1.

        If `chained`, the regression of a label has the earlier columns of Y as further features.
        This estimator is not changed.
        """
        fits = fit_label_regressions(X, Y, self._candidates(), chained=chained, **self._settings())
        warn_of_regressions(self, fits.converged)
        return fits

    def fit_multinomials(self, X: MatrixLike, Z: np.ndarray) -> MultinomialRegressions:
        """Fit one multinomial logistic regression per column of Z, integers of shape (n, p).

        Return all regressions. This estimator is not changed.
        """
        fits = fit_multinomials(X, Z, self._candidates(), **self._settings())
        warn_of_regressions(self, fits.converged)
        return fits

    def _candidates(self):
        self._validate_params()
        return np.unique(several_numbers("C", self.C, np.nextafter(SMALLEST_C, 0)))

    def _settings(self):
        return {
            "rescale": _standardized if self.standardize else None,
            "shared_C": self.shared_C,
            "penalize_intercept": self.penalize_intercept,
            "n_folds": self.cv,
            "n_repeats": self.cv_repeats,
            "seed": self.random_state,
            "tol": self.tol,
            "max_iter": self.max_iter,
        }

    def predict_proba(self, X: MatrixLike) -> NDArray[np.float64]:
        """Compute probabilities of `classes_`, shape (n, 2), float64."""
        check_is_fitted(self)
        positive = expit(self.decision_function(X))
        return np.column_stack([1.0 - positive, positive])


def warn_of_regressions(estimator: Any, converged: NDArray[np.bool_], stacklevel: int = 4) -> None:
    """Give a ConvergenceWarning if some of several regressions have not converged.

    `converged` has one entry per regression. The message has the estimator's `tol` and `max_iter`.
    """
    failed = int(np.count_nonzero(~converged))
    if failed:
        warnings.warn(
            f"{failed} of {len(converged)} logistic regressions stopped above "
            f"tol={estimator.tol:g} after max_iter={estimator.max_iter} steps; standardize the "
            "features or decrease C",
            ConvergenceWarning,
            stacklevel=stacklevel,
        )


def _standardized(features):
    """Return (features divided by their standard deviations, the divisors, which are never 0)."""
    # Without centring, sparse features stay sparse.
    scaler = StandardScaler(with_mean=False).fit(features)
    return scaler.transform(features), scaler.scale_
