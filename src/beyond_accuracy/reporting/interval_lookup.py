"""Looking up bootstrap intervals; apart from their making."""

import pandas as pd

from beyond_accuracy.reporting.comparison import Pair

ALL = "all"
UNKNOWN = (float("nan"), float("nan"))


class IntervalLookup:
    """Bounds by data set, measure, method (less another one) and group; NaN where there is none."""

    def __init__(self, intervals: pd.DataFrame) -> None:
        columns = ["data_set", "measure", "method", "baseline", "group", "low", "high"]
        self._bounds = {}
        for *key, low, high in intervals[columns].itertuples(index=False, name=None):
            data_set, measure, method, baseline, group = key
            # Not -high: that would make a zero negative.
            self._bounds[data_set, measure, baseline, method, group] = (0.0 - high, 0.0 - low)
            self._bounds[tuple(key)] = (low, high)

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
