"""What one paper's reports consist of; a new paper adds a folder that holds its definition."""

import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, TypeVar

from matplotlib.figure import Figure

from beyond_accuracy.reporting.claims import ClaimFunction
from beyond_accuracy.reporting.comparison import Pair
from beyond_accuracy.reporting.results import PaperResults
from beyond_accuracy.reporting.tables import Table

Function = TypeVar("Function")
Configuration = Mapping[str, Any]
TableFunction = Callable[[PaperResults, Configuration], Table]
FigureFunction = Callable[[PaperResults, Configuration], Figure]
IntervalsFunction = Callable[[PaperResults, Configuration, int], list[dict[str, Any]]]


@dataclass(frozen=True)
class PaperDefinition:
    """The reports of one paper, by name.

    Attributes
    ----------
    title, citation : str
        For the site.
    pair : Pair, optional
        The methods that are compared; their macro-averages and difference get intervals.
    further_pairs : tuple of Pair
        More comparisons with the same proposed method; intervals of their baselines and differences
        are made where both methods have results. Methods that the configuration adds need none.
    comparisons : tuple of Pair
        In place of these, pairs of any methods: every method has intervals, and every pair's
        difference, all from one set of resamples.
    frequency_edges : tuple of int
        Lower edges of the bins of training positives by which averages are also taken.
    tables, figures, claims : dict
        Functions of the results and of the paper's configuration.
    figure_captions : dict
        What each figure shows; a table brings its own caption.
    intervals : function, optional
        Makes the rows of intervals of the results, configuration and seed, in place of those of
        macro-averages over tasks.
    timed : tuple of str
        Tables, figures and functions of claims that hold seconds, and so differ from run to run.
    """

    title: str
    citation: str
    pair: Pair | None = None
    further_pairs: tuple[Pair, ...] = ()
    comparisons: tuple[Pair, ...] = ()
    frequency_edges: tuple[int, ...] = ()
    tables: Mapping[str, TableFunction] = field(default_factory=dict)
    figures: Mapping[str, FigureFunction] = field(default_factory=dict)
    claims: Mapping[str, ClaimFunction] = field(default_factory=dict)
    figure_captions: Mapping[str, str] = field(default_factory=dict)
    intervals: IntervalsFunction | None = None
    timed: tuple[str, ...] = ()


def paper_definition(paper: str) -> PaperDefinition:
    """Return the definition in `beyond_accuracy.reporting.<paper>`; ValueError if there is none."""
    module_name = f"beyond_accuracy.reporting.{paper}"
    if not paper.isidentifier() or importlib.util.find_spec(module_name) is None:
        raise ValueError(
            f"paper: found {paper!r}, for which beyond_accuracy/reporting/{paper}/ does not exist. "
            "A paper's reports need a package there that holds a PaperDefinition."
        )
    return importlib.import_module(module_name).DEFINITION


def named(kind: str, name: str, functions: Mapping[str, Function], paper: str) -> Function:
    """Look a table, figure or claim function up by name; ValueError lists the valid names."""
    if name in functions:
        return functions[name]
    close = get_close_matches(name, functions, n=1)
    suggestion = f" Did you mean {close[0]!r}?" if close else ""
    raise ValueError(
        f"{kind} of {paper}: found {name!r}; valid: {', '.join(functions)}.{suggestion}"
    )
