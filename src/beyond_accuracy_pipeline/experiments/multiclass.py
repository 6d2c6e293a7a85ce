"""Protocol for multi-class data: fit decision rules to class scores under many cost matrices.

In each fold of a stratified cross-validation, the base classifier is fitted to the training part.
Then the reweighter is fitted to the training part's scores, once per cost matrix, and the test part
is predicted.

By default the base classifier scores the examples that it was fitted to (resubstitution). If the
method or the measure asks for it, the scores come from an inner cross-validation, whose folds also
serve to select the base classifier's hyperparameters, by log-loss.
"""

import json
import warnings
from typing import NamedTuple

import numpy as np
from sklearn.metrics import log_loss

from beyond_accuracy.measures.multiclass import MULTICLASS_MEASURES
from beyond_accuracy_pipeline.experiments.class_scores import (
    class_scores,
    make_base,
    out_of_fold_scores,
    stratified_folds,
)
from beyond_accuracy_pipeline.experiments.dotted_paths import load_class
from beyond_accuracy_pipeline.experiments.experiment import Experiment, FitResult, attempt
from beyond_accuracy_pipeline.experiments.grid import combinations, in_order
from beyond_accuracy_pipeline.results.scores import (
    COST_MATRICES,
    FOLDS,
    PREDICTION,
    TREE,
    TRUE_CLASSES,
)

ZERO_ONE = "zero_one"
"""Name of the task in which every error costs 1."""


def cost_matrices(n_matrices: int, largest_cost: int, n_classes: int, seed: int) -> np.ndarray:
    """Draw random cost matrices: integers from 1 to `largest_cost`, with zeros on the diagonal.

    The shape is (n_matrices, n_classes, n_classes); the first class index is the true class.
    """
    rng = np.random.default_rng(seed)
    costs = rng.integers(1, largest_cost, (n_matrices, n_classes, n_classes), endpoint=True)
    return costs * (1.0 - np.eye(n_classes))


class FoldScores(NamedTuple):
    """Class probabilities in one fold, and the selected hyperparameters as JSON.

    `train` and `test` are predicted by a classifier fitted to the training examples. `out_of_fold`
    has probabilities of the training examples from an inner cross-validation, if needed.
    """

    train: np.ndarray | None
    test: np.ndarray | None
    out_of_fold: np.ndarray | None
    selected: str | None


