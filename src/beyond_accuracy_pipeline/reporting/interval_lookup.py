"""Look up the ends of bootstrap intervals."""

import pandas as pd

from beyond_accuracy_pipeline.reporting.cells import ALL
from beyond_accuracy_pipeline.reporting.comparison import Pair

UNKNOWN = (float("nan"), float("nan"))


class IntervalLookup:
    """Lookup of the ends of bootstrap intervals; unknown ones are NaN.

    A group is "all" tasks, a bin of tasks such as "3–9", or a multi-label method's decision rule.
    """

    def __init__(self, intervals: pd.DataFrame) -> None:
        self._bounds = {}
        for row in intervals.itertuples():
            place, low, high = (row.data_set, row.measure), row.low, row.high
            # Not -high: that would make a zero negative.
            self._bounds[*place, row.baseline, row.method, row.group] = (0.0 - high, 0.0 - low)
            self._bounds[*place, row.method, row.baseline, row.group] = (low, high)

    def __call__(
        self, data_set: str, measure: str, method: str, group: str = ALL
    ) -> tuple[float, float]:
        """Return (low, high) of a method's macro-average over a group of tasks."""
        return self._bounds.get((data_set, measure, method, "", group), UNKNOWN)

    def difference(
        self, data_set: str, measure: str, pair: Pair, group: str = ALL
    ) -> tuple[float, float]:
        """Return (low, high) of the proposed method's average minus the baseline's."""
        return self._bounds.get((data_set, measure, *pair.methods, group), UNKNOWN)
