"""Show tables, figures and claims in notebooks, from a run or from the stored reference results."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from beyond_accuracy_pipeline.papers import saved_report
from beyond_accuracy_pipeline.reporting.claims import read_claims
from beyond_accuracy_pipeline.reporting.reference import remade_table, reported_papers
from beyond_accuracy_pipeline.reporting.table_files import SHOWN, read_shown, show, table_html
from beyond_accuracy_pipeline.results import layout
from beyond_accuracy_pipeline.results.damage import existing

if TYPE_CHECKING:
    # These packages are only in the environment of the notebooks.
    from IPython.display import HTML, SVG
    from pandas.io.formats.style import Styler

    from beyond_accuracy_pipeline.reporting.report import Report


def open_results(paper: str) -> Report:
    """Print the folder that has the results of a paper, and return these results.

    `paper` is the id of the paper, such as "li2013". The folder is named by the environment
    variable `RESULTS` (default: "results"). If it has no results of the paper, "reference" is used.
    Folders are searched for in the working directory, then in its parent. Without results, raise
    FileNotFoundError.
    """
    named = Path(os.environ.get("RESULTS", "results"))
    places = [place / name for name in (named, "reference") for place in (Path(), Path(".."))]
    for place in places:
        if reported_papers(place, [paper]):
            print(f"Shown is what is in {place.name}/{paper}.")
            return saved_report(place, paper)
    tried = ", ".join(str(place) for place in dict.fromkeys(places))
    raise FileNotFoundError(
        f"{paper}: no results of it in {tried}. Run snakemake, or set RESULTS to the folder of a "
        "run."
    )


def show_table(report: Report, name: str) -> HTML:
    """Return a table of a paper as HTML, given the name of the table, such as "table1".

    If the run has no file of the table, the table is computed.
    """
    from IPython.display import HTML

    file = report.results.path(layout.TABLE, table=name, suffix=SHOWN)
    if not file.is_file() and (table := remade_table(report, name)) is not None:
        shown = show(report, table)
    else:
        shown = read_shown(file)
    return HTML(table_html(shown, shown.notes_on_pages))


def show_figure(report: Report, name: str) -> SVG:
    from IPython.display import SVG

    return SVG(
        filename=str(existing(report.results.path(layout.FIGURE, figure=name, suffix="svg")))
    )


def show_claims(report: Report, *ids: str) -> Styler:
    """Return a table of the paper's claims, with verdicts such as "reproduced", and numbers.

    If `ids` are given, only the claims with these ids are shown.
    """
    claims = read_claims(report.results.path(layout.PAPER_CLAIMS))
    if ids:
        claims = claims[claims["id"].isin(ids)]
    numbers = [
        "; ".join(
            f"{name}: {value:.4g}" if isinstance(value, float) else f"{name}: {value}"
            for name, value in by_name.items()
        )
        for by_name in claims["numbers"]
    ]
    shown = claims.assign(numbers=numbers)[["statement", "verdict", "numbers", "rule", "note"]]
    return shown.style.hide(axis="index").set_properties(
        **{"text-align": "left", "vertical-align": "top"}
    )
