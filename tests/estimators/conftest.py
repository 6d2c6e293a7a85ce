"""Data that several tests of estimators share."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, make_classification
from sklearn.preprocessing import StandardScaler


@pytest.fixture(scope="session")
def imbalanced():
    return make_classification(600, 8, weights=[0.85], class_sep=0.8, random_state=3)


@pytest.fixture(scope="session")
def cancer():
    """Standardized features and names of the classes."""
    bunch = load_breast_cancer()
    names = np.where(bunch.target == 0, "malignant", "benign")
    return StandardScaler().fit_transform(bunch.data), names
