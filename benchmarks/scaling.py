"""How the time of a fit grows with the number of examples and with their imbalance."""

import numpy as np

from benchmarks.report import Section, Target, significant
from benchmarks.tasks import gaussians
from benchmarks.times_of_fits import fit
from benchmarks.timing import median_seconds
from beyond_accuracy.measures import get_measure
from beyond_accuracy.solvers.data_matrix import DataMatrix

_MEASURES = ("f1", "prbep", "roc_area", "partial_roc_area_0_0.1", "average_precision")
_SHARES = (0.001, 0.01, 0.05, 0.2, 0.5)
_TOLERANCE = 1e-3
_N_FEATURES = 22
_EXPONENT_ASKED = 1.1
_MOST_ROWS_OF_TARGET = 1_000_000
_ROWS_TIMED_ONCE = 1_000_000


def measure(tasks, sizes, repetitions, folder) -> Section:
    """Seconds for every size and share, the fitted exponents, and a figure."""
    rows, targets, curves = [], [], {}
    for name in _MEASURES:
        fit(gaussians(500, _N_FEATURES, dtype=np.float32), name, _TOLERANCE)
    products = []
    for n_rows in sizes.scaling_rows:
        task = gaussians(n_rows, _N_FEATURES, dtype=np.float32)
        products.append((n_rows, _seconds_of_products(task, repetitions)))
        for name in _MEASURES:
            elapsed = _row(task, name, 0.05, repetitions, rows)
            curves.setdefault(name, []).append((n_rows, elapsed))
    for share in _SHARES:
        task = gaussians(sizes.share_rows, _N_FEATURES, share, dtype=np.float32)
        for name in _MEASURES:
            _row(task, name, share, repetitions, rows)
    exponents = []
    for name, points in curves.items():
        exponent = fitted_exponent([p for p in points if p[0] <= _MOST_ROWS_OF_TARGET])
        label, text = get_measure(name).label, f"{exponent:.2f}"
        exponents.append(f"{label} {text}")
        what = f"exponent of fit time in n, {label}"
        targets.append(Target(what, f"{_EXPONENT_ASKED:g}", text, exponent <= _EXPONENT_ASKED))
    return Section(
        "Scaling",
        f"Generated dense float32 data with {_N_FEATURES} features, C = n/100, to a gap of "
        f"{_TOLERANCE:g}. Seconds grow as a power of n up to {_MOST_ROWS_OF_TARGET:,} rows; least "
        f"squares on logarithms give the exponents {', '.join(exponents)}. Those of the two "
        "products with the data, whose rows leave one cache after another, grow with the exponent "
        f"{fitted_exponent([p for p in products if p[0] <= _MOST_ROWS_OF_TARGET]):.2f} here.",
        ("rows", "positives", "measure", "seconds", "iterations", "searches", "µs a row"),
        rows,
        targets,
        figure=_draw(curves, folder),
    )


def _seconds_of_products(task, repetitions):
    """Seconds of X·w and weights·X as the solver computes them, each as often as makes 10⁶ rows."""
    data = DataMatrix(task.X, task.positive)
    w, weights = np.ones(_N_FEATURES + 1), np.ones(len(task.positive))
    scores, sums = np.empty(len(weights)), np.empty(len(w))
    times = max(_ROWS_TIMED_ONCE // len(weights), 1)

    def products():
        for _ in range(times):
            data.scores(w, scores)
            data.combination(weights, sums)

    products()
    ((elapsed, _),) = median_seconds(repetitions, products)
    return elapsed / times


def fitted_exponent(points) -> float:
    """Slope of log seconds over log n, by least squares."""
    n, elapsed = np.log(np.array(points, dtype=np.float64)).T
    return float(np.polyfit(n, elapsed, 1)[0])


def _row(task, name, share, repetitions, rows):
    n_rows = task.X.shape[0]
    times = 1 if n_rows >= _ROWS_TIMED_ONCE else repetitions
    ((elapsed, solution),) = median_seconds(times, lambda: fit(task, name, _TOLERANCE))
    problem = (f"{n_rows:,}", f"{100 * share:g} %", get_measure(name).label)
    work = (significant(elapsed), f"{solution.n_iter}", f"{solution.n_searches}")
    rows.append((*problem, *work, significant(1e6 * elapsed / n_rows)))
    return elapsed


def _draw(curves, folder):
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(5, 3.5), layout="constrained")
    for (name, points), marker in zip(curves.items(), "os^vDP*", strict=True):
        axes.loglog(*zip(*points, strict=True), marker=marker, label=get_measure(name).label)
    axes.set(xlabel="examples", ylabel="CPU seconds of a fit")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(folder / "scaling.svg")
    plt.close(figure)
    return "scaling.svg"
