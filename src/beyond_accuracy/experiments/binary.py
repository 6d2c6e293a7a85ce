"""The protocol of binary tasks: hyperparameters by validation and the measure itself, then a fit.

For every class and measure the candidates are fitted on a part of the training set and compared
on the rest by the measure, once (a holdout) or on average over folds; the chosen one is fitted on
all of it. The test set is touched only by the last step.
"""

import json
import logging
from collections.abc import Mapping
from typing import Any

import numpy as np

from beyond_accuracy.datasets.prepared import PreparedDataSet
from beyond_accuracy.experiments.budget import OperationBudget
from beyond_accuracy.experiments.finite_features import not_finite
from beyond_accuracy.experiments.grid import Grid, neighbours
from beyond_accuracy.experiments.methods import Method
from beyond_accuracy.experiments.result import Clock, FitResult, attempt, fitted_measures
from beyond_accuracy.experiments.seeds import derive_seed
from beyond_accuracy.experiments.tasks import (
    BinaryTask,
    binary_tasks,
    few_of_each_class,
    split_folds,
    split_holdout,
)
from beyond_accuracy.measures import get_measure
from beyond_accuracy.results.scores import TRUE_LABELS

logger = logging.getLogger(__name__)

EVERY_MEASURE = "all"

# A fit that takes long varies little: no further repetition is begun after so many CPU seconds.
_ENOUGH_SECONDS = 20.0


