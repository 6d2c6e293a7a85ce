"""MultivariateSVC with kernels against formulations that do not use the factor."""

import pickle
import warnings

import numpy as np
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.metrics.pairwise import laplacian_kernel, polynomial_kernel, rbf_kernel
from sklearn.svm import SVC

from beyond_accuracy.estimators import MultivariateSVC

FULL = {"trace_tol": 0.0}


def problem(n=120, d=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = (X[:, 0] ** 2 + X[:, 1] ** 2 + 0.5 * rng.normal(size=n) < 1.0).astype(int)
    return X, y


def product_plus_one(X, Y):
    return (X @ Y.T + 1.0) ** 2


KERNELS = {
    "rbf": ({"kernel": "rbf", "gamma": 0.4}, lambda X, Y: rbf_kernel(X, Y, gamma=0.4)),
    "scale": (
        {"kernel": "rbf"},
        lambda X, Y: np.exp(-((X[:, None] - Y) ** 2).sum(axis=2) / (4 * problem()[0].var())),
    ),
    "poly": (
        {"kernel": "poly", "gamma": "auto", "degree": 2, "coef0": 1.5},
        lambda X, Y: polynomial_kernel(X, Y, gamma=0.25, degree=2, coef0=1.5),
    ),
    "laplacian": (
        {"kernel": "laplacian", "gamma": 0.3},
        lambda X, Y: laplacian_kernel(X, Y, gamma=0.3),
    ),
    "callable": ({"kernel": product_plus_one}, product_plus_one),
}


def eigenfeatures(K):
    """Return features of all rows of a kernel matrix, from its eigendecomposition."""
    values, vectors = np.linalg.eigh(K)
    kept = values > 1e-10 * values[-1]
    return vectors[:, kept] * np.sqrt(values[kept])


@pytest.mark.parametrize(
    ("name", "measure"),
    [*((name, "f1") for name in KERNELS), ("poly", "prbep"), ("rbf", "roc_area")],
)
def test_full_rank_is_the_exact_kernel_solution(name, measure):
    """Solve the same problem on the eigenvectors of the whole kernel matrix, with new rows."""
    X, y = problem()
    new = problem(n=40, seed=1)[0]
    parameters, function = KERNELS[name]
    both = np.vstack((X, new))
    features = eigenfeatures(function(both, both))
    shared = {"C": 3.0, "tol": 1e-13, "max_iter": 3000}
    with warnings.catch_warnings():
        # At this tolerance, rounding may stop the solver first. The test asserts the gap instead.
        warnings.simplefilter("ignore")
        exact = MultivariateSVC(measure, **shared).fit(features[: len(X)], y)
        model = MultivariateSVC(measure, **parameters, **FULL, **shared).fit(X, y)
    assert max(exact.dual_gap_, model.dual_gap_) < 1e-11
    assert model.kernel_error_ < 1e-10
    assert model.objective_ == pytest.approx(exact.objective_, rel=1e-9)
    assert model.decision_function(X) == pytest.approx(
        exact.decision_function(features[: len(X)]), abs=1e-6 if measure != "roc_area" else 1e-5
    )
    if measure != "roc_area":
        expected = exact.decision_function(features[len(X) :])
        assert model.decision_function(new) == pytest.approx(expected, abs=1e-5)


def test_error_rate_gives_the_kernel_svm():
    """A reflection maps the data onto itself with classes swapped, so SVC's free bias is 0.

    Our regularized bias is 0 too, so both problems have the same solution.
    """
    X, y = problem(n=100)
    X = X + 0.5
    X, y = np.vstack((X, -X)), np.concatenate((y, 1 - y))
    ours = MultivariateSVC("accuracy", C=len(y) / 100, kernel="rbf", tol=1e-10, **FULL).fit(X, y)
    theirs = SVC(C=1.0, kernel="rbf", tol=1e-10).fit(X, y)
    assert theirs.intercept_ == pytest.approx(0, abs=1e-6)
    assert ours.intercept_ == pytest.approx(0, abs=1e-4)
    new = problem(n=50, seed=3)[0]
    assert ours.decision_function(new) == pytest.approx(theirs.decision_function(new), abs=1e-3)
    norm = theirs.dual_coef_[0] @ rbf_kernel(
        theirs.support_vectors_, theirs.support_vectors_, gamma=ours.gamma_
    )
    hinge = np.maximum(0, 1 - np.where(y, 1, -1) * theirs.decision_function(X)).sum()
    assert ours.objective_ == pytest.approx(norm @ theirs.dual_coef_[0] / 2 + hinge, rel=1e-7)


def test_attributes_say_what_was_given_up():
    X, y = problem()
    model = MultivariateSVC(kernel="rbf", gamma=0.4, n_components=20).fit(X, y)
    p = model.pivots_
    K = rbf_kernel(X, gamma=0.4)
    left = K - K[:, p] @ np.linalg.solve(K[np.ix_(p, p)], K[p])
    assert model.kernel_error_ == pytest.approx(np.trace(left) / np.trace(K), rel=1e-8)
    assert model.components_ == pytest.approx(X[p])
    values = rbf_kernel(X, X[p], gamma=0.4) @ model.dual_coef_[0] + model.intercept_[0]
    assert model.decision_function(X) == pytest.approx(values, abs=1e-10)
    linear = MultivariateSVC().fit(X, X[:, 0] > 0)
    assert (linear.kernel_rank_, linear.kernel_error_) == (4, 0.0)


def test_coefficients_belong_to_the_linear_kernel():
    X, y = problem()
    model = MultivariateSVC(kernel="rbf").fit(X, y)
    assert not hasattr(model, "coef_")
    with pytest.raises(AttributeError, match='only available with kernel="linear".*dual_coef_'):
        _ = model.coef_
    model.set_params(kernel="linear").fit(X, X[:, 0] > 0)
    assert model.coef_.shape == (1, 4)
    assert not hasattr(model, "dual_coef_")
    model.set_params(kernel="poly", coef0=1.0).fit(X, y)
    assert not hasattr(model, "coef_")
    assert model.decision_function(X).shape == (120,)


@pytest.mark.parametrize("kernel", ["rbf", "poly", "laplacian", product_plus_one])
def test_dense_and_sparse_input_agree_in_fit_and_in_prediction(kernel):
    X, y = problem()
    X = np.where(np.abs(X) < 0.4, 0.0, X)
    parameters = {"kernel": kernel, "coef0": 1.0, "n_components": 30, "tol": 1e-8}
    if kernel is product_plus_one:
        # A kernel function always receives the type of rows on which it was fitted.
        dense = sparse = MultivariateSVC(**parameters).fit(X, y)
    else:
        dense = MultivariateSVC(**parameters).fit(X, y)
        sparse = MultivariateSVC(**parameters).fit(scipy.sparse.csr_matrix(X), y)
        assert scipy.sparse.issparse(sparse.components_)
    expected = dense.decision_function(X)
    for model in (dense, sparse):
        for rows in (X, scipy.sparse.csr_matrix(X), scipy.sparse.csc_matrix(X)):
            assert model.decision_function(rows) == pytest.approx(expected, abs=1e-3)
    assert sparse.gamma_ == pytest.approx(dense.gamma_)


@pytest.mark.parametrize("kernel", ["rbf", "laplacian"])
def test_rows_far_from_the_origin(kernel):
    X, y = problem()
    parameters = {"kernel": kernel, "gamma": 0.4, "tol": 1e-8, "trace_tol": 1e-4}
    near = MultivariateSVC(**parameters).fit(X, y)
    far = MultivariateSVC(**parameters).fit(X + 1e7, y)
    assert near.pivots_[0] == far.pivots_[0] == 0
    assert far.objective_ == pytest.approx(near.objective_, rel=1e-6)
    expected = near.decision_function(X[:20])
    assert far.decision_function(X[:20] + 1e7) == pytest.approx(expected, abs=1e-3)


def test_prediction_in_chunks_is_the_whole(monkeypatch):
    X, y = problem()
    model = MultivariateSVC(kernel="rbf").fit(X, y)
    whole = model.decision_function(X)
    monkeypatch.setattr("beyond_accuracy.estimators.kernels._ROWS_AT_ONCE", 7)
    assert model.decision_function(X) == pytest.approx(whole, abs=1e-10)


def test_changed_parameters_do_not_touch_a_fitted_model_and_it_pickles():
    X, y = problem()
    model = MultivariateSVC(kernel="rbf", gamma=0.4).fit(X, y)
    before = model.decision_function(X)
    model.set_params(kernel="poly", gamma=3.0)
    assert model.decision_function(X).tobytes() == before.tobytes()
    assert pickle.loads(pickle.dumps(model)).decision_function(X).tobytes() == before.tobytes()
    assert clone(model).kernel == "poly"


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"kernel": "rfb"}, "'kernel' parameter .*'rbf'"),
        ({"kernel": "rbf", "gamma": 0.0}, "'gamma' parameter"),
        ({"kernel": "rbf", "trace_tol": 1.0}, "'trace_tol' parameter"),
        ({"kernel": "poly", "coef0": -5.0, "degree": 2}, "not positive semidefinite"),
        ({"kernel": "poly", "gamma": 1e200}, "returned inf|returned -inf"),
        ({"kernel": lambda A, B: (A @ B.T)[0]}, r"returned shape \(64,\)"),
        ({"kernel": lambda A, B: np.full((len(A), len(B)), np.nan)}, "returned nan"),
        ({"kernel": lambda A, B: np.zeros((len(A), len(B)))}, "0 for every row"),
        ({"kernel": lambda A, B: -(A @ B.T)}, "not positive semidefinite"),
    ],
)
def test_bad_parameters(parameters, message):
    X, y = problem()
    with pytest.raises(ValueError, match=message):
        MultivariateSVC(**parameters).fit(X, y)


