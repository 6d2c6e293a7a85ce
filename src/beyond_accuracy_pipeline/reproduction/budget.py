"""Budgets count operations, not seconds, so that results do not depend on the machine."""


class BudgetExceededError(RuntimeError):
    """The problem is larger than the budget, which counts operations."""
