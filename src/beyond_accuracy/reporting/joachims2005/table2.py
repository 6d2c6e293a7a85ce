"""Table 2: macro-averages of four measures for both methods on all collections."""

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import pandas as pd

from beyond_accuracy.measures import get_measure
from beyond_accuracy.published import published_table
from beyond_accuracy.reporting.comparison import Comparison
from beyond_accuracy.reporting.intervals_table import IntervalLookup
from beyond_accuracy.reporting.joachims2005.methods import (
    COLLECTIONS,
    MEASURES,
    METHOD_LABELS,
    PAIR,
    collection_label,
    collection_notes,
    comparisons,
)
from beyond_accuracy.reporting.results import PaperResults
from beyond_accuracy.reporting.statistics import holm, stars
from beyond_accuracy.reporting.tables import (
    UNAVAILABLE,
    Table,
    p_value,
    percent,
    percent_interval,
    star_note,
)

IMPROVEMENT = "Improvement"


def table2(results: PaperResults, configuration: Mapping[str, Any]) -> Table:
    """Macro-averages, improvement, wins, losses and the signed-rank test, with intervals."""
    levels = configuration["significance"]["stars"]
    compared = comparisons(results, configuration)
    intervals = IntervalLookup(results.intervals)
    corrected = _corrected(compared.values())
    published = {
        (row["data_set"], row["measure"], row["method"]): float(row["value"])
        for row in published_table("joachims2005", "table2") or []
        if row["value"]
    }
    frame = pd.DataFrame(
        [
            _row(results, one, intervals, float(p_holm), published, levels)
            for one, p_holm in zip(compared.values(), corrected, strict=True)
        ]
    )
    by_data_set = {
        data_set: rows.set_index("measure")
        for data_set, rows in frame.groupby("data_set", sort=False)
    }
    shown = {data_set: _display(rows, levels) for data_set, rows in by_data_set.items()}
    styles = {data_set: _styles(shown[data_set], rows) for data_set, rows in by_data_set.items()}
    labels = {data_set: collection_label(results, data_set) for data_set in by_data_set}
    return Table(
        frame=frame,
        display=pd.concat({labels[name]: cells for name, cells in shown.items()}),
        caption=(
            "Table 2. Macro-averages over classes in percent, each measure optimized by "
            f"{METHOD_LABELS[PAIR.proposed]} and, through its costs, by "
            f"{METHOD_LABELS[PAIR.baseline]}; bootstrap intervals in brackets."
        ),
        notes=(
            *_notes(results, configuration, bool(published)),
            *collection_notes(results, list(by_data_set)),
        ),
        cell_styles=pd.concat({labels[name]: cells for name, cells in styles.items()}),
    )


def _of_the_paper(one: Comparison) -> bool:
    return one.data_set in COLLECTIONS and one.measure in MEASURES


def _corrected(compared: Collection[Comparison]) -> np.ndarray:
    """Holm's correction over the paper's cells, and apart from them over those that were added."""
    p_values = np.array([one.test.p_value for one in compared], dtype=np.float64)
    of_the_paper = np.array([_of_the_paper(one) for one in compared], dtype=bool)
    corrected = np.empty(len(p_values))
    for family in (of_the_paper, ~of_the_paper):
        corrected[family] = holm(p_values[family])
    return corrected


def _row(
    results: PaperResults,
    one: Comparison,
    intervals: IntervalLookup,
    p_holm: float,
    published: Mapping[tuple[str, str, str], float],
    levels: Mapping[str, float],
) -> dict[str, Any]:
    row: dict[str, Any] = {
        "data_set": one.data_set,
        "substitute_for": results.record(one.data_set).get("substitute_for"),
        "measure": one.measure,
        "of_the_paper": _of_the_paper(one),
        "n_tasks": one.n_tasks,
        "n_excluded": one.n_excluded,
    }
    for method in PAIR.methods:
        low, high = intervals(one.data_set, one.measure, method)
        row |= {
            method: one.average(method),
            f"{method}_low": low,
            f"{method}_high": high,
        }
        row[f"published_{method}"] = published.get((one.data_set, one.measure, method))
    low, high = intervals.difference(one.data_set, one.measure)
    test, counts = one.test, one.counts
    return row | {
        "difference": one.difference,
        "difference_low": low,
        "difference_high": high,
        "wins": counts.wins,
        "losses": counts.losses,
        "ties": counts.ties,
        "p_value": test.p_value,
        "stars": stars(test.p_value, levels),
        "p_value_holm": p_holm,
        "reason": one.reason,
    }


