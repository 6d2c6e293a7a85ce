"""What classifier adaptation and the weighted ensemble share: the auxiliaries and their outputs."""

import copy
import warnings
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Annotated, Any

import numpy as np
from sklearn.utils.validation import check_memory

from beyond_accuracy.estimators.auxiliaries import (
    auxiliary_name,
    auxiliary_outputs,
    default_auxiliaries,
    fit_auxiliaries,
    rows_for_auxiliaries,
)
from beyond_accuracy.estimators.binary_classifier import encode_binary_labels
from beyond_accuracy.estimators.measure_svc import MeasureSVC
from beyond_accuracy.estimators.parameters import (
    ArrayLike,
    AtLeastTwo,
    MatrixLike,
    Positive,
    RandomState,
    with_parameters,
)
from beyond_accuracy.estimators.validation import validate_data
from beyond_accuracy.measures import Measure
from beyond_accuracy.measures.contingency import TableFunction


@dataclass
class AdaptationProblem:
    """Features (n, d), labels (n,), outputs of the auxiliaries (n, m); and the solver for one B."""

    X: Any
    positive: np.ndarray
    outputs: np.ndarray
    solver: Any = None
    B: float | None = None


@with_parameters
class AdaptedSVC(MeasureSVC):
    """Base of multivariate SVMs on outputs of auxiliaries; see `CAPOClassifier`.

    A subclass has `_check_number(number)`, which raises ValueError if there are too few or too many
    auxiliaries to go on. `fit` raises it as that of `MultivariateSVC`; and if an auxiliary is not a
    classifier, was fitted on other features or classes, or is fitted although cross_fit=True.
    """

    auxiliaries: Annotated[Sequence[Any], list, tuple] | None = None
    measure: str | Measure | TableFunction = "f1"
    C: Positive | None = None
    _: KW_ONLY
    real_valued: bool = False
    cross_fit: bool = False
    cv: AtLeastTwo = 5
    memory: Any = None
    random_state: RandomState = 0

    _checks = {**MeasureSVC._checks, "order": "C"}

    def prepare(self, X: MatrixLike, y: ArrayLike, X_new: MatrixLike) -> None:
        """Fit the auxiliaries to X and y and apply them to both, so that `memory` has the outputs.

        Parameters are as in `fit` and `decision_function`; this estimator is left as it is.
        """
        start = copy.copy(self)
        start._start(X, y)
        start._rows(X_new)

    def _start(self, X, y):
        self._validate_params()
        given = X
        X, y = validate_data(self, X, y, **self._checks)
        self.classes_: np.ndarray
        self.classes_, positive = encode_binary_labels(y)
        auxiliaries = default_auxiliaries() if self.auxiliaries is None else list(self.auxiliaries)
        if not auxiliaries:
            raise ValueError("auxiliaries is empty; give at least one classifier")
        self._check_number(len(auxiliaries))
        folds = (self.cv, self.random_state) if self.cross_fit else ()
        memory = check_memory(self.memory)
        fit = memory.cache(fit_auxiliaries, ignore=["memory"])
        rows = rows_for_auxiliaries(given, X)
        training = auxiliaries, rows, y, self.classes_, self.real_valued, *folds
        self.auxiliaries_: list[Any]
        self.left_out_: list[int]
        self.auxiliaries_, outputs, self.left_out_ = fit(*training, memory=memory)
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
        X = super()._rows(X)
        memory = check_memory(self.memory)
        outputs = memory.cache(auxiliary_outputs, ignore=["memory"])
        rows = rows_for_auxiliaries(given, X)
        own = self.auxiliaries_, rows, self.classes_, self.real_valued
        return X, outputs(*own, memory=memory)
