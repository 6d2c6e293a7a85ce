"""Classifier adaptation in the pipeline: shared auxiliaries, paths, kernels, budgets."""

import json

import numpy as np
import pytest
import scipy.sparse
from sklearn.datasets import make_classification
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.tree import DecisionTreeClassifier

from beyond_accuracy.datasets.prepared import PreparedDataSet
from beyond_accuracy.estimators import (
    CAPOClassifier,
    CoreVectorMachine,
    MultivariateSVC,
    WeightedEnsemble,
)
from beyond_accuracy.experiments.auxiliary_outputs import AuxiliaryOutputs
from beyond_accuracy.experiments.binary import BinaryExperiment
from beyond_accuracy.experiments.budget import BudgetExceeded, OperationBudget, operations_of
from beyond_accuracy.experiments.grid import neighbours
from beyond_accuracy.experiments.methods import make_method
from beyond_accuracy.experiments.result import result_frames
from beyond_accuracy.experiments.tasks import stratified_sample

MACHINE = {"estimator": "beyond_accuracy.estimators.CoreVectorMachine", "grid": {}}
TREE = {
    "estimator": "sklearn.tree.DecisionTreeClassifier",
    "parameters": {"max_depth": 2, "random_state": 0},
    "grid": {},
}
CAPO = {
    "estimator": "beyond_accuracy.estimators.CAPOClassifier",
    "auxiliaries": {"machine": MACHINE, "tree": TREE},
    "parameters": {"tol": 1e-6},
    "grid": {"C": [0.1, 1.0]},
}
ENSEMBLE = {**CAPO, "estimator": "beyond_accuracy.estimators.WeightedEnsemble"}
KERNEL = {
    "estimator": "beyond_accuracy.estimators.MultivariateSVC",
    "parameters": {"kernel": "rbf", "trace_tol": 1e-9, "tol": 1e-5},
    "selection_parameters": {"tol": 1e-4},
    "grid": {"C": [1.0, 10.0], "gamma": [0.1, 1.0]},
}
KERNEL_COST_MODEL = {
    "estimator": "beyond_accuracy.estimators.KernelCostModelSVC",
    "grid": {"C": [1.0], "j": [1.0, 3.0], "gamma": [0.1]},
}
PAPER = {"measures": ["f1", "roc_area"], "selection": {"folds": 3}}


@pytest.fixture(scope="module")
def data():
    X, y = make_classification(
        240, 6, n_informative=4, weights=[0.7], class_sep=0.8, random_state=3
    )
    y = np.where(y > 0, 1, -1).astype(np.int8)
    return PreparedDataSet("d", "binary", X[:160], y[:160], X[160:], y[160:], ("no", "yes"))


def run(data, method, **paper):
    experiment = BinaryExperiment(
        data, paper="p", method_configuration=method, paper_configuration={**PAPER, **paper}, seed=1
    )
    return experiment.run()


def trained_tree(data):
    return DecisionTreeClassifier(max_depth=2, random_state=0).fit(data.X_train, data.y_train > 0)


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("B", [0.25, 1.0])
def test_final_fit_is_that_of_the_classifier(data, B, sparse):
    kind = scipy.sparse.csr_matrix if sparse else np.asarray
    X, X_test, positive = kind(data.X_train), kind(data.X_test), data.y_train > 0
    n = len(positive)
    method = make_method(CAPO)
    fitted = method.fit(X, positive, {"C": 1.0, "B": B}, "f1")
    auxiliaries = [CoreVectorMachine(), DecisionTreeClassifier(max_depth=2, random_state=0)]
    model = CAPOClassifier(auxiliaries, "f1", C=n / 100, B=B, tol=1e-6).fit(X, positive)
    assert method.record(fitted, X, positive)["objective"] == pytest.approx(
        model.objective_, rel=2e-6
    )
    close = np.abs(method.scores(fitted, X_test) - model.decision_function(X_test))
    assert close.max() < 0.05


def test_ensemble_is_that_of_the_classifier(data):
    positive = data.y_train > 0
    method = make_method(ENSEMBLE)
    fitted = method.fit(data.X_train, positive, {"C": 1.0}, "f1")
    auxiliaries = [CoreVectorMachine(), DecisionTreeClassifier(max_depth=2, random_state=0)]
    model = WeightedEnsemble(auxiliaries, "f1", C=1.6, tol=1e-6).fit(data.X_train, positive)
    found = method.record(fitted, data.X_train, positive)["objective"]
    assert found == pytest.approx(model.objective_, rel=2e-6)


