"""Find the classes of a data set for which a measure can be learned at all."""

from collections.abc import Mapping
from typing import Any

from beyond_accuracy.solvers import make_solver
from beyond_accuracy_pipeline.datasets.prepared import PreparedDataSet
from beyond_accuracy_pipeline.experiments.studies.cells import trainable_tasks
from beyond_accuracy_pipeline.results.columns import Rows


def learnable(
    data: PreparedDataSet, settings: Mapping[str, Any], seed_and_paper
) -> tuple[Rows, Rows]:
    """Find the classes for which the multivariate SVM learns anything against the rest.

    It learns nothing if w = 0 is optimal, which then holds for every C.
    """
    return [
        {
            "data_set": data.name,
            "task": task.name,
            "measure": measure,
            "n_train": len(task.train),
            "n_train_positives": int(task.train.sum()),
        }
        | {
            name: _is_learnable(data.X_train, task.train, measure, own)
            for name, own in (("learnable", True), ("learnable_without_intercept", False))
        }
        for task in trainable_tasks(data)
        for measure in settings["measures"]
    ], []


def _is_learnable(X, positive, measure, fit_intercept) -> bool:
    """Return whether the SVM trained on the measure has an optimum other than w = 0."""
    solver = make_solver(X, positive, measure, fit_intercept=fit_intercept)
    return not solver.solve(1.0).zero_is_optimal
