import dataclasses

import numpy as np
import pytest

from benchmarks.enumeration import make_enumerating_oracle
from beyond_accuracy.measures import get_measure
from beyond_accuracy.solvers.multivariate_svm import make_oracle

MEASURES = ("f1", "f0.5", "f2", "jaccard", "prbep", "precision_at_3", "recall_at_2p")


@pytest.mark.parametrize(
    ("name", "at_most"), [*((name, False) for name in MEASURES), ("recall_at_2p", True)]
)
def test_enumeration_finds_the_value_that_the_search_finds(name, at_most):
    loss = get_measure(name).loss
    if at_most:
        loss = dataclasses.replace(loss, at_most=True)
    rng = np.random.default_rng(3)
    for _ in range(300):
        n_positives, n_negatives = rng.integers(1, 9), rng.integers(2, 15)
        scores = rng.normal(size=n_positives + n_negatives) * rng.choice([0.0, 0.3, 1.0, 5.0])
        if rng.random() < 0.3:
            scores = np.round(scores)
        ours = make_oracle(loss, int(n_positives), int(n_negatives))
        other = make_enumerating_oracle(loss, int(n_positives), int(n_negatives))
        labelling = other.search(scores)
        assert labelling.value == pytest.approx(ours.search(scores).value, abs=1e-9)
        weights = np.empty(len(scores))
        other.weights(labelling, scores, weights)
        assert labelling.loss + weights @ scores == pytest.approx(labelling.value, abs=1e-9)
