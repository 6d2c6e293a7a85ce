"""Solutions against recomputed certificates, an independent solver, and each other."""

import dataclasses
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.optimize
import scipy.sparse
from numpy.testing import assert_allclose
from sklearn.svm import LinearSVC
from threadpoolctl import threadpool_limits

from beyond_accuracy.measures import get_measure
from beyond_accuracy.measures.contingency import accuracy, f_beta, jaccard
from beyond_accuracy.solvers import cutting_planes, make_solver
from beyond_accuracy.solvers.data_matrix import DataMatrix
from beyond_accuracy.solvers.iterations import QuasiNewton
from beyond_accuracy.solvers.plane_model import ExamplePlanes, PlaneModel
from beyond_accuracy.solvers.quadratic_program import QuadraticProgram

MEASURES = ("f1", "f0.5", "jaccard", "prbep", "recall_at_2p", "roc_area", "accuracy")


def problem(n=300, d=6, seed=0, share=0.2):
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(n) < share * n, 1, -1)
    X = rng.normal(size=(n, d)) + 0.8 * (y > 0)[:, None]
    order = rng.permutation(n)
    return X[order], y[order]


def risk(X, y, measure, w):
    """Compute R(w) without the solver's oracles: from full sorts of all tables, or all pairs."""
    scores = X @ w[:-1] + w[-1]
    positives, negatives = np.sort(scores[y > 0])[::-1], np.sort(scores[y < 0])[::-1]
    n_positives, n_negatives = len(positives), len(negatives)
    if measure == "roc_area":
        return 100 * np.maximum(0, 1 - (positives[:, None] - negatives[None, :])).mean()
    kept = np.concatenate(([0], np.cumsum(positives)))
    flipped = np.concatenate(([0], np.cumsum(negatives)))
    a, b = np.arange(n_positives + 1)[:, None], np.arange(n_negatives + 1)[None, :]
    value = 100 / len(y) * (kept[a] - kept[-1] + flipped[b])
    if measure in ("prbep", "recall_at_2p"):
        k = n_positives if measure == "prbep" else 2 * n_positives
        score = np.where(a + b <= k, a / n_positives, np.inf)
        if measure == "prbep":
            score = np.where(a + b == k, score, np.inf)
    else:
        function = {"accuracy": accuracy, "jaccard": jaccard, "f0.5": partial(f_beta, beta=0.5)}
        score = function.get(measure, f_beta)(a, b, n_positives - a, n_negatives - b)
    return max(0.0, (100 * (1 - score) + value).max())


@pytest.mark.parametrize("line_search", [True, False])
@pytest.mark.parametrize("measure", MEASURES)
def test_gap_and_objective_recomputed(measure, line_search):
    X, y = problem()
    C, tol = 3.0, 1e-8 if line_search else 1e-2
    solution = make_solver(X, y > 0, measure, line_search=line_search).solve(C, tol=tol)
    primal = 0.5 * solution.w @ solution.w + C * risk(X, y, measure, solution.w)
    assert solution.converged
    assert solution.objective == pytest.approx(primal, rel=1e-9)
    assert solution.dual_objective <= primal * (1 + 1e-12)
    assert primal - solution.dual_objective <= tol * primal
    history = solution.history
    if line_search:
        assert (np.diff([record.primal for record in history]) <= 1e-9 * primal).all()
    assert (np.diff([record.dual for record in history]) >= -1e-9 * primal).all()
    assert [record.iteration for record in history] == list(range(len(history)))
    # The dual value bounds the primal value of any other point from below.
    rng = np.random.default_rng(1)
    for scale in (0.0, 0.01, 0.3):
        other = solution.w + scale * rng.normal(size=len(solution.w))
        assert (
            0.5 * other @ other + C * risk(X, y, measure, other)
            >= solution.dual_objective - 1e-9 * primal
        )


