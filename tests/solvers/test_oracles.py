"""Every oracle against enumeration, including ties, equal scores and single examples."""

import itertools
from functools import cache

import numpy as np
import pytest
import scipy.optimize
from hypothesis import given, settings
from hypothesis import strategies as st

from beyond_accuracy.measures import get_measure
from beyond_accuracy.measures.losses import AveragePrecisionLoss, RatioLoss, TopLoss
from beyond_accuracy.solvers.multivariate_svm import make_oracle, make_solver
from beyond_accuracy.solvers.oracles.labelling import sort_descending

RATIOS = ["f1", "f0.25", "f0.5", "f2", "jaccard", "precision"]
SUMS = ["accuracy", "balanced_accuracy", "recall"]
AT_TOP = ["prbep", "recall_at_2p", "precision_at_2", "recall_at_1"]
PARTS = ["0_1", "0_0.5", "0_0.3", "0.25_0.75", "0.5_1", "0.3_0.4", "0.4_0.6"]
RANKINGS = ["average_precision", *(f"partial_roc_area_{part}" for part in PARTS)]

scores_like = st.one_of(st.integers(-3, 3).map(float), st.floats(-20, 20, width=32), st.just(0.0))


def sizes_up_to(most):
    return list(itertools.product(range(1, most + 1), repeat=2))


@st.composite
def scored_problems(draw, sizes):
    n_positives, n_negatives = draw(st.sampled_from(sizes))
    n = n_positives + n_negatives
    return n_positives, np.array(draw(st.lists(scores_like, min_size=n, max_size=n)))


def highest_value(measure, n_positives, scores, at_most=False):
    """Return the highest value over all labellings."""
    n = len(scores)
    y = np.where(np.arange(n) < n_positives, 1, -1)
    best = -np.inf
    for labels in map(np.array, itertools.product([False, True], repeat=n)):
        if isinstance(measure.loss, TopLoss):
            k = measure.loss.size.count(n_positives, n)
            if labels.sum() > k or (labels.sum() < k and not at_most):
                continue
            base = k if measure.loss.relative_to == "predicted" else n_positives
            value = (labels & (y > 0)).sum() / base
        else:
            value = measure.score(y, np.where(labels, 1.0, -1.0))
        best = max(best, 100 * (1 - value) - 100 / n * (y * scores)[labels != (y > 0)].sum())
    return best


def check_labelling(oracle, scores, expected, rel=1e-12):
    labelling = oracle.search(scores)
    assert labelling.value == pytest.approx(expected, abs=1e-9, rel=rel)
    weights = np.empty(len(scores))
    oracle.weights(labelling, scores, weights)
    assert labelling.loss + weights @ scores == pytest.approx(
        expected, abs=1e-8, rel=max(rel, 1e-10)
    )
    direction = np.cos(np.arange(len(scores)))
    assert oracle.slope(labelling, scores, direction) == pytest.approx(
        weights @ direction, abs=1e-9
    )
    return labelling, weights


@pytest.mark.parametrize("name", [*RATIOS, *SUMS, *AT_TOP])
@given(scored_problems(sizes_up_to(4)))
def test_equal_enumeration(name, problem):
    n_positives, scores = problem
    measure = get_measure(name)
    if name == "recall_at_2p":
        y = np.arange(len(scores)) < n_positives
        relaxed = make_solver(np.zeros((len(scores), 1)), y, measure, at_most_k=True).oracle
        check_labelling(relaxed, scores, highest_value(measure, n_positives, scores, at_most=True))
    oracle = make_oracle(measure.loss, n_positives, len(scores) - n_positives)
    labelling, weights = check_labelling(
        oracle, scores, highest_value(measure, n_positives, scores)
    )
    flipped = weights != 0
    predicted = np.where(np.arange(len(scores)) < n_positives, ~flipped, flipped)
    if isinstance(measure.loss, TopLoss):
        assert predicted.sum() == measure.loss.size.count(n_positives, len(scores))
    else:
        y = np.where(np.arange(len(scores)) < n_positives, 1, -1)
        value = measure.score(y, np.where(predicted, 1.0, -1.0))
        assert labelling.loss == pytest.approx(100 * (1 - value), abs=1e-9)


@given(scored_problems(sizes_up_to(5)))
def test_roc_area_equals_the_pairs(problem):
    n_positives, scores = problem
    positives, negatives = scores[:n_positives], scores[n_positives:]
    difference = positives[:, None] - negatives[None, :]
    expected = 100 * np.maximum(0, 1 - difference).mean()
    oracle = make_oracle(get_measure("roc_area").loss, n_positives, len(negatives))
    labelling, _ = check_labelling(oracle, scores, expected)
    assert labelling.loss == pytest.approx(100 * (difference < 1).mean())


