"""How much a task may cost, in operations, so that a cell ends alike on every machine."""

import numpy as np
import scipy.sparse

from beyond_accuracy_pipeline.reproduction.budget import BudgetExceededError


class OperationBudget:
    """Counts operations: multiplications of a stored feature value by a number.

    An iteration of a solver passes over the training data twice, for the scores and for a
    combination of examples; a kernel's factor of rank r takes r² operations an example. What is
    cheaper than that is not counted.

    Parameters
    ----------
    limit : float or None, default None
        Most operations; None is no limit.

    Attributes
    ----------
    spent : float
        Operations so far.
    """

    def __init__(self, limit: float | None = None):
        self.limit = limit
        self.spent = 0.0

    def spend(self, operations: float) -> None:
        """Add to what is spent.

        Raises
        ------
        BudgetExceededError
            If that is more than the limit.
        """
        self.spent += operations
        if self.limit is not None and self.spent > self.limit:
            raise BudgetExceededError(
                f"{self.spent:.1e} operations, more than the budget of {self.limit:.1e}; "
                "it counts passes over the data, not seconds"
            )


def operations_of(model, X, *, with_factor=False) -> float:
    """Operations of the iterations of a fit to X, an array or a CSR matrix; none if unknown.

    With a kernel they are on its factor; `with_factor` adds those of the factor itself.
    """
    n_iter = getattr(model, "n_iter_", None)
    if n_iter is None:
        return 0.0
    passes = 2.0 * float(np.max(n_iter))
    if not hasattr(model, "pivots_"):
        return passes * (X.nnz if scipy.sparse.issparse(X) else X.size)
    rank = len(model.pivots_)
    return (passes + (rank if with_factor else 0)) * X.shape[0] * rank