def test_algorithm_1_step_by_step():
    """Repeat the steps of Joachims (2005) for the error rate, with SciPy's SLSQP."""
    X, y = problem(n=60, d=3, seed=4)
    C, eps = 2.0, 0.5
    features = np.hstack([X, np.ones((len(y), 1))])
    w, offsets, slopes, primals = np.zeros(4), [], [], []
    while True:
        flipped = y * (features @ w) < 1
        offset = 100 * flipped.mean()
        slope = -100 / len(y) * y[flipped] @ features[flipped]
        violation = (
            offset
            + slope @ w
            - max([0.0, *(b + a @ w for a, b in zip(slopes, offsets, strict=True))])
        )
        primals.append(0.5 * w @ w + C * (offset + slope @ w))
        if slopes and violation <= eps:
            break
        offsets.append(offset)
        slopes.append(slope)
        A, b = np.array(slopes), np.array(offsets)
        solved = scipy.optimize.minimize(
            lambda v: 0.5 * v[:-1] @ v[:-1] + C * v[-1],
            np.append(w, 100.0),
            jac=lambda v: np.append(v[:-1], C),
            constraints={"type": "ineq", "fun": lambda v, A=A, b=b: v[-1] - A @ v[:-1] - b},
            bounds=[(None, None)] * 4 + [(0, None)],
            options={"ftol": 1e-12, "maxiter": 1000},
        )
        w = solved.x[:-1]
    solver = make_solver(X, y > 0, "accuracy", line_search=False)
    solution = solver.solve(C, tol=1e-12, eps=eps)
    assert solution.n_iter == len(slopes) - 1
    assert solution.w == pytest.approx(w, abs=1e-4)
    assert solution.objective == pytest.approx(primals[-1], rel=1e-5)
    # The objective also rises along the way, so a stop by the best point would come elsewhere.
    assert (np.diff(primals) > 0).any()


def test_error_rate_gives_the_classification_svm():
    """Theorem of Joachims (2005): the hyperplanes are the same if C_liblinear = 100·C/n."""
    X, y = problem(seed=5)
    C_liblinear = 0.7
    C = C_liblinear * len(y) / 100
    ours = make_solver(X, y > 0, "accuracy").solve(C, tol=1e-9)
    model = LinearSVC(
        loss="hinge", C=C_liblinear, intercept_scaling=1.0, tol=1e-10, max_iter=10**6
    ).fit(X, y)
    theirs = np.append(model.coef_[0], model.intercept_)
    assert ours.w == pytest.approx(theirs, rel=1e-3, abs=1e-4)
    hinge = np.maximum(0, 1 - y * (X @ theirs[:-1] + theirs[-1])).sum()
    assert ours.objective == pytest.approx(0.5 * theirs @ theirs + C_liblinear * hinge, rel=1e-6)


@pytest.mark.parametrize("measure", ["f1", "roc_area"])
def test_sparse_dense_and_single_precision_agree(measure):
    X, y = problem(seed=6)
    X[np.abs(X) < 0.7] = 0
    X = X.astype(np.float32).astype(np.float64)
    expected = make_solver(X, y > 0, measure).solve(2.0, tol=1e-7)
    for other in (
        scipy.sparse.csr_matrix(X),
        X.astype(np.float32),
        scipy.sparse.csr_matrix(X.astype(np.float32)),
        np.asfortranarray(X),
    ):
        solution = make_solver(other, y > 0, measure).solve(2.0, tol=1e-7)
        assert solution.objective == pytest.approx(expected.objective, rel=1e-6)
        assert solution.w == pytest.approx(expected.w, abs=1e-3)


@pytest.mark.parametrize("measure", ["f1", "prbep", "recall_at_2p", "roc_area"])
def test_quasi_newton_directions_save_iterations_and_change_no_optimum(measure, monkeypatch):
    X, y = problem(n=50_000, d=8, share=0.05)
    C, at_most_k = 500.0, measure.startswith("recall")
    with_directions = make_solver(X, y > 0, measure, at_most_k=at_most_k).solve(C)
    monkeypatch.setattr(
        QuasiNewton, "__init__", lambda self, *known: setattr(self, "worthwhile", False)
    )
    without = make_solver(X, y > 0, measure, at_most_k=at_most_k).solve(C)
    assert with_directions.objective == pytest.approx(without.objective, rel=1e-3)
    assert with_directions.n_iter < 0.75 * without.n_iter


