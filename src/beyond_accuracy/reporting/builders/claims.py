"""The verdicts on the claims of a paper, as the workflow asks for them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from beyond_accuracy.reporting.claims import Evidence, evaluate_claims, write_claims
from beyond_accuracy.reporting.papers import paper_definition
from beyond_accuracy.reporting.results import PaperResults


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
