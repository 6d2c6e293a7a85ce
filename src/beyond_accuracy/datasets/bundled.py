"""Data sets that ship with scikit-learn."""

import numpy as np

from beyond_accuracy.datasets.sources import BundledSource
from beyond_accuracy.datasets.table import Table


def bundled_table(source: BundledSource) -> Table:
    """All rows of ``sklearn.datasets.load_<loader>``."""
    from sklearn import datasets

    bunch = getattr(datasets, f"load_{source.loader}")()
    return Table(
        X=np.asarray(bunch.data, dtype=np.float64),
        y=bunch.target.astype(np.int64),
        class_names=tuple(str(name) for name in bunch.target_names),
        feature_names=tuple(str(name) for name in bunch.feature_names),
    )
