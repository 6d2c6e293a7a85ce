"""The multi-class protocol: folds, scores without leaks, costs, failures and files."""

import dataclasses
import json

import numpy as np
import pandas as pd
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GridSearchCV,
    PredefinedSplit,
    StratifiedKFold,
    cross_val_predict,
)
from sklearn.naive_bayes import GaussianNB

from beyond_accuracy.reweighting import (
    GeneticReweighter,
    MetaClassReweighter,
    SequentialReweighter,
)
from beyond_accuracy_pipeline.datasets.prepared import PreparedDataSet
from beyond_accuracy_pipeline.experiments.class_scores import (
    class_scores,
    make_base,
    stratified_folds,
)
from beyond_accuracy_pipeline.experiments.multiclass import MulticlassExperiment, cost_matrices
from beyond_accuracy_pipeline.experiments.seeds import derive_seed
from beyond_accuracy_pipeline.reproduction import NaiveBayes

PAPER = {
    "measures": ["error_rate", "average_cost", "error_rate_out_of_fold"],
    "cross_validation": {"n_folds": 4, "n_inner_folds": 3},
    "cost_matrices": {"number": 2, "largest": 10},
}
BAYES = {"estimator": "sklearn.naive_bayes.GaussianNB"}
PLAIN = {**BAYES, "measures": ["error_rate", "average_cost"]}
SEQUENTIAL = {**BAYES, "reweighter": "beyond_accuracy.reweighting.SequentialReweighter"}


@pytest.fixture(scope="module")
def iris():
    X, y = load_iris(return_X_y=True)
    # Without the last two features, which separate the classes, reweighting has an effect.
    return PreparedDataSet(
        "iris", "multiclass", X[:, :2], y.astype(np.int64), None, None, ("a", "b", "c")
    )


def experiment(data, method, **changes):
    given = {"method_configuration": method, "paper_configuration": {**PAPER, **changes}}
    return MulticlassExperiment(data, paper="p", **given, seed=1)


def run(data, method, **changes):
    return experiment(data, method, **changes).run()


def test_equals_the_protocol_by_hand(iris):
    result = run(iris, SEQUENTIAL)
    folds = result.arrays["fold"]
    by_class = [np.bincount(folds[iris.y_train == c]) for c in range(3)]
    assert {int(size) for sizes in by_class for size in sizes} == {12, 13}
    costs = cost_matrices(2, 10, 3, derive_seed(1, "p", "iris", "costs"))
    for fold in range(4):
        train, test = folds != fold, folds == fold
        X, y = iris.X_train[train], iris.y_train[train]
        base = GaussianNB().fit(X, y)
        inner = PredefinedSplit(
            stratified_folds(y, 3, derive_seed(1, "p", "iris", "inner folds", fold))
        )
        known = base.predict_proba(X)
        apart = cross_val_predict(GaussianNB(), X, y, cv=inner, method="predict_proba")
        unknown = base.predict_proba(iris.X_train[test])
        for measure, scores, matrices in (
            ("error_rate", known, {0: None}),
            ("error_rate_out_of_fold", apart, {0: None}),
            ("average_cost", known, {1: costs[0], 2: costs[1]}),
        ):
            for task, matrix in matrices.items():
                expected = SequentialReweighter().fit(scores, y, matrix).predict(unknown)
                assert result.arrays[f"prediction.{measure}"][task, test].tolist() == list(expected)
    assert len(result.fits) == 4 * (1 + 2 + 1)
    assert {row["status"] for row in result.fits} == {"ok"}


@pytest.mark.parametrize("grid", [{}, {"var_smoothing": [1e-9, 1e-2, 1.0]}])
def test_the_test_part_never_decides(iris, grid):
    """Other labels in a fold do not change the predictions for this fold."""
    method = {**SEQUENTIAL, "grid": grid}
    first = run(iris, method)
    folds = first.arrays["fold"]
    for fold in range(4):
        test = folds == fold
        y = iris.y_train.copy()
        # Rotate the labels of the fold. Each class stays as frequent as before.
        y[test] = (y[test] + 1) % 3
        changed = experiment(dataclasses.replace(iris, y_train=y), method)
        changed._folds = folds
        second = changed.run()
        for measure in PAPER["measures"]:
            name = f"prediction.{measure}"
            assert (first.arrays[name][:, test] == second.arrays[name][:, test]).all()


LOGISTIC = {
    "estimator": "sklearn.linear_model.LogisticRegression",
    "parameters": {"max_iter": 1000},
    "grid": {"C": [10, 0.001, 0.1]},
}


