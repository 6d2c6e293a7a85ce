"""Digests of the code behind single reports, so that each is made anew for its own code alone.

Tables, figures and claims are functions that a paper's definition lists. A report depends on the
module that defines its function and on all that this imports, but not on the list.
"""

from collections.abc import Callable, Iterable
from typing import Any

from beyond_accuracy.pipeline.digest import module_digest
from beyond_accuracy.reporting.papers import paper_definition

_REPORTING = "beyond_accuracy.reporting"


def table_digest(paper: str, table: str) -> str:
    """Return the digest of the code that makes one table of a paper."""
    functions = [paper_definition(paper).tables[table]]
    return _digest(paper, functions, f"{_REPORTING}.builders.tables")


def figure_digest(paper: str, figure: str) -> str:
    """Return the digest of the code that draws one figure of a paper."""
    functions = [paper_definition(paper).figures[figure]]
    return _digest(paper, functions, f"{_REPORTING}.builders.figures")


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
