"""Papers whose experiments are repeated, one folder per paper.

A folder `<id>/` has `paper.yaml` (experiments and claims), `protocol.md` (the protocol in words),
`published/` (numbers printed in the paper, as CSV files), and modules for names, tables, figures
and claims. Its `__init__.py` combines these modules as `PAPER`.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from beyond_accuracy_pipeline.reporting import Paper, Report

FOLDER = Path(__file__).parent


def paper_ids() -> list[str]:
    """Return the ids of all papers, such as "li2013", in alphabetical order."""
    return sorted(path.parent.name for path in FOLDER.glob("*/paper.yaml"))


def load_paper(paper: str) -> Paper:
    """Return the definition of a paper (its tables, figures and claims), given its id.

    If there is no such paper, or its folder has another name than its definition, raise ValueError.
    """
    if not re.fullmatch(r"\w+", paper) or not (FOLDER / paper / "__init__.py").is_file():
        raise ValueError(
            f"a paper whose module papers/{paper}/__init__.py exists and defines PAPER, as in "
            f"{', '.join(name for name in paper_ids() if name != paper)}"
        )
    text = (FOLDER / paper / "paper.yaml").read_text(encoding="utf-8")
    keys = re.findall(r"^\w+(?=:)", text, flags=re.MULTILINE)
    if keys and paper not in keys:
        raise ValueError(
            f"a paper whose papers/{paper}/paper.yaml has the key {paper!r}, not {keys[0]!r}"
        )
    definition = importlib.import_module(f"{__name__}.{paper}").PAPER
    if definition.id != paper:
        raise ValueError(
            f"a paper whose PAPER.id is the name of its folder, {paper!r}, not {definition.id!r}"
        )
    return definition


def paper_report(results: str | Path, paper: str, configuration: Mapping[str, Any]) -> Report:
    """Return an object that computes a paper's tables, figures and claims from a run's results.

    `results` is the folder of the run, `paper` the id of the paper, and `configuration` the paper's
    settings in the run.
    """
    from beyond_accuracy_pipeline.reporting.report import Report
    from beyond_accuracy_pipeline.results.paper_results import PaperResults

    return Report(PaperResults(Path(results), paper, configuration), load_paper(paper))


def saved_report(results: str | Path, paper: str) -> Report:
    """Return an object that computes a paper's tables, figures and claims from a run's results.

    Settings are read from the folder `results`. If a result has changed since the run, raise
    DamagedFile.
    """
    from beyond_accuracy_pipeline.reporting.report import Report
    from beyond_accuracy_pipeline.results.damage import check_unchanged
    from beyond_accuracy_pipeline.results.paper_results import PaperResults

    check_unchanged(results, [paper])
    return Report(PaperResults.of_run(results, paper), load_paper(paper))
