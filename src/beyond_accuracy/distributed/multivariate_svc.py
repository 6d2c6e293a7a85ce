"""Multivariate SVM as an estimator for Dask arrays and data frames."""

from collections.abc import Callable
from contextlib import contextmanager
from functools import partial
from typing import Any, Literal

from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from beyond_accuracy import estimators
from beyond_accuracy.distributed.block_data import (
    BlockData,
    BlockOracle,
    DaskWorkers,
    scaled_unit_of_blocks,
)
from beyond_accuracy.distributed.dask_blocks import (
    blocks_of,
    is_dask,
    labels_of,
    linear_decisions,
)
from beyond_accuracy.estimators.binary_classifier import (
    BinaryClassifier,
    solve_for_weight,
    weight_of_loss,
)
from beyond_accuracy.measures import Measure
from beyond_accuracy.solvers.cutting_planes import CuttingPlaneSolver
from beyond_accuracy.solvers.multivariate_svm import training_loss


class MultivariateSVC(BinaryClassifier):
    """Linear multivariate SVM for Dask arrays and data frames; optimizes F1 and other measures.

    Blocks of rows and their scores stay on their workers. The amount of data exchanged per
    iteration does not depend on the number of rows. The optimum is the same as for
    `beyond_accuracy.MultivariateSVC` on data in memory. If a worker dies, Dask computes its blocks
    again.

    Parameters
    ----------
    measure : str or Measure, default "f1"
        "f1", "f<beta>", "jaccard", "prbep", "precision_at_<k>", "recall_at_<k>", "roc_area",
        "accuracy" or "balanced_accuracy".
    C, C_convention, tol, eps, max_iter, at_most_k, fit_intercept, line_search, max_planes
        See `beyond_accuracy.MultivariateSVC`. C=None and `C_convention="scaled"` are available.
    client : distributed.Client or None, default None
        If None, the current client is used. If there is none, `fit` opens a client with threads in
        this process and closes it at the end. Clones share the client; pickles do not contain it.

    Attributes
    ----------
    classes_, coef_, intercept_, objective_, dual_gap_, n_iter_, history_, degenerate_
        See `beyond_accuracy.MultivariateSVC`.
    bytes_sent_ : int
        Bytes of the vectors and tables that were sent to each worker during `fit`.
    bytes_received_ : int
        Bytes of the sums that the client received during `fit`.

    References
    ----------
    T. Joachims, A Support Vector Method for Multivariate Performance Measures, ICML 2005.
    https://doi.org/10.1145/1102351.1102399

    Examples
    --------
    >>> import dask.array as da  # doctest: +SKIP
    >>> from beyond_accuracy.distributed import MultivariateSVC
    >>> X = da.from_zarr("features.zarr")  # doctest: +SKIP
    >>> y = da.from_zarr("labels.zarr")  # doctest: +SKIP
    >>> classifier = MultivariateSVC("f1").fit(X, y)  # doctest: +SKIP
    >>> classifier.predict(X)  # a Dask array, computed when asked for  # doctest: +SKIP
    """

    degenerate_: bool

    _parameter_constraints: dict[str, list[Any]] = {
        name: estimators.MultivariateSVC._parameter_constraints[name]
        for name in (
            "C_convention", "tol", "eps", "max_iter", "fit_intercept", "line_search", "max_planes",
            "C", "at_most_k",
        )
    }  # fmt: skip

    def __init__(
        self,
        measure: str | Measure | Callable = "f1",
        C: float | None = None,
        *,
        C_convention: Literal["svm_perf", "liblinear", "scaled"] = "svm_perf",
        tol: float = 1e-3,
        eps: float = 0.0,
        max_iter: int = 10_000,
        fit_intercept: bool = True,
        line_search: bool = True,
        max_planes: int = 1000,
        at_most_k: bool | None = None,
        client: Any = None,
    ) -> None:
        self.measure = measure
        self.C = C
        self.C_convention = C_convention
        self.tol = tol
        self.eps = eps
        self.max_iter = max_iter
        self.fit_intercept = fit_intercept
        self.line_search = line_search
        self.max_planes = max_planes
        self.at_most_k = at_most_k
        self.client = client

    def fit(self, X, y):
        """Fit to the features X, shape (n, d), and the labels y, shape (n,), of two classes.

        X is a Dask array or data frame of numbers, whose blocks are dense or SciPy CSR matrices. y
        is a Dask array, a Dask series or an array in memory. Raises ValueError if X holds NaN or
        infinity, if y does not have exactly two classes or the length of X, or if the measure
        cannot be trained on distributed data. Raises TypeError if X is not a Dask collection or the
        client is asynchronous.
        """
        self._validate_params()
        loss = training_loss(self.measure, self.at_most_k)
        with _client(self.client) as client:
            divided = blocks_of(client, X, y)
            data = BlockData(
                DaskWorkers(client),
                divided.blocks,
                divided.n_positives,
                divided.n_samples - divided.n_positives,
                divided.n_features,
                self.fit_intercept,
            )
            self.classes_, self.n_features_in_ = divided.classes, divided.n_features
            vars(self).pop("feature_names_in_", None)
            if divided.feature_names is not None:
                self.feature_names_in_ = divided.feature_names
            solver = CuttingPlaneSolver(
                data,
                BlockOracle(data, loss),
                max_planes=self.max_planes,
                line_search=self.line_search,
            )
            scaled = partial(scaled_unit_of_blocks, data, self.measure)
            w = solve_for_weight(self, solver, weight_of_loss(self, divided.n_samples, scaled))
            self.bytes_sent_, self.bytes_received_ = data.bytes_sent, data.workers.received
        self.coef_, self.intercept_ = w[None, :-1], w[-1:]
        return self

    def __sklearn_clone__(self):
        given = self.get_params(deep=False)
        client = given.pop("client")
        given = {name: clone(value, safe=False) for name, value in given.items()}
        return type(self)(**given, client=client)

    def __getstate__(self):
        return {**super().__getstate__(), "client": None}

    def decision_function(self, X):
        """Return decision values, shape (n,); a Dask array if X is a Dask collection.

        Raises ValueError if the number, names or order of the features differ from `fit`. NaN or
        infinity in a Dask collection raises an error only on computation.
        """
        if not is_dask(X):
            return super().decision_function(X)
        check_is_fitted(self)
        if X.ndim != 2:
            raise ValueError(f"X must have two dimensions, (n, d), found {X.ndim}")
        if X.shape[1] != self.n_features_in_:
            raise ValueError(
                f"X has {X.shape[1]} features, but {type(self).__name__} was fitted to "
                f"{self.n_features_in_}"
            )
        names = getattr(self, "feature_names_in_", None)
        if names is not None and hasattr(X, "columns") and list(X.columns) != list(names):
            raise ValueError(
                f"X must have the columns of fit in their order, {', '.join(map(str, names))}; "
                f"found {', '.join(map(str, X.columns))}"
            )
        return linear_decisions(X, self.coef_[0], self.intercept_[0])

    def predict(self, X):
        """Return predicted labels, shape (n,); a Dask array if X is a Dask collection."""
        if not is_dask(X):
            return super().predict(X)
        decisions = self.decision_function(X)
        return decisions.map_blocks(labels_of, self.classes_, dtype=self.classes_.dtype)


@contextmanager
def _client(client):
    """Yield the given Dask client, the current client, or a new one that is closed at the end."""
    from distributed import Client, get_client

    if client is None:
        try:
            client = get_client()
        except ValueError:
            with Client(processes=False, dashboard_address="127.0.0.1:0") as temporary:
                yield temporary
            return
    if client.asynchronous:
        raise TypeError(
            "the client is asynchronous; give one that is not, Client(..., asynchronous=False)"
        )
    yield client
