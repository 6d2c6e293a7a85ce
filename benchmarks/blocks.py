"""Fits to blocks of rows, as on a cluster, but in one process."""

import numpy as np

from benchmarks.fits import fit
from benchmarks.local_blocks import LocalBlocks
from benchmarks.report import Section, show, significant
from benchmarks.tasks import gaussians
from benchmarks.timing import seconds
from beyond_accuracy.distributed.block_data import BlockData, BlockOracle
from beyond_accuracy.measures import get_measure
from beyond_accuracy.solvers.cutting_planes import CuttingPlaneSolver
from beyond_accuracy.solvers.data_matrix import DataMatrix
from beyond_accuracy.solvers.multivariate_svm import training_loss

_MEASURES = ("f1", "prbep", "roc_area", "accuracy")
_N_BLOCKS = 8
_N_FEATURES = 22
_TOLERANCE = 1e-3


def measure(tasks, sizes, repetitions, folder) -> Section:
    """Measure iterations, searches, seconds and bytes of each measure, once."""
    task = gaussians(sizes.large_rows, _N_FEATURES, dtype=np.float32)
    small = gaussians(500, _N_FEATURES, dtype=np.float32)
    rows = []
    for name in _MEASURES:
        _fit(small, name)
        fit(small, name, _TOLERANCE)
        elapsed, (data, solution) = seconds(lambda name=name: _fit(task, name))
        in_memory, _ = seconds(lambda name=name: fit(task, name, _TOLERANCE))
        rows.append(
            (
                get_measure(name).label,
                f"{solution.n_iter}",
                f"{solution.n_searches}",
                significant(1e6 * elapsed / sizes.large_rows),
                significant(1e6 * in_memory / sizes.large_rows),
                significant(data.bytes_sent / solution.n_iter / 1e3),
                significant(data.workers.received / solution.n_iter / 1e3),
            )
        )
        show(rows[-1])
    return Section(
        "Blocks",
        f"Generated data of {sizes.large_rows:,} × {_N_FEATURES} float32 in {_N_BLOCKS} blocks, "
        f"C = n/100, to a gap of {_TOLERANCE:g}. One process does the work of a cluster's workers "
        "and client. Seconds are processor seconds. Bytes sent go to the workers, counted once; "
        "bytes received go to the client.",
        (
            "measure", "iterations", "searches", "µs a row", "in memory, µs a row",
            "kB sent an iteration", "kB received an iteration",
        ),
        rows,
    )  # fmt: skip


def _fit(task, name):
    """Return the data, which count the bytes sent and received, and the solution."""
    blocks = [
        DataMatrix(task.X[part], task.positive[part])
        for part in np.array_split(np.arange(len(task.positive)), _N_BLOCKS)
    ]
    n_negatives = len(task.positive) - task.n_positives
    data = BlockData(LocalBlocks(), blocks, task.n_positives, n_negatives, _N_FEATURES)
    solver = CuttingPlaneSolver(data, BlockOracle(data, training_loss(name)))
    return data, solver.solve(task.C, tol=_TOLERANCE)
