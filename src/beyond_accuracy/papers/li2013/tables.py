"""Tables 1, 3 and 4: the data sets, and processor seconds."""

import pandas as pd

from beyond_accuracy.papers.li2013.names import (
    AUXILIARIES,
    TABLE2_METHODS,
    measure_label,
    no_methods,
    not_selected,
)
from beyond_accuracy.papers.li2013.values import CELL
from beyond_accuracy.reporting.formats import UNAVAILABLE, count, if_known, percent
from beyond_accuracy.reporting.report import Report
from beyond_accuracy.reporting.tables import Across, Column, Table

QUANTITIES = {
    "n_features": "Features",
    "n_train": "Training examples",
    "n_test": "Test examples",
}
ALL_MEASURES = "all_four"


def table1(report: Report) -> Table:
    """Features and examples; the share of positives is added to the paper's columns."""
    frame = report.data_set_sizes(QUANTITIES, "table1")
    fits = report.results.fits
    for part in ("train", "test"):
        shares = fits[f"n_{part}_positives"] / fits[f"n_{part}"]
        means = [shares[fits["data_set"] == name].mean() for name in report.data_sets]
        frame[f"positives_{part}"] = means
    differences = [
        f"{data_set}: the paper has {printed:,} {title.lower()}, the files at hand have {size:,}."
        for row in frame.to_dict("records")
        for quantity, title in QUANTITIES.items()
        for data_set, printed, size in [
            (row["data_set"], row[f"published_{quantity}"], row[quantity])
        ]
        if pd.notna(printed) and pd.notna(size) and printed != size
    ]
    columns = []
    for quantity, title in QUANTITIES.items():
        columns.append(Column(f"{title}\tours", quantity, count, status="status"))
        columns.append(Column(f"{title}\tpublished", f"published_{quantity}", count))
    columns += [
        Column(f"Positive (%)\t{title}", f"positives_{part}", percent, status="status")
        for part, title in (("train", "training"), ("test", "test"))
    ]
    return Table(
        frame=frame,
        index=[report.data_set_column()],
        columns=columns,
        caption="Table 1. Data sets: features and examples, ours beside the published numbers.",
        notes=[*differences, *not_selected(report)],
    )


def table3(report: Report) -> Table:
    """CPU seconds of the cross-validation, the published ones below, and their ratio."""
    ours = selection_seconds(report)
    published = report.published("table3").set_index(CELL)["cpu_seconds"]
    measures, methods = (*report.measures, ALL_MEASURES), report.methods(TABLE2_METHODS)
    cells = pd.MultiIndex.from_product([report.data_sets, measures, methods], names=CELL)
    cells = cells[cells.isin(ours.index) | cells.isin(published.index)]
    frame = _beside_published(cells, ours, published)
    frame["not_published"] = cells.isin(published.index) & frame["published_cpu_seconds"].isna()
    measured = frame["cpu_seconds"].where(frame["cpu_seconds"] > 0)
    frame["times_as_fast"] = frame["published_cpu_seconds"] / measured
    lines = [
        Column("ours", "cpu_seconds", seconds_text),
        Column("published", ("published_cpu_seconds", "not_published"), _published_seconds),
        Column("ratio", "times_as_fast", if_known(ratio_text)),
    ]
    return Table(
        frame=frame,
        index=[report.data_set_column(), Column("Measure", "measure", _measure_or_all)],
        columns=[Across("method", report.method_label, lines)],
        caption=(
            "Table 3. Processor seconds (one thread) of the cross-validation on the training part, "
            "the published ones below ours, and how many times as fast ours are."
        ),
        notes=[
            "The fitting of the auxiliaries is not part of it, as in the paper: see Table 4. The "
            "cost model does not depend on the measure: one search serves all four.",
            "The grids are this project's, the paper's are lost, and so is what its processor "
            "could do: the ratio is about orders of magnitude. N/A: not finished in 24 hours.",
            "SVM-perf is this package's multivariate SVM; a path over C keeps the cutting planes. "
            "RBF kernels are searched on the subsamples that the configuration states.",
            *no_methods(frame),
            *not_selected(report),
        ],
    )


def table4(report: Report) -> Table:
    """CPU seconds of the final fit of each auxiliary on the whole training part."""
    seconds = report.results.seconds
    fits = seconds[seconds["stage"] == "fit"]
    # One fit serves all measures; repeated fits count with their median.
    repeated = fits.groupby([*CELL, "repetition"])["cpu_seconds"].sum()
    keys = ["data_set", "method"]
    ours = repeated.groupby(CELL).median().groupby(keys).max()
    published = report.published("table4").set_index(keys)["cpu_seconds"]
    cells = pd.MultiIndex.from_product([report.data_sets, _auxiliaries(report)], names=keys)
    lines = [
        Column("ours", "cpu_seconds", seconds_text),
        Column("published", "published_cpu_seconds", if_known(seconds_text)),
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
            *not_selected(report),
        ],
    )


def selection_seconds(report: Report) -> pd.Series:
    """Return CPU seconds of the cross-validation, by (data_set, measure, method).

    A method whose fits do not depend on the measure has one selection for all: `ALL_MEASURES`.
    """
    rows = report.results.seconds
    rows = rows[rows["stage"] == "select"]
    measure = rows["measure"].where(rows["measure"].isin(report.measures), ALL_MEASURES)
    keys = [rows["data_set"], measure.astype(str), rows["method"]]
    return rows.groupby(keys, sort=False)["cpu_seconds"].sum()


def _beside_published(cells: pd.MultiIndex, ours: pd.Series, published: pd.Series) -> pd.DataFrame:
    seconds = {"cpu_seconds": ours, "published_cpu_seconds": published}
    columns = {name: values.reindex(cells).to_numpy() for name, values in seconds.items()}
    return cells.to_frame(index=False).assign(**columns)


def _auxiliaries(report: Report) -> list[str]:
    """Return the paper's three, and those added that a selected method adapts."""
    configured = report.configuration["methods"]
    adapted = {
        auxiliary
        for method in report.configuration["methods_selected"]
        for auxiliary in configured[method].get("auxiliaries") or ()
    }
    added = [method for method in report.methods(()) if method in adapted]
    return [*AUXILIARIES, *added]


def seconds_text(value: float) -> str:
    """Seconds with three significant digits, thousands separated."""
    if pd.isna(value):
        return UNAVAILABLE
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def ratio_text(value: float) -> str:
    """How many times as fast, two significant digits."""
    return f"{float(f'{value:.2g}'):,.{0 if value >= 10 else 1}f}×"


def _published_seconds(value: float, not_published: bool) -> str:
    return "N/A" if not_published else if_known(seconds_text)(value)


def _measure_or_all(measure: str) -> str:
    return "All four" if measure == ALL_MEASURES else measure_label(measure)