def _display(rows: pd.DataFrame, levels: Mapping[str, float]) -> pd.DataFrame:
    columns = {}
    for measure, row in rows.iterrows():
        cells = {}
        for method in PAIR.methods:
            interval = percent_interval(row[f"{method}_low"], row[f"{method}_high"])
            cells[METHOD_LABELS[method]] = f"{percent(row[method])} {interval}".strip()
            if rows[[f"published_{name}" for name in PAIR.methods]].notna().any(axis=None):
                value = row[f"published_{method}"]
                label = f"{METHOD_LABELS[method]}, published"
                cells[label] = "" if pd.isna(value) else percent(value)
        interval = percent_interval(row["difference_low"], row["difference_high"], sign=True)
        change = percent(row["difference"], sign=True) + row["stars"]
        cells[IMPROVEMENT] = f"{change} {interval}".strip()
        available = row["n_tasks"] > 0
        counts = f"{row['wins']}/{row['losses']}/{row['ties']}"
        cells["Wins/losses/ties"] = counts if available else UNAVAILABLE
        cells["Wilcoxon p"] = p_value(row["p_value"], levels)
        cells["Wilcoxon p, Holm"] = p_value(row["p_value_holm"], levels)
        total = row["n_tasks"] + row["n_excluded"]
        averaged = f"{row['n_tasks']}" if not row["n_excluded"] else f"{row['n_tasks']} of {total}"
        cells["Classes averaged"] = averaged if available else UNAVAILABLE
        columns[get_measure(measure).label] = cells
    return pd.DataFrame(columns)


def _styles(display: pd.DataFrame, rows: pd.DataFrame) -> pd.DataFrame:
    """Set the improvements that are significant by themselves in bold."""
    styles = pd.DataFrame("", index=display.index, columns=display.columns)
    styles.loc[IMPROVEMENT] = np.where(rows["stars"] != "", "bold", "")
    return styles


def _notes(
    results: PaperResults, configuration: Mapping[str, Any], any_published: bool
) -> tuple[str, ...]:
    significance, bootstrap = configuration["significance"], configuration["bootstrap"]
    test = (
        "Two-tailed Wilcoxon signed-rank test over classes, zero differences: "
        f"{significance['zero_method']!r}; {star_note(significance['stars'])}; bold: changes with "
        f"a star. Holm's correction is over the cells of the paper's {len(COLLECTIONS)} "
        f"collections and {len(MEASURES)} measures, and apart from them over those added here."
    )
    brackets = (
        f"Brackets: {bootstrap['level']:.0%} percentile intervals of "
        f"{bootstrap['n_resamples']:,} bootstrap resamples of the test examples, the same for "
        "both methods and all classes; a class without a positive example in a resample keeps its "
        "value of the whole test set there, so that every average is over all classes."
    )
    notes = [test, brackets, "Averages are over the classes on which both methods succeeded."]
    if results.fits["fallback"].eq(True).any():
        notes.append(
            "Classes with too few positives for a holdout use the values most often selected on "
            "their collection; table2_per_class marks them."
        )
    unfinished = _unfinished(results.fits)
    if unfinished:
        notes.append(
            f"Fits that reached the limit of iterations before the tolerance: {unfinished}; "
            "table2_per_class has them in the column converged."
        )
    if limited := _limited_grids(results.fits, configuration):
        notes.append(
            "Grids that ended at their limit of growth (max_extensions), the value chosen most "
            f"often being the last: {limited}."
        )
    if not any_published:
        notes.append("The paper's own numbers are not at hand: published columns are empty.")
    return tuple(notes)


def _unfinished(fits: pd.DataFrame) -> str:
    """How many of each method's fits did not converge, empty if all did."""
    counts = []
    for method in PAIR.methods:
        converged = fits[(fits["method"] == method) & (fits["status"] == "ok")]["converged"]
        if converged.eq(False).any():
            counts.append(
                f"{METHOD_LABELS[method]} {converged.eq(False).sum()} of {len(converged)}"
            )
    return ", ".join(counts)


def _limited_grids(fits: pd.DataFrame, configuration: Mapping[str, Any]) -> str:
    """Which grids would have grown further had they been allowed to, empty if none."""
    limited = fits[fits["grid_limit"].fillna("") != ""]
    limited = limited[limited["method"].isin(PAIR.methods)]
    limited = limited[limited["data_set"].isin(configuration["data_sets"])]
    keys = ["method", "data_set", "measure", "grid_limit"]
    return "; ".join(
        f"{METHOD_LABELS[method]} on {data_set}, {get_measure(measure).label}: {limit}"
        for method, data_set, measure, limit in (
            limited[keys].drop_duplicates().itertuples(index=False)
        )
    )
