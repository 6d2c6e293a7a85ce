"""Tasks of studies, and evaluation of a study's cells on the first task."""

import warnings
from collections.abc import Callable, Sequence

from sklearn.exceptions import ConvergenceWarning

from beyond_accuracy_pipeline.datasets.prepared import PreparedDataSet
from beyond_accuracy_pipeline.experiments.experiment import CannotRun, attempt
from beyond_accuracy_pipeline.experiments.finite_features import not_finite
from beyond_accuracy_pipeline.experiments.tasks import BinaryTask, binary_tasks
from beyond_accuracy_pipeline.results.columns import Row, Rows


def evaluate_cells(
    data: PreparedDataSet,
    cells: Sequence[Row],
    start: Callable[[PreparedDataSet, BinaryTask], Callable[[Row], Row | None]],
) -> tuple[Rows, Rows]:
    """Return a row with status and reason for each cell, and the times of successful cells.

    Parameters
    ----------
    data : PreparedDataSet
    cells : sequence of dict
        Keys that identify the rows.
    start : function of the data and their first task
        Prepares data that the cells share, and returns a function `evaluate(row)`. `evaluate` adds
        results to the row and may return times. Its exceptions, and a `CannotRun` of `start`, are
        recorded as status and reason.
    """
    common: Row = {"data_set": data.name, "status": "ok", "reason": ""}
    evaluate = None
    try:
        task = binary_tasks(data)[0]
        common["task"] = task.name
        problem = not_finite(data) or task.problem()
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
    """Return the tasks with both classes in the training part; [] if X is not finite."""
    if not_finite(data) is not None:
        return []
    return [task for task in binary_tasks(data) if task.train.any() and not task.train.all()]
