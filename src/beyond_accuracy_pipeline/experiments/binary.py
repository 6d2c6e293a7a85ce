"""Protocol for binary tasks: select hyperparameters by the target measure, then fit and test.

For each class and measure, the candidates are fitted on a part of the training set and compared on
the rest by the measure, on one holdout set or on average over folds. The best candidate is fitted
on the whole training set. Only this last fit is applied to the test set.
"""

import json
import logging
from typing import Any

import numpy as np
import scipy.sparse

from beyond_accuracy.measures import get_measure
from beyond_accuracy_pipeline.datasets.preprocessing import transformed_parts, transformed_rows
from beyond_accuracy_pipeline.experiments.budget import OperationBudget
from beyond_accuracy_pipeline.experiments.earlier_fits import earlier_fits
from beyond_accuracy_pipeline.experiments.experiment import Experiment, FitResult, attempt
from beyond_accuracy_pipeline.experiments.finite_features import not_finite
from beyond_accuracy_pipeline.experiments.grid import Grid, middle_of_best, neighbours
from beyond_accuracy_pipeline.experiments.methods import Method
from beyond_accuracy_pipeline.experiments.race import race
from beyond_accuracy_pipeline.experiments.task_sample import sampled_tasks
from beyond_accuracy_pipeline.experiments.tasks import (
    BinaryTask,
    binary_tasks,
    few_of_each_class,
    split_folds,
    split_holdout,
)
from beyond_accuracy_pipeline.results.scores import TRUE_LABELS

logger = logging.getLogger(__name__)

EVERY_MEASURE = "all"

# The relative variation of long times is small. After so many CPU seconds a fit is not repeated.
_ENOUGH_SECONDS = 20.0


# Settings that affect the fits of candidates, besides the candidates' hyperparameters.
_CANDIDATES = ("estimator", "parameters", "selection_parameters", "selection_rows", "oversample")


def _validation_scores(fits, X, positive, X_validation, candidates, rows, *, method):
    """Return the validation scores of a method that does not train on a measure.

    `fits` describes the method's settings; the memory needs it to keep methods apart.
    """
    return method.validation_scores(X, positive, X_validation, candidates, EVERY_MEASURE, rows)


def _highest_values(results) -> dict[str, float]:
    """Return the highest validation score per measure."""
    highest = {}
    for found in results:
        for name, each in found.items():
            if not isinstance(each, ValueError):
                highest[name] = max(each[0], highest.get(name, -np.inf))
    return highest