def nearly_separable_documents(n, d, words=30, share=0.15):
    rng = np.random.default_rng(0)
    frequencies = 1 / np.arange(1, d + 1)
    chosen = rng.choice(d, size=(n, words), p=frequencies / frequencies.sum())
    X = np.zeros((n, d))
    np.put_along_axis(X, chosen, 1.0, axis=1)
    X /= np.linalg.norm(X, axis=1)[:, None]
    scores = X @ rng.normal(size=d)
    return scipy.sparse.csr_array(X), scores > np.quantile(scores, 1 - share)


@pytest.mark.parametrize(
    ("measure", "n", "d"), [("f1", 1000, 300), ("f1", 600, 8000), ("roc_area", 600, 8000)]
)
def test_long_fits_stay_near_the_best_point_and_save_iterations(measure, n, d, monkeypatch):
    X, positive = nearly_separable_documents(n, d)
    near = make_solver(X, positive, measure).solve(1e4)
    monkeypatch.setattr(cutting_planes, "_LONG", np.inf)
    anywhere = make_solver(X, positive, measure).solve(1e4)
    assert near.n_iter < 0.8 * anywhere.n_iter
    assert near.objective == pytest.approx(anywhere.objective, rel=1e-3)
    assert near.dual_objective <= anywhere.objective


@pytest.mark.parametrize("d", [4, 60])
@pytest.mark.parametrize("proximity", [0.0, 0.5, 30.0])
def test_minimizer_near_a_point_by_an_independent_solver(d, proximity):
    rng = np.random.default_rng(4)
    n, C = 8, 3.0
    data = DataMatrix(rng.normal(size=(n, d)), np.arange(n) < 4, fit_intercept=True)
    model = PlaneModel(data, 20, 1.0, np.int8)
    gradients, offsets = [np.zeros(d + 1)], [0.0]
    centre = SimpleNamespace(w=model.planes.zero(), scores=np.zeros(n))
    for _ in range(6):
        weights, offset = rng.integers(-3, 4, size=n).astype(float), rng.normal()
        gradients.append(ExamplePlanes(data, 2, 1.0, np.int8).entries(weights))
        offsets.append(offset)
        model.add(weights, offset)
    weights = rng.normal(size=n)
    at_centre = ExamplePlanes(data, 2, 1.0, np.int8).entries(weights)
    centre.w = at_centre if model.has_features else weights
    centre.scores = data.scores(at_centre, np.zeros(n))
    gradients, offsets = np.array(gradients), np.array(offsets)
    model.values = offsets + gradients @ at_centre

    w, _, bound = model.minimize(C, centre, proximity)

    def objective(z, proximity):
        near = 0.5 * proximity * ((z[:-1] - at_centre) ** 2).sum()
        return 0.5 * z[:-1] @ z[:-1] + near + C * z[-1]

    def solved(proximity):
        return scipy.optimize.minimize(
            objective, np.append(at_centre, 100.0), args=(proximity,), method="SLSQP",
            constraints={"type": "ineq", "fun": lambda z: z[-1] - offsets - gradients @ z[:-1]},
            options={"ftol": 1e-14, "maxiter": 1000},
        )  # fmt: skip

    assert_allclose(model.planes.entries(w), solved(proximity).x[:-1], atol=1e-5)
    minimum = solved(0.0).fun
    assert bound == pytest.approx(minimum) if proximity == 0 else bound <= minimum


@pytest.mark.parametrize("measure", ["f1", "roc_area"])
def test_curvature_that_is_kept_saves_iterations_and_changes_no_optimum(measure):
    X, y = problem(n=20_000, d=20, share=0.05)
    Cs = 100.0 * np.logspace(0, 3, 6)
    n_iter, n_searches = {}, {}
    for keep_curvature in (False, True):
        solver = make_solver(X, y > 0, measure, keep_curvature=keep_curvature)
        path = [solver.solve(C, tol=1e-3) for C in Cs]
        n_iter[keep_curvature] = sum(solution.n_iter for solution in path[1:])
        n_searches[keep_curvature] = sum(solution.n_searches for solution in path[1:])
        for C, solution in zip(Cs, path, strict=True):
            alone = make_solver(X, y > 0, measure).solve(C, tol=1e-4)
            assert solution.dual_gap <= 1e-3
            assert solution.objective == pytest.approx(alone.objective, rel=2e-3)
    assert n_iter[True] < 0.9 * n_iter[False]
    assert n_searches[True] < 0.7 * n_searches[False]


