"""How the time of a fit grows with the number of examples and with their imbalance."""

import numpy as np

from benchmarks.fits import Decrease, fit
from benchmarks.report import Section, percent, show, significant
from benchmarks.tasks import gaussians
from benchmarks.timing import median_seconds
from beyond_accuracy.measures import get_measure

_MEASURES = ("f1", "prbep", "roc_area", "partial_roc_area_0_0.1", "average_precision")
_SHARE = 0.05
_SHARES = (0.001, 0.01, 0.2, 0.5)
_TOLERANCE = 1e-3
_N_FEATURES = 22
_MOST_ROWS_OF_EXPONENT = 1_000_000
_ROWS_TIMED_ONCE = 1_000_000


def measure(tasks, sizes, repetitions, folder) -> Section:
    """Measure every size and share of positives; fit exponents, and draw a figure."""
    for name in _MEASURES:
        fit(gaussians(500, _N_FEATURES, dtype=np.float32), name, _TOLERANCE)
    rows, curves = [], {}
    problems = [(n_rows, _SHARE) for n_rows in sizes.scaling_rows]
    problems += [(sizes.share_rows, share) for share in _SHARES]
    for n_rows, share in problems:
        task = gaussians(n_rows, _N_FEATURES, share, dtype=np.float32)
        times = 1 if n_rows >= _ROWS_TIMED_ONCE else repetitions
        for name in _MEASURES:
            ((elapsed, solution),) = median_seconds(
                times, lambda task=task, name=name: fit(task, name, _TOLERANCE)
            )
            if share == _SHARE:
                curves.setdefault(name, []).append((n_rows, elapsed))
            reached = Decrease.of(solution).share(solution.objective)
            problem = (f"{n_rows:,}", percent(share), get_measure(name).label)
            work = (f"{solution.n_iter}", significant(elapsed), significant(1e6 * elapsed / n_rows))
            rows.append((*problem, *work, reached))
            show(rows[-1])
    exponents = ", ".join(
        f"{get_measure(name).label} {fitted_exponent(points):.2f}"
        for name, points in curves.items()
    )
    return Section(
        "Scaling",
        f"Generated dense float32 data with {_N_FEATURES} features, C = n/100, to a gap of "
        f"{_TOLERANCE:g}. Seconds grow as a power of n up to {_MOST_ROWS_OF_EXPONENT:,} rows. "
        f"Least squares on logarithms give the exponents {exponents}.",
        ("rows", "positives", "measure", "iterations", "seconds", "µs a row", "share"),
        rows,
        figure=_draw(curves, folder),
    )


def fitted_exponent(points) -> float:
    """Return the slope of log seconds over log n, by least squares, up to a million rows."""
    n, elapsed = np.log([p for p in points if p[0] <= _MOST_ROWS_OF_EXPONENT]).T
    return float(np.polyfit(n, elapsed, 1)[0])


def _draw(curves, folder):
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(5, 3.5), layout="constrained")
    for (name, points), marker in zip(curves.items(), "os^vD", strict=True):
        axes.loglog(*zip(*points, strict=True), marker=marker, label=get_measure(name).label)
    axes.set(xlabel="examples", ylabel="CPU seconds of a fit")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(folder / "scaling.svg")
    plt.close(figure)
    return "scaling.svg"
