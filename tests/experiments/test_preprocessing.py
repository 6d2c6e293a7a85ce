"""Column transforms are fitted inside each training part, and to no other rows."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from beyond_accuracy_pipeline.datasets.prepared import PreparedDataSet
from beyond_accuracy_pipeline.datasets.preprocessing import transform_parts, transform_rows
from beyond_accuracy_pipeline.experiments.methods import Method
from beyond_accuracy_pipeline.experiments.multiclass import MulticlassExperiment
from beyond_accuracy_pipeline.experiments.tasks import binary_tasks

from .binary_runs import run_binary

PREPROCESS = {"impute": "median", "one_hot": True, "standardize": True}
BINARY = {"measures": ["f1", "roc_area"], "selection": {"folds": 3}}
LOGISTIC = {"estimator": "sklearn.linear_model.LogisticRegression", "grid": {"C": [0.1, 1.0]}}
MULTICLASS = {
    "measures": ["error_rate", "error_rate_out_of_fold"],
    "cross_validation": {"n_folds": 4, "n_inner_folds": 3},
    "cost_matrices": {"number": 1, "largest": 10},
}
SEQUENTIAL = "beyond_accuracy.reweighting.SequentialReweighter"


def data_of(task, *, preprocess, n=120, n_test=40):
    """Return data with a nominal column between two numeric ones, all with missing values."""
    rng = np.random.default_rng(0)
    total = n + n_test
    columns = rng.lognormal(3, 1, total), rng.integers(0, 4, total), rng.normal(7, 2, total)
    X = np.column_stack(columns).astype(np.float64)
    X[rng.random(X.shape) < 0.05] = np.nan
    signal = np.nan_to_num(X[:, 2], nan=7.0) + rng.normal(size=len(X))
    if task == "binary":
        y = np.where(signal > 8, 1, -1).astype(np.int8)
        names = ("no", "yes")
    else:
        y = np.digitize(signal, [6, 8])
        names = ("a", "b", "c")
    parts = X[:n], y[:n], X[n:], y[n:]
    record = {"name": "own", "task": task, "status": "ok", "preprocess": preprocess}
    categories = {1: ("p", "q", "r", "s")}
    return PreparedDataSet("own", task, *parts, names, ("x", "c", "z"), categories, record)


def by_hand(data):
    numbers = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
    return make_column_transformer((numbers, [0, 2]), (OneHotEncoder(sparse_output=False), [1]))


def test_rows_are_transformed_by_what_was_fitted_to_the_first_ones():
    data = data_of("binary", preprocess=PREPROCESS)
    fit, validation = np.arange(0, 120, 2), np.arange(1, 120, 2)
    expected = by_hand(data).fit(data.X_train[fit])
    whole = transform_parts(data)
    for each in (data, whole):
        X, X_validation = transform_rows(each, fit, validation)
        for found, rows in ((X, fit), (X_validation, validation)):
            assert found == pytest.approx(expected.transform(data.X_train[rows]))
    expected.fit(data.X_train)
    assert whole.X_test == pytest.approx(expected.transform(data.X_test))


def test_codes_are_kept_for_who_is_told_of_them():
    data = data_of("binary", preprocess={"impute": None, "one_hot": False, "standardize": False})
    done = transform_parts(data)
    assert np.array_equal(done.X_train, data.X_train[:, [0, 2, 1]], equal_nan=True)
    assert done.categories == {2: ("p", "q", "r", "s")}


def test_candidates_of_the_binary_protocol_see_columns_fitted_to_their_part_alone(monkeypatch):
    data = data_of("binary", preprocess=PREPROCESS)
    seen = []

    def record(self, X, positive, X_validation, *arguments):
        seen.append((X, X_validation))
        return original(self, X, positive, X_validation, *arguments)

    original = Method.validation_scores
    monkeypatch.setattr(Method, "validation_scores", record)
    result = run_binary(data, LOGISTIC, BINARY)
    assert len(seen) == 3
    for X, X_validation in seen:
        assert X[:, :2].mean(axis=0) == pytest.approx([0, 0], abs=1e-12)
        assert np.abs(X_validation[:, :2].mean(axis=0)).min() > 1e-6
    # The final fit uses all training rows.
    model = make_pipeline(by_hand(data), LogisticRegression(C=1.0))
    [task] = binary_tasks(data)
    expected = model.fit(data.X_train, task.train).decision_function(data.X_test)
    assert '"C": 1.0' in result.fits[0]["selected"]
    assert result.arrays["f1"][0] == pytest.approx(expected, abs=1e-3)


def test_missing_values_go_to_who_takes_them_and_are_named_to_the_others():
    kept = {"impute": None, "one_hot": True, "standardize": False}
    data = data_of("binary", preprocess=kept)
    boosting = {"estimator": "sklearn.ensemble.HistGradientBoostingClassifier", "grid": {}}
    outcomes = {}
    for method in (boosting, LOGISTIC, boosting | {"oversample": "smote"}):
        result = run_binary(data, method, BINARY)
        outcomes[method["estimator"], "oversample" in method] = result.fits[0]
        if method == boosting:
            assert np.isfinite(result.arrays["f1"]).all()
    statuses = [row.get("status") for row in outcomes.values()]
    assert statuses == ["ok", "failed", "failed"]
    assert "is missing or infinite" in outcomes[LOGISTIC["estimator"], False]["reason"]


class Recording(ClassifierMixin, BaseEstimator):
    """Classifier with equal probabilities that records the columns of each fit."""

    seen: list = []

    def __init__(self, random_state=None, categorical_features=None):
        self.random_state = random_state
        self.categorical_features = categorical_features

    def fit(self, X, y):
        Recording.seen.append((X, self.categorical_features))
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return np.tile(1.0 / len(self.classes_), (len(X), len(self.classes_)))

    def predict(self, X):
        return np.tile(self.classes_[0], len(X))


@pytest.mark.parametrize("calibration", [None, "sigmoid"])
def test_every_fit_of_the_multiclass_protocol_is_to_columns_fitted_to_its_part(
    monkeypatch, calibration
):
    monkeypatch.setattr(Recording, "seen", [])
    data = data_of("multiclass", preprocess=PREPROCESS)
    method = {
        "estimator": f"{__name__}.Recording",
        "reweighter": SEQUENTIAL,
        "calibration": calibration,
        "calibration_folds": 2,
    }
    given = {"method_configuration": method, "paper_configuration": MULTICLASS}
    result = MulticlassExperiment(data, paper="p", **given, seed=1).run()
    assert {row["status"] for row in result.fits} == {"ok"}
    # Each of 4 folds has one fit and three inner fits; calibration adds two more for each of them.
    assert len(Recording.seen) == 4 * 4 * (1 if calibration is None else 3)
    for X, categorical in Recording.seen:
        assert X[:, :2].mean(axis=0) == pytest.approx([0, 0], abs=1e-12)
        assert categorical is None


def test_a_base_classifier_is_told_where_the_codes_are(monkeypatch):
    monkeypatch.setattr(Recording, "seen", [])
    data = data_of("multiclass", preprocess=PREPROCESS | {"one_hot": False})
    method = {"estimator": f"{__name__}.Recording", "reweighter": SEQUENTIAL}
    given = {"method_configuration": method, "paper_configuration": MULTICLASS}
    MulticlassExperiment(data, paper="p", **given, seed=1).run()
    for X, categorical in Recording.seen:
        assert list(categorical) == [False, False, True]
        codes = X[:, 2]
        assert set(codes[~np.isnan(codes)]) <= {0, 1, 2, 3}


def test_a_column_without_a_value_in_the_training_rows_is_zero_and_boosting_takes_it():
    """scikit-learn's boosted trees fail on a column without any value."""
    data = data_of("binary", preprocess=PREPROCESS | {"impute": None, "standardize": False})
    fit, validation = np.arange(0, 120, 2), np.arange(1, 120, 2)
    data.X_train[fit, 0] = np.nan
    X, X_validation = transform_rows(data, fit, validation)
    assert (X[:, 0] == 0).all()
    assert (X_validation[:, 0] == 0).all()
    assert np.isnan(X[:, 1]).any()
    HistGradientBoostingClassifier(max_iter=2).fit(X, data.y_train[fit])
