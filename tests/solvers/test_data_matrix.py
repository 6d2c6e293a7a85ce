"""Products with the data against NumPy's, in the order of the scores; memory of fits."""

import pickle
import tracemalloc

import numpy as np
import pytest
import scipy.sparse
from numpy.testing import assert_allclose, assert_array_equal

from beyond_accuracy import MultivariateSVC
from beyond_accuracy.solvers.data_matrix import DataMatrix, all_finite


def examples():
    generator = np.random.default_rng(0)
    X = generator.normal(size=(57, 6)) * (generator.random((57, 6)) < 0.6)
    return X, generator.random(57) < 0.3


@pytest.mark.parametrize("positives_first", [True, False])
@pytest.mark.parametrize(
    "form", [np.asarray, np.float32, np.asfortranarray, scipy.sparse.csr_matrix]
)
def test_products(form, positives_first):
    X, positive = examples()
    stored = form(X)
    X = stored.toarray() if scipy.sparse.issparse(stored) else np.asarray(stored, dtype=float)
    data = DataMatrix(stored, positive, positives_first=positives_first)
    order = np.argsort(~positive, kind="stable") if positives_first else np.arange(57)
    w, weights = np.linspace(-1, 2, 7), np.linspace(-3, 3, 57)
    scores = data.scores(w, data.empty_scores())
    assert_allclose(scores, (X @ w[:-1] + w[-1])[order], atol=1e-12)
    assert_array_equal(data.ordered(positive), positive[order])
    out = np.empty(7)
    data.combination(weights, out)
    assert_allclose(out, np.append(weights @ X[order], weights.sum()), atol=1e-12)
    assert_allclose(data.product(weights, scores), out @ w)
    if not positives_first:
        return
    means = abs(X[positive]).mean(axis=0) + abs(X[~positive]).mean(axis=0)
    assert_allclose(data.magnitudes, np.append(means, 2.0))


@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csr_array])
def test_many_rows_are_shared_among_threads(form):
    generator = np.random.default_rng(1)
    X = generator.normal(size=(200_001, 2)) * (generator.random((200_001, 2)) < 0.7)
    positive = generator.random(len(X)) < 0.1
    order = np.argsort(~positive, kind="stable")
    w, weights = np.array([2.0, -1.0, 0.5]), generator.normal(size=len(X))
    combinations = []
    for n_threads in (1, 2, 5):
        data = DataMatrix(form(X), positive, n_threads=n_threads)
        scores, combination = data.scores(w, data.empty_scores()), np.empty(3)
        assert_allclose(scores, (X @ w[:-1] + w[-1])[order], atol=1e-12)
        moved = data.move(scores, weights, 0.1, data.empty_scores())
        assert_allclose(moved, scores + 0.1 * weights)
        assert data.in_range(scores)
        scores[-1] = 1e160
        assert not data.in_range(scores)
        data.combination(weights, combination)
        assert_allclose(combination, np.append(weights @ X[order], weights.sum()), rtol=1e-9)
        combinations.append(combination.tobytes())
    assert len(set(combinations)) == 1


@pytest.mark.parametrize("measure", ["f1", "roc_area"])
def test_a_fit_does_not_depend_on_the_number_of_threads(measure, monkeypatch):
    generator = np.random.default_rng(1)
    X = generator.normal(size=(140_000, 3))
    y = X @ [1.0, -1.0, 0.5] + generator.normal(size=len(X)) > 2
    fits = []
    for n_threads in ("1", "2"):
        monkeypatch.setenv("OMP_NUM_THREADS", n_threads)
        monkeypatch.setenv("LOKY_MAX_CPU_COUNT", "2")
        fits.append(MultivariateSVC(measure, tol=0.1).fit(X, y))
    assert fits[0].coef_.tobytes() == fits[1].coef_.tobytes()


def test_sums_over_sparse_rows_are_added_in_one_order():
    """Bits of results depend on it: four sums in turn; the rest is added to the first sum."""
    generator = np.random.default_rng(2)
    lengths = np.arange(23)
    shares = [generator.permutation(30)[:length] for length in lengths]
    X = scipy.sparse.lil_matrix((len(lengths), 30))
    for i, columns in enumerate(shares):
        X[i, columns] = generator.normal(size=len(columns))
    X, w = X.tocsr(), generator.normal(size=31)
    data = DataMatrix(X, lengths % 2 == 0, positives_first=False)
    scores, weights = data.scores(w, data.empty_scores()), generator.normal(size=len(lengths))
    combination = [0.0] * 30
    for i in range(len(lengths)):
        products = [float(X[i, j] * w[j]) for j in X[i].indices]
        in_fours = len(products) // 4 * 4
        a, b, c, d = (sum(products[first:in_fours:4], 0.0) for first in range(4))
        a = sum(products[in_fours:], a)
        assert scores[i] == (a + b) + (c + d) + w[-1]
        for j in X[i].indices:
            combination[j] += weights[i] * X[i, j]
    out = np.empty(31)
    data.combination(weights, out)
    assert_array_equal(out[:-1], combination)


@pytest.mark.parametrize("large", [1e150, 1e160, np.nan, -np.inf])
def test_squares_of_scores_can_be_added_up_or_not(large):
    data = DataMatrix(*examples())
    scores = data.zero_scores()
    scores[::7] = large
    assert data.in_range(scores) == bool(large == 1e150)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_all_finite(bad):
    X = np.zeros((300_000, 4), dtype=np.float32)
    assert all_finite(X)
    assert all_finite(X[:0])
    X[-1, -1] = bad
    assert not all_finite(X)
    assert not all_finite(scipy.sparse.csr_matrix(X[-3:]))


@pytest.mark.parametrize("measure", ["f1", "prbep"])
def test_a_fit_to_mapped_data_takes_a_few_numbers_a_row(tmp_path, measure):
    """Memory is at most eight numbers of eight bytes per row, less than a copy of the data."""
    n_rows, n_features = 100_000, 22
    path = tmp_path / "X.npy"
    X = np.lib.format.open_memmap(path, "w+", np.float32, (n_rows, n_features))
    generator = np.random.default_rng(1)
    positive = generator.random(n_rows) < 0.05
    X[:] = generator.normal(size=X.shape)
    X[positive] += 0.6
    X.flush()
    X = np.load(path, mmap_mode="r")
    classifier = MultivariateSVC(measure)
    classifier.fit(X[:1000], positive[:1000])
    tracemalloc.start()
    classifier.fit(X, positive)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 64 * n_rows
    assert peak < X.nbytes


def test_a_pickle_holds_the_features_once():
    X = np.random.default_rng(0).normal(size=(200_000, 4))
    assert len(pickle.dumps(DataMatrix(X, X[:, 0] > 0))) < 1.1 * X.nbytes
