"""What classifier adaptation and the weighted ensemble share: the auxiliaries and their outputs."""

import copy
import warnings
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_memory, validate_data

from beyond_accuracy.estimators.auxiliaries import (
    auxiliary_name,
    auxiliary_outputs,
    default_auxiliaries,
    fit_auxiliaries,
    rows_for_auxiliaries,
)
from beyond_accuracy.estimators.binary_labels import encode_binary_labels
from beyond_accuracy.estimators.measure_svc import MeasureSVC

_ROWS = {"accept_sparse": "csr", "dtype": [np.float64, np.float32], "order": "C"}


@dataclass
class AdaptationProblem:
    """Features (n, d), labels (n,), outputs of the auxiliaries (n, m); and the solver for one B."""

    X: Any
    positive: np.ndarray
    outputs: np.ndarray
    solver: Any = None
    B: float | None = None


class AdaptedSVC(MeasureSVC):
    """Base of multivariate SVMs on outputs of auxiliaries; see `CAPOClassifier`.

    A subclass has `_check_number(number)`, which raises ValueError if there are too few or too many
    auxiliaries to go on.
    """

    _parameter_constraints = {
        **MeasureSVC._parameter_constraints,
        "auxiliaries": [None, list, tuple],
        "cross_fit": ["boolean"],
        "cv": [Interval(Integral, 2, None, closed="left")],
        "memory": [None, str, object],
        "random_state": ["random_state"],
    }

    def __init__(self, auxiliaries, cross_fit, cv, memory, random_state, *of_the_svm):
        super().__init__(*of_the_svm)
        self.auxiliaries = auxiliaries
        self.cross_fit = cross_fit
        self.cv = cv
        self.memory = memory
        self.random_state = random_state

    def fit(self, X, y):
        """Fit to X, shape (n, d), dense or sparse, and labels y, shape (n,), of two classes.

        Raises
        ------
        ValueError
            As `MultivariateSVC.fit`; and if an auxiliary is not a classifier, was fitted on other
            features or classes, or is fitted although cross_fit=True, or there are fewer or more
            of them than the classifier can do with.
        """
        self._solve(self._start(X, y))
        return self

    def prepare(self, X, y, X_new):
        """Fit the auxiliaries to X and y and apply them to both, so that `memory` has the outputs.

        Parameters are as in `fit` and `decision_function`; this estimator is left as it is.
        """
        start = copy.copy(self)
        start._start(X, y)
        start._rows(X_new)

    def _start(self, X, y):
        self._validate_params()
        given = X
        X, y = validate_data(self, X, y, **_ROWS)
        self.classes_, positive = encode_binary_labels(y)
        auxiliaries = default_auxiliaries() if self.auxiliaries is None else list(self.auxiliaries)
        if not auxiliaries:
            raise ValueError("auxiliaries is empty; give at least one classifier")
        self._check_number(len(auxiliaries))
        folds = (self.cv, self.random_state) if self.cross_fit else ()
        self.auxiliaries_, outputs, self.left_out_ = check_memory(self.memory).cache(
            fit_auxiliaries
        )(auxiliaries, rows_for_auxiliaries(given, X), y, self.classes_, *folds)
        for i in self.left_out_:
            warnings.warn(
                f"{auxiliary_name(i, auxiliaries[i])} predicts one class only on the training "
                "data, which tells nothing, and was left out",
                UserWarning,
                stacklevel=3,
            )
        self._check_number(len(self.auxiliaries_))
        return AdaptationProblem(X, positive, outputs)

    def _rows(self, X):
        given = X
        X = validate_data(self, X, **_ROWS, reset=False)
        outputs = check_memory(self.memory).cache(auxiliary_outputs)
        return X, outputs(self.auxiliaries_, rows_for_auxiliaries(given, X), self.classes_)
