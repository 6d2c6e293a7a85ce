"""Looking up bootstrap intervals; apart from their making, which needs the data sets."""

import pandas as pd

from beyond_accuracy.reporting.comparison import Pair

DIFFERENCE = "difference"
ALL = "all"


def difference_name(main: Pair | None, pair: Pair) -> str:
    """How the table of intervals calls the difference of a pair: that of the main one plainly."""
    return DIFFERENCE if pair == main else f"{DIFFERENCE} from {pair.baseline}"


def joint_difference_name(pair: Pair) -> str:
    """How the table calls the difference of a pair where all methods have intervals together."""
    return f"{pair.proposed} less {pair.baseline}"


class IntervalLookup:
    """Bounds by data set, measure, method and group; NaN where there is no interval."""

    def __init__(self, intervals: pd.DataFrame) -> None:
        keys = intervals[["data_set", "measure", "method", "group"]].itertuples(index=False)
        bounds = intervals[["low", "high"]].itertuples(index=False)
        self._bounds = {tuple(key): tuple(pair) for key, pair in zip(keys, bounds, strict=True)}

    def __call__(
        self, data_set: str, measure: str, method: str, group: str = ALL
    ) -> tuple[float, float]:
        """Return (low, high) of a method's macro-average."""
        return self._bounds.get((data_set, measure, method, group), (float("nan"), float("nan")))

    def difference(self, data_set: str, measure: str, group: str = ALL) -> tuple[float, float]:
        """Return (low, high) of the difference of the two methods' macro-averages."""
        return self(data_set, measure, DIFFERENCE, group)
