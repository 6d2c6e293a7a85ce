"""What a configuration may select from, collected from where it is defined."""

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sklearn.base import BaseEstimator

from beyond_accuracy.datasets.catalogue import Catalogue, load_catalogue
from beyond_accuracy.experiments.methods import (
    check_training,
    load_estimator,
    make_method,
    method_module,
)
from beyond_accuracy.measures import get_measure
from beyond_accuracy.measures.multilabel import get_multilabel_measure
from beyond_accuracy.reporting.papers import paper_definition


@dataclass(frozen=True)
class Names:
    """The names that a configuration may select from."""

    papers: frozenset[str]
    """Papers that have a file in ``config/papers``."""

    data_sets: Catalogue
    """Data sets that have a file in ``config/datasets``."""

    check_measure: Callable[[str], object]
    """Raises ValueError, naming valid measures, for a name that is none."""

    check_label_measure: Callable[[str], object]
    """The same for measures of label vectors."""

    parameters: Callable[[str], Iterable[str]]
    """Parameters of the classifier at a dotted path; raises ValueError if there is none."""

    check_parameter: Callable[[str, str, Any], None]
    """Raises ValueError, naming what is valid, for a value that a classifier's parameter cannot
    take."""

    check_method: Callable[[Mapping[str, Any]], None]
    """Raises ValueError for a method that cannot be fitted as it is configured."""

    method_module: Callable[[Mapping[str, Any]], str | None]
    """Module that fits a method in a way of its own, or None; raises ValueError if there is no such
    classifier."""

    check_training: Callable[[Mapping[str, Any], str], None]
    """Raises ValueError if a method cannot be fitted for a measure."""

    tables: Callable[[str], Iterable[str]]
    """Tables of a paper."""

    figures: Callable[[str], Iterable[str]]
    """Figures of a paper."""

    claims: Callable[[str], Iterable[str]]
    """Functions that compute the verdicts of a paper's claims."""


def available_names(config_folder: str | Path, catalogue: Catalogue | None = None) -> Names:
    """Return what the catalogues in `config_folder` and the library offer.

    The catalogue of data sets is read from ``datasets/`` in that folder unless it is given.
    """
    folder = Path(config_folder)
    return Names(
        papers=_stems(folder / "papers"),
        data_sets=load_catalogue(folder / "datasets") if catalogue is None else catalogue,
        check_measure=get_measure,
        check_label_measure=get_multilabel_measure,
        parameters=_parameters,
        check_parameter=_check_parameter,
        check_method=make_method,
        method_module=method_module,
        check_training=check_training,
        tables=_tables,
        figures=_figures,
        claims=_claims,
    )


def _stems(folder: Path) -> frozenset[str]:
    return frozenset(path.stem for path in folder.glob("*.yaml"))


def _parameters(estimator: str) -> Iterable[str]:
    return inspect.signature(load_estimator(estimator)).parameters


def _check_parameter(estimator: str, name: str, value: object) -> None:
    try:
        model = load_estimator(estimator)(**{name: value})
    except TypeError:
        # It has parameters without default; its fits will tell.
        return
    if not isinstance(model, BaseEstimator):
        return
    # scikit-learn checks parameters in fit alone, for which there is no data yet; what it calls
    # there, this method, has no public name.
    try:
        model._validate_params()
    except ValueError as error:
        valid = re.search(r" must be (.+)\. Got ", str(error), flags=re.DOTALL)
        raise ValueError(valid[1] if valid else str(error)) from error


def _tables(paper: str) -> Iterable[str]:
    return paper_definition(paper).tables


def _figures(paper: str) -> Iterable[str]:
    return paper_definition(paper).figures


def _claims(paper: str) -> Iterable[str]:
    return paper_definition(paper).claims
