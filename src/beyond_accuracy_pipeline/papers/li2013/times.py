"""CPU seconds and oracle calls of Li et al. (2013), ours and published, with Tables 3 and 4.

An oracle call is a search for the most violated constraint. Algorithm 1 has no line search.
"""

import pandas as pd

from beyond_accuracy_pipeline.reporting.comparison import CELL
from beyond_accuracy_pipeline.reporting.formats import count, if_known, seconds
from beyond_accuracy_pipeline.reporting.names import measure_name
from beyond_accuracy_pipeline.reporting.published import PRINTED
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.reporting.tables import Across, Column, Table

from .names import AUXILIARIES, RBF, TABLE2_METHODS
from .tables import NOT_ADAPTED, NOT_ADAPTED_MARK, NOT_PRINTED, notes_if_empty
from .values import not_adapted

ALL_MEASURES = "all_four"
ALGORITHM_1, ALGORITHM_1_BY_B = "oracle_calls_by_C", "oracle_calls_by_B"


def sweep_seconds(report: Report, name: str) -> pd.DataFrame:
    """Return the fits of a study that varies C, B or the training size, with their CPU seconds.

    `name` is the name of the study in the configuration, such as "by_C".
    """
    keys = [*CELL, "C", "B", "train_fraction"]
    seconds = report.results.study(name, "seconds")[[*keys, "cpu_seconds"]]
    return report.results.study(name).merge(seconds, on=keys, validate="one_to_one")


def with_rbf_machine(report: Report) -> pd.DataFrame:
    """Return the fits of linear and RBF-kernel SVMs at each value of C, one row per fit.

    The columns include `data_set`, `measure`, `method`, `C` and `cpu_seconds`.
    """
    linear, kernel = (sweep_seconds(report, name) for name in (ALGORITHM_1, "by_C"))
    return pd.concat([linear, kernel[kernel["method"] == RBF]], ignore_index=True)


def grid_seconds(report: Report) -> pd.Series:
    """Return the CPU seconds of training, summed over all C, by (data_set, measure, method).

    The seconds are printed ones if `report` has the numbers printed in the paper. The sum of a
    method is left out if a fit failed, and the sum of CAPO also if each of its auxiliary
    classifiers predicts only one class.
    """
    rows = report.results.seconds
    seconds = rows[(rows["stage"] == PRINTED) & rows["measure"].notna()].set_index(CELL)
    seconds = seconds["cpu_seconds"]
    if seconds.empty:
        seconds = _over_grid(report, sweep_seconds(report, ALGORITHM_1), "cpu_seconds")
    return seconds.drop(index=seconds.index.intersection(list(not_adapted(report)) or []))


def grid_calls(report: Report) -> pd.Series:
    """Return how many searches for a cutting plane training takes, summed over all values of C.

    The index is (data_set, measure, method). The sum is left out if a fit failed.
    """
    return _over_grid(report, report.results.study(ALGORITHM_1), "oracle_calls")


def _over_grid(report: Report, rows: pd.DataFrame, column: str) -> pd.Series:
    every = report.results.study(ALGORITHM_1).groupby(CELL, sort=False).size()
    grouped = rows.dropna(subset=column).groupby(CELL, sort=False)[column]
    sums = grouped.sum().astype("float64")
    return sums[grouped.size().eq(every.reindex(sums.index))]


def selection_seconds(report: Report) -> pd.Series:
    """Return the CPU seconds of choosing hyperparameters, by (data_set, measure, method).

    If one cross-validation serves all measures, the measure in the index is "all_four".
    """
    rows = report.results.seconds
    rows = rows[rows["stage"] == "select"]
    measure = rows["measure"].where(rows["measure"].isin(report.measures), ALL_MEASURES)
    keys = [rows["data_set"], measure.astype(str), rows["method"]]
    return rows.groupby(keys, sort=False)["cpu_seconds"].sum()


def training_seconds(report: Report) -> pd.Series:
    """Return the CPU seconds of one fit to the whole training part, by (data_set, method).

    The seconds are the median over repeated fits for the slowest measure, or printed ones if
    `report` has the numbers printed in the paper.
    """
    rows = report.results.seconds
    printed = rows[(rows["stage"] == PRINTED) & rows["measure"].isna()]
    keys = ["data_set", "method"]
    if len(printed):
        return printed.set_index(keys)["cpu_seconds"]
    repeated = rows[rows["stage"] == "fit"].groupby([*CELL, "repetition"])["cpu_seconds"].sum()
    return repeated.groupby(CELL).median().groupby(keys).max()


