"""Values by data set, model and inference method, and rows of simulations.

A row of Table 1 is a pair (model, inference method), such as PCC (probabilistic classifier chains)
with MEUF (maximum expected F under independent labels).
"""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import pandas as pd
import scipy

from beyond_accuracy.measures.multilabel import f_beta_of_instances
from beyond_accuracy_pipeline.reporting.comparison import Comparison, Pair
from beyond_accuracy_pipeline.reporting.report import Report, is_substitute
from beyond_accuracy_pipeline.reproduction.worst_cases import (
    largest_threshold_regret,
    threshold_regret_bound,
)
from beyond_accuracy_pipeline.results.layout import study_states
from beyond_accuracy_pipeline.results.scores import PREDICTION, TRUE_LABELS
from beyond_accuracy_pipeline.results.variants import Variant

from .names import F_MEASURE, PCC, Row

ROW = ["data_set", "model", "inference"]


def measured(report: Report) -> pd.DataFrame:
    """Return test values by (data_set, model, inference), with one column per measure."""
    rows = report.results.measurements
    rows = rows[rows["method"].isin(report.methods()) & rows["measure"].isin(report.measures)]
    rows = rows.rename(columns={"method": "model", "task": "inference"})
    return rows.pivot(index=ROW, columns="measure", values="value")


def measured_rows(report: Report, rows: Sequence[Row], measures: Sequence[str]) -> pd.DataFrame:
    """Return test values, one row per data set and pair (model, inference method) in `rows`.

    The columns are `data_set`, `model`, `inference` and one per measure. Missing values are NaN.
    """
    keys = [(data_set, *row) for data_set in report.data_sets for row in rows]
    index = pd.MultiIndex.from_tuples(keys, names=ROW)
    frame = measured(report).reindex(index=index, columns=list(measures)).astype(np.float64)
    return frame.rename_axis(columns=None).reset_index()


def by_measure(report: Report, rows: Sequence[Row], measures: Sequence[str]) -> pd.DataFrame:
    """Return test values, one row per data set, (model, inference method) in `rows`, and measure.

    The columns `low` and `high` have the ends of the confidence interval of `value`.
    """
    frame = measured_rows(report, rows, measures).melt(ROW, var_name="measure", ignore_index=False)
    frame = frame.sort_index(kind="stable")
    intervals = report.results.intervals.rename(columns={"method": "model", "group": "inference"})
    intervals = intervals.loc[intervals["baseline"] == "", [*ROW, "measure", "low", "high"]]
    return frame.merge(intervals, how="left", on=[*ROW, "measure"])


def beside_printed(report: Report, frame: pd.DataFrame) -> pd.DataFrame:
    """Add columns to test values: `published` (the paper's value) and `difference`.

    `frame` has the columns `data_set`, `model`, `inference` (method), `measure` and `value`. On
    data sets that replace the paper's, `difference` is NaN.
    """
    published = report.published("table1").rename(columns={"value": "published"})
    frame = frame.merge(published, how="left", on=[*ROW, "measure"])
    difference = frame["value"] - frame["published"]
    return frame.assign(difference=difference.mask(substituted(report, frame)))


def substituted(report: Report, frame: pd.DataFrame) -> pd.Series:
    """Return for each row of `frame` whether another data set replaces its `data_set`."""
    names = [name for name in report.data_sets if is_substitute(report.results.record(name))]
    return frame["data_set"].isin(names)


def compare_rows(
    report: Report, pairs: Iterable[tuple[Row, Row]], data_sets: Sequence[str]
) -> Iterator[Comparison]:
    """Yield comparisons of two methods by the F-measure of each test example.

    Each item of `pairs` has two methods, given as (model, inference method), such as ("pcc",
    "gfm"). There is one comparison per item and data set, unless a value is missing. In a
    comparison, methods have names such as "pcc/gfm".
    """
    present = set(measured(report).dropna(how="all").index)
    zero_method = report.configuration["significance"]["zero_method"]
    for data_set in data_sets:
        for rows in pairs:
            if all((data_set, *row) in present for row in rows):
                values = {"/".join(row): report.once(_example_f, data_set, *row) for row in rows}
                pair, no_row = Pair(*values), report.results.measurements.iloc[:0]
                values = pd.DataFrame(values)
                yield Comparison(data_set, F_MEASURE, pair, values, no_row, zero_method)


def _example_f(report: Report, data_set: str, model: str, inference: str) -> np.ndarray:
    arrays = report.results.scores(data_set, model).arrays
    return f_beta_of_instances(arrays[TRUE_LABELS], arrays[PREDICTION + inference])


def simulation(report: Report, name: str) -> pd.DataFrame | None:
    """Return the results of a simulation, one row per trial and setting; None if not configured.

    For the `name` "inference_seconds", results are seconds. Trials of all seeds are numbered
    consecutively.
    """
    if report.configuration["studies"].get(name) is None:
        return None
    part = "seconds" if name == "inference_seconds" else "rows"
    first = report.results.study(name, part)
    states = study_states(report.results.whole, name)
    if "trial" not in first or len(states) == 1:
        return first
    frames = [report.under(Variant(state=state)).results.study(name, part) for state in states]
    n_trials = max(frame["trial"].max() + 1 for frame in frames)
    apart = [frame.assign(trial=frame["trial"] + k * n_trials) for k, frame in enumerate(frames)]
    return pd.concat(apart, ignore_index=True)


def sampling(report: Report) -> str:
    """Return how many samples the classifier chain draws per example, such as "200 samples"."""
    drawn = (report.configuration["methods"].get(PCC) or {}).get("parameters") or {}
    return f"{drawn['n_samples']} samples" if "n_samples" in drawn else "samples"


def largest_known_regret_of_meuf(n_labels: int) -> float:
    """Return how much expected F-measure MEUF can lose if either all labels occur or none.

    MEUF predicts the labels that would be optimal if labels were independent. The loss is the
    largest over all probabilities that all labels occur.
    """
    counts = np.arange(n_labels + 1)
    f_of_all = 2.0 * counts / (counts + n_labels)

    def advantage_of_all(p: float) -> float:
        chances = scipy.stats.binom.pmf(counts, n_labels, p)
        return float(chances @ f_of_all - chances[0])

    return 1.0 - 2.0 * scipy.optimize.brentq(advantage_of_all, 0.0, 0.5)


def largest_known_regret_of_thresholds(n_labels: int) -> float:
    """Return the largest loss of expected F-measure that is known for thresholding.

    Thresholding predicts the labels whose marginal probabilities exceed a threshold, here the best
    one for the F-measure. The loss is the expected F of the best label set minus that of this
    prediction. The result is the loss on a distribution of six labels that linear programs found,
    or the proved bound for `n_labels` labels if it is larger. The worst case may be larger.
    """
    of_six_labels = round(largest_threshold_regret(6), 4) if n_labels >= 6 else 0.0
    return max(of_six_labels, threshold_regret_bound(n_labels))
