"""The certificate against the enumerated hull of all labellings, and against solutions."""

from itertools import combinations, product

import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st

from beyond_accuracy.measures import get_measure
from beyond_accuracy.solvers import make_solver


def agreement(tp, fp, fn, tn):
    return 1 - (fn + fp) / (tp + fp + fn + tn)


MEASURES = ["f1", "f0.5", "jaccard", "prbep", "precision_at_2", "accuracy", "roc_area"]
MEASURES += ["average_precision", "partial_roc_area_0_0.5", "partial_roc_area_0.2_0.3", agreement]


def hull_contains_zero(X, positive, measure, at_most_k, fit_intercept):
    """Enumerate labellings or orders; return whether the worst gradients average to 0."""
    features = np.hstack([X, np.full((len(X), 1), float(fit_intercept))])
    P, N = features[positive], features[~positive]
    if str(measure).startswith("partial_roc_area"):
        size = int(np.ceil(get_measure(measure).loss.highest_rate * len(N) - 1e-9))
        chosen = [N[list(some)].mean(axis=0) for some in combinations(range(len(N)), size)]
        worst = np.array(chosen) - P.mean(axis=0)
        equations = np.vstack([worst.T, np.ones(len(worst))])
        target = np.append(np.zeros(features.shape[1]), 1.0)
        return scipy.optimize.nnls(equations, target)[1] < 1e-8
    if measure in ("roc_area", "average_precision"):
        # At w = 0 every swapped pair adds to the loss, so only the complete swap is worst.
        return np.allclose(sum(p - n for p in P for n in N), 0)
    n = len(X)
    losses, gradients = [], []
    k = round(2 * len(P)) if measure == "recall_at_2p" else 2
    k = min(k, n)
    for labelling in product([False, True], repeat=n):
        labelling = np.array(labelling)
        size = labelling.sum()
        if measure == "prbep" and size != len(P) or measure == "precision_at_2" and size != k:
            continue
        if measure == "recall_at_2p" and (size > k if at_most_k else size != k):
            continue
        tp = np.sum(labelling & positive)
        if measure in ("prbep", "recall_at_2p"):
            value = tp / len(P)
        elif measure == "precision_at_2":
            value = tp / k
        elif callable(measure):
            value = (labelling == positive).mean()
        else:
            value = get_measure(measure).score(positive, np.where(labelling, 1.0, -1.0))
        losses.append(1 - value)
        flipped = labelling != positive
        gradients.append(features[flipped & ~positive].sum(0) - features[flipped & positive].sum(0))
    losses, gradients = np.array(losses), np.array(gradients)
    if losses.max() <= 1e-12:
        return True
    worst = gradients[losses >= losses.max() - 1e-12]
    equations = np.vstack([worst.T, np.ones(len(worst))])
    target = np.append(np.zeros(features.shape[1]), 1.0)
    return scipy.optimize.nnls(equations, target)[1] < 1e-8


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize(
    ("measure", "at_most_k"),
    [*((measure, None) for measure in MEASURES), ("recall_at_2p", True), ("recall_at_2p", False)],
)
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10_000), n_positives=st.integers(1, 4))
def test_the_certificate_is_the_enumerated_hull(
    measure, at_most_k, fit_intercept, seed, n_positives
):
    rng = np.random.default_rng(seed)
    X = rng.integers(-1, 2, size=(7, rng.integers(1, 3))).astype(float)
    positive = rng.permutation(7) < n_positives
    expected = hull_contains_zero(X, positive, measure, at_most_k, fit_intercept)
    options = {"at_most_k": at_most_k, "fit_intercept": fit_intercept}
    for matrix in (X, scipy.sparse.csr_matrix(X)):
        solver = make_solver(matrix, positive, measure, **options)
        for C in (1e-3, 1.0, 1e4):
            assert solver.solve(C).zero_is_optimal == expected


@pytest.mark.parametrize("measure", ["f1", "prbep", "recall_at_2p"])
@pytest.mark.parametrize("C", [1.0, 200.0, 1e5])
def test_noise_ends_at_a_certified_zero(measure, C):
    rng = np.random.default_rng(0)
    X, positive = rng.normal(size=(1000, 5)), rng.random(1000) < 0.05
    solution = make_solver(X, positive, measure).solve(C)
    assert solution.converged
    assert solution.zero_is_optimal
    assert not solution.w.any()
    assert solution.n_iter < 100
