"""Parts of C4.5: criterion against entropies, error limit against SciPy, routes by hand."""

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, entropy, norm

from beyond_accuracy_pipeline.reproduction.decision_tree import (
    collapse_tree,
    grow_tree,
    prune_tree,
)
from beyond_accuracy_pipeline.reproduction.decision_tree.pruning import (
    extra_errors as compiled_extra_errors,
)

CONVERTED = st.sampled_from([np.asarray, scipy.sparse.csr_matrix])


def extra_errors(total, errors, confidence):
    return compiled_extra_errors(float(total), float(errors), confidence, norm.isf(confidence))


@pytest.mark.parametrize("total", [1, 2, 7, 30, 1000])
@pytest.mark.parametrize("confidence", [0.01, 0.25, 0.5])
def test_extra_errors_are_upper_confidence_limits(total, confidence):
    for errors in {0, 1, 2, total // 3, total // 2} - {total}:
        if errors and errors + 0.5 >= total:
            continue
        test = binomtest(errors, total, alternative="less")
        method = "wilsoncc" if errors else "exact"
        limit = test.proportion_ci(1 - confidence, method=method).high
        found = extra_errors(total, errors, confidence)
        assert errors + found == pytest.approx(limit * total, rel=1e-9)


def test_extra_errors_between_none_and_one_and_of_wrong_leaves():
    none, one = extra_errors(9, 0, 0.25), extra_errors(9, 1, 0.25)
    assert extra_errors(9, 0.3, 0.25) == pytest.approx(0.7 * none + 0.3 * one)
    assert extra_errors(4, 3.8, 0.25) == pytest.approx(0.2)


def _bits(labels, weights):
    return entropy(np.bincount(labels, weights, 3), base=2)


def _scores(column, labels, weights, categorical, min_weight):
    """Return gain, gain ratio and threshold by definition, over all thresholds or categories."""
    known = ~np.isnan(column)
    share = weights[known].sum() / weights.sum()
    x, c, w = column[known], labels[known], weights[known]
    if categorical:
        partitions = {None: x.astype(int)}
    else:
        minimum = min(max(0.1 * w.sum() / 3, min_weight), 25)
        distinct = np.unique(x)
        cuts = (distinct[:-1] + distinct[1:]) / 2
        partitions = {cut: (x > cut).astype(int) for cut in cuts}
        partitions = {
            cut: branch
            for cut, branch in partitions.items()
            if np.bincount(branch, w, 2).min() >= minimum
        }
    best = None
    for cut, branch in partitions.items():
        sizes = np.bincount(branch, w)
        after = sum(
            sizes[b] / w.sum() * _bits(c[branch == b], w[branch == b]) for b in np.unique(branch)
        )
        gain = share * (_bits(c, w) - after)
        if best is None or gain > best[0] + 1e-6:
            best = (gain, cut, sizes)
    if best is None or (categorical and (best[2] >= min_weight).sum() < 2):
        return None
    gain, cut, sizes = best
    if not categorical:
        gain -= np.log2(len(partitions)) / weights.sum()
        if gain < 1e-6:
            return None
    ratio = gain / entropy([*sizes, weights.sum() - w.sum()], base=2)
    return gain, ratio, cut


@settings(max_examples=40)
@given(st.integers(0, 10_000), CONVERTED)
def test_root_test_is_that_of_the_textbook(seed, convert):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(6, 40))
    n_categories = np.array([0, 0, 3, 0])
    X = np.column_stack([*rng.integers(-2, 4, (2, n)), np.arange(n) % 3, rng.integers(0, 9, n)])
    X = X.astype(float)
    X[rng.random(X.shape) < rng.choice([0.0, 0.2])] = np.nan
    labels = np.clip(np.nan_to_num(X[:, 0]) + rng.integers(-1, 2, n), 0, 2).astype(int)
    weights = rng.integers(1, 4, n).astype(float)
    tree, _ = grow_tree(convert(X), labels, weights, 3, n_categories)
    found = {
        f: _scores(X[:, f], labels, weights, n_categories[f] > 0, 2.0)
        for f in range(4)
        if not np.isnan(X[:, f]).all()
    }
    found = {f: score for f, score in found.items() if score is not None}
    pure = len(np.unique(labels)) == 1 or weights.sum() < 4
    # Features with 0.3·n categories or more do not count in the average.
    averaged = [found[f][0] for f in found if n_categories[f] < 0.3 * n]
    average = np.mean(averaged) if averaged else 0.0
    ratios = {f: r for f, (gain, r, _) in found.items() if gain >= average - 1e-3 and r > 1e-6}
    if pure or not ratios:
        assert tree.n_nodes == 1
        return
    best = max(ratios.values())
    feature = tree.feature[0]
    assert ratios[feature] == pytest.approx(best, abs=2e-6)
    if n_categories[feature] == 0:
        cut = found[feature][2]
        values = X[~np.isnan(X[:, feature]), feature]
        assert tree.threshold[0] == values[values <= cut].max()


@given(st.integers(0, 10_000), st.booleans(), CONVERTED)
def test_pruned_trees_hold_their_cases_and_no_leaf_would_do_better(seed, raising, convert):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(20, 120))
    X = rng.integers(0, 5, (n, 4)).astype(float)
    labels = ((X[:, 0] + X[:, 1] > 4) ^ (rng.random(n) < 0.2)).astype(int)
    X[rng.random(X.shape) < rng.choice([0.0, 0.15])] = np.nan
    n_categories = np.array([0, 0, 5, 0])
    weights = np.ones(n)
    converted = convert(X)
    tree, cases = grow_tree(converted, labels, weights, 2, n_categories)
    collapse_tree(tree, cases)
    prune_tree(tree, cases, converted, labels, raising)
    tree = tree.compact()
    np.testing.assert_array_equal(tree.predict_proba(converted), tree.predict_proba(X))
    leaves = tree.counts[tree.feature < 0]
    assert leaves.sum(axis=0) == pytest.approx(np.bincount(labels, minlength=2))
    estimates = np.zeros(tree.n_nodes)
    for node in range(tree.n_nodes - 1, -1, -1):
        total, errors = tree.counts[node].sum(), tree.counts[node].min()
        as_leaf = errors + extra_errors(total, errors, 0.25) if total > 1e-6 else 0.0
        children = tree.children(node)
        estimates[node] = estimates[list(children)].sum() if children else as_leaf
        if children and not raising:
            assert as_leaf > estimates[node] + 0.1
    assert (tree.feature < 0).sum() == 1 or raising or estimates[0] < as_leaf
