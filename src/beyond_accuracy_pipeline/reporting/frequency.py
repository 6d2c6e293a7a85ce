"""Group classes into bins by their number of positive training examples."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pandas as pd


def bin_labels(edges: Sequence[int]) -> tuple[str, ...]:
    """Return the labels of bins, such as ("1–2", "3–9", "≥10") for the lower edges (1, 3, 10)."""
    if not edges or any(left >= right for left, right in pairwise(edges)):
        raise ValueError(f"Edges of bins must increase; found {tuple(edges)}.")
    names = [str(low) if high - low == 1 else f"{low}–{high - 1}" for low, high in pairwise(edges)]
    return (*names, f"≥{edges[-1]}")


def frequency_bins(positives: pd.Series, edges: Sequence[int]) -> pd.Series:
    """Return the label of each task's bin; "" for tasks below the first of the lower `edges`."""
    labels = ("", *bin_labels(edges))
    places = np.searchsorted(edges, positives.to_numpy(), side="right")
    return pd.Series([labels[place] for place in places], index=positives.index, dtype=object)
