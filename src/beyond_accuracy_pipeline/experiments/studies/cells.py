"""Evaluate a study for each combination of its settings. A combination, or cell, gives one row."""

import warnings

from sklearn.exceptions import ConvergenceWarning

from beyond_accuracy_pipeline.datasets.prepared import PreparedDataSet
from beyond_accuracy_pipeline.experiments.experiment import CannotRun, attempt
from beyond_accuracy_pipeline.experiments.tasks import BinaryTask, binary_tasks, describe_nonfinite
from beyond_accuracy_pipeline.results.columns import Row, Rows


def evaluate_cells(data, cells, start) -> tuple[Rows, Rows]:
    """Evaluate a study for each combination of its settings, on the first task of a data set.

    `cells` are the combinations, as dicts. `start(data, task)` does the work that all combinations
    share, and returns a function `evaluate(row)`. This function adds results to `row`, a dict with
    the settings of one combination. It may return a dict of times.

    Return (rows, seconds): one dict of results per combination, and one dict per combination with
    times. If `evaluate` fails, the row has the status "failed" or "timeout", and the reason. If
    `start` raises CannotRun, all rows have the status "failed".
    """
    common: Row = {"data_set": data.name, "status": "ok", "reason": ""}
    evaluate = None
    try:
        task = binary_tasks(data)[0]
        common["task"] = task.name
        if problem := describe_nonfinite(data) or task.problem():
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
    """Return the binary tasks that have positives and negatives in the training part.

    If a feature value is not finite, return [].
    """
    if describe_nonfinite(data) is not None:
        return []
    return [task for task in binary_tasks(data) if task.train.any() and not task.train.all()]
