"""What the workflow calls: one function for each kind of result, all by keyword."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from beyond_accuracy.reporting.claims import Evidence, evaluate_claims, write_claims
from beyond_accuracy.reporting.figures import write_figure
from beyond_accuracy.reporting.papers import named, paper_definition
from beyond_accuracy.reporting.results import PaperResults
from beyond_accuracy.reporting.tables import write_table


def build_table(
    results_folder: str | Path,
    paper: str,
    table: str,
    paper_configuration: Mapping[str, Any],
    stem: str | Path,
) -> None:
    """Write one table of a paper as `<stem>.csv`, `<stem>.html` and `<stem>.tex`.

    `results_folder` holds `data_sets.csv` and the folder of the paper; `paper_configuration` is
    what config/papers/<paper>.yaml holds below its key. ValueError if the paper has no such table.
    """
    function = named("tables", table, paper_definition(paper).tables, paper)
    content = function(PaperResults(results_folder, paper), paper_configuration)
    write_table(
        content.frame,
        stem,
        caption=content.caption,
        notes=content.notes,
        display=content.display,
        emphasized=content.emphasized,
    )


def build_figure(
    results_folder: str | Path,
    paper: str,
    figure: str,
    paper_configuration: Mapping[str, Any],
    stem: str | Path,
) -> None:
    """Write one figure of a paper as `<stem>.svg` and `<stem>.png`; arguments as `build_table`."""
    function = named("figures", figure, paper_definition(paper).figures, paper)
    write_figure(function(PaperResults(results_folder, paper), paper_configuration), stem)


def build_claims(
    results_folder: str | Path,
    paper: str,
    paper_configuration: Mapping[str, Any],
    output: str | Path,
) -> None:
    """Write the verdict on each claim of a paper as CSV; arguments as `build_table`."""
    evidence = Evidence(PaperResults(results_folder, paper), paper_configuration)
    functions = paper_definition(paper).claims
    write_claims(evaluate_claims(paper_configuration["claims"], functions, evidence), output)