def test_candidates_are_those_of_fits_of_their_own(data):
    X, positive = data.X_train, data.y_train > 0
    candidates = [{"C": C, "B": B} for B in (4.0, 0.5) for C in (1.0, 0.01)]
    method = make_method({**CAPO, "grid": {"C": [0.01, 1.0], "B": [0.5, 4.0]}})
    scores, degenerate = method.validation_scores(X, positive, data.X_test, candidates, "accuracy")
    for row, candidate in zip(scores, candidates, strict=True):
        alone = method.scores(method.fit(X, positive, candidate, "accuracy"), data.X_test)
        assert np.abs(row - alone).max() < 0.05
    assert not degenerate.any()
    assert np.abs(scores[1] - scores[3]).max() > 0.01


class Counting(DecisionTreeClassifier):
    """Counts how often any of them is fitted."""

    fits = 0

    def fit(self, X, y):
        Counting.fits += 1
        return super().fit(X, y)


def test_auxiliaries_are_fitted_once_to_each_part(data):
    positive = data.y_train > 0
    outputs = AuxiliaryOutputs({"tree": Counting(max_depth=2, random_state=0)})
    Counting.fits = 0
    for _ in range(2):
        outputs.train(data.X_train, positive)
        found = outputs.predict(data.X_train, positive, data.X_test)
    assert Counting.fits == 1
    outputs.train(data.X_train, ~positive)
    outputs.train(data.X_train[:100], positive[:100])
    assert Counting.fits == 3
    expected = np.where(trained_tree(data).predict(data.X_test), 1.0, -1.0)
    assert (found[:, 0] == expected).all()


def test_cross_fitted_outputs_come_from_the_other_folds(data):
    positive = data.y_train > 0
    tree = DecisionTreeClassifier(random_state=0)
    plain = AuxiliaryOutputs({"tree": tree}).train(data.X_train, positive)
    crossed = AuxiliaryOutputs({"tree": tree}, cross_fit=4).train(data.X_train, positive)
    folds = StratifiedKFold(4, shuffle=True, random_state=0)
    expected = cross_val_predict(tree, data.X_train, positive.astype(int), cv=folds)
    assert (crossed.outputs[:, 0] == np.where(expected == 1, 1.0, -1.0)).all()
    assert (plain.outputs[:, 0] == np.where(positive, 1.0, -1.0)).all()
    assert (crossed.outputs != plain.outputs).any()


DUMMY = {
    "estimator": "sklearn.dummy.DummyClassifier",
    "parameters": {"strategy": "most_frequent"},
    "grid": {},
}


def test_auxiliaries_of_one_class_are_left_out(data):
    linear = {
        "estimator": "beyond_accuracy.estimators.MultivariateSVC",
        "parameters": {"tol": 1e-6},
        "grid": {"C": [0.1, 1.0]},
    }
    result = run(data, {**CAPO, "auxiliaries": {"constant": DUMMY}})
    alone = run(data, linear)
    for measure in PAPER["measures"]:
        assert (result.arrays[measure] == alone.arrays[measure]).all()
    assert {row["left_out"] for row in result.fits} == {"constant"}
    ensemble = run(data, {**ENSEMBLE, "auxiliaries": {"constant": DUMMY}})
    assert {row["status"] for row in ensemble.fits} == {"failed"}
    assert "every auxiliary predicts one class only" in ensemble.fits[0]["reason"]


def test_auxiliaries_of_one_class_on_parts_of_the_selection_are_named(data, monkeypatch):
    few = 2 * len(data.y_train) // 3 + 1

    def predict(self, X):
        # What is seen of the training part tells whether it is one of the three folds' or whole.
        return np.zeros(len(X), dtype=int) if self.n_seen_ <= few else tree_predict(self, X)

    def fit(self, X, y):
        self.n_seen_ = len(X)
        return tree_fit(self, X, y)

    tree_fit, tree_predict = DecisionTreeClassifier.fit, DecisionTreeClassifier.predict
    monkeypatch.setattr(DecisionTreeClassifier, "fit", fit)
    monkeypatch.setattr(DecisionTreeClassifier, "predict", predict)
    result = run(data, CAPO)
    assert {row["left_out"] for row in result.fits} == {"tree in 3 of 3 parts"}


def test_seconds_of_auxiliaries_are_apart(data):
    result = run(data, CAPO)
    stages = {(row["stage"], row["measure"]) for row in result.seconds}
    expected = {(stage, m) for stage in ("auxiliaries", "select", "fit", "predict")
                for m in PAPER["measures"]}  # fmt: skip
    assert stages == expected
    assert {row["left_out"] for row in result.fits} == {""}
    fits, _ = result_frames(result, paper="p", data_set="d", method="m")
    assert "left_out" in fits
    assert "kernel_error" not in fits


