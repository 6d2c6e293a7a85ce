"""Error of computations that exceed a budget, which counts operations instead of seconds."""


class BudgetExceededError(RuntimeError):
    """Error: a computation needs more operations than its budget allows."""
