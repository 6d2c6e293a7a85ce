"""Bootstrap intervals: none, since folds are the measure of spread."""

from collections.abc import Mapping
from typing import Any

from beyond_accuracy.results import PaperResults


def no_intervals(
    results: PaperResults, configuration: Mapping[str, Any], seed: int
) -> list[dict[str, Any]]:
    """Folds, not resampled test examples, are the measure of spread here: there are no rows."""
    return []
