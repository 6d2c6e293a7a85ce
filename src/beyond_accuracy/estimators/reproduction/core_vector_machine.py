"""The Core Vector Machine as a scikit-learn classifier."""

import warnings
from dataclasses import KW_ONLY
from typing import Any, Literal, Self

import numpy as np
import scipy.sparse
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_memory

from beyond_accuracy.estimators.binary_classifier import BinaryClassifier, binary_examples
from beyond_accuracy.estimators.kernels import as_stored
from beyond_accuracy.estimators.parameters import (
    ArrayLike,
    AtLeastTwo,
    Count,
    InverseStrength,
    MatrixLike,
    NotNegative,
    Positive,
    RandomState,
    with_parameters,
)
from beyond_accuracy.solvers.core_vector_machine import (
    KernelName,
    NormalizedKernel,
    all_products,
    inner_products,
    inverse_mean_squared_distance,
    libcvm_width,
    solve_ball,
)
from beyond_accuracy.solvers.moments import squared_norms

_BLOCK_VALUES = 2**21
# Few enough for the cache of a core.
_CACHED_VALUES = 2**16
_WIDTHS = {"mean_squared_distance": inverse_mean_squared_distance, "libcvm": libcvm_width}


@with_parameters
class CoreVectorMachine(BinaryClassifier):
    """L2-SVM as a minimum enclosing ball, found from a core set (Tsang, Kwok, Cheung 2005).

    Minimizes ½‖w‖² + ½b² + C/2·Σ max(0, 1 − y_i·f(x_i))², f(x) = w·φ(x) + b, approximately: its
    dual is, up to scale, the minimum enclosing ball of as many points as there are examples, and
    the ball found holds all of them when enlarged by the factor 1 + `epsilon`. The C of the usual
    squared hinge loss, as in sklearn.svm.LinearSVC, is thus half of this one.

    Parameters
    ----------
    C : float, default 1.0
        The paper's C.
    kernel : {"rbf", "poly", "laplacian", "inverse_distance", "inverse_square_distance"}
        With D = gamma·‖x − z‖² (the Euclidean norm): exp(−D), the polynomial normalized to
        k(x, x) = 1 (see Notes), exp(−√D), 1/(1 + √D), 1/(1 + D). Default "rbf".
    gamma : "mean_squared_distance", "libcvm" or float, default "mean_squared_distance"
        The inverse of the mean squared distance between two training rows, over all n² pairs; what
        LibCVM takes by default, about twice that: 2 over the mean squared distance between two
        different rows out of every ⌈n/5000⌉-th one; or a number > 0.
    degree : int, default 3
        Of "poly".
    coef0 : float, default 0.0
        Of "poly", ≥ 0.
    epsilon : float, default 1e-3
        Tolerance on the ball's radius, which is nearly √(2 + 1/C) for large data. The L2-SVM itself
        can then be far from its optimum, as `dual_gap_` tells: 1e-3 stops at core sets of a few
        hundred rows, and on ijcnn1 the accuracy varies from 0.77 to 0.96 with the seed; at 3e-4
        from 0.97 to 0.98.
    sample_size : int, default 59
        Points among which the farthest from the centre is searched: with 59 it is among the
        farthest 5 % with a probability of 95 %. If none of them is outside of the ball, all points
        are searched, so that `epsilon` is kept with certainty.
    max_core_vectors : int, default 5000
        Size of the core set at which a ConvergenceWarning is given. Memory is 8 to 32 bytes times
        its square.
    random_state : int, RandomState or None, default 0
        Of the two first core vectors, one of each class, and of the samples.
    memory : str, object with the interface of joblib.Memory, or None, default None
        Where the inner products of all n² pairs of training rows are kept, and of these with other
        rows, for many fits to the same rows, whatever their other parameters. Without it they are
        never computed together.

    Attributes
    ----------
    classes_ : ndarray, shape (2,)
        The second class is the positive one.
    support_ : ndarray, shape (n_core,)
        Training rows with a coefficient.
    support_vectors_ : ndarray or CSR matrix, shape (n_core, n_features)
    dual_coef_ : ndarray, shape (1, n_core)
        f(x) = Σ dual_coef_·k(support_vectors_, x) + intercept_.
    intercept_ : ndarray, shape (1,)
    gamma_ : float
        The number used.
    radius_ : float
        Radius of the core set's ball.
    objective_ : float
        The L2-SVM's value above.
    dual_gap_ : float
        Relative duality gap of the L2-SVM, (primal − dual) / primal.
    n_iter_ : int
        Size of the core set.

    Notes
    -----
    The ball needs k(x, x) to be constant. The polynomial p(x, z) = gamma·x·z + coef0 is therefore
    used as (p(x, z)/√(p(x, x)·p(z, z)))^degree; a row with p(x, x) = 0 is orthogonal to all others.
    The formulas are those of the authors' LibCVM.

    References
    ----------
    I. W. Tsang, J. T. Kwok, P.-M. Cheung, Core vector machines: Fast SVM training on very large
    data sets, JMLR 6, 2005. https://proceedings.mlr.press/r5/tsang05a.html

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(200, weights=[0.8], random_state=0)
    >>> from beyond_accuracy.estimators.reproduction import CoreVectorMachine
    >>> classifier = CoreVectorMachine().fit(X, y)
    >>> classifier.predict(X[y == 1][:5])
    array([1, 1, 1, 0, 1])
    """

    C: InverseStrength = 1.0
    _: KW_ONLY
    kernel: KernelName = "rbf"
    gamma: Literal["mean_squared_distance", "libcvm"] | Positive = "mean_squared_distance"
    degree: Count = 3
    coef0: NotNegative = 0.0
    epsilon: Positive = 1e-3
    sample_size: Count = 59
    max_core_vectors: AtLeastTwo = 5000
    random_state: RandomState = 0
    memory: Any = None

    _checks = {"accept_sparse": "csr", "dtype": np.float64, "order": "C"}

    def fit(self, X: MatrixLike, y: ArrayLike) -> Self:
        """Fit to X, shape (n, d), dense or sparse, and labels y, shape (n,), of two classes.

        Raises ValueError if X holds NaN or infinity, y has not exactly two classes, a parameter is
        out of range, or squared distances are beyond that of float64.
        """
        self._validate_params()
        self.classes_: np.ndarray
        X, positive, self.classes_ = binary_examples(self, X, y)
        self.gamma_: float = _WIDTHS[self.gamma](X) if isinstance(self.gamma, str) else self.gamma
        self._kernel = NormalizedKernel(
            self.kernel, float(self.gamma_), self.degree, float(self.coef0)
        )
        # Squared distances of rows far from the origin lose their digits.
        centred = not scipy.sparse.issparse(X) and self.kernel != "poly"
        self._centre = X.mean(axis=0) if centred else None
        self._training_rows = None if self.memory is None else X
        solution = solve_ball(
            self._centred(X),
            positive,
            self._kernel,
            C=self.C,
            epsilon=self.epsilon,
            sample_size=self.sample_size,
            max_core_vectors=self.max_core_vectors,
            seed=check_random_state(self.random_state).randint(2**31),
            products=self._known_products(X),
        )
        if not np.isfinite(solution.objective):
            raise ValueError("squared distances exceed the range of float64; scale the features")
        used = np.flatnonzero(solution.coefficients)
        self.support_: NDArray[np.integer] = solution.core[used]
        self.support_vectors_: Any = X[self.support_]
        self.dual_coef_: NDArray[np.float64] = solution.coefficients[None, used]
        self.intercept_: NDArray[np.float64] = np.array([solution.intercept])
        self.radius_: float = solution.radius
        self.objective_: float = solution.objective
        self.dual_gap_: float = 1.0 - solution.dual_objective / solution.objective
        self.n_iter_: int = len(solution.core)
        if not solution.converged:
            warnings.warn(
                f"stopped at max_core_vectors={self.max_core_vectors} with points outside of "
                f"(1 + epsilon) times the ball, epsilon={self.epsilon:g}; increase either",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    def _decide(self, rows):
        known = self._known_products(rows)
        decision = self._computed(rows) if known is None else self._from_products(rows, known)
        if not np.isfinite(decision).all():
            raise ValueError("squared distances exceed the range of float64; scale the features")
        return decision + self.intercept_[0]

    def _computed(self, rows):
        core = self._centred(self.support_vectors_)
        core_squares = squared_norms(core)
        decision = np.empty(rows.shape[0])
        for block in _blocks(len(decision), _BLOCK_VALUES // len(core_squares)):
            part = self._centred(as_stored(rows[block], core))
            products = inner_products(part, core)
            values = self._kernel.of_products(products, squared_norms(part), core_squares)
            decision[block] = values @ self.dual_coef_[0]
        return decision

    def _from_products(self, rows, known):
        core_squares = self._known_squares(self._training_rows)[self.support_]
        squares = self._known_squares(as_stored(rows, self._training_rows))
        decision = np.zeros(rows.shape[0])
        for block in _blocks(len(core_squares), _CACHED_VALUES // max(len(squares), 1)):
            products = known[self.support_[block]]
            values = self._kernel.of_products(products, core_squares[block], squares)
            decision += self.dual_coef_[0, block] @ values
        return decision

    def _known_products(self, rows):
        """Of all training rows with other rows, if these are kept."""
        if self._training_rows is None:
            return None
        products = check_memory(self.memory).cache(_centred_products)
        return products(self._training_rows, as_stored(rows, self._training_rows), self._centre)

    def _known_squares(self, rows):
        return check_memory(self.memory).cache(_centred_squares)(rows, self._centre)

    def _centred(self, X):
        return _centred(X, self._centre)


def _blocks(n, size):
    return (slice(start, start + max(size, 1)) for start in range(0, n, max(size, 1)))


def _centred(X, centre):
    return X if centre is None else X - centre


def _centred_products(X, Z, centre):
    return all_products(_centred(X, centre), _centred(Z, centre))


def _centred_squares(X, centre):
    return squared_norms(_centred(X, centre))
