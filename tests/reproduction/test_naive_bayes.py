"""NaiveBayes against scikit-learn and by hand; `test_as_weka` has WEKA's probabilities."""

import numpy as np
from sklearn.naive_bayes import CategoricalNB

from beyond_accuracy_pipeline.reproduction.naive_bayes import NaiveBayes


def test_nominal_attributes_equal_those_of_scikit_learn():
    rng = np.random.default_rng(2)
    y, codes = rng.integers(3, size=200), rng.integers(4, size=(200, 5))
    model = NaiveBayes(nominal=np.ones(5, dtype=bool)).fit(codes, y)
    reference = CategoricalNB(alpha=1, min_categories=4, class_prior=np.exp(model.class_log_prior_))
    np.testing.assert_allclose(
        model.predict_proba(codes), reference.fit(codes, y).predict_proba(codes), rtol=1e-10
    )


def test_constant_and_empty_columns():
    """One distinct value has precision 0.01 and deviation 0.01/6; an empty column has no effect."""
    y = np.array([0, 0, 1, 1])
    X = np.array([[5.0, np.nan, 1.0], [5.0, np.nan, 2.0], [5.0, np.nan, 8.0], [5.0, np.nan, 9.0]])
    model = NaiveBayes().fit(X, y)
    assert model.precision_[0] == 0.01
    np.testing.assert_allclose(model.standard_deviation_[:, 0], 0.01 / 6)
    last = NaiveBayes().fit(X[:, 2:], y)
    np.testing.assert_allclose(model.predict_proba(X), last.predict_proba(X[:, 2:]))


def test_unseen_code_counts_as_never_seen():
    X, y = np.array([[0.0], [1.0], [1.0], [0.0]]), np.array([0, 0, 0, 1])
    model = NaiveBayes(nominal=[0]).fit(X, y)
    joint = np.array([4 / 6 * 1 / 5, 2 / 6 * 1 / 3])
    np.testing.assert_allclose(model.predict_proba([[7.0]])[0], joint / joint.sum())
