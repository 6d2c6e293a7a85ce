"""Limit the cost of a task in operations, so that its status is the same on every machine."""

import numpy as np
import scipy.sparse

from beyond_accuracy_pipeline.reproduction.budget import BudgetExceededError


class OperationBudget:
    """Counter of operations: multiplications of a stored feature value by a number.

    An iteration of a solver takes two passes over the training data, one for the scores and one for
    a combination of examples. A kernel factor of rank r takes r² operations per example. Cheaper
    steps are not counted.

    Parameters
    ----------
    limit : float or None, default None
        Largest number of operations; None means no limit.

    Attributes
    ----------
    spent : float
        Number of operations so far.
    """

    def __init__(self, limit: float | None = None):
        self.limit = limit
        self.spent = 0.0

    def spend(self, operations: float) -> None:
        """Add to the number of operations spent.

        Raises
        ------
        BudgetExceededError
            If `spent` then exceeds `limit`.
        """
        self.spent += operations
        if self.limit is not None and self.spent > self.limit:
            raise BudgetExceededError(
                f"{self.spent:.1e} operations, more than the budget of {self.limit:.1e}; "
                "it counts passes over the data, not seconds"
            )


def operations_of(model, X, *, with_factor=False) -> float:
    """Return the number of operations of a model's fit to X, as `OperationBudget` counts them.

    X is an array or a CSR matrix, shape (n, d). Models without `n_iter_` count as 0. Models with a
    kernel iterate over the kernel factor instead of X. `with_factor` adds the operations that
    compute the kernel factor.
    """
    n_iter = getattr(model, "n_iter_", None)
    if n_iter is None:
        return 0.0
    passes = 2.0 * float(np.max(n_iter))
    if not hasattr(model, "pivots_"):
        return passes * (X.nnz if scipy.sparse.issparse(X) else X.size)
    rank = len(model.pivots_)
    return (passes + (rank if with_factor else 0)) * X.shape[0] * rank
