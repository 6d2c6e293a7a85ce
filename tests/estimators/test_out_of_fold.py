"""Out-of-fold responses equal scikit-learn's, and respect parameters that name labels."""

import numpy as np
import pytest
from sklearn.datasets import load_iris, make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.svm import SVC

from beyond_accuracy.estimators import CAPOClassifier, OperatingPointClassifier
from beyond_accuracy.estimators.folds import out_of_fold

X, CODES = make_classification(300, weights=[0.85], flip_y=0.1, random_state=0)
FLOWERS, KINDS = load_iris(return_X_y=True)
LABELS = [(-1, 1), ("no", "yes"), (1, 2)]


@pytest.mark.parametrize(
    ("classifier", "method"),
    [
        (LogisticRegression(max_iter=1000), "predict_proba"),
        (LogisticRegression(max_iter=1000), "predict"),
        (SVC(), "decision_function"),
        (RandomForestClassifier(5, random_state=0), "predict_proba"),
    ],
)
def test_equals_that_of_scikit_learn(classifier, method):
    y = np.array(["no", "yes"])[CODES]
    splits = list(StratifiedKFold(4).split(X, y))
    expected = cross_val_predict(classifier, X, y, cv=splits, method=method)
    if method == "predict":
        expected = expected[:, None] == np.array(["no", "yes"])
    rows, found = out_of_fold(classifier, X, y, splits, method)
    np.testing.assert_array_equal(rows, np.arange(len(y)))
    np.testing.assert_array_equal(found, expected)


def test_rows_in_several_test_parts_count_by_their_mean_and_others_are_left_out():
    model = LogisticRegression(max_iter=1000)
    first, second, third = np.arange(100), np.arange(50, 150), np.arange(100, 300)
    splits = [(third, first), (third, second), (first, np.arange(200, 250))]
    rows, found = out_of_fold(model, X, CODES, splits, "predict_proba")
    assert rows.tolist() == [*range(150), *range(200, 250)]
    scores = [model.fit(X[train], CODES[train]).predict_proba(X) for train, _ in splits]
    np.testing.assert_allclose(found[:50], scores[0][:50])
    np.testing.assert_allclose(found[50:100], (scores[0] + scores[1])[50:100] / 2)
    np.testing.assert_allclose(found[150:], scores[2][200:250])


def test_kernels_lose_columns_as_well():
    splits = list(StratifiedKFold(4).split(X, CODES))
    _, found = out_of_fold(SVC(kernel="precomputed"), X @ X.T, CODES, splits, "decision_function")
    _, expected = out_of_fold(SVC(kernel="linear"), X, CODES, splits, "decision_function")
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)


def test_a_class_that_a_training_part_lacks_has_probability_0():
    y = np.array(["c", "a", "b"])[KINDS]
    # The training part of the second fold has all classes.
    folds = [(np.arange(50, 150), np.arange(50)), (np.arange(0, 150, 3), np.arange(50, 150))]
    with pytest.warns(UserWarning, match=r"lacks the classes \['c'\]"):
        _, found = out_of_fold(
            RandomForestClassifier(3, random_state=0), FLOWERS, y, folds, "predict_proba"
        )
    assert (found[:50, 2] == 0).all()
    np.testing.assert_allclose(found.sum(axis=1), 1)


@pytest.mark.parametrize("labels", LABELS)
def test_the_weight_of_a_class_is_that_of_its_label(labels):
    """With codes instead of labels, the folds would fail, or weight the other class."""
    y = np.array(labels)[CODES]
    weighted = LogisticRegression(class_weight={labels[0]: 1, labels[1]: 10})
    expected = LogisticRegression(class_weight={0: 1, 1: 10})
    by_codes = OperatingPointClassifier(expected, "f1").fit(X, CODES)
    by_labels = OperatingPointClassifier(weighted, "f1", pos_label=labels[1]).fit(X, y)
    assert by_labels.best_threshold_ == by_codes.best_threshold_
    assert by_labels.best_score_ == by_codes.best_score_
    capo = CAPOClassifier([weighted], cross_fit=True, random_state=0).fit(X, y)
    of_codes = CAPOClassifier([expected], cross_fit=True, random_state=0).fit(X, CODES)
    np.testing.assert_array_equal(capo.predict(X), np.array(labels)[of_codes.predict(X)])
