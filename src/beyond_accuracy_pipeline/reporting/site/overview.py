"""Collect the contents of the overview page: recommendations and published values."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from beyond_accuracy_pipeline.results import layout

from ..agreement import distances, is_value
from ..arena.documents import SEVERAL, decision_table, threshold_table
from ..arena.recommendation import known
from ..conclusion import distance_table, listed
from ..figures import COLOURS, figure_style, write_figure
from ..formats import significant
from ..names import data_set_name, decision_name, measure_name
from ..report import Report
from ..vector_graphics import add_titles, inline

_OPEN = "a substitute"
_PALETTE = ("blue", "vermilion", "green", "purple", "orange", "sky")


def recommendations(reports: Sequence[Report]) -> list[dict[str, Any]]:
    """Return tables of recommended methods for each arena, a comparison of many methods.

    There is one dict per arena, with its id, title and `tables`. The key `more` has further tables
    by size of tasks and share of positives. Reports that are not on arenas are skipped.
    """
    arenas = []
    for report in reports:
        file = report.results.path(layout.TABLE, table="table_recommendation", suffix="csv")
        if not file.is_file():
            continue
        frame = pd.read_csv(file)
        if not (frame["recommended"].map(known) | frame["contenders"].map(known)).any():
            continue
        labels, title = report.paper.methods, report.paper.title
        brief = decision_table(frame, labels, "Measure", slices=report.paper.id in SEVERAL)
        threshold = threshold_table(frame, labels, "Measure")
        slices = decision_table(frame, labels, "Measure")
        tables, more = [], []
        for caption, table, place in (
            (title, brief, tables),
            (f"{title}: is a tuned threshold enough?", threshold, tables),
            (f"{title}, by kind of task", [] if slices == brief else slices, more),
        ):
            if table:
                place.append({"caption": caption, "columns": table[0], "rows": table[1:]})
        arenas.append({"id": report.paper.id, "title": title, "tables": tables, "more": more})
    return arenas


def agreement_by_paper(agreement: pd.DataFrame, reports: Sequence[Report]) -> list[dict[str, Any]]:
    """Count for each paper the numbers that it prints, and how many of them are close to ours.

    `agreement` has one row per published number, with our value. Return one dict per report, with
    the counts made by `distances`, these counts as texts ("cells"), and the following counts:

    - "published": all published numbers
    - "without": published numbers for which we have no value
    - "sizes" and "same_sizes": published sizes of data sets, and the sizes that equal ours
    """
    rows = []
    for report in reports:
        cells = agreement[agreement["paper"] == report.paper.id]
        counts = distances(cells)
        sizes = cells["inside"].notna() & ~is_value(cells)
        rows.append(
            {
                "id": report.paper.id,
                "published": len(cells),
                **counts,
                "cells": table[1] if (table := distance_table(cells)) else [],
                "sizes": int(sizes.sum()),
                "same_sizes": int(cells.loc[sizes, "inside"].sum()),
                "without": int(cells["ours"].isna().sum()),
            }
        )
    return rows


def without_marks(agreement: pd.DataFrame, reports: Sequence[Report]) -> list[str]:
    """Return sentences that say why some papers are missing in the plot of published values.

    `agreement` has one row per published number, with our value. Arenas, which have no claims, are
    skipped.
    """
    sentences = []
    for report in reports:
        printed = agreement[agreement["paper"] == report.paper.id]
        if not report.paper.claims or _marked(printed).any():
            continue
        why = "no number of its tables is available to us"
        if len(printed):
            pairs = zip(printed["published"], printed["ours"], strict=True)
            texts = [f"{significant(own)} (ours {significant(other)})" for own, other in pairs]
            why = f"the numbers that we know are no values of measures: {listed(texts[:2])}"
        sentences.append(f"{report.paper.name} has no mark: {why}.")
    return sentences


def _marked(agreement: pd.DataFrame) -> pd.Series:
    known = agreement["method"].ne("") & agreement["published"].between(0, 1)
    return known & agreement["ours"].between(0, 1)


def draw_agreement(
    agreement: pd.DataFrame, reports: Sequence[Report], stem: Path, pages: str
) -> str:
    """Plot our values against published values in [0, 1], and return the SVG element.

    `agreement` has one row per published number, with our value. Each mark links to its row on the
    paper's page in the folder `pages`. `stem` is the path of the figure's files without suffix. If
    there is nothing to draw, return "".
    """
    shares = agreement[_marked(agreement)]
    if shares.empty:
        return ""
    from matplotlib.figure import Figure

    titles = {}
    substitutes = set(shares.index[shares["substitute"].fillna(False).astype(bool)])
    with figure_style():
        figure = Figure(figsize=(5.2, 4.6), layout="constrained")
        panel = figure.subplots()
        grey = {"color": COLOURS["grey"], "linewidth": 0.8}
        handles = {}
        (handles["equal values"],) = panel.plot([0, 1], [0, 1], **grey)
        (handles["95 % interval"],) = panel.plot([], [], marker="|", linestyle="", **grey)
        # Arenas have no cells, and take no colour.
        with_cells = set(shares["paper"])
        compared = [report for report in reports if report.paper.id in with_cells]
        by_name = sorted(compared, key=lambda report: report.paper.id)
        for number, report in enumerate(by_name):
            colour = COLOURS[_PALETTE[number % len(_PALETTE)]]
            for cell in shares[shares["paper"] == report.paper.id].itertuples():
                if cell.low == cell.low:
                    ends = [cell.low, cell.high]
                    panel.plot([cell.published] * 2, ends, color=colour, linewidth=0.7, alpha=0.5)
                stands_in = cell.Index in substitutes
                (mark,) = panel.plot(
                    cell.published, cell.ours, "o", color=colour, markersize=3.2,
                    markerfacecolor="white" if stands_in else colour,
                )  # fmt: skip
                name = f"cell-{cell.Index}"
                mark.set_gid(name)
                mark.set_url(f"{pages}papers/{cell.paper}.html#{name}")
                values = f"published {significant(cell.published)}, ours {significant(cell.ours)}"
                parts = (data_set_name(cell.data_set), cell.task, measure_name(cell.quantity))
                where = ", ".join(map(decision_name, filter(None, parts)))
                method = report.method_label(cell.method)
                titles[name] = f"{report.paper.name}: {method} on {where}: {values}"
                if report.paper.name not in handles:
                    (handle,) = panel.plot([], [], "o", color=colour, markersize=3.2)
                    handles[report.paper.name] = handle
        if substitutes:
            (handles[_OPEN],) = panel.plot(
                [], [], "o", color=COLOURS["grey"], markersize=3.2, markerfacecolor="white"
            )
        panel.set(xlabel="Published value of a measure", ylabel="Our value, median over the seeds")
        panel.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
        panel.legend(handles.values(), handles.keys(), loc="upper left")
    write_figure(figure, stem)
    picture = stem.with_suffix(".svg")
    add_titles(picture, titles)
    return inline(picture, "agreement")
