"""Limit the cost of a task in operations, so that its status is the same on every machine."""

import numpy as np
import scipy.sparse

from beyond_accuracy_pipeline.reproduction.budget import BudgetExceededError


class OperationBudget:
    """Counter of operations: multiplications of a stored feature value by a number.

    An iteration of a solver takes two passes over the training data. A kernel factor of rank r
    takes r² operations per example. Cheaper steps are not counted.
    """

    def __init__(self, limit: float | None = None):
        self.limit = limit
        self.spent = 0.0

    def spend(self, operations: float) -> None:
        """Add to `spent`; raise BudgetExceededError if it then exceeds `limit`."""
        self.spent += operations
        if self.limit is not None and self.spent > self.limit:
            raise BudgetExceededError(
                f"{self.spent:.1e} operations, more than the budget of {self.limit:.1e}; "
                "it counts passes over the data, not seconds"
            )


def operations_of(model, X, *, with_factor=False) -> float:
    """Return the number of operations of a model's fit to X; 0 for models without `n_iter_`.

    Kernel machines iterate over their kernel factor; `with_factor` adds its computation.
    """
    n_iter = getattr(model, "n_iter_", None)
    if n_iter is None:
        return 0.0
    passes = 2.0 * float(np.max(n_iter))
    if not hasattr(model, "pivots_"):
        return passes * (X.nnz if scipy.sparse.issparse(X) else X.size)
    rank = len(model.pivots_)
    return (passes + (rank if with_factor else 0)) * X.shape[0] * rank
