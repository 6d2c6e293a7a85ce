"""Bootstrap intervals of all measures of all decisions, by resampling the test examples."""

import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from beyond_accuracy.measures.multilabel import f_beta_of_instances
from beyond_accuracy.reporting.bootstrap import percentile_interval, resample_counts
from beyond_accuracy.reporting.dembczynski2011.evidence import LabelResults
from beyond_accuracy.results import PaperResults

Evaluator = Callable[[np.ndarray], np.ndarray]
_F_BETA = re.compile(r"f(\d+(?:\.\d+)?)_(instance|micro|macro)")


def resampled_label_measure(measure: str, truth, prediction) -> Evaluator:
    """A function of repetition counts, shape (n_test, r), to the measure's values, shape (r,).

    Equal to the measure of the repeated examples.

    Raises
    ------
    ValueError
        For a measure that cannot be resampled.
    """
    truth, prediction = np.asarray(truth, dtype=bool), np.asarray(prediction, dtype=bool)
    if measure == "hamming_loss":
        return _mean((truth != prediction).mean(axis=1))
    if measure == "subset_zero_one_loss":
        return _mean((truth != prediction).any(axis=1).astype(np.float64))
    match = _F_BETA.fullmatch(measure)
    if match is None:
        raise ValueError(f"no resampling of the measure {measure!r}")
    square, kind = float(match[1]) ** 2, match[2]
    if kind == "instance":
        return _mean(f_beta_of_instances(truth, prediction, float(match[1])))
    cells = [truth & prediction, truth, prediction]
    if kind == "micro":
        cells = [cell.sum(axis=1, keepdims=True) for cell in cells]
    cells = [cell.astype(np.float64) for cell in cells]

    def evaluate(counts: np.ndarray) -> np.ndarray:
        weights = counts.T.astype(np.float64)
        found, positive, predicted = (weights @ cell for cell in cells)
        size = square * positive + predicted
        value = np.zeros(size.shape)
        np.divide((1 + square) * found, size, out=value, where=size > 0)
        return value.mean(axis=1)

    return evaluate


def _mean(values: np.ndarray) -> Evaluator:
    return lambda counts: (values @ counts) / counts.sum(axis=0)


def label_intervals(
    results: PaperResults, configuration: Mapping[str, Any], seed: int
) -> list[dict[str, Any]]:
    """One row a data set, measure, model (`method`) and decision (`group`).

    All decisions of a data set see the same resamples.
    """
    run = LabelResults(results, configuration)
    settings = configuration["bootstrap"]
    rows = []
    for data_set in run.data_sets:
        evaluators: dict[tuple[str, str, str], Evaluator] = {}
        shape = (0, 0)
        for model in configuration["methods_selected"]:
            for decision in run.decisions(data_set, model):
                truth = run.truth(data_set, model)
                shape = truth.shape
                prediction = run.prediction(data_set, model, decision)
                for measure in configuration["measures"]:
                    evaluators[measure, model, decision] = resampled_label_measure(
                        measure, truth, prediction
                    )
        values: dict[tuple[str, str, str], list[np.ndarray]] = {key: [] for key in evaluators}
        if evaluators:
            stream = [seed, *data_set.encode()]
            for counts in resample_counts(shape[0], settings["n_resamples"], stream):
                for key, evaluate in evaluators.items():
                    values[key].append(evaluate(counts))
        for (measure, model, decision), chunks in values.items():
            estimate = run.value(data_set, model, decision, measure)
            interval = percentile_interval(estimate, np.concatenate(chunks), settings["level"])
            rows.append(
                {
                    "data_set": data_set,
                    "measure": measure,
                    "method": model,
                    "group": decision,
                    "n_tasks": shape[1],
                    "estimate": interval.estimate,
                    "low": interval.low,
                    "high": interval.high,
                    "n_resamples": interval.n_resamples,
                }
            )
    return rows
