"""Looking up bootstrap intervals; apart from their making."""

import pandas as pd

from beyond_accuracy.reporting.comparison import Pair

ALL = "all"


class IntervalLookup:
    """Bounds by data set, measure, method (less another one) and group; NaN where there is none."""

    def __init__(self, intervals: pd.DataFrame) -> None:
        keys = ["data_set", "measure", "method", "baseline", "group"]
        bounds = zip(intervals["low"], intervals["high"], strict=True)
        self._bounds = dict(
            zip(intervals[keys].itertuples(index=False, name=None), bounds, strict=True)
        )

    def __call__(
        self, data_set: str, measure: str, method: str, group: str = ALL
    ) -> tuple[float, float]:
        """Return (low, high) of a method's macro-average."""
        return self._bounds.get(
            (data_set, measure, method, "", group), (float("nan"), float("nan"))
        )

    def difference(
        self, data_set: str, measure: str, pair: Pair, group: str = ALL
    ) -> tuple[float, float]:
        """Return (low, high) of the difference of two methods' macro-averages."""
        key = (data_set, measure, *pair.methods, group)
        if key in self._bounds:
            return self._bounds[key]
        low, high = self._bounds.get(
            (data_set, measure, pair.baseline, pair.proposed, group), (float("nan"),) * 2
        )
        # Not -high: that would make a zero negative.
        return 0.0 - high, 0.0 - low