@pytest.mark.parametrize("n", [0, 1, 12, 13, 50, 2000])
def test_sort_of_any_pattern(n):
    """Inputs include equal, sorted and organ-pipe values, and a bad case for medians of three."""
    rng, up = np.random.default_rng(n), np.arange(n, dtype=float)
    pipe = np.abs(up - n // 2)
    killer = np.where(up % 2 == 0, up, n // 2 + up)
    for values in (rng.standard_cauchy(n), up % 3, up, -up, 0 * up, pipe, -pipe, killer):
        expected = -np.sort(-values)
        sort_descending(values)
        np.testing.assert_array_equal(values, expected)


def all_tables(loss, n_positives, scores):
    """Return the highest value over all contingency tables, from full sorts."""
    n = len(scores)
    kept = np.concatenate(([0], np.cumsum(np.sort(scores[:n_positives])[::-1])))
    flipped = np.concatenate(([0], np.cumsum(np.sort(scores[n_positives:])[::-1])))
    a, b = np.arange(n_positives + 1)[:, None], np.arange(n - n_positives + 1)[None, :]
    delta = 100 * (1 - loss.gain * a / (loss.offset * n_positives + loss.slope * a + b))
    return (delta + 100 / n * (kept[:, None] - kept[-1] + flipped[None, :])).max()


def many_scores(n_positives, n_negatives, seed, scale, kind):
    rng, n = np.random.default_rng(seed), n_positives + n_negatives
    scores = rng.standard_cauchy(n) if kind == "heavy" else rng.normal(size=n)
    if kind == "shifted":
        scores[:n_positives] += 3
    scores = scores * scale
    return np.round(scores) if kind == "rounded" else scores


@settings(max_examples=200)
@given(
    st.integers(1, 150),
    st.integers(1, 600),
    st.integers(0, 2**31),
    st.sampled_from([0.01, 0.3, 3.0, 300.0]),
    st.sampled_from(["normal", "rounded", "heavy", "shifted"]),
    st.sampled_from([0.25, 0.5, 1.0, 2.0, None]),
)
def test_buckets_equal_all_tables(n_positives, n_negatives, seed, scale, kind, beta):
    """At these sizes buckets are skipped; scores have ties, heavy tails or separation."""
    scores = many_scores(n_positives, n_negatives, seed, scale, kind)
    loss = RatioLoss.jaccard() if beta is None else RatioLoss.f_beta(beta)
    oracle = make_oracle(loss, n_positives, n_negatives)
    expected = all_tables(loss, n_positives, scores)
    check_labelling(oracle, scores, expected, rel=1e-9)


def precision(tp, fp, fn, tn):
    with np.errstate(invalid="ignore"):
        return np.asarray(tp) / (tp + np.asarray(fp, dtype=float))


@pytest.mark.parametrize(
    ("measure", "message"),
    [
        (lambda tp, fp, fn, tn: tp / (tp + fp + 1.0), "must be 1 for a perfect prediction"),
        (precision, "precision must be finite, it is nan for TP = 0, FP = 0"),
        ("precision_at_9", "k = 9 .* only 5 samples"),
    ],
)
def test_impossible_measures_are_refused(measure, message):
    with pytest.raises(ValueError, match=message):
        make_oracle(get_measure(measure).loss, 2, 3)


@pytest.mark.parametrize("n_negatives", [3, 3_000_000])
def test_measure_above_one_is_refused(n_negatives):
    """With few negatives, losses of all tables are stored; with many, each search computes them."""

    def optimistic(tp, fp, fn, tn):
        return np.where((tp == 1) & (fp == 2), 1.25, tp / (tp + fp + fn))

    expected = (
        "the measure optimistic must be at most 1, its value for a perfect prediction, it is 1.25 "
        rf"for TP = 1, FP = 2, FN = 1, TN = {n_negatives - 2}$"
    )
    with pytest.raises(ValueError, match=expected):
        make_oracle(get_measure(optimistic).loss, 2, n_negatives).search(np.zeros(n_negatives + 2))


@pytest.mark.parametrize("scale", [1.0, 1e-310, 1e300, 8e307])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_roc_area_counts_the_pairs_at_any_scale(scale, share):
    rng = np.random.default_rng(0)
    n = 200
    n_positives = int(share * n)
    # With heavy tails, most cells of an equal-width grid are empty.
    scores = scale * np.clip(rng.standard_cauchy(n), -1, 1) * rng.choice([1e-9, 1.0], n)
    oracle = make_oracle(get_measure("roc_area").loss, n_positives, n - n_positives)
    swapped = (scores[:n_positives, None] - 1.0) < scores[None, n_positives:]
    expected = np.concatenate([swapped.sum(axis=1), swapped.sum(axis=0)])
    np.testing.assert_array_equal(oracle.search(scores).swaps, expected)


@cache
def all_orders(name, n_positives, n):
    """Return the loss of every order, and how often each order adds each example's score."""
    measure = get_measure(name)
    losses, weights = [], []
    for order in map(np.array, itertools.permutations(range(n))):
        rank = np.empty(n)
        rank[order] = np.arange(n)
        losses.append(100 * (1 - measure.score(np.arange(n) < n_positives, -rank)))
        swapped = rank[n_positives:][None, :] < rank[:n_positives, None]
        if name != "average_precision":
            # Only the highest negatives of the order count.
            among = np.argsort(np.argsort(rank[n_positives:]))
            swapped &= among < np.ceil(measure.loss.highest_rate * (n - n_positives) - 1e-9)
        weights.append(np.concatenate([-swapped.sum(axis=1), swapped.sum(axis=0)]))
    return np.array(losses), np.array(weights)


@pytest.mark.parametrize("name", RANKINGS)
@settings(max_examples=60)
@given(scored_problems([(1, 1), (1, 4), (2, 3), (3, 3), (2, 4), (4, 2)]))
def test_equal_the_enumeration_of_all_orders(name, problem):
    n_positives, scores = problem
    n = len(scores)
    losses, weights = all_orders(name, n_positives, n)
    loss = get_measure(name).loss
    oracle = make_oracle(loss, n_positives, n - n_positives)
    values = losses + oracle.scale * weights @ scores
    found, own = check_labelling(oracle, scores, values.max(), rel=1e-10)
    whole = np.rint(own / oracle.scale)
    np.testing.assert_allclose(own / oracle.scale, whole, atol=1e-9)
    # The loss equals the loss of any order with the same swaps.
    same = (weights == whole).all(axis=1)
    assert losses[same] == pytest.approx(found.loss, abs=1e-9)


def highest_place_by_place(loss, n_positives, scores):
    """Return the highest value, with each positive (or negative, for average precision) alone."""
    positives, negatives = np.sort(scores[:n_positives])[::-1], np.sort(scores[n_positives:])[::-1]
    i, k = np.arange(1, len(positives) + 1)[:, None], np.arange(1, len(negatives) + 1)[None, :]
    if isinstance(loss, AveragePrecisionLoss):
        pairs = len(negatives) * i / ((i + k - 1) * (i + k)) + negatives - positives[:, None]
        ends = np.cumsum(pairs[::-1], axis=0)
        return 100 / pairs.size * np.maximum(ends.max(axis=0), 0).sum()
    start, stop = (rate * len(negatives) for rate in (loss.lowest_rate, loss.highest_rate))
    shares = np.clip(np.minimum(k, stop) - np.maximum(k - 1, start), 0, 1)
    pairs = (shares + negatives - positives[:, None])[:, : int(np.ceil(stop - 1e-9))]
    ends = np.cumsum(pairs, axis=1)
    return 100 / (len(positives) * (stop - start)) * np.maximum(ends.max(axis=1), 0).sum()


@pytest.mark.parametrize("name", [*RANKINGS, "partial_roc_area_0.013_0.21"])
@settings(max_examples=60)
@given(
    st.integers(1, 80),
    st.integers(1, 150),
    st.integers(0, 2**31),
    st.sampled_from([0.1, 1.0, 30.0]),
    st.sampled_from(["normal", "rounded", "heavy", "shifted"]),
)
def test_equal_the_places_one_by_one(name, n_positives, n_negatives, seed, scale, kind):
    scores = many_scores(n_positives, n_negatives, seed, scale, kind)
    loss = get_measure(name).loss
    oracle = make_oracle(loss, n_positives, n_negatives)
    check_labelling(oracle, scores, highest_place_by_place(loss, n_positives, scores), rel=1e-10)


@pytest.mark.parametrize("rates", ["0.5_0.5", "0.6_0.5", "0_1.1"])
def test_false_positive_rates_must_rise(rates):
    with pytest.raises(ValueError, match="must rise and lie in"):
        get_measure(f"partial_roc_area_{rates}")


@pytest.mark.parametrize("name", ["average_precision", *(f"partial_roc_area_{p}" for p in PARTS)])
def test_the_minimum_is_that_of_a_simplex_search(name):
    """Compare with a simplex search on the objective by definition; the gap certifies it, too."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2)), np.arange(60) < 15
    X[:15] += (3.0, 2.0)
    X[15:20] += (4.0, 0.0)
    loss, C = get_measure(name).loss, 0.05

    def objective(w):
        return w @ w / 2 + C * highest_place_by_place(loss, 15, X @ w)

    reached = scipy.optimize.minimize(
        objective, [0.5, 0.5], method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-9}
    )
    solution = make_solver(X, y, name).solve(C, tol=1e-6)
    assert solution.dual_gap <= 1e-6
    assert np.linalg.norm(solution.w) > 0.1
    assert solution.objective == pytest.approx(reached.fun, rel=2e-6)
