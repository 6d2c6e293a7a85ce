"""The names that a configuration may select from, collected from where they are defined."""

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from beyond_accuracy.experiments.methods import load_estimator
from beyond_accuracy.measures import get_measure
from beyond_accuracy.reporting.papers import paper_definition


@dataclass(frozen=True)
class Names:
    """The names that a configuration may select from."""

    papers: frozenset[str]
    """Papers that have a file in ``config/papers``."""

    data_sets: frozenset[str]
    """Data sets that have a file in ``config/datasets``."""

    check_measure: Callable[[str], object]
    """Raises ValueError, naming valid measures, for a name that is none."""

    parameters: Callable[[str], Iterable[str]]
    """Parameters of the classifier at a dotted path; raises ValueError if there is none."""

    tables: Callable[[str], Iterable[str]]
    """Tables of a paper."""

    figures: Callable[[str], Iterable[str]]
    """Figures of a paper."""

    claims: Callable[[str], Iterable[str]]
    """Functions that compute the verdicts of a paper's claims."""


def available_names(config_folder: str | Path) -> Names:
    """Return what the catalogues in `config_folder` and the library offer."""
    folder = Path(config_folder)
    return Names(
        papers=_stems(folder / "papers"),
        data_sets=_stems(folder / "datasets"),
        check_measure=get_measure,
        parameters=_parameters,
        tables=_tables,
        figures=_figures,
        claims=_claims,
    )


def _stems(folder: Path) -> frozenset[str]:
    return frozenset(path.stem for path in folder.glob("*.yaml"))


def _parameters(estimator: str) -> Iterable[str]:
    return inspect.signature(load_estimator(estimator)).parameters


def _tables(paper: str) -> Iterable[str]:
    return paper_definition(paper).tables


def _figures(paper: str) -> Iterable[str]:
    return paper_definition(paper).figures


def _claims(paper: str) -> Iterable[str]:
    return paper_definition(paper).claims
