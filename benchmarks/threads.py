"""Measure how much faster a fit is with all cores than with one, on 10⁶ × 50 generated numbers.

Fits with one thread and with all threads take turns, so both meet the same disturbances. Print the
medians of five wall-clock times, and their ratio, per measure. Fail if the results differ.

    python -m benchmarks.threads
"""

import os
import time
from statistics import median

import joblib

from benchmarks.tasks import gaussians
from beyond_accuracy import MultivariateSVC

_MEASURES = ("f1", "prbep", "roc_area", "error_rate")
_N_ROWS, _N_FEATURES = 1_000_000, 50
_REPETITIONS = 5


def fit(task, measure, n_threads):
    """Return the seconds of a fit with `n_threads` threads, and the bytes of its weights."""
    os.environ["OMP_NUM_THREADS"] = str(n_threads)
    start = time.perf_counter()
    classifier = MultivariateSVC(measure).fit(task.X, task.positive)
    return time.perf_counter() - start, classifier.coef_.tobytes()


def main() -> None:
    """Print one row per measure."""
    task, n_cores = gaussians(_N_ROWS, _N_FEATURES), joblib.cpu_count()
    print(f"| measure | seconds, 1 thread | seconds, {n_cores} threads | ratio |")
    print("|---|---|---|---|")
    for measure in _MEASURES:
        fit(gaussians(200_000, _N_FEATURES), measure, n_cores)
        runs = [[fit(task, measure, n) for n in (1, n_cores)] for _ in range(_REPETITIONS)]
        if len({weights for turn in runs for _, weights in turn}) != 1:
            raise SystemExit(f"{measure}: the weights depend on the number of threads")
        one, several = (
            median(seconds for seconds, _ in column) for column in zip(*runs, strict=True)
        )
        print(f"| {measure} | {one:.2f} | {several:.2f} | {one / several:.2f} |", flush=True)


if __name__ == "__main__":
    main()
