"""For which B, if any, the augmented problem gives an auxiliary the weight 1."""

import logging
from collections.abc import Mapping
from typing import Any

import pandas as pd

from beyond_accuracy.datasets.errors import DataSetUnavailable
from beyond_accuracy.datasets.prepared import load_prepared
from beyond_accuracy.estimators.capo import matching_B
from beyond_accuracy.experiments.auxiliary_outputs import AuxiliaryOutputs
from beyond_accuracy.experiments.finite_features import not_finite
from beyond_accuracy.experiments.methods import load_estimator
from beyond_accuracy.experiments.store import write_table
from beyond_accuracy.experiments.tasks import binary_tasks

logger = logging.getLogger(__name__)

COLUMNS = {
    "data_set": "string",
    "task": "string",
    "measure": "string",
    "C": "float64",
    "auxiliary": "string",
    "matching_B": "float64",
    "matches_below": "boolean",
    "status": "string",
    "reason": "string",
}


def run_matching_penalty(
    prepared_folder,
    *,
    data_set: str,
    settings: Mapping[str, Any],
    methods: Mapping[str, Mapping[str, Any]],
    measures: list[str],
    output,
) -> None:
    """Search B for each auxiliary and measure, and write a table.

    `matching_B` is the largest B that matches, and `matches_below` tells whether every smaller B of
    the range does as well. Both are missing where no B matches; a search that meets a problem which
    could not be solved has the status "failed".

    Parameters
    ----------
    settings : mapping
        `auxiliaries` (names of `methods`), `C` (SVM-perf's), `tol` of each problem and, optionally,
        `measures`.
    methods : mapping of name to configuration with `estimator` and `parameters`
    measures : list of str
        The paper's, if the settings name none.
    """
    rows = [
        {"data_set": data_set, "status": "ok", "reason": "", "C": settings["C"], **row}
        for row in _search(prepared_folder, settings, methods, measures)
    ]
    write_table(output, pd.DataFrame(rows, columns=list(COLUMNS)).astype(COLUMNS))


def _search(folder, settings, methods, measures):
    measures = settings.get("measures") or measures
    pairs = [(name, measure) for name in settings["auxiliaries"] for measure in measures]
    try:
        data = load_prepared(folder)
    except DataSetUnavailable as error:
        for name, measure in pairs:
            row = {"status": "unavailable", "reason": str(error)}
            yield {"auxiliary": name, "measure": measure, **row}
        return
    task = binary_tasks(data)[0]
    problem = not_finite(data) or task.problem()
    trained = {}
    for name, measure in pairs:
        keys = {"task": task.name, "auxiliary": name, "measure": measure}
        if problem is not None:
            yield {**keys, "status": "failed", "reason": problem}
            continue
        if name not in trained:
            given = methods[name]
            auxiliary = load_estimator(given["estimator"])(**(given.get("parameters") or {}))
            trained[name] = AuxiliaryOutputs({name: auxiliary}).train(data.X_train, task.train)
        if trained[name].left_out:
            reason = "it predicts one class only on the training data"
            yield {**keys, "status": "failed", "reason": reason}
            continue
        try:
            found = matching_B(
                data.X_train,
                trained[name].outputs[:, 0],
                task.train,
                measure,
                settings["C"],
                tol=settings["tol"],
            )
        except (MemoryError, OSError):
            raise
        except Exception as error:
            logger.exception("%s, %s: no B could be searched", name, measure)
            yield {**keys, "status": "failed", "reason": f"{type(error).__name__}: {error}"}
            continue
        if found is None:
            yield keys
        else:
            yield {**keys, "matching_B": found.largest, "matches_below": found.matches_below}