def test_path_equals_single_solutions_in_any_order():
    X, y = problem(seed=7)
    Cs = [4.0, 0.05, 1.0]
    solver = make_solver(X, y > 0, "f1")
    for C in Cs:
        alone = make_solver(X, y > 0, "f1").solve(C, tol=1e-7)
        assert solver.solve(C, tol=1e-7).objective == pytest.approx(alone.objective, rel=1e-6)


@pytest.mark.parametrize(
    ("n", "d", "scale", "max_planes"), [(80, 4, 1, 3), (80, 4, 1, 12), (60, 400, 0.05, 4)]
)
def test_few_planes_still_converge(n, d, scale, max_planes):
    """If features outnumber examples, planes are merged into vectors of features."""
    X, y = problem(n=n, d=d, seed=8)
    expected = make_solver(scale * X, y > 0, "f1").solve(2.0, tol=1e-6)
    solver = make_solver(scale * X, y > 0, "f1", max_planes=max_planes)
    solution = solver.solve(2.0, tol=1e-2, max_iter=20_000)
    assert solution.converged
    assert solution.objective == pytest.approx(expected.objective, rel=2e-2)


@pytest.mark.parametrize("measure", ["f1", "prbep", "roc_area"])
def test_fewer_examples_than_features(measure):
    """Planes are then stored as weights over examples."""
    X, y = problem(n=60, d=400, seed=13)
    solution = make_solver(X, y > 0, measure).solve(2.0, tol=1e-6)
    assert solution.converged
    primal = 0.5 * solution.w @ solution.w + 2.0 * risk(X, y, measure, solution.w)
    assert solution.objective == pytest.approx(primal, rel=1e-9)
    # The factor of the kernel matrix spans the same space with as many features as examples.
    factor = np.linalg.cholesky(X @ X.T + 1e-12 * np.eye(60))
    expected = make_solver(factor, y > 0, measure).solve(2.0, tol=1e-6)
    assert solution.objective == pytest.approx(expected.objective, rel=2e-6)


def test_exactly_k_is_degenerate_and_at_most_k_is_not():
    """With exactly 2P predicted positives, w = 0 with a large negative intercept has no loss."""
    X, y = problem(n=500, seed=10)
    share = (y > 0).mean()
    intercept_alone = 0.5 * (1 / share) ** 2
    C = 500.0
    exact = make_solver(X, y > 0, "recall_at_2p", at_most_k=False).solve(C, tol=1e-6)
    assert exact.objective <= intercept_alone * (1 + 1e-6)
    relaxed = make_solver(X, y > 0, "recall_at_2p").solve(C, tol=1e-6)
    recall = get_measure("recall_at_2p")
    ranked = [recall.score(y, X @ fit.w[:-1] + fit.w[-1]) for fit in (exact, relaxed)]
    assert ranked[1] > ranked[0]


def test_one_class_and_untrainable_measures_are_refused():
    X, y = problem(n=20)
    with pytest.raises(ValueError, match="no positive example"):
        make_solver(X, np.zeros(20, dtype=bool), "f1")
    with pytest.raises(ValueError, match="NaN or infinity"):
        make_solver(np.where(X > 1, np.nan, X), y > 0, "f1")
    with pytest.raises(ValueError, match="no classifier can be trained on 'own'"):
        make_solver(X, y > 0, dataclasses.replace(get_measure("f1"), name="own", loss=None))
    with pytest.raises(ValueError, match='objective="recall", constraints="precision >= 0.5"'):
        make_solver(X, y > 0, "recall_at_precision_0.5")
    with pytest.raises(ValueError, match="at_most_k=True is for recall_at_<k> only"):
        make_solver(X, y > 0, "prbep", at_most_k=True)


@pytest.mark.parametrize("offset", [1e9, 1e11, 1e14])
def test_a_gap_below_rounding_is_not_claimed(offset):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((500, 6))
    y = np.where(X[:, 0] + rng.standard_normal(500) > 0.5, 1, -1)
    X += offset
    solution = make_solver(X, y > 0, "roc_area").solve(5.0, tol=1e-3, max_iter=500)
    w = solution.w.astype(np.longdouble)
    primal = w @ w / 2 + 5 * risk(X.astype(np.longdouble), y, "roc_area", w)
    if solution.converged:
        assert primal - solution.dual_objective <= 1e-3 * primal
    else:
        assert solution.dual_gap > 1e-3
    assert solution.converged == (offset == 1e9)