class MulticlassExperiment(Experiment):
    """Experiment that fits a method to a multi-class data set under several cost matrices.

    A method is a base classifier, fitted once per fold, and a decision rule for its class scores,
    fitted once per fold and cost matrix.
    """

    def __post_init__(self):
        super().__post_init__()
        data = self.data
        self._cross_validation = self.paper_configuration["cross_validation"]
        settings = self.paper_configuration["cost_matrices"]
        self._m = len(data.class_names)
        seed = self._derive_seed("costs")
        drawn = cost_matrices(settings["number"], settings["largest"], self._m, seed)
        self._costs = np.concatenate([1.0 - np.eye(self._m)[None], drawn])
        self._tasks = [ZERO_ONE, *(f"cost_matrix_{k + 1}" for k in range(len(drawn)))]
        n_folds = self._cross_validation["n_folds"]
        self._folds = stratified_folds(data.y_train, n_folds, self._derive_seed("folds"))

    def run(self) -> FitResult:
        y = self.data.y_train.astype(np.int16)
        arrays = {TRUE_CLASSES: y, FOLDS: self._folds, COST_MATRICES: self._costs}
        for measure in self._measures:
            arrays[PREDICTION + measure] = np.full((len(self._tasks), len(y)), -1, dtype=np.int16)
        rows = []
        if self.method_configuration.get("reweighter") is not None:
            # If the warm-up fails, the real fits record the error.
            attempt("warm-up", self._warm_up)
        for fold in range(self._cross_validation["n_folds"]):
            test = self._folds == fold
            of_fold, no_scores = attempt(f"fold {fold}", self._scores, fold, ~test)
            of_fold = of_fold or FoldScores(None, None, None, None)
            for measure in self._measures:
                scores = of_fold.out_of_fold if self._is_out_of_fold(measure) else of_fold.train
                tasks = slice(1, None) if MULTICLASS_MEASURES[measure].under_costs else slice(1)
                for cost_index, task in list(enumerate(self._tasks))[tasks]:
                    row = {"task": task, "measure": measure, "fold": fold}
                    row |= {"n_train": int((~test).sum()), "n_test": int(test.sum())}
                    row["selected"] = of_fold.selected
                    outcome, failure = None, no_scores
                    if failure is None:
                        label = f"{task}, fold {fold}"
                        arguments = scores, y[~test], of_fold.test, cost_index, row
                        outcome, failure = attempt(label, self._predict, *arguments)
                    row["status"], row["reason"] = failure or ("ok", "")
                    if outcome is not None:
                        arrays[PREDICTION + measure][cost_index, test], record = outcome
                        row.update(record)
                    rows.append(row)
        if self.method_configuration.get("keep") == "tree":
            tree, _ = attempt("tree", self._tree)
            arrays |= {} if tree is None else {TREE: np.array(tree)}
        return FitResult(self._tasks, arrays, rows, self._clock.rows)

    def _warm_up(self):
        """Reweight one example per class, so that times exclude the loading of compiled code."""
        scores = 0.5 * np.eye(self._m) + 0.5 / self._m
        classes = np.arange(self._m, dtype=np.int16)
        for costs in self._costs[:2]:
            self._make_reweighter("warm-up").fit(scores, classes, costs).predict(scores)

    def _scores(self, fold: int, train: np.ndarray) -> FoldScores:
        """Fit the base classifier to a fold's training part, a mask, and score both parts."""
        X, y = self.data.X_train, self.data.y_train
        n_folds = self._cross_validation["n_inner_folds"]
        inner = stratified_folds(y[train], n_folds, self._derive_seed("inner folds", fold))
        chosen = self._choose(fold, X[train], y[train], inner)
        base = self._make_base(fold, chosen)
        remembered = self.memory.cache(class_scores)
        arguments = base, X[train], y[train], X, self._m
        everything = self._clock.time("base", ZERO_ONE, "all", remembered, *arguments)
        out_of_fold = None
        reweighted = self.method_configuration.get("reweighter") is not None
        if reweighted and any(map(self._is_out_of_fold, self._measures)):
            remembered = self.memory.cache(out_of_fold_scores)
            arguments = base, X[train], y[train], inner, self._m
            out_of_fold = self._clock.time("out_of_fold", ZERO_ONE, "all", remembered, *arguments)
        selected = json.dumps(chosen) if chosen else None
        return FoldScores(everything[train], everything[~train], out_of_fold, selected)

    def _choose(self, fold, X, y, inner):
        """Return the candidate of the grid with the smallest log-loss over the inner folds.

        Candidates are not calibrated, because calibration hides most differences.
        """
        grid = self.method_configuration.get("grid") or {}
        candidates = combinations({name: in_order(values) for name, values in grid.items()})
        if len(candidates) == 1:
            return candidates[0]
        remembered = self.memory.cache(out_of_fold_scores)
        losses = []
        for candidate in candidates:
            arguments = self._make_base(fold, candidate, calibration=None), X, y, inner, self._m
            scores = self._clock.time("select", ZERO_ONE, "all", remembered, *arguments)
            losses.append(log_loss(y, scores, labels=range(self._m)))
        return candidates[int(np.argmin(losses))]

    def _is_out_of_fold(self, measure):
        """Return whether the reweighter is fitted to out-of-fold scores for a measure."""
        chosen = self.method_configuration.get("training_scores")
        return MULTICLASS_MEASURES[measure].out_of_fold or chosen == "out_of_fold"

    def _predict(self, scores, y, test_scores, cost_index, row):
        """Fit the decision rule to training scores; return (predictions, facts about the fit)."""
        costs = self._costs[cost_index]
        if self.method_configuration.get("reweighter") is None:
            if self.method_configuration.get("decision") == "least_expected_cost":
                return np.argmin(test_scores @ costs, axis=1), {}
            return np.argmax(test_scores, axis=1), {}
        reweighter = self._make_reweighter(row["task"], row["fold"])
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="the rows of the scores sum to")
            names = row["task"], row["measure"]
            self._clock.time("reweight", *names, reweighter.fit, scores, y, costs)
        counted = ("n_generations_", "n_rounds_", "n_iter_")
        n_iter = [getattr(reweighter, name) for name in counted if hasattr(reweighter, name)]
        record = {"objective": reweighter.objective_, "n_iter": n_iter[0] if n_iter else None}
        if hasattr(reweighter, "weights_"):
            record["degenerate"] = not reweighter.weights_.any()
        if hasattr(reweighter, "tree_"):
            record["root_threshold"] = float(np.exp(reweighter.tree_.threshold))
        return reweighter.predict(test_scores), record

    def _make_base(self, fold, chosen, **changes):
        """Return the unfitted base classifier of a fold, with the hyperparameters `chosen`."""
        configuration = self.method_configuration
        parameters = {**(configuration.get("parameters") or {}), **chosen}
        configuration = {**configuration, **changes, "parameters": parameters}
        return make_base(configuration, self.data, self._derive_seed("base", fold))

    def _make_reweighter(self, *names):
        """Return an unfitted reweighter; its seed is derived from `names`."""
        reweighter = load_class(self.method_configuration["reweighter"])()
        parameters = dict(self.method_configuration.get("reweighter_parameters") or {})
        if "random_state" in reweighter.get_params():
            parameters = {"random_state": self._derive_seed("reweighter", *names), **parameters}
        return reweighter.set_params(**parameters)

    def _tree(self):
        """Fit MetaClass's tree to all examples for equal costs; return its nodes as JSON."""
        X, y = self.data.X_train, self.data.y_train
        scores = class_scores(self._make_base("all", {}), X, y, X, self._m)
        reweighter = self._make_reweighter("all").fit(scores, y)
        rows = []
        pending = [(reweighter.tree_, None, None)]
        while pending:
            node, parent, side = pending.pop()
            names = [self.data.class_names[c] for c in node.classes]
            row = {"parent": parent, "side": side, "classes": names, "n_examples": node.n_examples}
            rows.append({**row, "log_threshold": node.threshold})
            if node.left is not None:
                number = len(rows) - 1
                pending += [(node.right, number, "right"), (node.left, number, "left")]
        return json.dumps(rows)