class BinaryExperiment(Experiment):
    """One method on all tasks of one data set.

    Parameters
    ----------
    method_configuration : mapping
        Settings of `Method`, and:

        - `grid`: values of the hyperparameters; an empty grid means no selection.
        - `extend_grid`, `max_extensions`: see `Grid`.
        - `tune_threshold`: whether each candidate uses its best threshold on the validation part.
        - `refinement`: the selected hyperparameters are multiplied and divided by `factors` and
          compared again on `rows` examples.
        - `repetitions`: replaces the paper's value.
    paper_configuration : mapping
        - `measures`.
        - `selection`: `holdout` or `folds`, and optionally `ties`, a measure that decides between
          equal candidates.
        - `repetitions`, optional: how often each final fit is repeated to measure its time. Long
          fits are repeated less often.
        - `budget`, optional: operations per task and measure; above it, the status is "timeout".
        - `sample`, optional: see `sampled_tasks`.
    """

    def __post_init__(self):
        super().__post_init__()
        self._measures = [get_measure(name) for name in self._measures]
        seed = self._derive_seed("oversampling")
        self._method = Method(self.method_configuration, self.memory, seed)
        if sample := self.paper_configuration.get("sample"):
            self.data, self._tasks = sampled_tasks(self.data, sample, self._derive_seed("sample"))
        else:
            self._tasks = binary_tasks(self.data)
        self._keep_missing = self._method.takes_missing_values
        self.data = transformed_parts(self.data, self._keep_missing)
        self._sparse = scipy.sparse.issparse(self.data.X_train)
        damage = None if self._keep_missing else not_finite(self.data)
        problems = {task.name: damage or task.problem() for task in self._tasks}
        self._unusable = {
            task: ("failed", problem) for task, problem in problems.items() if problem is not None
        }
        if self._sparse and (dense_only := self._method.dense_only):
            reason = f"the data are sparse, and {dense_only} takes dense arrays only"
            self._unusable |= {task.name: ("unavailable", reason) for task in self._tasks}
        self._parts = {
            task.name: self._validation_parts(task)
            for task in self._tasks
            if task.name not in self._unusable
        }
        ties = self.paper_configuration["selection"].get("ties")
        self._for_ties = get_measure(ties) if ties else None
        self._validation = {}
        self._tunes = self.method_configuration.get("tune_threshold", False)
        # Threshold of the selected candidate, by task and measure.
        self._thresholds = {}
        self._budgets = {}
        # A deterministic fit is the same for all seeds that select the same hyperparameters.
        random = self._method.is_random or self.paper_configuration.get("sample")
        first = None if random else self.method_configuration.get("first_fit")
        self._earlier = earlier_fits(self.earlier, first) if first else {}

    def run(self) -> FitResult:
        """Select, fit and score."""
        n_test = self.data.X_test.shape[0]
        scores = {
            measure.name: np.full((len(self._tasks), n_test), np.nan) for measure in self._measures
        }
        fits = []
        finished = {}
        repetitions = (
            self.method_configuration.get("repetitions")
            or self.paper_configuration.get("repetitions")
            or 1
        )
        if repetitions > 1:
            self._warm_up()
        for measure in self._measures:
            chosen, usual, failures, grid_limit = self._select(measure)
            for index, task in enumerate(self._tasks):
                row = {**self._describe(task, measure.name), "grid_limit": grid_limit}
                fits.append(row)
                parameters, failure = chosen.get(task.name), failures.get(task.name)
                if failure is None and parameters is None:
                    parameters, row["fallback"] = usual, True
                    failure = ("failed", self._too_few()) if usual is None else None
                if failure is None:
                    row["selected"] = json.dumps(parameters)
                    threshold = self._thresholds.get((task.name, measure.name), 0.0)
                    key = (task.name, row["selected"], threshold, self._shared_by(measure))
                    fit = finished.get(key) or self._made_earlier(
                        task, measure, parameters, threshold
                    )
                    if fit is None:
                        label = f"{task.name}, {measure.name}"
                        arguments = task, measure, parameters, threshold, repetitions
                        fit, failure = attempt(label, self._final_fit, *arguments)
                if failure is not None:
                    row["status"], row["reason"] = failure
                    continue
                finished[key] = fit
                scores[measure.name][index], record = fit
                row.update(record)
        if self._tasks:
            scores[TRUE_LABELS] = np.stack([task.test for task in self._tasks])
        return FitResult([task.name for task in self._tasks], scores, fits, self._clock.rows)

    def _final_fit(
        self, task, measure, parameters, threshold, repetitions
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Fit to the whole training part and score the test part, as often as configured.

        Returns test scores minus the threshold, shape (n_test,), and the record of the fit.
        """
        X, positive = self.data.X_train, task.train
        self._begin(task.name, measure.name, X, positive, self.data.X_test)
        settled = self._method.settle(X, positive, parameters, measure.name)
        names, spent = (task.name, measure.name), 0.0
        training = X, positive, settled, measure.name
        for repetition in range(repetitions):
            fitted = self._clock.time(
                "fit", *names, self._method.fit, *training, repetition=repetition
            )
            test = fitted, self.data.X_test
            scores = self._clock.time(
                "predict", *names, self._method.scores, *test, repetition=repetition
            )
            spent += sum(row["cpu_seconds"] for row in self._clock.rows[-2:])
            if spent >= _ENOUGH_SECONDS:
                break
        record = self._method.record(fitted, X, positive)
        selected = {**settled, "threshold": threshold} if self._tunes else settled
        return scores - threshold, {**record, "selected": json.dumps(selected)}

    def _made_earlier(self, task, measure, parameters, threshold):
        """Return the result of `_final_fit` for the first seed if it selected the same, or None."""
        selected = {**parameters, "threshold": threshold} if self._tunes else parameters
        names = [measure.name]
        if not self._method.depends_on_measure:
            names += [other.name for other in self._measures]
        keys = [(task.name, name, json.dumps(selected)) for name in names]
        fit = next((self._earlier[key] for key in keys if key in self._earlier), None)
        if fit is None:
            return None
        self._clock.rows += [{**row, "measure": measure.name} for row in fit.seconds]
        return fit.scores, {**fit.record, "selected": json.dumps(selected)}

    def _begin(self, task: str, measure: str, X, positive, X_new):
        """Set the method's budget, and time the fits that candidates and measures share."""
        key = (task, measure)
        self._method.budget = self._budgets.setdefault(
            key, OperationBudget(self.paper_configuration.get("budget"))
        )
        if self._method.prepares:
            self._clock.time("auxiliaries", *key, self._method.prepare, X, positive, X_new)

    def _warm_up(self):
        """Fit to a few examples, so that measured times exclude the loading of compiled code."""
        task = next((task for task in self._tasks if task.name not in self._unusable), None)
        if task is None:
            return
        rows = few_of_each_class(task.train)
        grid = self.method_configuration["grid"]
        parameters = {name: values[0] for name, values in grid.items()}
        X, positive = self.data.X_train[rows], task.train[rows]
        for measure in self._measures if self._method.depends_on_measure else self._measures[:1]:
            try:
                fitted = self._method.fit(X, positive, parameters, measure.name)
                self._method.scores(fitted, X)
            except ValueError as error:
                # If the error is not specific to few examples, the real fits record it.
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
            "sparse": self._sparse,
        }

    def _select(self, measure):
        """Select the hyperparameters of each task.

        Returns the hyperparameters by task, the most frequent ones (None if no task has any), and
        the failures by task. The last value names ends of the grid that were selected most often
        although the grid may not grow further.
        """
        configuration = self.method_configuration
        failures = dict(self._unusable)
        if not self._method.prepares:
            # The times of each measure include shared fits, as if it were the only measure.
            self.memory.count_again()
        if not configuration["grid"]:
            return {task.name: {} for task in self._tasks}, {}, failures, ""
        grid = Grid(
            configuration["grid"],
            configuration.get("extend_grid") or {},
            configuration.get("max_extensions", 0),
        )
        while True:
            chosen = {}
            for task in self._tasks:
                if task.name in failures or self._parts[task.name] is None:
                    continue
                best = self._choose(task, measure, grid.candidates(), failures)
                if best is not None:
                    chosen[task.name] = best
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
            usual,
        )
        refinement = configuration.get("refinement")
        for task in self._tasks if refinement else ():
            if task.name in chosen:
                # Select again between the chosen values and their neighbours, on more rows.
                around = neighbours(chosen[task.name], refinement["factors"])
                best = self._choose(task, measure, around, failures, refinement["rows"])
                chosen[task.name] = best or chosen[task.name]
        return chosen, usual, failures, grid_limit

    def _choose(self, task, measure, candidates, failures, rows=None):
        """Return the best candidate in validation, or None and an entry in `failures`."""
        label = f"{task.name}, {measure.name}"
        result, failure = attempt(label, self._validate, task, measure, candidates, rows)
        if failure is not None:
            failures[task.name] = failure
            return None
        values, further, thresholds = result
        best = middle_of_best(values, further)
        self._thresholds[task.name, measure.name] = thresholds[best]
        return candidates[best]

    def _shared_by(self, measure) -> str:
        return measure.name if self._method.depends_on_measure else EVERY_MEASURE

    def _validate(self, task, measure, candidates, rows):
        """Return the results of `_compare` for one measure.

        If fits do not depend on the measure, each candidate is fitted once for all measures.
        """
        results = self._validation.setdefault((task.name, self._shared_by(measure), rows), {})
        keys = [json.dumps(candidate) for candidate in candidates]
        missing = {
            key: candidate
            for key, candidate in zip(keys, candidates, strict=True)
            if key not in results
        }
        if missing:
            best = _highest_values(results.values())
            compared = self._compare(task, measure, list(missing.values()), rows, best)
            for index, key in enumerate(missing):
                results[key] = {
                    name: found if isinstance(found, ValueError) else [row[index] for row in found]
                    for name, found in compared.items()
                }
        found = [results[key][measure.name] for key in keys]
        for each in found:
            if isinstance(each, ValueError):
                raise each
        return tuple(zip(*found, strict=True))

    def _compare(self, task, measure, candidates, rows, best):
        """Return, by measure, each candidate's score, its score for ties, and its threshold.

        All three are means over the validation parts. If a measure is undefined, its entry is the
        ValueError. With `selection_rows`, a candidate that cannot be the best is dropped and gets
        the score −inf. `best` has the highest score by measure of candidates compared before.
        """
        measures = [measure] if self._method.depends_on_measure else self._measures
        parts = self._parts[task.name]
        reached = np.full((len(measures), 2, len(parts), len(candidates)), np.nan)
        errors = {}
        for_ties = np.zeros((len(parts), len(candidates)))
        names = task.name, self._shared_by(measure)

        def validate(part, chosen):
            fit, validation = parts[part]
            X, X_validation = transformed_rows(
                self.data, fit, validation, keep_missing=self._keep_missing
            )
            positive = task.train[fit]
            self._begin(*names, X, positive, X_validation)
            own = [candidates[index] for index in chosen]
            arguments = (X, positive, X_validation, own, measure.name, rows)
            scores = self._clock.time("select", *names, self._validation_scores, *arguments)
            truth = task.train[validation]
            if self._for_ties:
                for_ties[part, chosen] = [self._for_ties.score(truth, row) for row in scores]
            for served, (values, thresholds) in zip(measures, reached[:, :, part], strict=True):
                try:
                    thresholds[chosen] = 0.0
                    if self._tunes:
                        thresholds[chosen] = [served.best_threshold(truth, row) for row in scores]
                    pairs = zip(scores, thresholds[chosen], strict=True)
                    values[chosen] = [served.score(truth, row - least) for row, least in pairs]
                except ValueError as error:
                    # The scores of the other measures remain valid.
                    errors[served.name] = error

        if self.method_configuration.get("selection_rows"):
            known = np.array([best.get(served.name, -np.inf) for served in measures])
            race(reached[:, 0], *self._method.paths(candidates), known, validate)
            reached[:, 0][np.isnan(reached[:, 0])] = -np.inf
        else:
            for part in range(len(parts)):
                validate(part, list(range(len(candidates))))
        means = sum(reached[:, :, part] / len(parts) for part in range(len(parts)))
        found = {
            served.name: (values, for_ties.mean(axis=0), thresholds)
            for served, (values, thresholds) in zip(measures, means, strict=True)
        }
        return found | errors

    def _validation_scores(self, *arguments):
        """Return the method's validation scores.

        Methods that do not train on a measure share them with the other methods of the job.
        """
        if self._method.depends_on_measure or self._method.prepares:
            return self._method.validation_scores(*arguments)
        fits = json.dumps({key: self.method_configuration.get(key) for key in _CANDIDATES})
        remembered = self.memory.cache(_validation_scores, ignore=("method",))
        *training, measure, rows = arguments
        return remembered(fits, *training, rows, method=self._method)

    def _validation_parts(self, task):
        """Return pairs of training part and validation part, or None if a class is too small."""
        selection = self.paper_configuration["selection"]
        if selection.get("folds"):
            seed = self._derive_seed(task.name, "folds")
            return split_folds(task.train, selection["folds"], seed)
        seed = self._derive_seed(task.name, "holdout")
        return split_holdout(task.train, selection["holdout"], seed)

    def _too_few(self) -> str:
        folds = self.paper_configuration["selection"].get("folds")
        if folds:
            return (
                "no class of the data set has as many positives as there are folds, "
                f"{folds}: a validation part would be without them"
            )
        return "no class of the data set has enough positives for a holdout"
