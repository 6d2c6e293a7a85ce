"""Which classes of a data set a measure can be learned for at all."""

from collections.abc import Mapping
from typing import Any

from beyond_accuracy.experiments.studies.cells import trainable_tasks
from beyond_accuracy.results.columns import Rows
from beyond_accuracy.solvers import zero_is_optimal


def learnable(data, settings: Mapping[str, Any], stream) -> tuple[Rows, Rows]:
    """Ask of each class against the rest whether w = 0 is optimal for every C.

    Where it is not, some C lets the multivariate SVM learn, with an intercept or without. The
    answers are of the training part alone. There are no rows without data, and no seconds.

    Parameters
    ----------
    settings : mapping
        `measures`.
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
            name: not zero_is_optimal(data.X_train, task.train, measure, fit_intercept=own)
            for name, own in (("learnable", True), ("learnable_without_intercept", False))
        }
        for task in trainable_tasks(data)
        for measure in settings["measures"]
    ], []
