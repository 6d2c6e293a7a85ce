"""Select auxiliary classifiers by the target measure, and compare them with the default ones."""

import itertools

import numpy as np

from beyond_accuracy.estimators.auxiliaries import augment
from beyond_accuracy.measures import get_measure
from beyond_accuracy_pipeline.datasets.preprocessing import transform_rows
from beyond_accuracy_pipeline.experiments.dotted_paths import make_estimator
from beyond_accuracy_pipeline.experiments.experiment import CannotRun
from beyond_accuracy_pipeline.experiments.grid import Grid, middle_of_best
from beyond_accuracy_pipeline.experiments.methods import Method
from beyond_accuracy_pipeline.experiments.seeds import derive_seed
from beyond_accuracy_pipeline.experiments.studies.cells import evaluate_cells
from beyond_accuracy_pipeline.experiments.tasks import split_folds, stratified_sample
from beyond_accuracy_pipeline.results.columns import Rows

DEFAULT, SELECTED = "default", "selected"


def auxiliary_selection(data, settings, seed_and_paper) -> tuple[Rows, Rows]:
    """Select CAPO's auxiliary classifiers for each measure by cross-validation.

    CAPO (classifier adaptation, Li et al. 2013) trains a linear SVM whose additional features are
    the predictions of auxiliary classifiers. The default auxiliaries are the kernel machines in
    `settings["auxiliaries"]`. The candidates are these machines with each kernel width in
    `settings["widths"]`. As many are selected as there are default auxiliaries.

    Return (rows, []). For each measure, one row is for the default auxiliaries and one for the
    selected ones. Both have the mean test value of the measure over the auxiliaries. The second
    also has the C chosen for CAPO, and CAPO's test value.
    """
    n_candidates = len(settings["auxiliaries"]) * len(settings["widths"])
    cells = [
        {"measure": measure, "which": which, "n_candidates": n_candidates}
        for measure in settings["measures"]
        for which in (DEFAULT, SELECTED)
    ]

    def start(data, task):
        folds, names = settings["folds"], (*seed_and_paper, data.name)
        parts = split_folds(task.train, folds, derive_seed(*names, task.name, "folds"))
        if parts is None:
            raise CannotRun(f"a class has fewer training examples than there are folds, {folds}")
        return _Selection(data, task, parts, settings, (*names, "auxiliary_selection")).complete

    return evaluate_cells(data, cells, start)


class _Selection:
    """Candidates, pairs (auxiliary, factor of its kernel width), and their fits in each fold."""

    def __init__(self, data, task, parts, settings, seed_names):
        self._seed_names = seed_names
        self._data, self._task, self._settings = data, task, settings
        # The default width comes first, because the other widths are relative to it.
        widths = sorted(settings["widths"], key=lambda width: width != 1)
        self._names = list(itertools.product(settings["auxiliaries"], widths))
        self._parts = []
        for part, validation in parts:
            part = part[stratified_sample(task.train[part], settings["rows"])]
            X, X_validation = transform_rows(data, part, validation)
            training = X, task.train[part], X_validation, {}
            decisions = [self._decisions(name, *training) for name in self._names]
            trained, new = map(np.array, zip(*decisions, strict=True))
            self._parts.append((part, validation, (trained, new)))
        self._final, self._final_widths = {}, {}

    def _decisions(self, name, X, positive, X_new, widths):
        """Fit a candidate to (X, positive) and return its decision values for X and X_new.

        `widths` is a dict to which factor 1 adds the auxiliary's default width, for other factors.
        """
        auxiliary, width = name
        model = make_estimator(self._settings["auxiliaries"][auxiliary])
        if width != 1:
            state = derive_seed(*self._seed_names, auxiliary, str(width))
            model.set_params(gamma=width * widths[auxiliary], random_state=state)
        model.fit(X, positive.astype(int))
        if width == 1:
            widths[auxiliary] = model.gamma_
        return model.decision_function(X), model.decision_function(X_new)

    def complete(self, row):
        """Add names and test value of the "default" or "selected" auxiliaries to `row`."""
        default = [index for index, (_, width) in enumerate(self._names) if width == 1]
        measure = get_measure(row["measure"])
        candidates = default if row["which"] == DEFAULT else self._best(measure, len(default))
        for candidate in [*default, *candidates]:
            if candidate not in self._final:
                training = self._data.X_train, self._task.train, self._data.X_test
                decisions = self._decisions(self._names[candidate], *training, self._final_widths)
                self._final[candidate] = decisions
        finals = [self._final[candidate] for candidate in candidates]
        values = [measure.score(self._task.test, test) for _, test in finals]
        names = [self._names[candidate] for candidate in candidates]
        row["auxiliaries"] = ", ".join(f"{auxiliary} {width:g}" for auxiliary, width in names)
        row["auxiliary_value"] = float(np.mean(values))
        if row["which"] == SELECTED:
            row["C"] = self._choose_C(measure, candidates)
            row["capo_value"] = self._adapt(measure, finals, row["C"])

    def _best(self, measure, n_best):
        """Return the indices of the `n_best` candidates with the highest mean over the folds."""
        values = [
            [measure.score(self._task.train[validation], scores) for scores in new]
            for _, validation, (_, new) in self._parts
        ]
        return np.argsort(-np.mean(values, axis=0), kind="stable")[:n_best].tolist()

    def _svm(self):
        """Return the linear SVM that CAPO trains on features and auxiliaries' predictions."""
        parameters = {name: self._settings[name] for name in ("tol", "max_iter")}
        estimator = "beyond_accuracy.estimators.MultivariateSVC"
        return Method({"estimator": estimator, "parameters": parameters})

    def _choose_C(self, measure, candidates):
        """Return the C with which CAPO has the best mean over the folds; the grid of C may grow."""
        grid = Grid({"C": self._settings["C"]}, {"C": "both"}, max_extensions=3)
        values: dict[float, float] = {}
        while True:
            missing = [C for C in grid.values["C"] if C not in values]
            means = np.zeros(len(missing))
            for part, validation, (trained, new) in self._parts:
                X, X_validation = transform_rows(self._data, part, validation)
                features = augment(X, _signs(trained[candidates]))
                others = augment(X_validation, _signs(new[candidates]))
                scores = self._svm().validation_scores(
                    features, self._task.train[part], others, [{"C": C} for C in missing], measure
                )
                truth = self._task.train[validation]
                means += [measure.score(truth, row) / len(self._parts) for row in scores]
            values |= dict(zip(missing, means, strict=True))
            compared = grid.values["C"]
            chosen = compared[middle_of_best([values[C] for C in compared])]
            if not grid.grow([{"C": chosen}]):
                return chosen

    def _adapt(self, measure, finals, C):
        """Return CAPO's test value, given each auxiliary's training and test decision values."""
        trained, test = (_signs(np.array(part)) for part in zip(*finals, strict=True))
        svm = self._svm()
        fitted = svm.fit(augment(self._data.X_train, trained), self._task.train, {"C": C}, measure)
        scores = svm.scores(fitted, augment(self._data.X_test, test))
        return measure.score(self._task.test, scores)


def _signs(decisions):
    """Return the signs of decision values, shape (m, n), as ±1, shape (n, m)."""
    return np.where(decisions.T > 0, 1.0, -1.0)
