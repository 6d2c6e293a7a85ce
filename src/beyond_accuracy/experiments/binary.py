"""The protocol of binary tasks: hyperparameters by a holdout and the measure itself, then a fit.

For every class and measure the candidates are fitted on two thirds of the training set and
compared on the rest by the measure; the chosen one is fitted on all of it. The test set is
touched only by the last step.
"""

import json
import logging
from collections.abc import Mapping
from typing import Any

import numpy as np
import scipy.sparse

from beyond_accuracy.datasets.prepared import PreparedDataSet
from beyond_accuracy.experiments.grid import Grid
from beyond_accuracy.experiments.methods import make_method
from beyond_accuracy.experiments.result import Clock, FitResult, fitted_measures
from beyond_accuracy.experiments.seeds import derive_seed
from beyond_accuracy.experiments.tasks import BinaryTask, binary_tasks, split_holdout
from beyond_accuracy.measures import get_measure

logger = logging.getLogger(__name__)

EVERY_MEASURE = "all"


def not_finite(data: PreparedDataSet) -> str | None:
    """Where the features hold NaN or infinity, or None."""
    for part, X in (("training", data.X_train), ("test", data.X_test)):
        values = X.data if scipy.sparse.issparse(X) else X
        if not np.isfinite(values).all():
            row, column = (int(k[0]) for k in np.nonzero(~np.isfinite(_dense_rows(X))))
            return (
                f"{data.name}: feature {column} of {part} row {row} (counted from 0) is missing or "
                "infinite; linear classifiers need finite features: impute them in the catalogue"
            )
    return None


def _dense_rows(X):
    return X.toarray() if scipy.sparse.issparse(X) else X


