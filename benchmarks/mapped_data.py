"""Measure fits to a matrix that is mapped from a file: seconds, and memory beside the file.

Write `tasks.gaussians` of ROWS × 22 numbers of float32 (88 bytes per row) into FOLDER, unless they
exist. Fit each measure in a process of one thread with the default C, to a gap of 1e-3. Print one
row per measure. Memory is the peak without pages of files, which only Linux reports. Share is
the part of the possible decrease of the objective that the fit reaches.

    python -m benchmarks.mapped_data 1000000 FOLDER
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from benchmarks.fits import Decrease
from benchmarks.tasks import gaussians
from beyond_accuracy import MultivariateSVC

MEASURES = ("f1", "prbep")
_N_FEATURES = 22
_SECONDS_BETWEEN_LOOKS = 0.01


def write(folder: Path, n_rows: int) -> None:
    """Write `features.npy` and `labels.npy`."""
    part = folder / "features.npy.part"
    task = gaussians(
        n_rows,
        _N_FEATURES,
        dtype=np.float32,
        make=lambda shape, dtype: np.lib.format.open_memmap(part, "w+", dtype, shape),
    )
    task.X.flush()
    np.save(folder / "labels.npy", task.positive)
    part.rename(folder / "features.npy")


def fit(folder: Path, measure: str) -> dict[str, float | str]:
    """Fit once, after compilation; return seconds, iterations and the share of the decrease."""
    X, y = np.load(folder / "features.npy", mmap_mode="r"), np.load(folder / "labels.npy")
    classifier = MultivariateSVC(measure)
    classifier.fit(X[:1000], y[:1000])
    clock, processor = time.perf_counter(), time.process_time()
    classifier.fit(X, y)
    bound = classifier.objective_ * (1 - classifier.dual_gap_)
    decrease = Decrease(classifier.history_[0].primal, bound)
    return {
        "cpu_seconds": time.process_time() - processor,
        "seconds": time.perf_counter() - clock,
        "n_iter": classifier.n_iter_,
        "share": decrease.share(classifier.objective_),
    }


def measured(folder: Path, measure: str) -> dict[str, float | str]:
    """Return the result of `fit` in a new process, and the peak memory in GB without files."""
    command = [sys.executable, "-m", __spec__.name, "--measure", measure, str(folder)]
    environment = os.environ | {"OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}
    largest = 0
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        status = Path(f"/proc/{process.pid}/status")
        while process.poll() is None:
            # A process that has just ended has no memory any more.
            anonymous = [
                line for line in status.read_text().splitlines() if line.startswith("RssAnon")
            ]
            largest = max([largest, *(int(line.split()[1]) for line in anonymous)])
            time.sleep(_SECONDS_BETWEEN_LOOKS)
        output = process.stdout.read()
    if process.returncode != 0:
        raise SystemExit(process.returncode)
    return json.loads(output) | {"gigabytes": largest * 1024 / 1e9}


def main() -> None:
    """Make the data unless they are there, and print one row for each measure."""
    parser = argparse.ArgumentParser(prog=f"python -m {__spec__.name}", description=__doc__)
    parser.add_argument("rows", type=int, nargs="?", default=1_000_000)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--measure", help="fit this one in this process, and print it as JSON")
    given = parser.parse_args()
    if given.measure:
        print(json.dumps(fit(given.folder, given.measure)))
        return
    folder = given.folder / f"{given.rows}_rows"
    if not (folder / "features.npy").exists():
        folder.mkdir(parents=True, exist_ok=True)
        write(folder, given.rows)
    print("| rows | measure | CPU s | s | memory | iterations | share |")
    print("|---|---|---|---|---|---|---|")
    for name in MEASURES:
        found = measured(folder, name)
        print(
            f"| {given.rows:,} | {name} | {found['cpu_seconds']:.1f} | {found['seconds']:.1f} | "
            f"{found['gigabytes']:.1f} GB | {found['n_iter']:.0f} | {found['share']} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
