"""One figure of a paper, as the workflow asks for it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from beyond_accuracy.reporting.figures import write_figure
from beyond_accuracy.reporting.papers import named, paper_definition
from beyond_accuracy.reporting.results import PaperResults


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
