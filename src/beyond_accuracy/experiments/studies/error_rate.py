"""The multivariate SVM for the error rate beside the ordinary SVM."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from beyond_accuracy.estimators import CostSensitiveSVC, MultivariateSVC
from beyond_accuracy.experiments.studies.cells import trainable_tasks
from beyond_accuracy.results.columns import Rows


def error_rate(data, settings: Mapping[str, Any], stream) -> tuple[Rows, Rows]:
    """Fit both to each class against the rest: they minimize the same (Theorem 2 of Joachims 2005).

    The ordinary SVM is `CostSensitiveSVC` with equal costs, which certifies how near the optimum it
    is and does not follow cutting planes of labellings. The objective of both is
    ½‖w‖² + C·Σ max(0, 1 − y·f(x)), with the intercept as the weight of a constant feature. There
    are no rows without data, and no seconds.

    Parameters
    ----------
    settings : mapping
        `C`, LIBLINEAR's, and `tol`, the relative duality gap of both.
    """
    C, tol = settings["C"], settings["tol"]
    rows = []
    for task in trainable_tasks(data):
        y = task.train.astype(int)
        models = [
            MultivariateSVC("accuracy", C=C, C_convention="liblinear", tol=tol),
            CostSensitiveSVC(C=C, tol=tol),
        ]
        for model in models:
            model.fit(data.X_train, y)
        weights = [np.append(model.coef_[0], model.intercept_) for model in models]
        predictions = [model.predict(data.X_test) for model in models]
        rows.append(
            {
                "data_set": data.name,
                "task": task.name,
                "C": C,
                "objective_multivariate": models[0].objective_,
                "objective_ordinary": models[1].objective_,
                "distance": float(np.linalg.norm(weights[0] - weights[1])),
                "norm": float(np.linalg.norm(weights[1])),
                "n_test": len(predictions[0]),
                "n_different": int((predictions[0] != predictions[1]).sum()),
            }
        )
    return rows, []
