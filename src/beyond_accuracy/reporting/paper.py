"""What the reports of one paper consist of; `papers/<id>/__init__.py` holds one such definition."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from beyond_accuracy.reporting.tables import Table
from beyond_accuracy.reporting.verdict import Verdict

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from beyond_accuracy.reporting.report import Report


@dataclass(frozen=True)
class Chart:
    """A figure: what draws it, and what it shows."""

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
    id : str
        The name of the paper's folder.
    title, citation : str
        The paper's title and its reference as the site shows them.
    data_sets : sequence of str
        The data sets of the paper. Claims use these alone; tables mark all others.
    methods : dict of str to str
        The labels of the methods in reports, by their names in the configuration.
    tables : dict of str to callable
        Functions from a report to a table, by the table's name.
    figures : dict of str to Chart
        The figures, by name.
    claims : dict of str to callable
        Functions from a report on the paper's own data sets to a verdict, by the claim's id.
    quantities : callable, optional
        Returns the run's values of printed numbers that are neither measurements nor sizes of data
        sets, such as seconds, by (data set, quantity, method, task). By default there are none.
    frequency_edges : sequence of int
        Lower edges of bins of the number of training positives. Averages are also given per bin.
    timed : sequence of str
        Names of tables, figures and claims that hold seconds and so differ from run to run.
    protocol : str
        How the experiments are run, in paragraphs separated by empty lines.
    name : str
        Short name on pages and in figures. By default `id`.
    main_claim : MainClaim, optional
        The claim that README and the first sentence of the paper's page judge.
    doubt : str
        A clause about a weakness of the verdicts that a run cannot compute. It begins the sentence
        "Doubt" of the page.
    finding : callable, optional
        Returns a sentence about the main result from the numbers of claims, by claim id. If a
        number is missing (KeyError, TypeError or ValueError), the sentence is left out.
    page_tables : sequence of callable
        Functions from a report to a table of the paper's page: rows of Markdown cells, head first.
        The first cell of the head identifies the table on the page, so it must be unique.
    over_states : {"median", "mean"}
        How tables combine the values of several random states.
    """

    id: str
    title: str
    citation: str
    data_sets: Sequence[str]
    methods: Mapping[str, str]
    tables: Mapping[str, Callable[..., Table]]
    figures: Mapping[str, Chart]
    claims: Mapping[str, Callable[..., Verdict]]
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
