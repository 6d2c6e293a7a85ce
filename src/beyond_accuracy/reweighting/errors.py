"""What can be wrong with the input of a reweighter, by name."""


class InvalidScoresError(ValueError):
    """The scores are no (n, m) array of finite non-negative numbers that can be reweighted."""


class InvalidLabelsError(ValueError):
    """The labels are no class indices of the scores' columns."""


class InvalidCostMatrixError(ValueError):
    """The cost matrix is no (m, m) array of finite non-negative numbers."""


class BudgetExceededError(RuntimeError):
    """The problem is larger than the stated budget, which counts operations, not seconds."""
