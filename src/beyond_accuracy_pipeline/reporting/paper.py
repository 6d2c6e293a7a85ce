"""Definitions of papers' reports, made by the files `papers/<id>/__init__.py`."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from .tables import Table
from .verdict import Verdict

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .report import Report


@dataclass(frozen=True)
class Chart:
    """Figure on a paper's results: the function that draws it, and its caption."""

    draw: "Callable[..., Figure]"
    caption: str


class MainClaim(NamedTuple):
    """Main claim of a paper: its id among the paper's claims, and a short sentence."""

    id: str
    sentence: str


@dataclass(frozen=True)
class Paper:
    """Definition of all that is reported on a paper: names, tables, figures and rules for claims.

    Functions in `tables`, `figures` and `claims` take a `Report`, that is the paper's results.
    """

    id: str  # the name of the paper's folder
    name: str  # for pages and pictures
    title: str
    citation: str
    # Claims use no other data sets; tables mark the others.
    data_sets: Sequence[str]
    # Names for readers by id, in the order of tables.
    methods: Mapping[str, str]
    tables: Mapping[str, Callable[..., Table]]
    figures: Mapping[str, Chart] = field(default_factory=dict)
    claims: Mapping[str, Callable[..., Verdict]] = field(default_factory=dict)
    # What a reader must know about methods, or "". It begins the notes of declared comparisons.
    remark: "Callable[[Report, Collection[str]], str] | None" = None
    # Our values of printed numbers that are neither measurements nor sizes of data sets, by
    # (data set, quantity, method, task).
    quantities: "Callable[[Report], Mapping[tuple[str, ...], float]] | None" = None
    # Lower edges of bins of classes by training positives, whose averages have intervals too.
    frequency_edges: Sequence[int] = ()
    # Tables, figures and rules of claims that use processor seconds, and so differ by run.
    timed: Sequence[str] = ()
    # The method that the paper proposes, "" if there is none.
    proposed: str = ""
    # The measures by which the best method overall is chosen; by default all measures.
    main_measures: Sequence[str] = ()
    # The methods among which the best method overall is chosen; by default all methods.
    main_methods: Sequence[str] = ()
    main_claim: MainClaim | None = None
    # Reasons to doubt the verdicts that results cannot show, as sentences without a full stop.
    doubts: Sequence[str] = ()
    # Takes a dict from the id of a claim to a dict of the claim's numbers, and returns a sentence
    # with the main result. It may raise KeyError, TypeError or ValueError if numbers are missing.
    finding: "Callable[[Mapping[str, Mapping[str, Any]]], str] | None" = None
    # Tables that the templates of the paper's pages show, by the names of these functions: rows of
    # Markdown cells, the head first.
    page_tables: "Sequence[Callable[[Report], list[list[str]]]]" = ()
    # The kind of average over the seeds in the paper's tables.
    over_states: Literal["median", "mean"] = "median"
