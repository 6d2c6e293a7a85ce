"""What one-against-rest over many labels could save by sharing the products with the data."""

import numpy as np

from benchmarks.report import Section, significant
from benchmarks.tasks import documents
from benchmarks.times_of_fits import fit
from benchmarks.timing import median_seconds

_LABELS = 90
_TOLERANCE = 1e-3


def measure(tasks, sizes, repetitions, folder) -> Section:
    """X·w of each label alone and X·W of all, and the share of the products in a fit."""
    task = documents(sizes.sparse_rows, sizes.sparse_features)
    X, n = task.X, len(task.positive)
    W = np.random.default_rng(0).normal(size=(X.shape[1], _LABELS))
    columns = [np.ascontiguousarray(W[:, j]) for j in range(_LABELS)]
    V = np.random.default_rng(1).normal(size=(n, _LABELS))
    weights = [np.ascontiguousarray(V[:, j]) for j in range(_LABELS)]
    fit(task, "f1", 0.5)
    timed = median_seconds(
        repetitions,
        lambda: [X @ w for w in columns],
        lambda: X @ W,
        lambda: [v @ X for v in weights],
        lambda: X.T @ V,
        lambda: fit(task, "f1", _TOLERANCE),
    )
    (alone, _), (together, _), (alone_back, _), (together_back, _), (elapsed, solution) = timed
    share = min(1.0, (alone + alone_back) / _LABELS * solution.n_iter / elapsed)
    left = (together + together_back) / (alone + alone_back)
    saved = 1.0 / (1.0 - share * (1.0 - left))
    rows = [
        ("X·w, label by label", significant(alone)),
        ("X·W", significant(together)),
        ("v·X, label by label", significant(alone_back)),
        ("V·X", significant(together_back)),
        ("fit of one label", significant(elapsed)),
        ("share of the products in a fit", f"{100 * share:.0f} %"),
        ("all labels in one call, at best", f"{saved:.2f} times as fast"),
    ]
    return Section(
        "Many labels one against the rest",
        f"{task.describe()}, {_LABELS} labels, F1 to a gap of {_TOLERANCE:g}. What one call could "
        "save if all labels took equally many iterations; there is no such call, since it would "
        "save no more than the last row says.",
        ("", "seconds"),
        rows,
    )


if __name__ == "__main__":
    from benchmarks.tasks import Sizes

    for row in measure(None, Sizes.of("default"), 5, None).rows:
        print(*row, sep="\t")
