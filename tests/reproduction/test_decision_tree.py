"""Parts of C4.5: the error limit against SciPy, and properties of pruned trees."""

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, norm

from beyond_accuracy_pipeline.reproduction.decision_tree.growing import grow_tree
from beyond_accuracy_pipeline.reproduction.decision_tree.pruning import (
    collapse_tree,
    extra_errors,
    prune_tree,
)

CONVERTED = st.sampled_from([np.asarray, scipy.sparse.csr_matrix])


def errors_added(total, errors, confidence):
    return extra_errors(float(total), float(errors), confidence, norm.isf(confidence))


@pytest.mark.parametrize("total", [1, 2, 7, 30, 1000])
@pytest.mark.parametrize("confidence", [0.01, 0.25, 0.5])
def test_extra_errors_are_upper_confidence_limits(total, confidence):
    for errors in {0, 1, 2, total // 3, total // 2} - {total}:
        if errors and errors + 0.5 >= total:
            continue
        test = binomtest(errors, total, alternative="less")
        method = "wilsoncc" if errors else "exact"
        limit = test.proportion_ci(1 - confidence, method=method).high
        found = errors_added(total, errors, confidence)
        assert errors + found == pytest.approx(limit * total, rel=1e-9)


def test_extra_errors_between_none_and_one_and_of_wrong_leaves():
    none, one = errors_added(9, 0, 0.25), errors_added(9, 1, 0.25)
    assert errors_added(9, 0.3, 0.25) == pytest.approx(0.7 * none + 0.3 * one)
    assert errors_added(4, 3.8, 0.25) == pytest.approx(0.2)


@given(st.integers(0, 10_000), CONVERTED)
def test_pruned_trees_hold_their_cases_and_no_leaf_would_do_better(seed, convert):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(20, 120))
    X = rng.integers(0, 5, (n, 4)).astype(float)
    labels = ((X[:, 0] + X[:, 1] > 4) ^ (rng.random(n) < 0.2)).astype(int)
    X[rng.random(X.shape) < rng.choice([0.0, 0.15])] = np.nan
    n_categories = np.array([0, 0, 5, 0])
    converted = convert(X)
    tree, cases = grow_tree(converted, labels, 2, n_categories)
    collapse_tree(tree, cases)
    prune_tree(tree, cases, converted, labels)
    tree = tree.compact()
    np.testing.assert_array_equal(tree.predict_proba(converted), tree.predict_proba(X))
    leaves = tree.counts[tree.feature < 0]
    assert leaves.sum(axis=0) == pytest.approx(np.bincount(labels, minlength=2))
    estimates = np.zeros(tree.n_nodes)
    for node in range(tree.n_nodes - 1, -1, -1):
        total, errors = tree.counts[node].sum(), tree.counts[node].min()
        as_leaf = errors + errors_added(total, errors, 0.25) if total > 1e-6 else 0.0
        children = tree.children(node)
        estimates[node] = estimates[list(children)].sum() if children else as_leaf
        assert not children or as_leaf > estimates[node] + 0.1
