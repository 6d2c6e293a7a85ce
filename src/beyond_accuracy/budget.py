"""Budgets count operations, not seconds: what ends does not depend on the machine."""


class BudgetExceededError(RuntimeError):
    """The problem is larger than the stated budget, which counts operations, not seconds."""
