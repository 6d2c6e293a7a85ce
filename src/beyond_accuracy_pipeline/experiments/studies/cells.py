"""Evaluate a study for each combination of its settings. A combination, or cell, gives one row."""

import warnings

from sklearn.exceptions import ConvergenceWarning

from beyond_accuracy_pipeline.datasets.prepared import PreparedDataSet
from beyond_accuracy_pipeline.experiments.experiment import CannotRun, attempt
from beyond_accuracy_pipeline.experiments.tasks import BinaryTask, binary_tasks, describe_nonfinite
from beyond_accuracy_pipeline.results.columns import Row, Rows


def evaluate_cells(data, cells, start) -> tuple[Rows, Rows]:
    """Evaluate all cells of a study on the first task of a data set; return (rows, seconds).

    `start(data, task)` computes everything that cells share. It returns a function that adds
    results to a cell's row and may return times. If one of them raises an error, its message is
    recorded in the row.
    """
    common: Row = {"data_set": data.name, "status": "ok", "reason": ""}
    evaluate = None
    try:
        task = binary_tasks(data)[0]
        common["task"] = task.name
        problem = describe_nonfinite(data) or task.problem()
        if problem is not None:
            raise CannotRun(problem)
        evaluate = start(data, task)
    except CannotRun as error:
        common |= {"status": "failed", "reason": str(error)}
    rows, seconds = [], []
    for cell in cells:
        row = {**common, **cell}
        rows.append(row)
        if evaluate is None:
            continue
        with warnings.catch_warnings():
            # The row's iterations or status already show missing convergence.
            warnings.simplefilter("ignore", ConvergenceWarning)
            spent, failure = attempt(cell, evaluate, row)
        if failure is not None:
            row["status"], row["reason"] = failure
        elif spent:
            seconds.append({**row, **spent})
    return rows, seconds


def trainable_tasks(data: PreparedDataSet) -> list[BinaryTask]:
    """Return the tasks with both classes in training; [] if a feature is not finite."""
    if describe_nonfinite(data) is not None:
        return []
    return [task for task in binary_tasks(data) if task.train.any() and not task.train.all()]
