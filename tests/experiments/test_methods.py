"""Methods of a configuration: unit of C, shared auxiliaries, compared examples, budgets."""

import itertools
import json
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse
from sklearn.tree import DecisionTreeClassifier

from beyond_accuracy.estimators import CAPOClassifier, MultivariateSVC
from beyond_accuracy_pipeline.experiments.experiment import result_frames
from beyond_accuracy_pipeline.experiments.grid import neighbours
from beyond_accuracy_pipeline.experiments.methods import Method, OperationBudget, operations_of
from beyond_accuracy_pipeline.experiments.tasks import stratified_sample
from beyond_accuracy_pipeline.reproduction import CoreVectorMachine, KernelCostModelSVC
from beyond_accuracy_pipeline.reproduction.budget import BudgetExceededError

from .binary_runs import binary_data, run_binary

MACHINE = {"estimator": "beyond_accuracy_pipeline.reproduction.CoreVectorMachine", "grid": {}}
TREE = {
    "estimator": "sklearn.tree.DecisionTreeClassifier",
    "parameters": {"max_depth": 2, "random_state": 0},
    "grid": {},
}
# Outputs as in the paper: ±1, from auxiliaries fitted to the same examples.
SIGNS = {"real_valued": False, "cross_fit": False}
CAPO = {
    "estimator": "beyond_accuracy.estimators.CAPOClassifier",
    "auxiliaries": {"machine": MACHINE, "tree": TREE},
    "parameters": {**SIGNS, "tol": 1e-6},
    "grid": {"C": [0.1, 1.0]},
}
ENSEMBLE = {**CAPO, "parameters": {**CAPO["parameters"], "delta_features": "drop"}}
KERNEL = {
    "estimator": "beyond_accuracy.estimators.MultivariateSVC",
    "parameters": {"kernel": "rbf", "trace_tol": 1e-9, "tol": 1e-5},
    "selection_parameters": {"tol": 1e-4},
    "grid": {"C": [1.0, 10.0], "gamma": [0.1, 1.0]},
}
KERNEL_COST_MODEL = {
    "estimator": "beyond_accuracy_pipeline.reproduction.KernelCostModelSVC",
    "grid": {"C": [1.0], "j": [1.0, 3.0], "gamma": [0.1]},
}
PAPER = {"measures": ["f1", "roc_area"], "selection": {"folds": 3}}


@pytest.fixture(scope="module")
def data():
    return binary_data(240, 160, n_informative=4, weights=[0.7], class_sep=0.8, random_state=3)


def run(data, method, **paper):
    return run_binary(data, method, {**PAPER, **paper})


AUXILIARIES = [CoreVectorMachine(), DecisionTreeClassifier(max_depth=2, random_state=0)]


# With 160 training examples, SVM-perf's C is 1.6 times the configured C.
@pytest.mark.parametrize(
    ("method", "parameters", "model"),
    [
        (
            CAPO,
            {"C": 2.0, "B": 0.5},
            CAPOClassifier(AUXILIARIES, "f1", C=3.2, B=0.5, tol=1e-6, **SIGNS),
        ),
        (
            KERNEL,
            {"C": 2.0, "gamma": 0.3},
            MultivariateSVC("f1", C=3.2, kernel="rbf", gamma=0.3, trace_tol=1e-9, tol=1e-5),
        ),
        (KERNEL_COST_MODEL, {"C": 2.0, "gamma": 0.3}, KernelCostModelSVC(2.0, gamma=0.3)),
    ],
    ids=["capo", "kernel", "kernel cost model"],
)
@pytest.mark.parametrize("sparse", [False, True])
def test_fits_are_those_of_the_estimator_at_the_cost_of_an_example(
    data, method, parameters, model, sparse
):
    kind = scipy.sparse.csr_matrix if sparse else np.asarray
    X, X_test, positive = kind(data.X_train), kind(data.X_test), data.y_train > 0
    own = Method(method)
    fitted = own.fit(X, positive, parameters, "f1")
    model.fit(X, positive.astype(int))
    assert (own.scores(fitted, X_test) == model.decision_function(X_test)).all()
    assert own.record(fitted, X, positive)["objective"] == getattr(model, "objective_", None)


