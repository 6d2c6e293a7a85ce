"""The core vector machine and the ball vector machine as a scikit-learn classifier."""

import warnings
from numbers import Integral, Real
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from beyond_accuracy.estimators.binary_classifier import BinaryClassifier
from beyond_accuracy.estimators.kernels import as_stored
from beyond_accuracy.estimators.validation import ArrayLike, MatrixLike, binary_examples
from beyond_accuracy.scikit_learn import Interval, StrOptions
from beyond_accuracy.solvers.data_matrix import squared_norms
from beyond_accuracy_pipeline.reproduction.libcvm import Machine, train_machine
from beyond_accuracy_pipeline.reproduction.libcvm.kernels import (
    KERNEL_NAMES,
    Kernel,
    KernelName,
    inner_products,
    inverse_mean_squared_distance,
    libcvm_gamma,
)

_BLOCK_VALUES = 2**21
_GAMMAS = {"libcvm": libcvm_gamma, "inverse_mean": inverse_mean_squared_distance}


class CoreVectorMachine(BinaryClassifier):
    """L2-SVM trained on a small subset of the examples (core set), step by step as LibCVM 2.2 does.

    The classifier approximately minimizes ½‖w‖² + ½b² + C/2·Σ max(0, 1 − y_i·f(x_i))², where f(x) =
    w·φ(x) + b. This C is twice the C of the usual squared hinge loss. Training computes the
    smallest ball around the core set, draws rows at random, and adds the row farthest from the
    centre. It stops when no drawn row is outside of (1 + `epsilon`) times the ball. As in LibCVM,
    the class of the first row affects which rows are drawn. Unlike LibCVM, training and prediction
    use the same kernel if coef0 is not 0.

    Parameters
    ----------
    kernel : {"rbf", "laplacian", "inverse_distance", "inverse_square_distance", "poly", \
    "unnormalized_poly"}
        Kernel function. The class `libcvm.Kernel` has the formulas.
    gamma : "libcvm", "inverse_mean" or float, default "libcvm"
        "libcvm" is LibCVM's default: 2 divided by the mean squared distance between different rows,
        taken among every ⌈n/5000⌉-th row. "inverse_mean" is 1 divided by the mean squared distance
        over all n² pairs of rows, as in LibCVM's help text.
    epsilon : float, default 1e-3
        Tolerance on the ball's radius. At 1e-3, results differ between seeds.
    machine : {"cvm", "bvm"}, default "cvm"
        "bvm" is the ball vector machine, LibCVM's default. It keeps the radius fixed and needs a
        kernel whose k(x, x) is the same for all x.
    random_state : int, RandomState or None, default 0
        Seed of LibCVM's random generator. None means 0, the seed that LibCVM always uses.

    References
    ----------
    I. W. Tsang, J. T. Kwok, P.-M. Cheung, Core vector machines: Fast SVM training on very large
    data sets, JMLR 6, 2005. https://proceedings.mlr.press/r5/tsang05a.html

    I. W. Tsang, A. Kocsor, J. T. Kwok, Simpler core vector machines with enclosing balls, ICML
    2007.
    """

    _parameter_constraints: dict[str, list[Any]] = {
        "C": [Interval(Real, 1e-30, None, closed="left")],
        "kernel": [StrOptions(set(KERNEL_NAMES))],
        "gamma": [StrOptions(set(_GAMMAS)), Interval(Real, 0, None, closed="neither")],
        "degree": [Interval(Integral, 1, None, closed="left")],
        "coef0": [Interval(Real, 0, None, closed="left")],
        "epsilon": [Interval(Real, 0, None, closed="neither")],
        "machine": [StrOptions({"bvm", "cvm"})],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        C: float = 1.0,
        *,
        kernel: KernelName = "rbf",
        gamma: Literal["libcvm", "inverse_mean"] | float = "libcvm",
        degree: int = 3,
        coef0: float = 0.0,
        epsilon: float = 1e-3,
        machine: Machine = "cvm",
        random_state: int | np.random.RandomState | None = 0,
    ) -> None:
        self.C = C
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.epsilon = epsilon
        self.machine = machine
        self.random_state = random_state

    _checks = {"accept_sparse": "csr", "dtype": np.float64, "order": "C"}

    def fit(self, X: MatrixLike, y: ArrayLike) -> Self:
        """Fit to X, shape (n, d), dense or sparse, and labels y, shape (n,), of two classes."""
        self._validate_params()
        X, positive, self.classes_ = binary_examples(self, X, y)
        self.gamma_: float = _GAMMAS[self.gamma](X) if isinstance(self.gamma, str) else self.gamma
        seed = self.random_state or 0
        if not isinstance(seed, int | np.integer):
            seed = check_random_state(seed).randint(2**31)
        self._kernel = Kernel(self.kernel, float(self.gamma_), self.degree, float(self.coef0))
        solution = train_machine(
            X,
            positive,
            self._kernel,
            machine=self.machine,
            C=self.C,
            epsilon=self.epsilon,
            seed=int(seed),
        )
        if not np.isfinite(solution.squared_norm):
            raise ValueError("kernel values exceed the range of float32; scale the features")
        used = np.flatnonzero(solution.coefficients)
        self.support_: NDArray[np.integer] = solution.core[used]
        self.support_vectors_: Any = X[self.support_]
        # In LibCVM's scale the margin is the centre's squared norm; here it is 1.
        norm = self.squared_norm_ = solution.squared_norm
        self.dual_coef_: NDArray[np.float64] = solution.coefficients[None, used] / norm
        self.intercept_: NDArray[np.float64] = np.array([solution.coefficients.sum() / norm])
        self.n_iter_: int = len(solution.core)
        if solution.reached_limit:
            warnings.warn(
                f"stopped at {self.n_iter_} core vectors before rows outside of the ball became "
                f"rare; increase epsilon={self.epsilon:g}",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    def _decide(self, rows):
        core = self.support_vectors_
        core_squares = squared_norms(core)
        decision = np.empty(rows.shape[0])
        size = max(_BLOCK_VALUES // len(core_squares), 1)
        for start in range(0, len(decision), size):
            block = slice(start, start + size)
            part = as_stored(rows[block], core)
            products = inner_products(part, core)
            values = self._kernel.of_products(products, squared_norms(part), core_squares)
            decision[block] = values @ self.dual_coef_[0]
        if not np.isfinite(decision).all():
            raise ValueError("squared distances exceed the range of float64; scale the features")
        return decision + self.intercept_[0]