def test_either_of_rank_and_error_decides_alone_and_the_first_of_both():
    X, y = problem(n=150)
    loose = MultivariateSVC(kernel="rbf", trace_tol=0.2).fit(X, y)
    assert loose.kernel_error_ <= 0.2
    rank = loose.kernel_rank_
    for n_components, trace_tol, expected in [
        (rank + 5, None, rank + 5),
        (1000, 0.2, rank),
        (rank - 2, 0.2, rank - 2),
    ]:
        model = MultivariateSVC(kernel="rbf", n_components=n_components, trace_tol=trace_tol)
        assert model.fit(X, y).kernel_rank_ == expected
    assert MultivariateSVC(kernel="rbf").fit(X, y).kernel_error_ <= 1e-3


def test_the_factor_is_kept_for_other_measures_and_C():
    class Memory:
        def __init__(self):
            self.results, self.n_calls = {}, 0

        def cache(self, function):
            def remembered(*arguments):
                key = str(arguments)
                self.n_calls += key not in self.results
                return self.results.setdefault(key, function(*arguments))

            return remembered

    X, y = problem()
    memory = Memory()
    for measure in ("f1", "roc_area"):
        for C in (0.1, 1.0):
            parameters = {"measure": measure, "C": C, "kernel": "rbf", "gamma": 0.4}
            kept = MultivariateSVC(memory=memory, **parameters).fit(X, y)
            alone = MultivariateSVC(**parameters).fit(X, y)
            assert kept.objective_ == alone.objective_
            np.testing.assert_array_equal(kept.decision_function(X), alone.decision_function(X))
    assert memory.n_calls == 1