class Counting(DecisionTreeClassifier):
    """Tree that counts the fits of all instances."""

    fits = 0

    def fit(self, X, y):
        Counting.fits += 1
        return super().fit(X, y)


def test_auxiliaries_are_fitted_once_to_each_part(data):
    Counting.fits = 0
    tree = {**TREE, "estimator": f"{__name__}.Counting"}
    grid = {"C": [0.1, 1.0], "B": [0.5, 1.0]}
    result = run(data, {**CAPO, "auxiliaries": {"tree": tree}, "grid": grid}, repetitions=2)
    assert {row["status"] for row in result.fits} == {"ok"}
    # Three folds, all examples, and the few examples that load compiled code.
    assert Counting.fits == 3 + 1 + 1


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
    assert "every auxiliary has equal outputs" in ensemble.fits[0]["reason"]


def test_seconds_of_auxiliaries_are_apart(data):
    result = run(data, CAPO)
    stages = {(row["stage"], row["measure"]) for row in result.seconds}
    expected = ("auxiliaries", "select", "fit", "predict")
    assert stages == set(itertools.product(expected, PAPER["measures"]))
    assert {row["left_out"] for row in result.fits} == {""}
    fits, _ = result_frames(result, paper="p", data_set="d", method="m")
    assert (fits["left_out"] == "").all()
    assert fits["kernel_error"].isna().all()


def test_without_grid_nothing_is_selected(data):
    result = run(data, MACHINE)
    assert {row["stage"] for row in result.seconds} == {"fit", "predict"}
    assert {row["selected"] for row in result.fits} == {"{}"}
    model = CoreVectorMachine().fit(data.X_train, data.y_train > 0)
    for measure in PAPER["measures"]:
        assert (result.arrays[measure][0] == model.decision_function(data.X_test)).all()


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


def test_samples_to_compare_on_are_nested_and_stratified():
    positive = np.arange(1000) % 10 == 0
    small, large = (stratified_sample(positive, n) for n in (100, 300))
    assert (np.diff(small) > 0).all()
    assert set(small) < set(large)
    assert positive[small].sum() == 10
    assert positive[large].sum() == 30
    assert len(stratified_sample(np.arange(1000) < 3, 10)) == 11


def test_budget_counts_operations():
    budget = OperationBudget(100.0)
    budget.spend(operations_of(SimpleNamespace(n_iter_=5), np.ones((2, 3))))
    assert budget.spent == 60
    sparse = scipy.sparse.csr_matrix(np.eye(4))
    assert operations_of(SimpleNamespace(n_iter_=np.array([2, 5])), sparse) == 40
    assert operations_of(SimpleNamespace(), sparse) == 0
    factored = SimpleNamespace(n_iter_=5, pivots_=np.arange(3))
    assert operations_of(factored, sparse) == 2 * 5 * 4 * 3
    assert operations_of(factored, sparse, with_factor=True) == 2 * 5 * 4 * 3 + 4 * 3 * 3
    budget.spend(40)
    with pytest.raises(BudgetExceededError, match=r"1\.0e\+02 operations, more than the budget"):
        budget.spend(1)


@pytest.mark.parametrize("method", [CAPO, KERNEL, KERNEL_COST_MODEL])
def test_beyond_the_budget_the_status_is_timeout(data, method):
    result = run(data, method, budget=1000.0)
    assert {row["status"] for row in result.fits} == {"timeout"}
    assert all("more than the budget of 1.0e+03" in row["reason"] for row in result.fits)
    assert {row["status"] for row in run(data, method, budget=1e9).fits} == {"ok"}
