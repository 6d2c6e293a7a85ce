"""A weighted vote of auxiliary classifiers, trained for a performance measure."""

import numpy as np
from numpy.typing import NDArray

from beyond_accuracy.estimators.adapted_svc import AdaptedSVC


class WeightedEnsemble(AdaptedSVC):
    """Multivariate SVM on nothing but the outputs of auxiliary classifiers.

    `CAPOClassifier` without its delta function: f(x) = Σ a_i·f_i(x) + b, where a and b minimize
    ½‖a‖² + ½b² + C·ξ with ξ as in `MultivariateSVC` (Li, Tsang, Zhou 2013).

    Parameters
    ----------
    auxiliaries, real_valued, cross_fit, cv, n_jobs, memory, random_state
        As in `CAPOClassifier`; the outputs of one at least must differ on the training data.
    C, C_convention
        See `MultivariateSVC`; there is no C_convention="scaled", and C=None is n/100 in SVM-perf's
        unit, 1 in LIBLINEAR's (the same).
    measure, tol, eps, max_iter, fit_intercept, line_search, max_planes
        See `MultivariateSVC`.

    Attributes
    ----------
    classes_, auxiliaries_, cross_fitted_, left_out_, auxiliary_coef_, intercept_
        See `CAPOClassifier`.
    objective_, dual_gap_, n_iter_, history_, degenerate_
        See `MultivariateSVC`.

    References
    ----------
    N. Li, I. W. Tsang, Z.-H. Zhou, Efficient Optimization of Performance Measures by Classifier
    Adaptation, TPAMI 35(6), 2013. https://doi.org/10.1109/TPAMI.2012.172

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(200, weights=[0.8], random_state=0)
    >>> from beyond_accuracy import WeightedEnsemble
    >>> classifier = WeightedEnsemble().fit(X, y)
    >>> classifier.predict(X[y == 1][:5])
    array([1, 1, 1, 1, 1])
    """

    _numbers_only = (
        'X has to be of numbers: {}\nCAPOClassifier(delta_features="drop") is the same machine, '
        "whose auxiliaries see X as it is"
    )

    def _check_number(self, number):
        if number == 0:
            raise ValueError(
                "every auxiliary has equal outputs on all of the training data, so that there is "
                "nothing to weigh"
            )

    def _adapt(self, problem):
        if problem.solver is None:
            problem.solver = self._solver(problem.outputs, problem.positive)
        w = self._optimize(problem.solver, len(problem.positive))
        self.auxiliary_coef_: NDArray[np.float64]
        self.intercept_: NDArray[np.float64]
        self.auxiliary_coef_, self.intercept_ = w[None, :-1], w[-1:]

    def _decide(self, rows):
        _, outputs = rows
        return outputs @ self.auxiliary_coef_[0] + self.intercept_[0]
