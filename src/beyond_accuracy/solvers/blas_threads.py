"""Solvers keep BLAS to one thread.

Their products of vectors gain nothing from threads, which wait for each other on a busy machine.
The rounding of such products would also depend on the number of threads.
"""

from threadpoolctl import ThreadpoolController

one_blas_thread = ThreadpoolController().wrap(limits=1, user_api="blas")