class BinaryExperiment:
    """One method on all tasks of one data set.

    Parameters
    ----------
    data : PreparedDataSet
    paper : str
    method_configuration : mapping
        `estimator`, `parameters`, `grid` (nothing is selected if it is empty), `extend_grid`,
        `max_extensions`, `repetitions` (in place of the paper's), and `refinement`: the `factors`
        by which chosen parameters are multiplied and divided, and the number of `rows` for that.
    paper_configuration : mapping
        `measures`, `selection` (`holdout` or `folds`) and, optionally, `repetitions`: how often
        each final fit is repeated, for its seconds alone; less often where it takes long; and
        `budget`: operations of a task and measure beyond which its status is "timeout".
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
        self._method = Method(method_configuration)
        self._tasks = binary_tasks(data)
        self._clock = Clock()
        damage = not_finite(data)
        self._problems = {task.name: damage or task.problem() for task in self._tasks}
        self._selection = paper_configuration["selection"]
        self._repetitions = (
            method_configuration.get("repetitions") or paper_configuration.get("repetitions") or 1
        )
        # The parts are the same for every method: their seed does not name the method.
        self._parts = {
            task.name: _validation_parts(
                task.train, self._selection, (seed, paper, data.name, task.name)
            )
            for task in self._tasks
            if self._problems[task.name] is None
        }
        self._validation = {}
        self._limit = paper_configuration.get("budget")
        self._budgets = {}

    def run(self) -> FitResult:
        """Select, fit and score."""
        n_test = self._data.X_test.shape[0]
        scores = {
            measure.name: np.full((len(self._tasks), n_test), np.nan) for measure in self._measures
        }
        fits = []
        finished = {}
        if self._repetitions > 1:
            self._warm_up()
        for measure in self._measures:
            chosen, usual, failures, grid_limit = self._select(measure)
            for index, task in enumerate(self._tasks):
                row = {**self._describe(task, measure.name), "grid_limit": grid_limit}
                fits.append(row)
                problem, status = self._problems[task.name], "failed"
                if problem is None and task.name in failures:
                    status, problem = failures[task.name]
                parameters = chosen.get(task.name)
                if problem is None and parameters is None:
                    parameters, row["fallback"] = usual, True
                    if usual is None:
                        problem = _too_few(self._selection)
                if problem is not None:
                    row.update(status=status, reason=problem)
                    continue
                row["selected"] = json.dumps(parameters)
                key = (task.name, row["selected"], self._shared_by(measure))
                if key not in finished:
                    label = f"{task.name}, {measure.name}"
                    fit, failure = attempt(label, self._final_fit, task, measure, parameters)
                    if failure is not None:
                        row.update(status=failure[0], reason=failure[1])
                        continue
                    finished[key] = fit
                scores[measure.name][index], record = finished[key]
                row.update(record)
        if self._tasks:
            scores[TRUE_LABELS] = np.stack([task.test for task in self._tasks])
        return FitResult([task.name for task in self._tasks], scores, fits, self._clock.rows)

    def _final_fit(self, task, measure, parameters) -> tuple[np.ndarray, dict[str, Any]]:
        """Fit to the whole training part and score the test part, as often as configured.

        Returns test scores, shape (n_test,), and what is to be recorded.
        """
        X, positive = self._data.X_train, task.train
        self._begin(task.name, measure.name, X, positive, self._data.X_test)
        settled = self._method.settle(X, positive, parameters, measure.name)
        names, spent = (task.name, measure.name), 0.0
        training = X, positive, settled, measure.name
        for repetition in range(self._repetitions):
            fitted = self._clock.time(
                "fit", *names, self._method.fit, *training, repetition=repetition
            )
            test = fitted, self._data.X_test
            scores = self._clock.time(
                "predict", *names, self._method.scores, *test, repetition=repetition
            )
            spent += sum(row["cpu_seconds"] for row in self._clock.rows[-2:])
            if spent >= _ENOUGH_SECONDS:
                break
        record = self._method.record(fitted, X, positive)
        return scores, {**record, "selected": json.dumps(settled)}

    def _begin(self, task: str, measure: str, X, positive, X_new):
        """Give the method its budget, and time what it shares between candidates and measures."""
        key = (task, measure)
        self._method.budget = self._budgets.setdefault(key, OperationBudget(self._limit))
        if self._method.prepares:
            self._clock.time("auxiliaries", *key, self._method.prepare, X, positive, X_new)

    def _warm_up(self):
        """Fit a few examples, so that no seconds are those of loading compiled code."""
        task = next((task for task in self._tasks if self._problems[task.name] is None), None)
        if task is None:
            return
        rows = few_of_each_class(task.train)
        parameters = {name: values[0] for name, values in self._configuration["grid"].items()}
        X, positive = self._data.X_train[rows], task.train[rows]
        for measure in self._measures if self._method.depends_on_measure else self._measures[:1]:
            try:
                fitted = self._method.fit(X, positive, parameters, measure.name)
                self._method.scores(fitted, X)
            except ValueError as error:
                # The fits themselves will tell.
                logger.info("%s: %s", task.name, error)

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
        """Chosen parameters by task, those chosen most often or None, and status of failures.

        And the ends of the grid that were chosen most often although it may not grow further.
        """
        configuration = self._configuration
        failures = {}
        if not configuration["grid"]:
            return {task.name: {} for task in self._tasks}, {}, failures, ""
        grid = Grid(
            configuration["grid"],
            configuration.get("extend_grid") or {},
            configuration.get("max_extensions", 0),
        )
        while True:
            parameters = [grid.as_parameters(candidate) for candidate in grid.candidates()]
            chosen = {}
            for task in self._tasks:
                if self._parts.get(task.name) is None or task.name in failures:
                    continue
                best = self._choose(task, measure, parameters, failures)
                if best is not None:
                    chosen[task.name] = tuple(best.values())
            messages = grid.grow(chosen.values())
            for message in messages:
                logger.info("%s: %s", measure.name, message)
            if not messages:
                break
        for limit in grid.limits:
            logger.warning(
                "%s: chosen most often: %s of a grid that has grown as often as max_extensions "
                "allows",
                measure.name,
                limit,
            )
        grid_limit = "; ".join(grid.limits)
        if not chosen:
            return {}, None, failures, grid_limit
        usual = grid.most_frequent(chosen.values())
        logger.info(
            "%s: selected for %d of %d classes, most often %s",
            measure.name,
            len(chosen),
            len(self._tasks),
            grid.as_parameters(usual),
        )
        parameters = {task: grid.as_parameters(candidate) for task, candidate in chosen.items()}
        if configuration.get("refinement"):
            self._refine(measure, parameters, failures)
        return parameters, grid.as_parameters(usual), failures, grid_limit

    def _refine(self, measure, chosen, failures):
        """Choose again, between the values chosen and those around them, on more rows."""
        refinement = self._configuration["refinement"]
        for task in self._tasks:
            if task.name in chosen:
                around = neighbours(chosen[task.name], refinement["factors"])
                best = self._choose(task, measure, around, failures, refinement["rows"])
                chosen[task.name] = best or chosen[task.name]

    def _choose(self, task, measure, candidates, failures, rows=None):
        """The candidate that does best in validation; or None, and an entry in `failures`."""
        label = f"{task.name}, {measure.name}"
        result, failure = attempt(label, self._validate, task, measure, candidates, rows)
        if failure is not None:
            failures[task.name] = failure
            return None
        return candidates[_middle_of_best(*result)]

    def _shared_by(self, measure) -> str:
        return measure.name if self._method.depends_on_measure else EVERY_MEASURE

    def _validate(self, task, measure, candidates, rows):
        """Mean value of the measure on the validation parts of every candidate; whether w = 0."""
        results = self._validation.setdefault((task.name, self._shared_by(measure), rows), {})
        keys = [json.dumps(candidate) for candidate in candidates]
        missing = {
            key: candidate
            for key, candidate in zip(keys, candidates, strict=True)
            if key not in results
        }
        if missing:
            values, degenerate = self._compare(task, measure, list(missing.values()), rows)
            for index, key in enumerate(missing):
                results[key] = {name: row[index] for name, row in values.items()}, degenerate[index]
        for value, _ in (results[key] for key in keys):
            if isinstance(value[measure.name], ValueError):
                raise value[measure.name]
        values, degenerate = zip(*(results[key] for key in keys), strict=True)
        return [value[measure.name] for value in values], degenerate

    def _compare(self, task, measure, candidates, rows):
        """Mean values of the candidates by measure, errors where there are none; whether w = 0."""
        measures = [measure] if self._method.depends_on_measure else self._measures
        values = {served.name: np.zeros(len(candidates)) for served in measures}
        errors = {}
        degenerate = np.zeros(len(candidates), dtype=bool)
        parts = self._parts[task.name]
        names = task.name, self._shared_by(measure)
        for fit, validation in parts:
            X, positive = self._data.X_train[fit], task.train[fit]
            X_validation = self._data.X_train[validation]
            self._begin(*names, X, positive, X_validation)
            arguments = (X, positive, X_validation, candidates, measure.name, rows)
            scores, without_w = self._clock.time(
                "select", *names, self._method.validation_scores, *arguments
            )
            degenerate |= without_w
            for served in measures:
                try:
                    reached = [served.score(task.train[validation], row) for row in scores]
                    values[served.name] += np.asarray(reached) / len(parts)
                except ValueError as error:
                    # The other measures' values are as good as ever.
                    errors[served.name] = [error] * len(candidates)
        return values | errors, degenerate


def _validation_parts(positive, selection, names):
    """Pairs of a part to fit and a part to validate on, or None if a class is too small."""
    if selection.get("folds"):
        return split_folds(positive, selection["folds"], derive_seed(*names, "folds"))
    pair = split_holdout(positive, selection["holdout"], derive_seed(*names, "holdout"))
    return None if pair is None else [pair]


def _too_few(selection) -> str:
    if selection.get("folds"):
        return (
            f"no class of the data set has as many positives as there are folds, "
            f"{selection['folds']}: a validation part would be without them"
        )
    return "no class of the data set has enough positives for a holdout"


def _middle_of_best(values, degenerate) -> int:
    """Index of the highest value; of several equal ones the middle.

    Rare classes leave many candidates equal. The smallest or largest of them would lie on the
    border of the grid and make it grow for no reason. Where some of them have learned nothing
    (w = 0 on the part they were fitted to), only the others count.
    """
    best = np.asarray(values) == np.max(values)
    learned = best & ~np.asarray(degenerate)
    highest = np.flatnonzero(learned if learned.any() else best)
    return int(highest[(len(highest) - 1) // 2])
