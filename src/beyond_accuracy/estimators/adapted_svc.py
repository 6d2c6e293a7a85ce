"""What classifier adaptation and the weighted ensemble share: the auxiliaries and their outputs."""

import copy
import functools
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.utils.validation import check_array, check_memory, column_or_1d

from beyond_accuracy.estimators.auxiliaries import (
    auxiliary_name,
    auxiliary_outputs,
    fit_auxiliaries,
    is_fitted,
    rows_for_auxiliaries,
)
from beyond_accuracy.estimators.binary_classifier import encode_binary_labels
from beyond_accuracy.estimators.folds import check_partition, fold_indices
from beyond_accuracy.estimators.measure_svc import MeasureSVC
from beyond_accuracy.estimators.parameters import (
    ArrayLike,
    MatrixLike,
)
from beyond_accuracy.estimators.validation import validate_data
from beyond_accuracy.scikit_learn import num_samples


@dataclass
class AdaptationProblem:
    """Features (n, d), labels (n,), outputs of the auxiliaries (n, m); and the solver for one B."""

    X: Any
    positive: np.ndarray
    outputs: np.ndarray
    solver: Any = None
    B: float | None = None
    is_cross_fitted: bool = False
    # The same with outputs on the auxiliaries' own training data.
    in_sample: Callable[[], "AdaptationProblem"] | None = None


class AdaptedSVC(MeasureSVC):
    """Base of multivariate SVMs on outputs of auxiliaries; see `CAPOClassifier`.

    A subclass has `_adapt(problem)`, which fits to it, and `_check_number(number)`, which raises
    ValueError if there are too few or too many auxiliaries to go on. `fit` raises it as that of
    `MultivariateSVC`; and if an auxiliary is not a classifier, was fitted on other features or
    classes, or is fitted although cross_fit=True.
    """

    _checks = {**MeasureSVC._checks, "order": "C"}
    # Of `CAPOClassifier`: what the delta function sees of X.
    # What to do where the machine alone cannot take X.
    _numbers_only = (
        "the delta function is linear and takes numbers only: {}\nAuxiliaries see X as it is with "
        'CAPOClassifier(delta_features="drop"), which leaves that function out, or with '
        "delta_features=a transformer of X into numbers, such as make_column_transformer(...)"
    )

    def prepare(self, X: MatrixLike, y: ArrayLike, X_new: MatrixLike) -> None:
        """Fit the auxiliaries to X and y and apply them to both, so that `memory` has the outputs.

        Parameters are as in `fit` and `decision_function`; this estimator is left as it is.
        """
        start = copy.copy(self)
        start._start(X, y)
        start._rows(X_new)

    def _start(self, X, y):
        self._validate_params()
        X, rows, y = self._training_rows(X, y)
        self.classes_: np.ndarray
        self.classes_, positive = encode_binary_labels(y)
        auxiliaries = self.auxiliaries
        if auxiliaries is None:
            auxiliaries = [RandomForestClassifier(random_state=self.random_state)]
        auxiliaries = list(auxiliaries)
        if not auxiliaries:
            raise ValueError("auxiliaries is empty; give at least one classifier")
        self._check_number(len(auxiliaries))
        folds = self._folds(rows, y, positive)
        memory = check_memory(self.memory)
        fit = memory.cache(fit_auxiliaries, ignore=["memory", "n_jobs"])
        keep_fitted = self.cross_fit is None
        training = auxiliaries, rows, y, self.classes_, self.real_valued, keep_fitted, *folds
        self.auxiliaries_: list[Any]
        self.left_out_: list[int]
        self.auxiliaries_, outputs, self.left_out_ = fit(
            *training, memory=memory, n_jobs=self.n_jobs
        )
        for i in self.left_out_:
            warnings.warn(
                f"{auxiliary_name(i, auxiliaries[i])} has equal outputs on all of the training "
                "data, which tells nothing, and was left out",
                UserWarning,
                stacklevel=3,
            )
        self._check_number(len(self.auxiliaries_))
        kept = [each for i, each in enumerate(auxiliaries) if i not in self.left_out_]
        is_cross_fitted = bool(folds) and not all(map(is_fitted, kept))
        in_sample = None
        if is_cross_fitted and self.cross_fit is None:

            @functools.cache
            def in_sample():
                own = self.auxiliaries_, rows, self.classes_, self.real_valued
                return AdaptationProblem(X, positive, auxiliary_outputs(*own, memory=memory))

        return AdaptationProblem(
            X, positive, outputs, is_cross_fitted=is_cross_fitted, in_sample=in_sample
        )

    def _folds(self, rows, y, positive):
        """The folds of cross-fitting and their random state, as `fit_auxiliaries` takes them."""
        if self.cross_fit is False:
            return ()
        if not isinstance(self.cv, Integral):
            folds = fold_indices(self.cv, rows, y, classifier=True)
            check_partition(folds, len(y))
            return (folds,)
        n_folds = int(self.cv)
        if self.cross_fit is None:
            n_folds = min(n_folds, *np.bincount(positive).tolist())
        return (n_folds, self.random_state) if n_folds > 1 else ()

    def _solve(self, problem):
        self._falls_back = problem.in_sample is not None
        self._adapt(problem)
        self.cross_fitted_: bool = problem.is_cross_fitted
        if self._falls_back and self.degenerate_:
            self._falls_back, self.cross_fitted_ = False, False
            self._adapt(problem.in_sample())

    def _warn_of_zero(self):
        if not self._falls_back:
            super()._warn_of_zero()

    def _training_rows(self, X, y):
        """What the delta function sees, what the auxiliaries see, and y."""
        if self._passes_through:
            try:
                features, y = validate_data(self, X, y, **self._checks)
            except ValueError as error:
                raise self._explained(error) from error
            return features, rows_for_auxiliaries(X, features), y
        y = column_or_1d(y, warn=True)
        if len(y) != num_samples(X):
            raise ValueError(f"y has {len(y)} labels for {num_samples(X)} rows of X")
        for name in ("n_features_in_", "delta_features_"):
            vars(self).pop(name, None)
        # Number and names of columns, if X has any.
        validate_data(self, X, y, skip_check_array=True)
        if self.delta_features != "drop":
            self.delta_features_: Any = clone(self.delta_features).fit(X, y)
        return self._delta_of(X), X, y

    def _rows(self, X):
        if not self._passes_through:
            validate_data(self, X, skip_check_array=True, reset=False)
            rows, features = X, self._delta_of(X)
        else:
            try:
                features = super()._rows(X)
            except ValueError as error:
                raise self._explained(error) from error
            rows = rows_for_auxiliaries(X, features)
        memory = check_memory(self.memory)
        outputs = memory.cache(auxiliary_outputs, ignore=["memory"])
        own = self.auxiliaries_, rows, self.classes_, self.real_valued
        return features, outputs(*own, memory=memory)

    @property
    def _passes_through(self):
        return isinstance(self.delta_features, str) and self.delta_features == "passthrough"

    def _delta_of(self, X):
        if not hasattr(self, "delta_features_"):
            return np.empty((num_samples(X), 0))
        return check_array(self.delta_features_.transform(X), **self._checks)

    def _explained(self, error):
        """The error, with what to do where X is the reason."""
        unfit = ("NaN", "could not convert", "1D array", "Unsupported dtype", "dtype='numeric'")
        if not any(each in str(error) for each in unfit):
            return error
        return ValueError(self._numbers_only.format(error))
