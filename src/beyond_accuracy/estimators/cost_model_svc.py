"""The linear SVM with a cost model: positives weigh j times as much as negatives."""

from numbers import Integral, Real
from typing import Any

import numpy as np

from beyond_accuracy.estimators.cost_svc import WeightedHingeSVC
from beyond_accuracy.scikit_learn import Interval


class CostModelSVC(WeightedHingeSVC):
    """Linear hinge-loss SVM with SVM-light's cost model and free intercept, certified by its gap.

    Minimizes ½‖w‖² + C·(j·Σ hinge over positives + Σ hinge over negatives). The intercept is not
    regularized, as in SVM-light and LIBSVM and unlike in LIBLINEAR.

    Parameters
    ----------
    C : float, default 1.0
        Cost of a unit of hinge loss, in LIBLINEAR's and LIBSVM's convention.
    j : float, default 1.0
        Factor on the cost of the positive class, as SVM-light's option -j.
    fit_intercept : bool, default True
    tol, max_iter, random_state
        See `CostSensitiveSVC`; coordinate descent serves beyond 500 features.

    Attributes
    ----------
    classes_, coef_, intercept_, objective_, dual_gap_, n_iter_, history_, algorithm_
        See `CostSensitiveSVC`.

    References
    ----------
    T. Joachims, SVM-light, whose option -j is the cost model.
    https://www.cs.cornell.edu/people/tj/svm_light/

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(200, weights=[0.8], random_state=0)
    >>> from beyond_accuracy import CostModelSVC
    >>> classifier = CostModelSVC(j=4.0).fit(X, y)
    >>> classifier.predict(X[y == 1][:5])
    array([1, 1, 1, 1, 1])
    """

    _parameter_constraints: dict[str, list[Any]] = {
        "tol": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
        "C": [Interval(Real, 0, None, closed="neither")],
        "j": [Interval(Real, 0, None, closed="neither")],
        "fit_intercept": ["boolean"],
    }

    def __init__(
        self,
        C: float = 1.0,
        j: float = 1.0,
        *,
        tol: float = 1e-3,
        max_iter: int = 10_000,
        random_state: int | np.random.RandomState | None = 0,
        fit_intercept: bool = True,
    ) -> None:
        self.C = C
        self.j = j
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state
        self.fit_intercept = fit_intercept

    # Neither of its algorithms gains from starting where another fit has ended.
    _path_parameters = ()

    def _costs(self):
        return self.C * self.j, float(self.C)

    def _hinge_options(self):
        return {"intercept": "free" if self.fit_intercept else "none"}
