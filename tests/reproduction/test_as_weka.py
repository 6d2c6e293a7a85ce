"""C4.5, naive Bayes and the RBF network give the same probabilities as WEKA.

The predictions of WEKA 3.9.7 are in the CSV files of the folder weka, next to their script.
"""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

from beyond_accuracy_pipeline.reproduction.c45 import C45Classifier
from beyond_accuracy_pipeline.reproduction.naive_bayes import NaiveBayes
from beyond_accuracy_pipeline.reproduction.rbf_network import RBFNetwork
from beyond_accuracy_pipeline.reproduction.weka_k_means import starting_rows, weka_k_means

WEKA = Path(__file__).parent / "weka"
NUMBERS, NOMINAL = ["a0", "a1", "a2"], {"a3": "xyz", "a4": "pqrs"}


def load(name):
    rows = pd.read_csv(WEKA / name, na_values="?")
    return rows, (rows["part"] == "train").to_numpy()


def probabilities(rows, prefix, classes):
    return rows[[f"{prefix}_{label}" for label in classes]].to_numpy()


@pytest.mark.parametrize(
    ("prefix", "model"),
    [
        ("j48", C45Classifier(categorical_features=[3, 4])),
        ("naive_bayes", NaiveBayes(nominal=[3, 4], n_values=[0, 0, 0, 3, 4])),
    ],
)
def test_numbers_nominal_values_and_holes(prefix, model):
    rows, train = load("mixed.csv")
    codes = [rows[name].map({v: i for i, v in enumerate(own)}) for name, own in NOMINAL.items()]
    X = np.column_stack([rows[NUMBERS], *codes]).astype(float)
    assert np.isnan(X).any(axis=0).all()
    model.fit(X[train], rows["class"][train])
    expected = probabilities(rows, prefix, model.classes_)
    # WEKA prints twelve digits.
    np.testing.assert_allclose(model.predict_proba(X), expected, rtol=0, atol=1e-11)


@pytest.mark.parametrize("convert", [np.asarray, scipy.sparse.csr_matrix])
def test_rbf_network_from_the_starts_of_weka(convert):
    rows, train = load("numbers.csv")
    X = convert(rows[[f"a{j}" for j in range(6)]].to_numpy())
    y = rows["class"].to_numpy()
    model = RBFNetwork(starts="weka").fit(X[train], y[train])
    expected = probabilities(rows, "rbf_network", model.classes_)
    # The two logistic regressions stop at different points.
    np.testing.assert_allclose(model.predict_proba(X), expected, rtol=0, atol=1e-4)
    # Another seed has other starts and gives another network.
    other = RBFNetwork(random_state=0).fit(X[train], y[train])
    assert abs(other.predict_proba(X) - expected).max() > 0.1


def test_starting_rows_are_distinct_and_drawn_as_java_draws():
    # new java.util.Random(1): nextInt(16) is 11, then nextInt(15) is 13.
    X = np.arange(16.0)[:, None]
    assert starting_rows(X, 2) == [11, 13]
    X[13] = X[11]
    drawn = starting_rows(X, 16)
    assert drawn[0] == 11
    assert sorted([*drawn, 13]) == list(range(16))
    assert len(np.unique(weka_k_means(np.ones((3, 2)), 2))) == 1
