"""The multivariate SVM on data that is spread over the workers of a Dask cluster.

Blocks of rows stay where they are. What travels in an iteration are vectors of the features and
sums over buckets of scores, however many rows there are.
"""

from beyond_accuracy.distributed.multivariate_svc import MultivariateSVC

__all__ = ["MultivariateSVC"]
