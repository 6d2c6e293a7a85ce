"""The display draws the point at its position, also for wrapped classifiers."""

import sys

import matplotlib as mpl
import numpy as np
import pytest
from sklearn import metrics
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from beyond_accuracy.estimators import OperatingPointClassifier
from beyond_accuracy.operating_points import OperatingPointDisplay

mpl.use("Agg")


@pytest.fixture(scope="module")
def data():
    return make_classification(300, 6, weights=[0.8], flip_y=0.1, random_state=2)


@pytest.fixture(scope="module")
def fitted(data):
    return LogisticRegression().fit(*data)


def test_the_display_shows_the_point_where_it_is(data, fitted):
    X, y = data
    model = OperatingPointClassifier(
        fitted, constraints="precision >= 0.6", cv="prefit", n_resamples=20
    ).fit(X, y)
    display = OperatingPointDisplay.from_estimator(model, X, y)
    predicted = model.predict(X)
    [[recall], [precision]] = display.point_.get_data()
    assert recall == pytest.approx(metrics.recall_score(y, predicted))
    assert precision == pytest.approx(metrics.precision_score(y, predicted))
    expected = metrics.precision_recall_curve(y, model.scores(X))
    drawn = np.column_stack(display.line_.get_data())
    assert {tuple(point) for point in drawn.round(9)} <= {
        tuple(point) for point in np.column_stack(expected[1::-1]).round(9)
    }
    low, high = model.threshold_interval_
    assert low <= model.best_threshold_ <= high


def test_what_is_wrapped_around_it_is_taken_off(data):
    X, y = data
    point = OperatingPointClassifier(LogisticRegression(), cv=3)
    pipeline = make_pipeline(StandardScaler(), point)
    search = GridSearchCV(pipeline, {"operatingpointclassifier__estimator__C": [0.1]}, cv=2)
    for model in (pipeline.fit(X, y), search.fit(X, y)):
        display = OperatingPointDisplay.from_estimator(model, X, y, color="red", lw=3)
        assert (display.line_.get_color(), display.line_.get_linewidth()) == ("red", 3)
        [[recall], [precision]] = display.point_.get_data()
        assert recall == pytest.approx(metrics.recall_score(y, model.predict(X)))
        assert precision == pytest.approx(metrics.precision_score(y, model.predict(X)))
    with pytest.raises(ValueError, match="LogisticRegression has no operating point"):
        OperatingPointDisplay.from_estimator(LogisticRegression().fit(X, y), X, y)


def test_it_is_drawn_from_predictions_of_either_class_within_a_budget(data, fitted):
    X, y = data
    names, scores = np.where(y == 1, "fraud", "legit"), fitted.predict_proba(X)[:, 1]
    display = OperatingPointDisplay.from_predictions(
        names, scores, 0.1, pos_label="fraud", constraints="predicted_positives <= 30", name="model"
    )
    [[recall], [precision]] = display.point_.get_data()
    batch = np.argsort(-scores)[:30]
    assert recall == pytest.approx(y[batch].sum() / y.sum())
    assert precision == pytest.approx(y[batch].mean())
    labels = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert labels == ["a constraint is broken", "model", "operating point"]
    budget = OperatingPointClassifier(
        fitted, constraints="predicted_positives <= 30", cv="prefit", pos_label=1
    ).fit(X, y)
    again = OperatingPointDisplay.from_estimator(budget, X, y)
    np.testing.assert_allclose(again.point_.get_data(), display.point_.get_data())


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"y_true": [0, 0, 0], "pos_label": 1}, "no positive example"),
        ({"y_true": [0, 1, 2]}, r"the labels \[0, 1, 2\]; of more than two give the positive one"),
        ({"sample_weight": [1, -1, 1]}, "sample_weight"),
        ({"constraints": 0.9}, "such as 'precision >= 0.9'; found 0.9"),
    ],
)
def test_predictions_without_a_meaning_are_refused(changes, said):
    given = {"y_true": [0, 1, 0], "y_score": [0.1, 0.5, 0.9], "threshold": 0.3}
    with pytest.raises(ValueError, match=said):
        OperatingPointDisplay.from_predictions(**given | changes)


def test_without_matplotlib_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match="pip install matplotlib"):
        OperatingPointDisplay.from_predictions([0, 1], [0.1, 0.9], 0.5)
