"""Data that several estimator tests share."""

import pytest
from sklearn.datasets import make_classification


@pytest.fixture(scope="session")
def imbalanced():
    return make_classification(600, 8, weights=[0.85], class_sep=0.8, random_state=3)
