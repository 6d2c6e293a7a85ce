"""C4.5 against published trees, WEKA's J48 and cases worked by hand."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris

from beyond_accuracy_pipeline.configuration.catalogue import load_catalogue
from beyond_accuracy_pipeline.datasets.fetch import FetchSettings
from beyond_accuracy_pipeline.datasets.prepare import prepare
from beyond_accuracy_pipeline.datasets.prepared import load_prepared
from beyond_accuracy_pipeline.papers import FOLDER
from beyond_accuracy_pipeline.reproduction.c45 import C45Classifier

NAN = np.nan
# Quinlan's golf: outlook (sunny, overcast, rainy), temperature, humidity, windy (TRUE, FALSE),
# and whether to play.
WEATHER = np.array(
    [
        [0, 85, 85, 1, 0],
        [0, 80, 90, 0, 0],
        [1, 83, 86, 1, 1],
        [2, 70, 96, 1, 1],
        [2, 68, 80, 1, 1],
        [2, 65, 70, 0, 0],
        [1, 64, 65, 0, 1],
        [0, 72, 95, 1, 0],
        [0, 69, 70, 1, 1],
        [2, 75, 80, 1, 1],
        [0, 75, 70, 0, 1],
        [1, 72, 90, 0, 1],
        [1, 81, 75, 1, 1],
        [2, 71, 91, 0, 0],
    ],
    dtype=float,
)
PLAY = np.where(WEATHER[:, 4] > 0, "yes", "no")
NAMES = {
    "feature_names": ["outlook", "temperature", "humidity", "windy"],
    "category_names": {0: ["sunny", "overcast", "rainy"], 3: ["TRUE", "FALSE"]},
}


def _text(model, feature_names, category_names=()):
    """Return the tree in C4.5's format: class and (weight of the cases/weight of the errors)."""
    tree, lines = model.tree_, []

    def write(parent, depth):
        feature = tree.feature[parent]
        for branch, node in enumerate(tree.children(parent)):
            test = f"{'<>'[branch > 0]}{'=' * (not branch)} {tree.threshold[parent]:.6g}"
            if tree.n_categories[feature]:
                test = f"= {dict(category_names)[feature][branch]}"
            line = "|   " * depth + f"{feature_names[feature]} {test}"
            if tree.feature[node] < 0:
                counts = tree.counts[node]
                weights = [counts.sum(), *(e for e in [counts.sum() - counts.max()] if e > 0.005)]
                shown = "/".join(str(round(float(weight), 2)) for weight in weights)
                line += f": {model.classes_[counts.argmax()]} ({shown})"
            lines.append(line)
            write(node, depth + 1)

    write(0, 0)
    return "\n".join(lines) + "\n"


def test_weather_with_a_missing_outlook():
    """Quinlan (1993), chapter 3: the case with humidity 90 % is split into 5/13, 3/13 and 5/13."""
    X = WEATHER[:, :4].copy()
    X[11, 0] = NAN
    model = C45Classifier(categorical_features=[0, 3]).fit(X, PLAY)
    assert (
        _text(model, **NAMES)
        == """\
outlook = sunny
|   humidity <= 75: yes (2.0)
|   humidity > 75: no (3.38/0.38)
outlook = overcast: yes (3.23)
outlook = rainy
|   windy = TRUE: no (2.38/0.38)
|   windy = FALSE: yes (3.0)
"""
    )
    sunny, overcast, rainy = 5 + 5 / 13, 3 + 3 / 13, 5 + 5 / 13
    yes = sunny * (5 / 13) / (3 + 5 / 13) + overcast + rainy * (5 / 13) / (2 + 5 / 13)
    found = model.predict_proba([[NAN, 70, 80, 0]])
    assert found == pytest.approx(np.array([[1 - yes / 14, yes / 14]]))
    # A category not seen in training counts as missing.
    assert model.predict_proba([[7, 70, 80, 0]]) == pytest.approx(found)