@pytest.mark.parametrize("C", [0, -1.0, np.nan, np.inf, 1.7e308])
@pytest.mark.parametrize(("measure", "n_features"), [("f1", 6), ("accuracy", 1200)])
def test_C_must_be_above_0(measure, n_features, C):
    X, y = problem(d=n_features)
    X = scipy.sparse.csr_matrix(X)
    with pytest.raises(ValueError, match="C must be a number above 0"):
        make_solver(X, y > 0, measure).solve(C)


@pytest.mark.parametrize("C", [0.1, 5.0, 1000.0])
@pytest.mark.parametrize("line_search", [True, False])
def test_one_positive_among_many_is_learned(C, line_search):
    """The best w lowers the objective by less than the tolerance, but is still found.

    With one positive, every labelling for PRBEP has one predicted positive. The quadratic program
    over all labellings therefore has as many planes as there are negatives.
    """
    rng = np.random.default_rng(0)
    n = 400
    X = rng.normal(size=(n, 3)) / 10
    X[0] = 0.5
    positive = np.arange(n) == 0
    program = QuadraticProgram(n)
    slopes = 100 / n * (X[1:] - X[0])
    for i, slope in enumerate(slopes):
        program.add(np.append(0.0, slopes[:i] @ slope), slope @ slope, 100.0)
    program.solve(C)
    w = -program.alpha[1:n] @ slopes
    exact = 0.5 * w @ w + C * max(0.0, (100.0 + slopes @ w).max())
    gain = 100.0 * C - exact
    solver = make_solver(X, positive, "prbep", fit_intercept=False, line_search=line_search)
    solution = solver.solve(C, tol=1e-3)
    assert 0 < gain < 1e-3 * exact or C == 1000.0
    assert solution.converged
    assert not solution.zero_is_optimal
    assert solution.objective - exact <= 1e-3 * gain * 1.01


def in_place(tp, fp, fn, tn):
    fp += fn
    return tp / (tp + fp)


@pytest.mark.parametrize(
    "function", [in_place, lambda tp, fp: tp, lambda a, b, c, d: 1.0 if b < 1 else 0.0]
)
def test_a_measure_that_is_no_function_of_arrays_is_refused(function):
    X, y = problem(n=40)
    with pytest.raises(ValueError, match="must be a function of .TP, FP, FN, TN."):
        make_solver(X, y > 0, function)


@pytest.mark.parametrize("n_used", [0, 1, 4, 7, 40])
def test_coordinates_and_scores_of_a_combination_of_planes(n_used):
    """There are more examples than one block; scores come from stored planes and from the data."""
    rng = np.random.default_rng(n_used)
    X = scipy.sparse.random_array((2500, 4000), density=0.01, format="csr", rng=rng)
    data = DataMatrix(X, rng.random(2500) < 0.3, positives_first=False)
    planes = ExamplePlanes(data, 60, 0.5, np.int8)
    weights = 0.5 * rng.integers(-1, 2, (40, 2500))
    for each in weights:
        planes.add(each)
    alpha = np.zeros(41)
    alpha[1 + rng.permutation(40)[:n_used]] = rng.random(n_used)
    combined, scores = planes.combine(alpha)
    assert_allclose(combined, alpha[1:] @ weights, atol=1e-12)
    assert_allclose(scores, X @ (X.T @ combined) + combined.sum(), atol=1e-10)


@pytest.mark.parametrize("measure", ["f1", "roc_area"])
def test_the_number_of_blas_threads_changes_no_byte(measure):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 12_000))
    solutions = []
    for n_threads in (1, 2):
        with threadpool_limits(n_threads, user_api="blas"):
            solver = make_solver(X, X[:, 0] > 0.5, measure)
            solutions.append(solver.solve(1.0, max_iter=20))
    assert solutions[0].w.tobytes() == solutions[1].w.tobytes()
