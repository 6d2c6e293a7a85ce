"""The linear SVM with a cost model: positives weigh j times as much as negatives."""

from beyond_accuracy.estimators.cost_svc import POSITIVE, CostSVC


class CostModelSVC(CostSVC):
    """Linear hinge-loss SVM with SVM-light's cost model and free intercept, certified by its gap.

    Minimizes ½‖w‖² + C·(j·Σ hinge over positives + Σ hinge over negatives). The intercept is not
    regularized, as in SVM-light and LIBSVM and unlike in LIBLINEAR.

    Parameters
    ----------
    C : float, default 1.0
        Cost of a unit of hinge loss, in LIBLINEAR's and LIBSVM's convention.
    j : float, default 1.0
        Factor on the cost of the positive class, as SVM-light's option -j.
    tol : float, default 1e-3
        Relative duality gap, (primal − dual) / primal, at which to stop.
    max_iter : int, default 10000
        Iterations after which a ConvergenceWarning names the gap reached.
    fit_intercept : bool, default True
    random_state : int, RandomState or None, default 0
        Order of the examples in coordinate descent, which serves beyond 500 features.

    Attributes
    ----------
    classes_ : ndarray, shape (2,)
        The second class is the positive one.
    coef_ : ndarray, shape (1, n_features)
    intercept_ : ndarray, shape (1,)
    objective_ : float
        Primal objective.
    dual_gap_ : float
        Relative duality gap reached.
    n_iter_ : int
    history_ : list of Iteration
        Iteration number, seconds, primal and dual.
    """

    _parameter_constraints = {
        **{
            name: CostSVC._parameter_constraints[name]
            for name in ("C", "tol", "max_iter", "random_state")
        },
        "j": [POSITIVE],
        "fit_intercept": ["boolean"],
    }
    # Neither of its algorithms gains from starting where another fit has ended.
    _path_parameters = ()

    def __init__(
        self, C=1.0, j=1.0, *, tol=1e-3, max_iter=10_000, fit_intercept=True, random_state=0
    ):
        self.C = C
        self.j = j
        self.tol = tol
        self.max_iter = max_iter
        self.fit_intercept = fit_intercept
        self.random_state = random_state

    def _costs(self):
        return self.C * self.j, float(self.C)

    def _hinge_options(self):
        return {"intercept": "free" if self.fit_intercept else "none"}