def table3(report: Report) -> Table:
    """Return Table 3 of Li et al. (2013): CPU seconds and oracle calls of training."""
    ours = selection_seconds(report)
    published = report.published("table3").set_index(CELL)["cpu_seconds"]
    measures, methods = (*report.measures, ALL_MEASURES), report.methods(TABLE2_METHODS)
    cells = pd.MultiIndex.from_product([report.data_sets, measures, methods], names=CELL)
    cells = cells[cells.isin(ours.index) | cells.isin(published.index)]
    frame = _beside_published(cells, ours, published)
    for name, values in (("algorithm_1", grid_seconds), ("calls", grid_calls)):
        frame[name] = values(report).reindex(cells).to_numpy()
    frame["not_adapted"] = cells.isin(list(not_adapted(report)))
    frame["not_published"] = cells.isin(published.index) & frame["published_cpu_seconds"].isna()
    measured = frame["cpu_seconds"].where(frame["cpu_seconds"] > 0)
    grid = sorted(report.results.study(ALGORITHM_1)["C"].unique())
    frame["times_as_fast"] = frame["published_cpu_seconds"] / measured

    def published_seconds(value: float, not_published: bool) -> str:
        return NOT_PRINTED if not_published else if_known(seconds)(value)

    lines = [
        Column("Algorithm 1", "algorithm_1", if_known(seconds)),
        Column("its calls", "calls", if_known(count)),
        Column("ours", "cpu_seconds", seconds, marks={"not_adapted": NOT_ADAPTED_MARK}),
        Column("published", ("published_cpu_seconds", "not_published"), published_seconds),
        Column("ratio", "times_as_fast", if_known(ratio_text)),
    ]
    return Table(
        frame=frame,
        index=[report.data_set_column(), Column("Measure", "measure", _measure_or_all)],
        columns=[Across("method", report.method_label, lines)],
        caption=(
            "Table 3. Processor seconds (one thread) and calls of the oracle of Algorithm 1; of "
            "this package's cross-validation on the training part; the published ones; and how "
            "many times as fast as these the cross-validation is."
        ),
        notes=[
            "Algorithm 1, which the paper ran: cutting planes without line search, begun anew for "
            f"each of {', '.join(f'{C:g}' for C in grid)} (C, SVM-perf's), the same for "
            "all methods, to SVM-perf's accuracy; one fit to the whole training part each, where "
            "the paper has five folds. Ours is the cross-validation with line search and a path "
            "over C, each method with its own grid. Verdicts on time are by Algorithm 1.",
            "The fitting of the auxiliaries is not part of it, as in the paper: see Table 4. The "
            "cost model does not depend on the measure: one search serves all four.",
            "The grids are this project's, the paper's are lost, and so is what its processor "
            "could do: the ratio is about orders of magnitude. N/A: not finished in 24 hours.",
            "SVM-perf is this package's multivariate SVM; a path over C keeps the cutting planes. "
            "RBF kernels are searched on the subsamples that the configuration states.",
            *([NOT_ADAPTED] if frame["not_adapted"].any() else []),
            *notes_if_empty(frame),
            *report.not_selected(),
        ],
    )


def table4(report: Report) -> Table:
    """Return Table 4 of Li et al. (2013): CPU seconds of training the auxiliary classifiers."""
    keys = ["data_set", "method"]
    ours = training_seconds(report)
    published = report.published("table4").set_index(keys)["cpu_seconds"]
    configured = report.configuration["methods"]
    adapted = {
        auxiliary
        for method in report.configuration["methods_selected"]
        for auxiliary in configured[method].get("auxiliaries") or ()
    }
    # The paper's three auxiliary classifiers, then others that configured methods use.
    auxiliaries = [*AUXILIARIES, *(name for name in report.methods(()) if name in adapted)]
    cells = pd.MultiIndex.from_product([report.data_sets, auxiliaries], names=keys)
    lines = [
        Column("ours", "cpu_seconds", seconds),
        Column("published", "published_cpu_seconds", if_known(seconds)),
    ]
    return Table(
        frame=_beside_published(cells, ours, published),
        index=[report.data_set_column()],
        columns=[Across("method", report.method_label, lines)],
        caption=(
            "Table 4. Processor seconds (one thread) of training the auxiliary classifiers on the "
            "whole training part, the published ones below ours."
        ),
        notes=[
            "The paper's C4.5 and RBF network are WEKA's, in Java; here all three are compiled "
            "code of this package.",
            *report.not_selected(),
        ],
    )


def _beside_published(cells: pd.MultiIndex, ours: pd.Series, published: pd.Series) -> pd.DataFrame:
    columns = {"cpu_seconds": ours, "published_cpu_seconds": published}
    return cells.to_frame(index=False).assign(
        **{name: values.reindex(cells).to_numpy() for name, values in columns.items()}
    )


def ratio_text(value: float) -> str:
    """Return a ratio as text with two significant digits, such as 3.5×."""
    return f"{float(f'{value:.2g}'):,.{0 if value >= 10 else 1}f}×"


def _measure_or_all(measure: str) -> str:
    return "All four" if measure == ALL_MEASURES else measure_name(measure)
