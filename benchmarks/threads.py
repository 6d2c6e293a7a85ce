"""Measure how much faster fits with all cores are than with one, on 10⁶ rows of 50 values.

Fits with one thread and with all threads take turns, so both meet the same disturbances. Print the
medians of three wall-clock times, and their ratio, per task. Fail if the results differ.

    python -m benchmarks.threads
"""

import os
import time
from statistics import median

import joblib
import numpy as np
import scipy.sparse

from benchmarks.tasks import gaussians
from beyond_accuracy import MultivariateSVC

_MEASURES = ("f1", "roc_area")
_N_ROWS, _N_VALUES = 1_000_000, 50
_N_SPARSE_FEATURES = 20_000
_ROWS_OF_FIRST_FIT = 150_000
_REPETITIONS = 3


def dense():
    """Return dense features and classes."""
    task = gaussians(_N_ROWS, _N_VALUES)
    return task.X, task.positive


def sparse():
    """Return CSR features and classes; the tenth with the highest noisy scores is positive."""
    rng = np.random.default_rng(0)
    n_stored = _N_ROWS * _N_VALUES
    values, columns = rng.normal(size=n_stored), rng.integers(_N_SPARSE_FEATURES, size=n_stored)
    starts = np.arange(0, n_stored + 1, _N_VALUES)
    X = scipy.sparse.csr_matrix((values, columns, starts), shape=(_N_ROWS, _N_SPARSE_FEATURES))
    X.sum_duplicates()
    scores = X @ rng.normal(size=_N_SPARSE_FEATURES) + rng.normal(scale=0.5, size=_N_ROWS)
    return X, scores > np.quantile(scores, 0.9)


def fit(X, y, measure, n_threads):
    """Return the seconds of a fit with `n_threads` threads, and the bytes of its weights."""
    os.environ["OMP_NUM_THREADS"] = str(n_threads)
    start = time.perf_counter()
    classifier = MultivariateSVC(measure).fit(X, y)
    return time.perf_counter() - start, classifier.coef_.tobytes()


def main() -> None:
    """Print one row per kind of features and measure."""
    n_cores = joblib.cpu_count()
    print(f"| features | measure | seconds, 1 thread | seconds, {n_cores} threads | ratio |")
    print("|---|---|---|---|---|")
    for kind in (dense, sparse):
        X, y = kind()
        for measure in _MEASURES:
            fit(X[:_ROWS_OF_FIRST_FIT], y[:_ROWS_OF_FIRST_FIT], measure, n_cores)
            runs = [[fit(X, y, measure, n) for n in (1, n_cores)] for _ in range(_REPETITIONS)]
            if len({weights for turn in runs for _, weights in turn}) != 1:
                raise SystemExit(f"{measure}: the weights depend on the number of threads")
            one, several = (median(s for s, _ in column) for column in zip(*runs, strict=True))
            times = f"{one:.2f} | {several:.2f} | {one / several:.2f}"
            print(f"| {kind.__name__} | {measure} | {times} |", flush=True)


if __name__ == "__main__":
    main()