def test_parameters_are_those_of_scikit_learns_search_in_the_training_part(iris):
    result = run(iris, LOGISTIC, measures=["error_rate"])
    folds = result.arrays["fold"]
    chosen = []
    for fold in range(4):
        train, test = folds != fold, folds == fold
        X, y = iris.X_train[train], iris.y_train[train]
        inner = stratified_folds(y, 3, derive_seed(1, "p", "iris", "inner folds", fold))
        search = GridSearchCV(
            LogisticRegression(max_iter=1000),
            LOGISTIC["grid"],
            cv=PredefinedSplit(inner),
            scoring="neg_log_loss",
        ).fit(X, y)
        expected = search.predict(iris.X_train[test])
        assert (result.arrays["prediction.error_rate"][0, test] == expected).all()
        chosen.append(search.best_params_)
    assert [json.loads(row["selected"]) for row in result.fits] == chosen
    assert {"C": 0.001} not in chosen
    # Calibration follows the choice of parameters and does not change it.
    calibrated = run(iris, {**LOGISTIC, "calibration": "sigmoid", "calibration_folds": 3})
    assert [
        json.loads(row["selected"]) for row in calibrated.fits[:: len(calibrated.fits) // 4]
    ] == chosen


def test_cost_matrices_are_whole_numbers_off_a_zero_diagonal():
    costs = cost_matrices(50, 10, 4, 3)
    off = costs[:, ~np.eye(4, dtype=bool)]
    assert (costs[:, np.eye(4, dtype=bool)] == 0).all()
    assert set(np.unique(off)) == set(range(1, 11))
    assert (cost_matrices(50, 10, 4, 3) == costs).all()
    assert (cost_matrices(50, 10, 4, 4) != costs).any()


def test_without_reweighter_the_base_classifier_decides(iris):
    plain = run(iris, PLAIN)
    cheapest = run(iris, {**PLAIN, "decision": "least_expected_cost"})
    folds, costs = plain.arrays["fold"], plain.arrays["cost_matrix"]
    test = folds == 0
    base = GaussianNB().fit(iris.X_train[~test], iris.y_train[~test])
    probabilities = base.predict_proba(iris.X_train[test])
    for task in (1, 2):
        predicted = plain.arrays["prediction.average_cost"][task, test]
        assert (predicted == base.predict(iris.X_train[test])).all()
        expected = np.argmin(probabilities @ costs[task], axis=1)
        assert (cheapest.arrays["prediction.average_cost"][task, test] == expected).all()


@pytest.mark.parametrize("is_nominal", [True, False])
def test_missing_values_of_encoded_columns_are_medians_or_categories(iris, is_nominal):
    """A fifth of one column is missing; the other column is complete."""
    codes = np.unique(iris.X_train[:, 0].round(), return_inverse=True)[1].astype(float)
    numbers = iris.X_train[:, 1].copy()
    column = codes if is_nominal else numbers
    column[::5] = np.nan
    data = dataclasses.replace(
        iris,
        X_train=np.stack([codes, numbers], axis=1),
        categories={0: tuple("abcdefgh"[: int(np.nanmax(codes)) + 1])},
    )
    logistic = {"estimator": "sklearn.linear_model.LogisticRegression", "encode": True}
    result = run(data, PLAIN | logistic)
    test = result.arrays["fold"] == 0
    filled = np.where(np.isnan(numbers), np.nanmedian(numbers[~test]), numbers)
    scaled = (filled - filled[~test].mean()) / filled[~test].std()
    indicators = np.eye(9)[np.where(np.isnan(codes), 8, codes).astype(int)]
    X = np.column_stack([indicators[:, indicators.any(axis=0)], scaled])
    expected = LogisticRegression().fit(X[~test], iris.y_train[~test]).predict(X[test])
    assert (result.arrays["prediction.error_rate"][0, test] == expected).all()


def test_what_is_recorded_of_weights_is_whether_they_are_zero(iris):
    program = "beyond_accuracy_pipeline.reproduction.LinearProgramReweighter"
    for eta, expected in ((0.0, True), (10.0, False)):
        parameters = {"eta": eta}
        method = {**BAYES, "reweighter": program, "reweighter_parameters": parameters}
        assert {row["degenerate"] for row in run(iris, method).fits} == {expected}


def test_a_class_that_is_missing_from_a_fold_is_not_predicted_there(iris):
    y = np.array([0] * 70 + [1] * 79 + [2])
    result = run(dataclasses.replace(iris, y_train=y), SEQUENTIAL)
    assert {row["status"] for row in result.fits} == {"ok"}
    alone = result.arrays["fold"] == result.arrays["fold"][-1]
    assert not (result.arrays["prediction.average_cost"][1:, alone] == 2).any()


def test_a_fit_without_result_is_a_row_with_its_reason(iris):
    method = {
        **BAYES,
        "reweighter": "beyond_accuracy_pipeline.reproduction.LinearProgramReweighter",
        "reweighter_parameters": {"normalization": "sum", "max_operations": 1},
    }
    result = run(iris, method)
    assert {row["status"] for row in result.fits} == {"timeout"}
    assert all("max_operations" in row["reason"] for row in result.fits)
    assert (result.arrays["prediction.error_rate"] == -1).all()


def test_random_reweighters_get_seeds_of_their_own(iris):
    method = {
        **SEQUENTIAL,
        "reweighter": "beyond_accuracy.reweighting.GeneticReweighter",
        "reweighter_parameters": {"max_generations": 3},
    }
    result = run(iris, method, measures=["average_cost"])
    train = result.arrays["fold"] != 2
    X, y = iris.X_train[train], iris.y_train[train]
    scores = GaussianNB().fit(X, y).predict_proba(X)
    seed = derive_seed(1, "p", "iris", "reweighter", "cost_matrix_2", 2)
    genetic = GeneticReweighter(max_generations=3, random_state=seed)
    genetic.fit(scores, y, result.arrays["cost_matrix"][2])
    row = pd.DataFrame(result.fits).query("task == 'cost_matrix_2' and fold == 2").iloc[0]
    assert row["objective"] == genetic.objective_


def test_base_classifier_is_told_of_nominal_columns():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.integers(0, 2, 60), rng.normal(size=60)]).astype(float)
    data = PreparedDataSet(
        "mixed", "multiclass", X, np.arange(60) % 3, None, None, ("a", "b", "c"),
        categories={0: ("x", "y", "never")},
    )  # fmt: skip
    base = make_base({"estimator": "beyond_accuracy_pipeline.reproduction.NaiveBayes"}, data, 0)
    expected = NaiveBayes(nominal=[0], n_values=np.array([3, 0])).fit(X, data.y_train)
    assert (base.fit(X, data.y_train).predict_proba(X) == expected.predict_proba(X)).all()


