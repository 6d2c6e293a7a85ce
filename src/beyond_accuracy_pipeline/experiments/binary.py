"""Protocol for binary tasks: select hyperparameters by the target measure, then fit and test.

For each class and measure, candidates are fitted on a part of the training set and compared on the
rest: one holdout set, or the mean over folds. The best candidate is fitted on the whole training
set, and this fit is applied to the test set.
"""

import json
import logging
from typing import NamedTuple

import numpy as np
import scipy.sparse

from beyond_accuracy.measures import get_measure
from beyond_accuracy_pipeline.datasets.preprocessing import transform_parts, transform_rows
from beyond_accuracy_pipeline.experiments.earlier_fits import read_earlier_fits
from beyond_accuracy_pipeline.experiments.experiment import Experiment, FitResult, attempt
from beyond_accuracy_pipeline.experiments.grid import Candidate, Grid, middle_of_best, neighbours
from beyond_accuracy_pipeline.experiments.methods import Method, OperationBudget
from beyond_accuracy_pipeline.experiments.race import race
from beyond_accuracy_pipeline.experiments.tasks import (
    binary_tasks,
    describe_nonfinite,
    first_of_each_class,
    sample_tasks,
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


def _validation_scores(settings, X, positive, X_validation, candidates, rows, *, method):
    """Return decision scores on validation data, for a method with equal fits for all measures.

    `ResultMemory` ignores `method`, so `settings`, as JSON, must tell methods apart.
    """
    return method.validation_scores(X, positive, X_validation, candidates, EVERY_MEASURE, rows)


class CandidateResult(NamedTuple):
    """Validation result of one hyperparameter candidate, as means over the validation parts.

    `tie_score` is the value of the measure that breaks ties. `threshold` is the decision threshold,
    0 unless thresholds are tuned.
    """

    score: float
    tie_score: float
    threshold: float


class Selection(NamedTuple):
    """Result of hyperparameter selection for one measure, on several tasks.

    A task is one class or label against the rest. `parameters` maps a task to its selected
    hyperparameters. `most_frequent` has the hyperparameters selected most often, or None.
    `failures` maps a failed task to (status, reason); the status is "failed", "timeout" or
    "unavailable".

    `grid_limit` is text such as "C = 64, upper end". It lists hyperparameters whose most frequent
    value is at an end of a grid that may not grow any more.
    """

    parameters: dict[str, Candidate]
    most_frequent: Candidate | None
    failures: dict[str, tuple[str, str]]
    grid_limit: str


class BinaryExperiment(Experiment):
    """Experiment that fits one method to all binary tasks of a data set, one per class or label."""

    def __post_init__(self):
        super().__post_init__()
        self._measures = [get_measure(name) for name in self._measures]
        seed = self._derive_seed("oversampling")
        self._method = Method(self.method_configuration, self.memory, seed)
        if sample := self.paper_configuration.get("sample"):
            self.data, self._tasks = sample_tasks(self.data, sample, self._derive_seed("sample"))
        else:
            self._tasks = binary_tasks(self.data)
        self._keep_missing = self._method.takes_missing_values
        self.data = transform_parts(self.data, self._keep_missing)
        self._sparse = scipy.sparse.issparse(self.data.X_train)
        damage = None if self._keep_missing else describe_nonfinite(self.data)
        problems = {task.name: damage or task.problem() for task in self._tasks}
        self._unusable = {task: ("failed", why) for task, why in problems.items() if why}
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
        self._earlier = read_earlier_fits(self.earlier, first) if first else {}

    def run(self) -> FitResult:
        shape = len(self._tasks), self.data.X_test.shape[0]
        scores = {measure.name: np.full(shape, np.nan) for measure in self._measures}
        fits, finished = [], {}
        of_method = self.method_configuration.get("repetitions")
        repetitions = of_method or self.paper_configuration.get("repetitions") or 1
        if repetitions > 1:
            self._warm_up()
        for measure in self._measures:
            selection = self._select(measure)
            for index, task in enumerate(self._tasks):
                row = {"task": task.name, "measure": measure.name, "status": "ok", "reason": ""}
                row |= {"fallback": False, "sparse": self._sparse}
                row["grid_limit"] = selection.grid_limit
                for part, positive in (("train", task.train), ("test", task.test)):
                    row |= {f"n_{part}": len(positive)}
                    row |= {f"n_{part}_positives": int(positive.sum())}
                fits.append(row)
                parameters = selection.parameters.get(task.name)
                failure = selection.failures.get(task.name)
                if failure is None and parameters is None:
                    parameters, row["fallback"] = selection.most_frequent, True
                    if parameters is None:
                        folds = self.paper_configuration["selection"].get("folds")
                        reason = "no class of the data set has enough positives for a holdout"
                        if folds:
                            reason = (
                                "no class of the data set has as many positives as there are "
                                f"folds, {folds}: a validation part would be without them"
                            )
                        failure = "failed", reason
                if failure is None:
                    row["selected"] = json.dumps(parameters)
                    threshold = self._thresholds.get((task.name, measure.name), 0.0)
                    key = (task.name, row["selected"], threshold, self._measure_of_fits(measure))
                    arguments = task, measure, parameters, threshold
                    fit = finished.get(key) or self._reuse_first_seed(*arguments)
                    if fit is None:
                        label = f"{task.name}, {measure.name}"
                        fit, failure = attempt(label, self._final_fit, *arguments, repetitions)
                if failure is not None:
                    row["status"], row["reason"] = failure
                    continue
                finished[key] = fit
                scores[measure.name][index], record = fit
                row.update(record)
        if self._tasks:
            scores[TRUE_LABELS] = np.stack([task.test for task in self._tasks])
        return FitResult([task.name for task in self._tasks], scores, fits, self._clock.rows)

    def _final_fit(self, task, measure, parameters, threshold, repetitions):
        """Fit to the training part; return (test scores minus the threshold, facts on the fit)."""
        X, positive = self.data.X_train, task.train
        names = task.name, measure.name
        self._prepare_method(*names, X, positive, self.data.X_test)
        final = self._method.final_parameters(X, positive, parameters, measure.name)
        spent = 0.0
        for repetition in range(repetitions):
            training = self._method.fit, X, positive, final, measure.name
            fitted = self._clock.time("fit", *names, *training, repetition=repetition)
            test = self._method.scores, fitted, self.data.X_test
            scores = self._clock.time("predict", *names, *test, repetition=repetition)
            spent += sum(row["cpu_seconds"] for row in self._clock.rows[-2:])
            if spent >= _ENOUGH_SECONDS:
                break
        record = self._method.record(fitted, X, positive)
        return scores - threshold, {**record, "selected": self._selected(final, threshold)}

    def _selected(self, parameters, threshold) -> str:
        """Return the selected hyperparameters, and the threshold if it was tuned, as JSON."""
        return json.dumps({**parameters, "threshold": threshold} if self._tunes else parameters)

    def _reuse_first_seed(self, task, measure, parameters, threshold):
        """Return (test scores, facts) of the first seed's fit with equal parameters, or None."""
        selected = self._selected(parameters, threshold)
        names = [measure.name]
        if not self._method.depends_on_measure:
            names += [other.name for other in self._measures]
        keys = [(task.name, name, selected) for name in names]
        fit = next((self._earlier[key] for key in keys if key in self._earlier), None)
        if fit is None:
            return None
        self._clock.rows += [{**row, "measure": measure.name} for row in fit.seconds]
        return fit.scores, {**fit.record, "selected": selected}

    def _prepare_method(self, task: str, measure: str, X, positive, X_new):
        """Set the budget of operations, and fit the auxiliary classifiers that candidates share."""
        key = (task, measure)
        unspent = OperationBudget(self.paper_configuration.get("budget"))
        self._method.budget = self._budgets.setdefault(key, unspent)
        if self._method.prepares:
            self._clock.time("auxiliaries", *key, self._method.prepare, X, positive, X_new)

    def _warm_up(self):
        """Fit to a few examples, so that measured times exclude the loading of compiled code."""
        task = next((task for task in self._tasks if task.name not in self._unusable), None)
        if task is None:
            return
        rows = first_of_each_class(task.train)
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

    def _select(self, measure) -> Selection:
        """Select the hyperparameters of each task by its validation scores under the measure."""
        configuration = self.method_configuration
        failures = dict(self._unusable)
        if not self._method.prepares:
            # The times of each measure include shared fits, as if it were the only measure.
            self.memory.count_again()
        if not configuration["grid"]:
            return Selection({task.name: {} for task in self._tasks}, {}, failures, "")
        growth, most = configuration.get("extend_grid"), configuration.get("max_extensions", 0)
        grid = Grid(configuration["grid"], growth or {}, most)
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
        grid_limit = "; ".join(grid.limits)
        if grid_limit:
            grown = "of a grid that has grown as often as max_extensions allows"
            logger.warning("%s: chosen most often: %s %s", measure.name, grid_limit, grown)
        if not chosen:
            return Selection({}, None, failures, grid_limit)
        usual = grid.most_frequent(chosen.values())
        counts = f"{len(chosen)} of {len(self._tasks)} classes"
        logger.info("%s: selected for %s, most often %s", measure.name, counts, usual)
        refinement = configuration.get("refinement")
        for task in self._tasks if refinement else ():
            if task.name in chosen:
                # Select again between the chosen values and their neighbours, on more rows.
                around = neighbours(chosen[task.name], refinement["factors"])
                best = self._choose(task, measure, around, failures, refinement["rows"])
                chosen[task.name] = best or chosen[task.name]
        return Selection(chosen, usual, failures, grid_limit)

    def _choose(self, task, measure, candidates, failures, rows=None) -> Candidate | None:
        """Return the best candidate. If validation fails, add to `failures` and return None."""
        label = f"{task.name}, {measure.name}"
        result, failure = attempt(label, self._validate, task, measure, candidates, rows)
        if failure is not None:
            failures[task.name] = failure
            return None
        scores, tie_scores, _ = zip(*result, strict=True)
        best = middle_of_best(scores, tie_scores)
        self._thresholds[task.name, measure.name] = result[best].threshold
        return candidates[best]

    def _measure_of_fits(self, measure) -> str:
        """Return the measure's name, or "all" if the fits are the same for all measures."""
        return measure.name if self._method.depends_on_measure else EVERY_MEASURE

    def _validate(self, task, measure, candidates, rows) -> list[CandidateResult]:
        """Return the validation result of each candidate, for one measure.

        Raises ValueError if the measure is undefined on a validation part.
        """
        results = self._validation.setdefault((task.name, self._measure_of_fits(measure), rows), {})
        keys = [json.dumps(candidate) for candidate in candidates]
        keyed = zip(keys, candidates, strict=True)
        missing = {key: candidate for key, candidate in keyed if key not in results}
        if missing:
            highest: dict[str, float] = {}
            for by_measure in results.values():
                for name, result in by_measure.items():
                    if not isinstance(result, ValueError):
                        highest[name] = max(result.score, highest.get(name, -np.inf))
            compared = self._compare(task, measure, list(missing.values()), rows, highest)
            for index, key in enumerate(missing):
                results[key] = {
                    name: result if isinstance(result, ValueError) else result[index]
                    for name, result in compared.items()
                }
        results_of_measure = [results[key][measure.name] for key in keys]
        for result in results_of_measure:
            if isinstance(result, ValueError):
                raise result
        return results_of_measure

    def _compare(self, task, measure, candidates, rows, best_before):
        """Return {measure: list of the candidates' results, or a ValueError if it is undefined}.

        If the method sets `selection_rows`, a candidate that cannot become the best gets the score
        −inf. `best_before` is the highest score per measure among earlier candidates.
        """
        measures = [measure] if self._method.depends_on_measure else self._measures
        parts = self._parts[task.name]
        reached = np.full((len(measures), 2, len(parts), len(candidates)), np.nan)
        errors = {}
        for_ties = np.zeros((len(parts), len(candidates)))
        names = task.name, self._measure_of_fits(measure)

        def validate(part, chosen):
            fit, validation = parts[part]
            options = {"keep_missing": self._keep_missing}
            X, X_validation = transform_rows(self.data, fit, validation, **options)
            positive = task.train[fit]
            self._prepare_method(*names, X, positive, X_validation)
            chosen_candidates = [candidates[index] for index in chosen]
            arguments = (X, positive, X_validation, chosen_candidates, measure.name, rows)
            scores = self._clock.time("select", *names, self._validation_scores, *arguments)
            truth = task.train[validation]
            if self._for_ties:
                for_ties[part, chosen] = [self._for_ties.score(truth, row) for row in scores]
            for target, (values, thresholds) in zip(measures, reached[:, :, part], strict=True):
                try:
                    thresholds[chosen] = 0.0
                    if self._tunes:
                        thresholds[chosen] = [target.best_threshold(truth, row) for row in scores]
                    pairs = zip(scores, thresholds[chosen], strict=True)
                    values[chosen] = [target.score(truth, row - least) for row, least in pairs]
                except ValueError as error:
                    # The scores of the other measures remain valid.
                    errors[target.name] = error

        if self.method_configuration.get("selection_rows"):
            highest = np.array([best_before.get(target.name, -np.inf) for target in measures])
            race(reached[:, 0], *self._method.paths(candidates), highest, validate)
            reached[:, 0][np.isnan(reached[:, 0])] = -np.inf
        else:
            for part in range(len(parts)):
                validate(part, list(range(len(candidates))))
        means = sum(reached[:, :, part] / len(parts) for part in range(len(parts)))
        tie_scores = for_ties.mean(axis=0)
        results = {
            target.name: list(map(CandidateResult, values, tie_scores, thresholds))
            for target, (values, thresholds) in zip(measures, means, strict=True)
        }
        return results | errors

    def _validation_scores(self, X, positive, X_validation, candidates, measure, rows):
        """Return the validation scores of all candidates, cached if fits serve several measures."""
        training = X, positive, X_validation, candidates
        if self._method.depends_on_measure or self._method.prepares:
            return self._method.validation_scores(*training, measure, rows)
        settings = json.dumps({key: self.method_configuration.get(key) for key in _CANDIDATES})
        remembered = self.memory.cache(_validation_scores, ignore=("method",))
        return remembered(settings, *training, rows, method=self._method)

    def _validation_parts(self, task):
        """Return (fit, validation) pairs of row indices, or None if a class has too few rows."""
        selection = self.paper_configuration["selection"]
        if selection.get("folds"):
            seed = self._derive_seed(task.name, "folds")
            return split_folds(task.train, selection["folds"], seed)
        seed = self._derive_seed(task.name, "holdout")
        return split_holdout(task.train, selection["holdout"], seed)
