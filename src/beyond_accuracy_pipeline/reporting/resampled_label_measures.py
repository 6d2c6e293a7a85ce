"""Multi-label measures on many resamples at once."""

import numpy as np

from beyond_accuracy.measures.multilabel import (
    F_BETA_NAME,
    f_beta_of_counts,
    f_beta_of_instances,
    get_multilabel_measure,
)
from beyond_accuracy_pipeline.reporting.bootstrap import Evaluator


def resampled_label_measure(measure: str, truth, prediction) -> Evaluator:
    """A function of repetition counts, shape (n_test, r), to the measure's values, shape (r,).

    Equal to the measure of the repeated examples, and taken from these if it has no faster form.
    """
    truth, prediction = np.asarray(truth, dtype=bool), np.asarray(prediction, dtype=bool)
    if measure == "hamming_loss":
        return _mean((truth != prediction).mean(axis=1))
    if measure == "subset_zero_one_loss":
        return _mean((truth != prediction).any(axis=1).astype(np.float64))
    match = F_BETA_NAME.fullmatch(measure)
    if match is None:
        function = get_multilabel_measure(measure)
        return lambda counts: np.array(
            [
                function(*(y.repeat(times, axis=0) for y in (truth, prediction)))
                for times in counts.T.astype(np.int64)
            ]
        )
    beta, kind = float(match[1]), match[2]
    if kind == "instance":
        return _mean(f_beta_of_instances(truth, prediction, beta))
    cells = [truth & prediction, truth, prediction]
    if kind == "micro":
        cells = [cell.sum(axis=1, keepdims=True) for cell in cells]
    cells = [cell.astype(np.float64) for cell in cells]

    def evaluate(counts: np.ndarray) -> np.ndarray:
        weights = counts.T.astype(np.float64)
        return f_beta_of_counts(*(weights @ cell for cell in cells), beta, 0.0).mean(axis=1)

    return evaluate


def _mean(values: np.ndarray) -> Evaluator:
    return lambda counts: (values @ counts) / counts.sum(axis=0)