def test_calibration_takes_classes_of_few_examples(iris):
    """With enough examples per class, it equals scikit-learn's, which refuses fewer."""
    configuration = {**BAYES, "calibration": "sigmoid", "calibration_folds": 3}
    X, y = iris.X_train, iris.y_train
    splits = StratifiedKFold(3, shuffle=True, random_state=0)
    own = CalibratedClassifierCV(GaussianNB(), method="sigmoid", cv=splits, ensemble=False)
    scores = class_scores(make_base(configuration, iris, 0), X, y, X, 3)
    assert (scores == own.fit(X, y).predict_proba(X)).all()
    few = np.r_[:100, 148:150]
    scores = class_scores(make_base(configuration, iris, 0), X[few], y[few], X, 3)
    assert scores.sum(axis=1) == pytest.approx(1)
    # The rare class has small but positive probabilities.
    assert 0 < scores[:, 2].mean() < scores[:, :2].mean()


def test_the_threshold_at_the_root_is_recorded(iris):
    tree = {"reweighter": "beyond_accuracy.reweighting.MetaClassReweighter"}
    result = run(iris, BAYES | tree)
    train = result.arrays["fold"] != 0
    X, y = iris.X_train[train], iris.y_train[train]
    fitted = MetaClassReweighter().fit(GaussianNB().fit(X, y).predict_proba(X), y)
    first = result.fits[0]
    assert (first["task"], first["fold"]) == ("zero_one", 0)
    assert first["root_threshold"] == np.exp(fitted.tree_.threshold)


def test_tree_is_kept(iris):
    tree = {"reweighter": "beyond_accuracy.reweighting.MetaClassReweighter", "keep": "tree"}
    nodes = json.loads(str(run(iris, BAYES | tree).arrays["tree"]))
    assert nodes[0]["classes"] == ["a", "b", "c"]
    assert nodes[0]["n_examples"] == 150
    leaves = [node["classes"][0] for node in nodes if node["log_threshold"] is None]
    assert sorted(leaves) == ["a", "b", "c"]
