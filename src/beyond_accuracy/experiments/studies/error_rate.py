"""The multivariate SVM for the error rate beside the ordinary SVM."""

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC

from beyond_accuracy.estimators import MultivariateSVC
from beyond_accuracy.experiments.studies.cells import trainable_tasks
from beyond_accuracy.results.columns import Rows

# Rounds of LIBLINEAR; it is stopped earlier at its tolerance.
_MAX_ITER = 100_000


def error_rate(data, settings: Mapping[str, Any], stream) -> tuple[Rows, Rows]:
    """Fit both to each class against the rest: they minimize the same (Theorem 2 of Joachims 2005).

    The ordinary SVM is LIBLINEAR's. The objective of both is ½‖w‖² + C·Σ max(0, 1 − y·f(x)), with
    the intercept as the weight of a constant feature, computed here from the weights. There are no
    rows without data, and no seconds.

    Parameters
    ----------
    settings : mapping
        `C`, LIBLINEAR's, and `tol`: the relative gap of the one and LIBLINEAR's own tolerance of
        the other.
    """
    C, tol = settings["C"], settings["tol"]
    rows = []
    for task in trainable_tasks(data):
        y = task.train.astype(int)
        multivariate = MultivariateSVC("accuracy", C=C, C_convention="liblinear", tol=tol)
        ordinary = LinearSVC(loss="hinge", C=C, tol=tol, max_iter=_MAX_ITER, random_state=0)
        models = multivariate, ordinary
        with warnings.catch_warnings():
            # How far they are from each other tells more.
            warnings.simplefilter("ignore", ConvergenceWarning)
            for model in models:
                model.fit(data.X_train, y)
        weights = [np.append(model.coef_[0], model.intercept_) for model in models]
        objectives = [_objective(model, data.X_train, y, C) for model in models]
        predictions = [model.predict(data.X_test) for model in models]
        rows.append(
            {
                "data_set": data.name,
                "task": task.name,
                "C": C,
                "objective_multivariate": objectives[0],
                "objective_ordinary": objectives[1],
                "distance": float(np.linalg.norm(weights[0] - weights[1])),
                "norm": float(np.linalg.norm(weights[1])),
                "n_test": len(predictions[0]),
                "n_different": int((predictions[0] != predictions[1]).sum()),
            }
        )
    return rows, []


def _objective(model, X, y, C) -> float:
    weights = np.append(model.coef_[0], model.intercept_)
    losses = np.maximum(0.0, 1.0 - (2 * y - 1) * model.decision_function(X))
    return float(0.5 * weights @ weights + C * losses.sum())
