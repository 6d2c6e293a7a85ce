"""Multivariate SVM for data that is distributed over the workers of a Dask cluster.

Blocks of rows stay on their workers. An iteration exchanges only vectors of d features and sums
over intervals of scores, independent of the number of rows.
"""

from beyond_accuracy.distributed.multivariate_svc import MultivariateSVC

__all__ = ["MultivariateSVC"]