def test_without_grid_nothing_is_selected(data):
    result = run(data, MACHINE)
    assert {row["stage"] for row in result.seconds} == {"fit", "predict"}
    assert {row["selected"] for row in result.fits} == {"{}"}
    model = CoreVectorMachine().fit(data.X_train, data.y_train > 0)
    for measure in PAPER["measures"]:
        assert (result.arrays[measure][0] == model.decision_function(data.X_test)).all()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"parameters": {"form": "fixed"}}, "found form"),
        ({"grid": {"C": [1.0], "cv": [3]}}, "its grid must be C and possibly B"),
        ({"grid": {"B": [1.0]}}, "its grid must be C and possibly B"),
        ({"grid": {"C": [0]}}, "C must be a positive number"),
        ({"estimator": ENSEMBLE["estimator"], "grid": {"C": [1], "B": [1]}}, "must be C alone"),
        ({**KERNEL, "grid": {"C": [1], "gamma": [1], "degree": [2]}}, "its grid must be C and"),
        ({**KERNEL, "parameters": {"kernel": "poly"}}, "kernel must be one of"),
    ],
)
def test_what_is_no_path_is_named(change, message):
    with pytest.raises(ValueError, match=message):
        make_method({**CAPO, **change})


def test_candidates_of_a_kernel_are_those_of_its_classifier(data):
    X, positive = data.X_train, data.y_train > 0
    candidates = [{"C": C, "gamma": gamma} for C in (1.0, 10.0) for gamma in (0.1, 1.0)]
    scores, _ = make_method(KERNEL).validation_scores(
        X, positive, data.X_test, candidates, "accuracy"
    )
    for row, candidate in zip(scores, candidates, strict=True):
        model = MultivariateSVC(
            "accuracy",
            C=candidate["C"] * 1.6,
            kernel="rbf",
            gamma=candidate["gamma"],
            trace_tol=0,
            tol=1e-6,
        ).fit(X, positive)
        assert np.abs(row - model.decision_function(data.X_test)).max() < 0.02


@pytest.mark.parametrize("method", [KERNEL, KERNEL_COST_MODEL])
def test_refinement_chooses_around_what_the_grid_chose(data, method):
    coarse = run(data, {**method, "selection_rows": 60})
    refinement = {"rows": 90, "factors": {"gamma": 2.0}}
    fine = run(data, {**method, "selection_rows": 60, "refinement": refinement})
    for one, other in zip(coarse.fits, fine.fits, strict=True):
        assert other["status"] == "ok"
        before, after = json.loads(one["selected"]), json.loads(other["selected"])
        assert after in neighbours(before, {"gamma": 2.0})
        assert other["kernel_error"] <= 1e-9
    fits, _ = result_frames(fine, paper="p", data_set="d", method="m")
    assert fits["kernel_error"].notna().all()


def test_examples_to_compare_on_are_nested_and_stratified():
    positive = np.arange(1000) % 10 == 0
    small, large = (stratified_sample(positive, n) for n in (100, 300))
    assert (np.diff(small) > 0).all()
    assert set(small) < set(large)
    assert positive[small].sum() == 10
    assert positive[large].sum() == 30
    assert (stratified_sample(positive, None) == np.arange(1000)).all()
    assert len(stratified_sample(np.arange(1000) < 3, 10)) == 11


def test_budget_counts_operations():
    budget = OperationBudget(100.0)
    budget.spend(operations_of(5, np.ones((2, 3))))
    assert budget.spent == 60
    sparse = scipy.sparse.csr_matrix(np.eye(4))
    assert operations_of(np.array([2, 5]), sparse) == 40
    assert operations_of(None, sparse) == 0
    budget.spend(40)
    with pytest.raises(BudgetExceeded, match=r"1\.0e\+02 operations, more than the budget"):
        budget.spend(1)


@pytest.mark.parametrize("method", [CAPO, KERNEL, KERNEL_COST_MODEL])
def test_beyond_the_budget_the_status_is_timeout(data, method):
    result = run(data, method, budget=1000.0)
    assert {row["status"] for row in result.fits} == {"timeout"}
    assert all("more than the budget of 1.0e+03" in row["reason"] for row in result.fits)
    assert {row["status"] for row in run(data, method, budget=1e9).fits} == {"ok"}


def test_final_fit_beyond_the_budget_is_a_timeout(data):
    method = make_method(CAPO)
    spent = run(data, CAPO, measures=["f1"], budget=1e9)
    assert spent.fits[0]["status"] == "ok"
    method.budget = OperationBudget(1.0)
    with pytest.raises(BudgetExceeded):
        method.fit(data.X_train, data.y_train > 0, {"C": 1.0}, "f1")
