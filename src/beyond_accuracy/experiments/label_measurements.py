"""What a multi-label fit keeps of the test set, and the values of the measures from it."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from beyond_accuracy.measures.multilabel import get_multilabel_measure

TRUE_LABELS = "y_test"
"""Array of the true labels, uint8, shape (n_test, m)."""

PREDICTION = "prediction."
"""Prefix of the predictions of a decision, uint8, shape (n_test, m)."""

EXPECTED = "expected."
"""Prefix of the F_β that a decision expects of each prediction, float64, shape (n_test,)."""


def label_values(frame: pd.DataFrame, arrays: Mapping[str, np.ndarray]) -> list[float]:
    """Values of the rows (`task`, `measure`, `status`) of a fit; NaN where it is not "ok"."""
    truth = arrays[TRUE_LABELS]
    return [
        get_multilabel_measure(row.measure)(truth, arrays[PREDICTION + row.task])
        if row.status == "ok"
        else float("nan")
        for row in frame.itertuples()
    ]
