"""Distances of our values and of trivial predictors from the values printed in Li et al. (2013)."""

import pandas as pd

from beyond_accuracy_pipeline.reporting.agreement import DISTANCES, ROUNDING
from beyond_accuracy_pipeline.reporting.comparison import CELL
from beyond_accuracy_pipeline.reporting.formats import count, decimals
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.reporting.tables import Column, Table
from beyond_accuracy_pipeline.results.variants import (
    HEADLINE,
    Variant,
    reading_states,
    selected_readings,
)

from .names import COLLECTIONS
from .values import published_values, task_values

FACTORS = {
    "width": ("2/mean", "1/mean"),
    "outputs": ("±1", "real values"),
    "grid": ("ours", "powers of two"),
}
TITLES = {"width": "Width", "outputs": "Auxiliaries' outputs", "grid": "Grid of C"}
# Level of each factor in a reading.
CROSSED = {
    HEADLINE: (0, 0, 0),
    "width_of_the_text": (1, 0, 0),
    "real_valued_outputs": (0, 1, 0),
    "powers_of_two": (0, 0, 1),
    "real_valued_outputs_and_width_of_the_text": (1, 1, 0),
    "width_of_the_text_and_powers_of_two": (1, 0, 1),
    "real_valued_outputs_and_powers_of_two": (0, 1, 1),
    "real_valued_outputs_width_of_the_text_and_powers_of_two": (1, 1, 1),
}


def values_by_reading(report: Report) -> pd.DataFrame:
    """Return published test values and ours by (data_set, measure, method).

    The column `published` has the printed values. The other columns, one per reading (variant of
    the protocol), have the medians of our values over the seeds.
    """
    published = published_values(report).stack(future_stack=True).dropna()
    published = published.rename("published").rename_axis(CELL)
    data_sets = [name for name in report.data_sets if name in COLLECTIONS]
    published = published[published.index.isin(data_sets, level="data_set")]
    whole = report.results.whole
    columns = {"published": published}
    for reading in (HEADLINE, *selected_readings(whole)):
        states = [report.under(Variant(reading, state)) for state in reading_states(whole, reading)]
        values = [task_values(state).stack(future_stack=True) for state in states]
        medians = pd.concat(values, axis=1).median(axis=1).rename_axis(CELL)
        columns[reading] = medians.reindex(published.index)
    return pd.DataFrame(columns, index=published.index)


def table_distances(report: Report) -> Table:
    """Return a table that counts how many of our test values are near the published ones.

    There is one row per reading, a variant of the protocol.
    """
    values = report.under(Variant()).once(values_by_reading)
    published = values["published"]
    distances = values.drop(columns="published").sub(published, axis=0).abs()
    data_sets = list(published.index.unique("data_set"))
    by_data_set = {f"mean_distance_{name}": report.label(name) for name in data_sets}
    rows = []
    for reading, distance in distances.items():
        levels = CROSSED.get(reading)
        row = {"reading": reading}
        for place, (factor, names) in enumerate(FACTORS.items()):
            row[factor] = names[levels[place]] if levels else ""
        for limit in DISTANCES:
            row[f"within_{limit:g}"] = int((distance <= limit + ROUNDING).sum())
        means = distance.groupby("data_set").mean().add_prefix("mean_distance_")
        rows.append(row | {"mean_distance": distance.mean()} | means[list(by_data_set)].to_dict())
    substitutes = [name for name in data_sets if report.substitutes([name])]
    on_substitutes = int(published.index.isin(substitutes, level="data_set").sum())
    missing = int(values[HEADLINE].isna().sum())
    mean = decimals(4)
    return Table(
        frame=pd.DataFrame(rows),
        index=[Column("Reading", "reading", lambda name: name.replace("_", " "))],
        columns=[
            *(Column(title, factor) for factor, title in TITLES.items()),
            *(Column(f"Within\t{limit:g}", f"within_{limit:g}", count) for limit in DISTANCES),
            Column("Mean distance\tall", "mean_distance", mean),
            *(Column(f"Mean distance\t{label}", name, mean) for name, label in by_data_set.items()),
        ],
        caption=(
            f"Distances of our values from the {len(published)} values of Tables 2 and 5: how many "
            "are within each distance, and mean distances."
        ),
        notes=[
            f"Ours are medians over the seeds of a reading. {on_substitutes} of the "
            "published values are of data sets that substitutes stand in for; they count like all "
            f"others. Published values without one of ours: {missing}; they count as far away and "
            "enter no mean.",
            "Readings with a level in each of the three columns are crossed; all other readings "
            "change something else.",
            *report.data_set_notes(data_sets),
            *report.not_selected(),
        ],
    )
