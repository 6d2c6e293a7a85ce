"""One table of a paper, as the workflow asks for it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

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
        cell_styles=content.cell_styles,
    )
