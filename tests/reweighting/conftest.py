"""Problems that the tests of reweighters share."""

import numpy as np
import pytest


def make_problem(n, m, seed=0):
    """Probabilities of a miscalibrated classifier, shape (n, m), labels and costs of 1 … 10."""
    rng = np.random.default_rng(seed)
    y = rng.choice(m, size=n, p=np.arange(m, 0, -1) / (m * (m + 1) / 2))
    logits = rng.normal(size=(n, m)) + rng.normal(size=m)
    logits[np.arange(n), y] += 1.5
    scores = np.exp(logits)
    costs = rng.integers(1, 11, size=(m, m)).astype(float)
    np.fill_diagonal(costs, 0.0)
    return scores / scores.sum(axis=1, keepdims=True), y, costs


@pytest.fixture(scope="session")
def problem():
    """`make_problem(n, m, seed)`."""
    return make_problem
