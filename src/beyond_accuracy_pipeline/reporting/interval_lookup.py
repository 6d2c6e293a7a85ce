"""Look-up of bootstrap intervals."""

import pandas as pd

from beyond_accuracy_pipeline.reporting.cells import ALL
from beyond_accuracy_pipeline.reporting.comparison import Pair

UNKNOWN = (float("nan"), float("nan"))


class IntervalLookup:
    """Ends of intervals by data set, measure, method or pair, and group; NaN if missing."""

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
        """Return (low, high) of a method's macro-average."""
        return self._bounds.get((data_set, measure, method, "", group), UNKNOWN)

    def difference(
        self, data_set: str, measure: str, pair: Pair, group: str = ALL
    ) -> tuple[float, float]:
        """Return (low, high) of the difference of two methods' macro-averages."""
        return self._bounds.get((data_set, measure, *pair.methods, group), UNKNOWN)
