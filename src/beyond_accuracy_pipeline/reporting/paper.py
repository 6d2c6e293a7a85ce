"""The definition of a paper's reports, which `papers/<id>/__init__.py` makes."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from beyond_accuracy_pipeline.reporting.tables import Table
from beyond_accuracy_pipeline.reporting.verdict import Verdict

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from beyond_accuracy_pipeline.reporting.report import Report


@dataclass(frozen=True)
class Chart:
    """A figure: the function that draws it, and its caption."""

    draw: "Callable[..., Figure]"
    caption: str


class MainClaim(NamedTuple):
    """The id of a paper's main claim, and the claim in a short sentence."""

    id: str
    sentence: str


@dataclass(frozen=True)
class Paper:
    """The reports of one paper, by name.

    Attributes
    ----------
    id, title, citation : str
        The name of its folder, and what the site shows.
    data_sets : sequence of str
        The paper's data sets. No other data set enters a claim; tables mark the others.
    methods : dict of str to str
        Labels of the methods in the paper's configuration, in their order.
    tables : dict of str to callable
        Each makes a table from a report.
    figures : dict of str to Chart
    claims : dict of str to callable
        Each judges a claim from a report on the paper's own data sets. Claims that declare their
        comparisons need no function.
    remark : callable, optional
        Returns what a reader has to know of some methods, "" if nothing. A verdict on a declared
        comparison of these methods begins its note with it.
    quantities : callable, optional
        Returns a report's values of printed numbers that are neither measurements nor sizes of data
        sets, by data set, quantity, method and task.
    frequency_edges : sequence of int
        Lower edges of bins of training positives. Averages over a bin have intervals too.
    timed : sequence of str
        Tables, figures and claims that hold seconds, and so differ from run to run.
    protocol : str
        The protocol of the experiments, in paragraphs separated by empty lines.
    name : str
        Short name on pages and in pictures; `id` by default.
    main_claim : MainClaim, optional
        The paper's claim in README and in the first sentence of its page.
    doubt : str
        A reason to doubt the verdicts that a run cannot find itself, as part of a sentence.
    finding : callable, optional
        Returns a sentence with the result, from the numbers of claims by their id. It may raise an
        error if some are missing.
    page_tables : sequence of callable
        Each returns a table on the paper's page as rows of Markdown cells, head first. The first
        cell of each table is unique on the page.
    over_states : {"median", "mean"}
        The average over random states in the paper's tables.
    """

    id: str
    title: str
    citation: str
    data_sets: Sequence[str]
    methods: Mapping[str, str]
    tables: Mapping[str, Callable[..., Table]]
    figures: Mapping[str, Chart]
    claims: Mapping[str, Callable[..., Verdict]] = field(default_factory=dict)
    remark: "Callable[[Report, Collection[str]], str] | None" = None
    quantities: "Callable[[Report], Mapping[tuple[str, ...], float]] | None" = None
    frequency_edges: Sequence[int] = ()
    timed: Sequence[str] = ()
    protocol: str = ""
    name: str = ""
    main_claim: MainClaim | None = None
    doubt: str = ""
    finding: "Callable[[Mapping[str, Mapping[str, Any]]], str] | None" = None
    page_tables: "Sequence[Callable[[Report], list[list[str]]]]" = ()
    over_states: Literal["median", "mean"] = "median"

    def __post_init__(self) -> None:
        if not self.name:
            object.__setattr__(self, "name", self.id)
