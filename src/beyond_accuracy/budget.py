"""Budgets count operations, not seconds: what ends does not depend on the machine."""


class BudgetExceededError(RuntimeError):
    """The problem is larger than the stated budget, which counts operations, not seconds.

    References
    ----------
    HiGHS, whose nodes and simplex steps reweighters count. https://highs.dev/

    Examples
    --------
    >>> from beyond_accuracy import reweighting
    >>> scores = [[0.6, 0.3, 0.1], [0.5, 0.4, 0.1], [0.5, 0.1, 0.4], [0.7, 0.2, 0.1]]
    >>> scores.append(scores[0])  # and with another label
    >>> y = [0, 1, 2, 0, 1]
    >>> rule = reweighting.MixedIntegerReweighter(max_nodes=0)
    >>> try:
    ...     rule.fit(scores, y)
    ... except reweighting.BudgetExceededError as error:
    ...     print(str(error).partition(";")[0])
    the mixed-integer program of 5 examples and 3 classes needs more than max_nodes=0
    """