def test_iris_is_the_tree_that_j48_is_known_for():
    bunch = load_iris()
    model = C45Classifier().fit(bunch.data, bunch.target_names[bunch.target])
    assert (
        _text(model, ["sl", "sw", "pl", "pw"])
        == """\
pw <= 0.6: setosa (50.0)
pw > 0.6
|   pw <= 1.7
|   |   pl <= 4.9: versicolor (48.0/1.0)
|   |   pl > 4.9
|   |   |   pw <= 1.5: virginica (3.0)
|   |   |   pw > 1.5: versicolor (3.0/1.0)
|   pw > 1.7: virginica (46.0/1.0)
"""
    )


# J48's tree (WEKA 3.9.7) for four columns with missing values.
CANCER = """\
a2 <= 113.1
|   a0 <= 14.9
|   |   a2 <= 100.2: k1 (251.09/7.42)
|   |   a2 > 100.2
|   |   |   a3 <= 0.145: k1 (10.14/1.53)
|   |   |   a3 > 0.145: k0 (3.92/0.33)
|   a0 > 14.9
|   |   a3 <= 0.139
|   |   |   a0 <= 18.33: k1 (71.28/6.44)
|   |   |   a0 > 18.33: k0 (5.14/1.07)
|   |   a3 > 0.139
|   |   |   a1 <= 25.82
|   |   |   |   a0 <= 18.33: k1 (10.17/1.6)
|   |   |   |   a0 > 18.33: k0 (3.86/0.85)
|   |   |   a1 > 25.82: k0 (22.52/1.59)
a2 > 113.1
|   a0 <= 15.15: k1 (17.37/2.82)
|   a0 > 15.15
|   |   a1 <= 21.19
|   |   |   a0 <= 19.85
|   |   |   |   a3 <= 0.138: k1 (6.77)
|   |   |   |   a3 > 0.138: k0 (3.48/0.38)
|   |   |   a0 > 19.85: k0 (6.14/0.69)
|   |   a1 > 21.19: k0 (157.11/5.08)
"""


def test_missing_values_and_subtree_raising_as_in_j48():
    X, y = load_breast_cancer(return_X_y=True)
    X = np.round(X, 3)[:, [20, 21, 22, 24]]
    X[::5, 0] = NAN
    X[1::6, 2] = NAN
    model = C45Classifier().fit(X, np.array(["k0", "k1"])[y])
    assert _text(model, ["a0", "a1", "a2", "a3"]) == CANCER


def test_differences_below_the_tolerance_are_not_separated():
    X = 1e-7 * np.arange(20.0)[:, None]
    y = np.arange(20) >= 10
    assert C45Classifier().fit(X, y).tree_.n_nodes == 1
    np.testing.assert_array_equal(C45Classifier().fit(1e3 * X, y).predict(X * 1e3), y)


@pytest.mark.mirror
@pytest.mark.parametrize(
    "name",
    [
        "splice",
        pytest.param("ijcnn1", marks=pytest.mark.slow),
        pytest.param("reuters-money-fx", marks=pytest.mark.slow),
    ],
)
def test_published_accuracy(name, mirror, repository, tmp_path):
    """The auxiliary classifier's accuracy, in brackets in Table 2 of Li, Tsang, Zhou (2013)."""
    catalogue = load_catalogue(repository / "config" / "datasets")
    prepare(
        catalogue[name],
        settings=FetchSettings(mirror, tmp_path / "raw"),
        output_folder=tmp_path / "prepared",
        seed=0,
        catalogue=catalogue,
    )
    data = load_prepared(tmp_path / "prepared")
    rows = pd.read_csv(FOLDER / "li2013" / "published" / "table2.csv")
    values = rows.set_index(["data_set", "measure", "method"])["value"]
    model = C45Classifier().fit(data.X_train, data.y_train)
    expected = values[name, "accuracy", "c45"]
    assert model.score(data.X_test, data.y_test) == pytest.approx(expected, abs=5e-4)
