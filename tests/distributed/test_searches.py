"""Searches over interval sums against searches over all scores; fits over blocks."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from benchmarks.local_blocks import LocalBlocks
from beyond_accuracy.distributed.block_data import BlockData, BlockOracle
from beyond_accuracy.measures import get_measure
from beyond_accuracy.solvers.cutting_planes import CuttingPlaneSolver
from beyond_accuracy.solvers.data_matrix import DataMatrix
from beyond_accuracy.solvers.multivariate_svm import make_oracle, make_solver, training_loss
from beyond_accuracy.solvers.plane_model import ScaleError

MEASURES = ["f1", "f0.5", "f2", "jaccard", "prbep", "precision_at_7", "recall_at_2p", "roc_area"]
MEASURES += ["accuracy", "balanced_accuracy"]


def cut(X, positive, n_blocks, fit_intercept=True):
    """Split the data into blocks of different lengths, one of them with a single class."""
    order = np.argsort(~positive, kind="stable")
    ends = np.unique(np.append((len(X) * np.linspace(0, 1, n_blocks) ** 2).astype(int), 2))[1:]
    parts = np.split(order, ends[:-1])
    blocks = [DataMatrix(X[part], positive[part]) for part in parts]
    n_positives = int(positive.sum())
    return BlockData(
        LocalBlocks(), blocks, n_positives, len(X) - n_positives, X.shape[1], fit_intercept
    )


def draw_scores(kind, generator):
    n = int(generator.integers(20, 400))
    scores = generator.normal(size=n)
    if kind == "ties":
        scores = np.round(2 * scores)
    elif kind == "constant":
        scores[:] = 0.0
    elif kind == "outlier":
        scores[0] = 1e7
    elif kind == "large":
        scores *= 100.0
    positive = generator.random(n) < generator.uniform(0.05, 0.6)
    positive[:2] = True, False
    return scores + generator.choice([0.0, 1.5]) * positive, positive


@pytest.mark.parametrize("kind", ["normal", "ties", "constant", "outlier", "large"])
@pytest.mark.parametrize("measure", MEASURES)
def test_value_is_that_of_the_search_over_all_scores(measure, kind):
    generator = np.random.default_rng(sum(map(ord, measure + kind)))
    loss = get_measure(measure).loss
    share = 2e-6 if measure == "roc_area" else 3e-7
    for _ in range(6):
        scores, positive = draw_scores(kind, generator)
        data = cut(scores[:, None], positive, 7)
        oracle = BlockOracle(data, loss)
        w = np.array([1.0, 0.0])
        found = oracle.search(data.scores(w, None))
        reference = make_oracle(loss, data.n_positives, data.n_negatives)
        ordered = np.concatenate([scores[positive], scores[~positive]])
        expected = reference.search(ordered).value
        size = abs(expected) + 100 + reference.scale * abs(ordered).sum()
        assert found.value == pytest.approx(expected, abs=share * size)
        assert found.value >= expected - 1e-12 * size
        # The plane touches R at w.
        assert found.loss + found.plane @ w == pytest.approx(expected, abs=share * size)


@pytest.mark.parametrize("measure", MEASURES)
def test_planes_lie_below_the_loss(measure):
    generator = np.random.default_rng(3)
    X = np.round(generator.normal(size=(300, 3)), 1)
    positive = X[:, 0] + generator.normal(size=300) > 1.2
    data = cut(X, positive, 5)
    loss = get_measure(measure).loss
    reference = make_oracle(loss, data.n_positives, data.n_negatives)
    oracle, matrix = BlockOracle(data, loss), DataMatrix(X, positive)
    for w in generator.normal(size=(5, 4)):
        found = oracle.search(data.scores(w, None))
        for other in (np.zeros(4), *generator.normal(size=(20, 4))):
            highest = reference.search(matrix.scores(other, np.empty(300))).value
            assert found.loss + found.plane @ other <= highest + 1e-9 * (1 + abs(highest))


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("measure", [*MEASURES, "at_most"])
def test_optimum_is_that_of_the_fit_in_memory(measure, fit_intercept):
    generator = np.random.default_rng(5)
    X = generator.normal(size=(900, 4)).astype(np.float32)
    positive = X @ [1.0, -1.0, 0.5, 0.0] + generator.normal(size=900) > 1.5
    at_most = measure == "at_most"
    measure = "recall_at_2p" if at_most else measure
    data = cut(X, positive, 6, fit_intercept)
    oracle = BlockOracle(data, training_loss(measure, at_most))
    found = CuttingPlaneSolver(data, oracle).solve(9.0, tol=1e-4)
    expected = make_solver(
        X, positive, measure, at_most_k=at_most, fit_intercept=fit_intercept
    ).solve(9.0, tol=1e-4)
    assert found.converged
    assert_allclose(found.objective, expected.objective, rtol=2e-4)
    assert found.dual_objective <= expected.objective * (1 + 1e-12)


@pytest.mark.parametrize("measure", MEASURES)
def test_tables_do_not_grow_with_the_rows(measure):
    """The number of intervals bounds the bytes that a search sends and receives."""
    generator = np.random.default_rng(8)
    scores = generator.normal(size=(60_000, 1))
    positive = scores[:, 0] + generator.normal(size=60_000) > 1.5
    data = cut(scores, positive, 4)
    oracle = BlockOracle(data, get_measure(measure).loss)
    assert oracle.search(data.scores(np.array([3.0, -1.0]), None)).plane.shape == (2,)
    # The bound is half of twelve rounds with 2048 intervals, two classes and four numbers.
    assert data.bytes_sent + data.workers.received < 6 * 2048 * 2 * 4 * 8


@pytest.mark.parametrize("factor", [1e10, 1e108, 1e200])
def test_scores_out_of_range_are_refused(factor):
    X = np.linspace(-1e200, 1e200, 40)[:, None]
    data = cut(X, np.arange(40) % 3 == 0, 3)
    oracle = BlockOracle(data, get_measure("f1").loss)
    with pytest.raises(ScaleError, match="scale the features"):
        oracle.search(data.scores(np.array([factor, -factor]), None))


def test_scores_that_are_no_numbers_are_refused():
    """Sums of features near the end of the range are inf − inf."""
    X = np.full((40, 16), 1e307)
    data = cut(X, np.arange(40) % 3 == 0, 3)
    oracle = BlockOracle(data, get_measure("f1").loss)
    with pytest.raises(ScaleError, match="scale the features"):
        oracle.search(data.scores(np.append(np.tile([1e10, -1e10], 8), 0.0), None))


def test_measures_without_a_search_over_blocks_are_refused():
    data = cut(np.eye(4), np.arange(4) < 2, 2)
    with pytest.raises(ValueError, match="cannot be trained on distributed data"):
        BlockOracle(data, get_measure("average_precision").loss)
