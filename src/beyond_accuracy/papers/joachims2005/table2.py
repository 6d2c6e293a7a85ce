"""Table 2: macro-averages of four measures for both methods on all collections."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from beyond_accuracy.papers.joachims2005.names import (
    COLLECTIONS,
    MEASURES,
    METHODS,
    PAIR,
    measure_label,
)
from beyond_accuracy.reporting.comparison import Comparison
from beyond_accuracy.reporting.formats import (
    UNAVAILABLE,
    if_known,
    p_value,
    percent,
    percent_change,
    star_note,
    stars,
    win_counts,
)
from beyond_accuracy.reporting.report import Report
from beyond_accuracy.reporting.statistics import holm
from beyond_accuracy.reporting.tables import Across, Column, Table

LIMITED = ["method", "data_set", "measure", "grid_limit"]


def table2(report: Report) -> Table:
    """Macro-averages, improvement, wins, losses and the signed-rank test, with intervals."""
    levels = report.configuration["significance"]["stars"]
    published = report.published_values("table2", "data_set", "measure", "method")
    rows = [
        _row(report, report.compare(data_set, measure, PAIR), published, levels)
        for data_set in report.data_sets
        for measure in report.measures
    ]
    frame = pd.DataFrame(rows)
    frame["p_value_holm"] = _corrected(frame)
    lines = []
    for method in PAIR.methods:
        interval = (f"{method}_low", f"{method}_high")
        lines.append(Column(METHODS[method], method, percent, interval))
        title = f"{METHODS[method]}, published"
        lines.append(Column(title, f"published_{method}", if_known(percent)))
    lines += [
        Column(
            "Improvement",
            ("difference", "stars"),
            lambda value, mark: percent_change(value) + mark,
            ("difference_low", "difference_high"),
            signed_interval=True,
            bold="stars",
        ),
        Column("Wins/losses/ties", ("wins", "losses", "ties"), win_counts),
        Column("Wilcoxon p", "p_value", p_value(levels)),
        Column("Wilcoxon p, Holm", "p_value_holm", p_value(levels)),
        Column("Classes averaged", ("n_tasks", "n_excluded"), _averaged),
    ]
    return Table(
        frame=frame,
        index=[report.data_set_column("")],
        columns=[Across("measure", measure_label, lines)],
        caption=(
            "Table 2. Macro-averages over classes in percent, each measure optimized by "
            f"{METHODS[PAIR.proposed]} and, through its costs, by {METHODS[PAIR.baseline]}; "
            "bootstrap intervals in brackets."
        ),
        notes=_notes(report, any_published=not published.empty),
    )


def _row(
    report: Report, comparison: Comparison, published: pd.Series, levels: Mapping[str, float]
) -> dict[str, Any]:
    data_set, measure = comparison.data_set, comparison.measure
    row: dict[str, Any] = {
        "data_set": data_set,
        "substitute_for": report.results.record(data_set).get("substitute_for"),
        "measure": measure,
        "of_the_paper": data_set in COLLECTIONS and measure in MEASURES,
        "n_tasks": comparison.n_tasks,
        "n_excluded": comparison.n_excluded,
    }
    for method in PAIR.methods:
        low, high = report.intervals(data_set, measure, method)
        row |= {method: comparison.average(method), f"{method}_low": low, f"{method}_high": high}
        row[f"published_{method}"] = published.get((data_set, measure, method))
    low, high = report.intervals.difference(data_set, measure, PAIR)
    p = comparison.test.p_value
    row |= {"difference": comparison.difference, "difference_low": low, "difference_high": high}
    row |= comparison.counts._asdict()
    row |= {"p_value": p, "stars": stars(p, levels), "p_value_holm": None}
    return row | {"reason": comparison.reason}


def _corrected(frame: pd.DataFrame) -> np.ndarray:
    """Holm's correction over the paper's cells, and apart from them over those that were added."""
    corrected = np.empty(len(frame))
    for _, family in frame.groupby("of_the_paper"):
        corrected[family.index] = holm(family["p_value"])
    return corrected


def _averaged(n_tasks: int, n_excluded: int) -> str:
    if not n_tasks:
        return UNAVAILABLE
    return f"{n_tasks} of {n_tasks + n_excluded}" if n_excluded else f"{n_tasks}"


def _notes(report: Report, any_published: bool) -> Sequence[str]:
    significance, fits = report.configuration["significance"], report.results.fits
    notes = [
        "Two-tailed Wilcoxon signed-rank test over classes, zero differences: "
        f"{significance['zero_method']!r}; {star_note(significance['stars'])}; bold: changes with "
        f"a star. Holm's correction is over the cells of the paper's {len(COLLECTIONS)} "
        f"collections and {len(MEASURES)} measures, and apart from them over those added here.",
        "Averages are over the classes on which both methods succeeded.",
    ]
    if fits["fallback"].eq(True).any():
        notes.append(
            "Classes with too few positives for a holdout use the values most often selected on "
            "their collection; table2_per_class marks them."
        )
    own = fits[fits["method"].isin(PAIR.methods)]
    finished = own[own["status"] == "ok"].groupby("method")["converged"]
    unfinished = ", ".join(
        f"{METHODS[method]} {count} of {finished.size()[method]}"
        for method, count in finished.agg(lambda flags: flags.eq(False).sum())
        .reindex(PAIR.methods, fill_value=0)
        .items()
        if count
    )
    if unfinished:
        notes.append(
            f"Fits that reached the limit of iterations before the tolerance: {unfinished}; "
            "table2_per_class has them in the column converged."
        )
    limited = own.loc[own["grid_limit"].fillna("") != "", LIMITED].drop_duplicates()
    if len(limited):
        grids = "; ".join(
            f"{METHODS[method]} on {data_set}, {measure_label(measure)}: {limit}"
            for method, data_set, measure, limit in limited.itertuples(index=False)
        )
        notes.append(
            "Grids that ended at their limit of growth (max_extensions), the value chosen most "
            f"often being the last: {grids}."
        )
    if not any_published:
        notes.append("The paper's own numbers are not at hand: published columns are empty.")
    return notes
