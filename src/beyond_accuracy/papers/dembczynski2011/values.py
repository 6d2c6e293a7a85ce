"""What a multi-label run has measured, by data set, model and decision, and what is printed."""

from collections.abc import Collection, Iterator, Sequence

import numpy as np
import pandas as pd
import scipy

from beyond_accuracy.inference import largest_threshold_regret, threshold_regret_bound
from beyond_accuracy.measures.multilabel import f_beta_of_instances
from beyond_accuracy.papers.dembczynski2011.names import F_MEASURE, PCC, Row, row_label
from beyond_accuracy.reporting.comparison import Comparison, Pair
from beyond_accuracy.reporting.report import Report, is_substitute
from beyond_accuracy.results.layout import study_states
from beyond_accuracy.results.scores import EXPECTED, PREDICTION, TRUE_LABELS
from beyond_accuracy.results.variants import Variant

ROW = ["data_set", "model", "inference"]
Keys = set[tuple[str, str, str]]


def measured(report: Report) -> pd.DataFrame:
    """Return the selected values, indexed by `ROW`, a column a measure."""
    rows = report.results.measurements
    rows = rows[rows["method"].isin(report.methods()) & rows["measure"].isin(report.measures)]
    rows = rows.rename(columns={"method": "model", "task": "inference"})
    return rows.pivot(index=ROW, columns="measure", values="value")


def measured_rows(report: Report, rows: Sequence[Row], measures: Sequence[str]) -> pd.DataFrame:
    """Return `ROW` and measures, each of the rows on every data set; NaN is not measured."""
    keys = [(data_set, *row) for data_set in report.data_sets for row in rows]
    index = pd.MultiIndex.from_tuples(keys, names=ROW)
    frame = measured(report).reindex(index=index, columns=list(measures)).astype(np.float64)
    return frame.rename_axis(columns=None).reset_index()


def by_measure(report: Report, rows: Sequence[Row], measures: Sequence[str]) -> pd.DataFrame:
    """Return `ROW`, measure, value and the ends of its interval, low and high."""
    frame = measured_rows(report, rows, measures).melt(ROW, var_name="measure", ignore_index=False)
    frame = frame.sort_index(kind="stable")
    intervals = report.results.intervals.rename(columns={"method": "model", "group": "inference"})
    intervals = intervals.loc[intervals["baseline"] == "", [*ROW, "measure", "low", "high"]]
    return frame.merge(intervals, how="left", on=[*ROW, "measure"])


def beside_printed(report: Report, frame: pd.DataFrame) -> pd.DataFrame:
    """Add what the paper prints, and the difference; none from the numbers of a substitute."""
    published = report.published("table1").rename(columns={"value": "published"})
    frame = frame.merge(published, how="left", on=[*ROW, "measure"])
    difference = frame["value"] - frame["published"]
    return frame.assign(difference=difference.mask(substituted(report, frame)))


def substituted(report: Report, frame: pd.DataFrame) -> pd.Series:
    """Return which rows are of a data set that stands in for the paper's."""
    names = [name for name in report.data_sets if is_substitute(report.results.record(name))]
    return frame["data_set"].isin(names)


def decided(report: Report) -> Keys:
    """Return the (data set, model, decision) whose predictions are there."""
    return set(measured(report).dropna(how="all").index)


def left_out(report: Report, rows: Sequence[Row], present: Keys) -> list[str]:
    """Say which rows of a table are not `present` on which data set, and why."""
    notes = []
    for data_set in report.data_sets:
        missing = [row for row in rows if (data_set, *row) not in present]
        if missing:
            labels = ", ".join(row_label(*row) for row in missing)
            labels = "" if len(missing) == len(rows) else f", {labels},"
            reason = report.reason(data_set, [model for model, _ in missing])
            notes.append(f"{data_set}{labels} is left out: {reason}.")
    return notes


def comparisons(
    report: Report, pairs: Collection[tuple[Row, Row]], data_sets: Sequence[str] | None = None
) -> Iterator[Comparison]:
    """Compare two rows by their F-measures of the same test examples, its tasks here.

    Rows are called "model/decision"; pairs of which one is missing on a data set are left out.
    """
    present = decided(report)
    zero_method = report.configuration["significance"]["zero_method"]
    for data_set in report.data_sets if data_sets is None else data_sets:
        wanted = [pair for pair in pairs if all((data_set, *row) in present for row in pair)]
        scored = examples(report, data_set, [row for pair in wanted for row in pair])
        achieved = pd.DataFrame({"/".join(row): own for row, (_, own) in scored.items()})
        for first, second in wanted:
            pair = Pair("/".join(first), "/".join(second))
            values, none = achieved[list(pair.methods)], report.results.measurements.iloc[:0]
            yield Comparison(data_set, F_MEASURE, pair, values, none, zero_method)


def examples(
    report: Report, data_set: str, rows: Sequence[Row]
) -> dict[Row, tuple[np.ndarray, np.ndarray]]:
    """Return the F-measures that rows expect of the test examples and achieve, each (n_test,)."""
    models = dict.fromkeys(model for model, _ in rows)
    arrays = {model: report.results.scores(data_set, model).arrays for model in models}
    return {
        (model, decision): (
            arrays[model][EXPECTED + decision],
            f_beta_of_instances(arrays[model][TRUE_LABELS], arrays[model][PREDICTION + decision]),
        )
        for model, decision in rows
    }


def simulation(report: Report, name: str) -> pd.DataFrame | None:
    """Return the table of a simulation, its seconds if that is all; None if not configured.

    Of one that is run in every random state it has the trials of all, each with a number of its
    own.
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
    """How many samples of each example a chain draws, as tables say it."""
    drawn = (report.configuration["methods"].get(PCC) or {}).get("parameters") or {}
    return f"{drawn['n_samples']} samples" if "n_samples" in drawn else "samples"


def selection(report: Report) -> str:
    """How the strength of a penalty is chosen, as tables say it."""
    folds = report.configuration["selection"]["folds"]
    return f"{folds}-fold cross-validation on the training part"


def largest_known_regret_of_meuf(n_labels: int) -> float:
    """Return the largest regret of MEUF if either all labels occur or none does.

    All labels occur with probability p. MEUF, which assumes independence, then predicts all labels
    or none. With p just above the value at which it changes, MEUF predicts all labels and loses
    1 − 2p, because the empty prediction is right with probability 1 − p.
    """
    counts = np.arange(n_labels + 1)
    f_of_all = 2.0 * counts / (counts + n_labels)

    def advantage_of_all(p: float) -> float:
        chances = scipy.stats.binom.pmf(counts, n_labels, p)
        return float(chances @ f_of_all - chances[0])

    return 1.0 - 2.0 * scipy.optimize.brentq(advantage_of_all, 0.0, 0.5)


def largest_known_regret_of_thresholds(n_labels: int) -> float:
    """Return the largest regret of the best threshold that is known for at most so many labels.

    It is the bound of Proposition 2.3, or the largest regret on any distribution of six labels if
    that is larger. Labels that never occur change no regret.
    """
    of_six_labels = round(largest_threshold_regret(6), 4) if n_labels >= 6 else 0.0
    return max(of_six_labels, threshold_regret_bound(n_labels))
