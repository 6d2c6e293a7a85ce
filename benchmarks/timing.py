"""Processor seconds, which other jobs on the machine disturb less than wall-clock time."""

import time
from collections.abc import Callable
from statistics import median


def seconds(function: Callable) -> tuple[float, object]:
    """Return the CPU seconds of one call, and its result."""
    start = time.process_time()
    result = function()
    return time.process_time() - start, result


def median_seconds(repetitions: int, *functions: Callable) -> list[tuple[float, object]]:
    """Return the median CPU seconds and the last result of each function.

    The functions take turns, so all of them meet the same disturbances and their ratios are fair.
    """
    runs = [[seconds(function) for function in functions] for _ in range(repetitions)]
    return [
        (median(elapsed for elapsed, _ in column), column[-1][1])
        for column in zip(*runs, strict=True)
    ]