class BinaryExperiment:
    """One method on all tasks of one data set.

    Parameters
    ----------
    data : PreparedDataSet
    paper : str
    method_configuration : mapping
        `estimator`, `parameters`, `grid`, `extend_grid`, `max_extensions`.
    paper_configuration : mapping
        `measures` and `selection` (`holdout`).
    seed : int
    """

    def __init__(
        self,
        data: PreparedDataSet,
        *,
        paper: str,
        method_configuration: Mapping[str, Any],
        paper_configuration: Mapping[str, Any],
        seed: int,
    ):
        self._data = data
        self._configuration = method_configuration
        self._measures = [
            get_measure(name) for name in fitted_measures(paper_configuration, method_configuration)
        ]
        self._method = make_method(method_configuration)
        self._tasks = binary_tasks(data)
        self._clock = Clock()
        damage = not_finite(data)
        self._problems = {task.name: damage or task.problem() for task in self._tasks}
        fraction = paper_configuration["selection"]["holdout"]
        # The holdout is the same for every method: its seed does not name the method.
        self._holdouts = {
            task.name: split_holdout(
                task.train, fraction, derive_seed(seed, paper, data.name, task.name, "holdout")
            )
            for task in self._tasks
            if self._problems[task.name] is None
        }
        self._validation = {}

    def run(self) -> FitResult:
        """Select, fit and score."""
        n_test = self._data.X_test.shape[0]
        scores = {
            measure.name: np.full((len(self._tasks), n_test), np.nan) for measure in self._measures
        }
        fits = []
        finished = {}
        for measure in self._measures:
            chosen, usual = self._select(measure)
            for place, task in enumerate(self._tasks):
                row = self._describe(task, measure.name)
                fits.append(row)
                problem = self._problems[task.name]
                parameters = chosen.get(task.name)
                if problem is None and parameters is None:
                    parameters, row["fallback"] = usual, True
                    if usual is None:
                        problem = "no class of the data set has enough positives for a holdout"
                if problem is not None:
                    row.update(status="failed", reason=problem)
                    continue
                row["selected"] = json.dumps(parameters)
                key = (task.name, row["selected"])
                try:
                    if self._method.depends_on_measure or key not in finished:
                        finished[key] = self._clock.time(
                            "fit",
                            task.name,
                            measure.name,
                            self._method.fit,
                            self._data.X_train,
                            task.train,
                            self._data.X_test,
                            parameters,
                            measure.name,
                        )
                except (MemoryError, OSError):
                    raise
                except Exception as error:
                    logger.exception("%s, %s: the fit failed", task.name, measure.name)
                    row.update(status="failed", reason=f"{type(error).__name__}: {error}")
                    continue
                fit = finished[key]
                scores[measure.name][place] = fit.scores
                row.update(fit.record)
            if self._method.depends_on_measure:
                finished.clear()
        return FitResult([task.name for task in self._tasks], scores, fits, self._clock.rows)

    def _describe(self, task: BinaryTask, measure: str) -> dict[str, Any]:
        return {
            "task": task.name,
            "measure": measure,
            "status": "ok",
            "reason": "",
            "fallback": False,
            "n_train": len(task.train),
            "n_train_positives": int(task.train.sum()),
            "n_test": len(task.test),
            "n_test_positives": int(task.test.sum()),
        }

    def _select(self, measure):
        """Chosen parameters by task, and those chosen most often (None if there are none)."""
        configuration = self._configuration
        grid = Grid(
            configuration["grid"],
            configuration.get("extend_grid") or {},
            configuration.get("max_extensions", 0),
        )
        while True:
            candidates = grid.candidates()
            chosen = {}
            for task in self._tasks:
                if self._problems[task.name] or self._holdouts[task.name] is None:
                    continue
                try:
                    values = self._validate(task, measure, grid, candidates)
                except (MemoryError, OSError):
                    raise
                except Exception as error:
                    logger.exception("%s, %s: the selection failed", task.name, measure.name)
                    self._problems[task.name] = f"{type(error).__name__}: {error}"
                    continue
                chosen[task.name] = candidates[_middle_of_best(*values)]
            messages = grid.grow(chosen.values())
            for message in messages:
                logger.info("%s: %s", measure.name, message)
            if not messages:
                break
        for limit in grid.limits:
            logger.warning("%s: %s", measure.name, limit)
        if not chosen:
            return {}, None
        usual = grid.most_frequent(chosen.values())
        logger.info(
            "%s: selected for %d of %d classes, most often %s",
            measure.name,
            len(chosen),
            len(self._tasks),
            grid.as_parameters(usual),
        )
        return (
            {task: grid.as_parameters(candidate) for task, candidate in chosen.items()},
            grid.as_parameters(usual),
        )

    def _validate(self, task, measure, grid, candidates):
        """Value of the measure on the validation part, and whether w = 0, for every candidate."""
        fit, validation = self._holdouts[task.name]
        shared = EVERY_MEASURE if not self._method.depends_on_measure else measure.name
        known = self._validation.setdefault((task.name, shared), {})
        missing = [candidate for candidate in candidates if candidate not in known]
        if missing:
            scores, degenerate = self._clock.time(
                "select",
                task.name,
                shared,
                self._method.validation_scores,
                self._data.X_train[fit],
                task.train[fit],
                self._data.X_train[validation],
                [grid.as_parameters(candidate) for candidate in missing],
                measure.name,
            )
            measures = [measure] if self._method.depends_on_measure else self._measures
            for candidate, row, nothing in zip(missing, scores, degenerate, strict=True):
                reached = {each.name: each.score(task.train[validation], row) for each in measures}
                known[candidate] = (reached, nothing)
        values = [known[candidate][0][measure.name] for candidate in candidates]
        return values, [known[candidate][1] for candidate in candidates]


def _middle_of_best(values, degenerate) -> int:
    """Index of the highest value; of several equal ones the middle.

    Rare classes leave many candidates equal. The smallest or largest of them would lie on the
    border of the grid and make it grow for no reason. Where some of them have learned nothing
    (w = 0 on the part they were fitted to), only the others count.
    """
    best = np.asarray(values) == np.max(values)
    if (best & ~np.asarray(degenerate)).any():
        best &= ~np.asarray(degenerate)
    places = np.flatnonzero(best)
    return int(places[(len(places) - 1) // 2])
