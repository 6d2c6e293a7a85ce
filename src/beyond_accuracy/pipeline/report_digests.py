"""Digests of the code behind a paper's reports, so that they are made anew for it alone.

Tables, figures and claims are functions that a paper's definition lists. A report depends on the
modules that define its functions and on all that these import, but not on the list.
"""

from collections.abc import Callable, Iterable
from typing import Any

from beyond_accuracy.pipeline.digest import module_digest
from beyond_accuracy.reporting.papers import paper_definition

_REPORTING = "beyond_accuracy.reporting"


def tables_digest(paper: str, tables: Iterable[str]) -> str:
    """Return the digest of the code that makes tables of a paper."""
    known = paper_definition(paper).tables
    return _digest(paper, [known[name] for name in tables], f"{_REPORTING}.builders.tables")


def figures_digest(paper: str, figures: Iterable[str]) -> str:
    """Return the digest of the code that draws figures of a paper."""
    known = paper_definition(paper).figures
    return _digest(paper, [known[name] for name in figures], f"{_REPORTING}.builders.figures")


def claims_digest(paper: str, functions: Iterable[str]) -> str:
    """Return the digest of the code that judges a paper's claims by functions of these names."""
    known = paper_definition(paper).claims
    return _digest(paper, [known[name] for name in functions], f"{_REPORTING}.builders.claims")


def intervals_digest(paper: str) -> str:
    """Return the digest of the code that makes a paper's intervals, and what it compares."""
    definition = paper_definition(paper)
    functions = [definition.intervals] if definition.intervals else []
    code = _digest(paper, functions, f"{_REPORTING}.intervals", "beyond_accuracy.experiments.seeds")
    pairs = (definition.pair, definition.further_pairs, definition.comparisons)
    return f"{code} {' '.join(map(str, pairs))} {definition.frequency_edges}"


def _digest(paper: str, functions: Iterable[Callable[..., Any]], *modules: str) -> str:
    own = {function.__module__ for function in functions}
    lists = (f"{_REPORTING}.papers", f"{_REPORTING}.{paper}")
    return module_digest(*modules, *own, apart=lists)
