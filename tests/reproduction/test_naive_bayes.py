"""NaiveBayes against WEKA's probabilities, a direct formula and scikit-learn."""

import math
from statistics import NormalDist

import numpy as np
from sklearn.datasets import load_iris
from sklearn.naive_bayes import CategoricalNB

from beyond_accuracy_pipeline.reproduction.naive_bayes import NaiveBayes


def mixed(n=60):
    """Return two numeric and two nominal attributes with missing values, and labels."""
    rng = np.random.default_rng(1)
    y = rng.integers(3, size=n)
    numbers = np.round(rng.normal(size=(n, 2)) + y[:, None], 1)
    codes = np.column_stack([(y + rng.integers(2, size=n)) % 3, rng.integers(3, size=n)])
    X = np.column_stack([numbers, codes]).astype(float)
    X[rng.random(X.shape) < 0.1] = np.nan
    return X, y


def direct(X, y, n_values, row):
    """Apply WEKA's rule to one row in plain Python; n_values is 0 for numeric attributes."""
    n, classes = len(y), sorted(set(y.tolist()))
    products = []
    for c in classes:
        product = ((y == c).sum() + 1) / (n + len(classes))
        for column, size in enumerate(n_values):
            value = row[column]
            if math.isnan(value):
                continue
            everyone = X[~np.isnan(X[:, column]), column]
            own = X[(y == c) & ~np.isnan(X[:, column]), column]
            if size:
                product *= ((own == value).sum() + 1) / (len(own) + size)
                continue
            gaps = np.diff(sorted(set(everyone)))
            precision = sum(gaps) / len(gaps)
            rounded = [round(v / precision) * precision for v in own]
            mean = sum(rounded) / len(rounded)
            deviation = math.sqrt(sum((v - mean) ** 2 for v in rounded) / len(rounded))
            normal = NormalDist(mean, max(deviation, precision / 6))
            centre = round(value / precision) * precision
            mass = normal.cdf(centre + precision / 2) - normal.cdf(centre - precision / 2)
            product *= max(mass, 1e-75)
        products.append(product)
    return np.array(products) / sum(products)


def test_equals_the_rule_written_out():
    X, y = mixed()
    n_values = [0, 0, 3, 4]
    model = NaiveBayes(nominal=[2, 3], n_values=n_values).fit(X, y)
    expected = [direct(X, y, n_values, row) for row in X]
    np.testing.assert_allclose(model.predict_proba(X), expected, rtol=1e-9)


def test_nominal_attributes_equal_those_of_scikit_learn():
    _, y = mixed(200)
    codes = np.random.default_rng(2).integers(4, size=(200, 5))
    model = NaiveBayes(nominal=np.ones(5, dtype=bool)).fit(codes, y)
    reference = CategoricalNB(alpha=1, min_categories=4, class_prior=np.exp(model.class_log_prior_))
    np.testing.assert_allclose(
        model.predict_proba(codes), reference.fit(codes, y).predict_proba(codes), rtol=1e-10
    )


def test_missing_values_are_left_out():
    X, y = mixed()
    model = NaiveBayes(nominal=[2, 3], n_values=[0, 0, 3, 4]).fit(X, y)
    nothing = model.predict_proba(np.full((1, 4), np.nan))
    np.testing.assert_allclose(nothing[0], (np.bincount(y) + 1) / (len(y) + 3))


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


# Rows 0, 50, 70, 100 and 133 of iris, from weka.classifiers.bayes.NaiveBayes 3.9.7 trained on all
# 150 rows.
WEKA_ON_IRIS = {
    0: [1.0, 1.0004145150504925e-17, 1.3763093007062924e-25],
    50: [2.1287855363561172e-156, 0.9005087982445842, 0.09949120175541581],
    70: [2.3017308406925743e-151, 0.09100398990536089, 0.9089960100946392],
    100: [3.4975642888428873e-152, 1.987084095397864e-11, 0.9999999999801291],
    133: [2.945018565907133e-153, 0.7957746712016791, 0.20422532879832098],
}


def test_equals_weka_on_iris():
    X, y = load_iris(return_X_y=True)
    # Two rows of scikit-learn's copy differ from WEKA's file.
    X[34], X[37] = [4.9, 3.1, 1.5, 0.1], [4.9, 3.1, 1.5, 0.1]
    probabilities = NaiveBayes().fit(X, y).predict_proba(X)
    for row, expected in WEKA_ON_IRIS.items():
        np.testing.assert_allclose(probabilities[row], expected, rtol=1e-6, atol=1e-30)
