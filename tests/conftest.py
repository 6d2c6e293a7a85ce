"""Shared fixtures, and the rule that deselects tests of real files."""

import os
import sys
from pathlib import Path

import hypothesis
import pytest

from beyond_accuracy_pipeline.workflow.portable_arithmetic import use_portable_arithmetic

# Same settings as in jobs, so jobs reuse the kernels that tests compiled. Must precede NumPy.
use_portable_arithmetic(os.environ)

# The benchmarks are not part of the installed package.
sys.path.insert(0, str(Path(__file__).parents[1]))

# No deadline: the first call of a kernel compiles it. Derandomized: CI repeats the same examples.
hypothesis.settings.register_profile("default", deadline=None, derandomize=True, max_examples=50)
hypothesis.settings.load_profile("default")

MIRROR_VARIABLE = "BEYOND_ACCURACY_MIRROR"


def pytest_collection_modifyitems(config, items):
    """Run workflow tests first; deselect `mirror` tests unless the variable names a folder."""
    items.sort(key=lambda item: item.path.parent.name != "workflow")
    if os.environ.get(MIRROR_VARIABLE):
        return
    mirror = [item for item in items if item.get_closest_marker("mirror")]
    if mirror:
        config.hook.pytest_deselected(items=mirror)
        items[:] = [item for item in items if not item.get_closest_marker("mirror")]


@pytest.fixture(scope="session")
def mirror():
    """Return the folder of real files; only for tests marked `mirror`."""
    return Path(os.environ[MIRROR_VARIABLE])


@pytest.fixture(scope="session")
def repository():
    """Return the root of the repository."""
    return Path(__file__).parents[1]


@pytest.fixture(scope="session")
def catalogue(repository):
    """Return the catalogue of data sets."""
    from beyond_accuracy_pipeline.configuration.catalogue import load_catalogue

    return load_catalogue(repository / "config/datasets")


@pytest.fixture(scope="session")
def cancer():
    """Return standardized features and the class name of each row."""
    # Import NumPy only after the environment variables above are set.
    import numpy as np
    from sklearn.datasets import load_breast_cancer
    from sklearn.preprocessing import StandardScaler

    bunch = load_breast_cancer()
    names = np.where(bunch.target == 0, "malignant", "benign")
    return StandardScaler().fit_transform(bunch.data), names


@pytest.fixture(scope="session")
def problem():
    """Return a function of n, m and seed that draws class probabilities, labels and costs."""
    import numpy as np

    def make_problem(n, m, seed=0):
        rng = np.random.default_rng(seed)
        y = rng.choice(m, size=n, p=np.arange(m, 0, -1) / (m * (m + 1) / 2))
        logits = rng.normal(size=(n, m)) + rng.normal(size=m)
        logits[np.arange(n), y] += 1.5
        scores = np.exp(logits)
        costs = rng.integers(1, 11, size=(m, m)).astype(float)
        np.fill_diagonal(costs, 0.0)
        return scores / scores.sum(axis=1, keepdims=True), y, costs

    return make_problem


@pytest.fixture(scope="session")
def imbalanced():
    from sklearn.datasets import make_classification

    return make_classification(600, 8, weights=[0.85], class_sep=0.8, random_state=3)
