"""Benchmarks of the solvers, side by side in one run: `python -m benchmarks` or `make bench`.

Whichever of its modules is run, it is run on a single thread.
"""

import os

_THREAD_LIMITS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMBA_NUM_THREADS",
)

# BLAS reads these once, when numpy is imported.
os.environ.update(dict.fromkeys(_THREAD_LIMITS, "1"))
