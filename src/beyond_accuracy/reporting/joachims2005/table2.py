"""Table 2: macro-averages of four measures for both methods on all collections."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from beyond_accuracy.measures import get_measure
from beyond_accuracy.published import published_table
from beyond_accuracy.reporting.comparison import Comparison
from beyond_accuracy.reporting.data_set_names import data_set_label, data_set_notes
from beyond_accuracy.reporting.intervals_table import IntervalLookup
from beyond_accuracy.reporting.joachims2005.methods import (
    METHOD_LABELS,
    PAIR,
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
    corrected = holm([one.test.p_value for one in compared.values()])
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
    data_sets = list(dict.fromkeys(frame["data_set"]))
    display = pd.concat(
        {
            data_set_label(results, data_set): _display(rows.set_index("measure"), levels)
            for data_set, rows in frame.groupby("data_set", sort=False)
        },
    )
    return Table(
        frame=frame,
        display=display,
        caption=(
            "Table 2. Macro-averages over classes in percent, each measure optimized by "
            f"{METHOD_LABELS[PAIR.proposed]} and, through its costs, by "
            f"{METHOD_LABELS[PAIR.baseline]}; bootstrap intervals in brackets."
        ),
        notes=(
            *_notes(results, configuration, bool(published)),
            *data_set_notes(results, data_sets),
        ),
        emphasized=(IMPROVEMENT,),
    )


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


def _notes(
    results: PaperResults, configuration: Mapping[str, Any], any_published: bool
) -> tuple[str, ...]:
    significance, bootstrap = configuration["significance"], configuration["bootstrap"]
    test = (
        "Two-tailed Wilcoxon signed-rank test over classes, zero differences: "
        f"{significance['zero_method']!r}; {star_note(significance['stars'])}. Holm's correction "
        "is over all cells of this table."
    )
    brackets = (
        f"Brackets: {bootstrap['level']:.0%} percentile intervals of "
        f"{bootstrap['n_resamples']:,} bootstrap resamples of the test examples, the same for "
        "both methods and all classes; a class without a positive example in a resample is left "
        "out of that resample's average."
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
