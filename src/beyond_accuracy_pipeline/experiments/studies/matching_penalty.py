"""For which B, if any, the augmented problem gives an auxiliary the weight 1."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from beyond_accuracy.estimators.auxiliaries import fit_auxiliaries
from beyond_accuracy.estimators.capo import matching_B
from beyond_accuracy_pipeline.experiments.dotted_paths import load_estimator
from beyond_accuracy_pipeline.experiments.experiment import CannotRun
from beyond_accuracy_pipeline.experiments.memory import ResultMemory
from beyond_accuracy_pipeline.experiments.studies.cells import evaluate_cells
from beyond_accuracy_pipeline.results.columns import Rows


def matching_penalty(data, settings: Mapping[str, Any], stream) -> tuple[Rows, Rows]:
    """Search B for each auxiliary and measure.

    `matching_B` is the largest B that matches, and `matches_below` tells whether every smaller B of
    the range does as well. Both are missing where no B matches; a search that meets a problem which
    could not be solved has the status "failed".

    Parameters
    ----------
    settings : mapping
        `auxiliaries` (mapping of name to configuration with `estimator` and `parameters`),
        `measures`, `C` (SVM-perf's) and `tol` of each problem.
    """
    cells = [
        {"auxiliary": auxiliary, "measure": measure, "C": settings["C"]}
        for auxiliary in settings["auxiliaries"]
        for measure in settings["measures"]
    ]

    def start(data, task):
        auxiliaries = {
            name: load_estimator(given["estimator"])(**(given.get("parameters") or {}))
            for name, given in settings["auxiliaries"].items()
        }
        train, classes = ResultMemory().cache(fit_auxiliaries), np.array([0, 1])

        def search(row):
            training = [auxiliaries[row["auxiliary"]]], data.X_train, task.train.astype(int)
            _, outputs, left_out = train(*training, classes)
            if left_out:
                raise CannotRun("it predicts one class only on the training data")
            X, positive, tol = data.X_train, task.train, settings["tol"]
            match = matching_B(X, outputs[:, 0], positive, row["measure"], row["C"], tol=tol)
            if match is not None:
                row |= {"matching_B": match.largest, "matches_below": match.matches_below}

        return search

    return evaluate_cells(data, cells, start)
