"""Error of computations that exceed a budget.

Budgets count operations instead of seconds, so that results do not depend on the machine.
"""


class BudgetExceededError(RuntimeError):
    """Error: a computation needs more operations than its budget allows."""
