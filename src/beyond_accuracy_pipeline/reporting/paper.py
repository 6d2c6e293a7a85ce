"""What the reports of one paper consist of; `papers/<id>/__init__.py` holds one such definition."""

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
    id, title, citation : str
        The name of its folder, and what the site shows.
    data_sets : sequence of str
        The paper's own: no other one enters a claim, and the others are marked in tables.
    methods : dict of str to str
        How reports call the methods that the paper's configuration knows, in their order.
    tables : dict of str to callable
        Each makes a table of a report.
    figures : dict of str to Chart
        Figures.
    claims : dict of str to callable
        Each judges a claim by a report on the paper's own data sets; claims that declare their
        comparisons have none.
    remark : callable, optional
        Returns what a reader has to know of some methods, "" if nothing. It stands first in the
        note of a verdict on a comparison of these methods that is declared.
    quantities : callable, optional
        Returns what a report has of the paper's printed numbers besides measurements and sizes of
        data sets, by data set, quantity, method and task.
    frequency_edges : sequence of int
        Lower edges of the bins of training positives by which averages have intervals too.
    timed : sequence of str
        Tables, figures and claims that hold seconds, and so differ from run to run.
    protocol : str
        How the experiments are made here, in a paragraph or two; they are parted by empty lines.
    name : str
        What pages and pictures call it in short; the name of its folder if it is not given.
    main_claim : MainClaim, optional
        What README and the first sentence of the page say that the paper claims.
    doubt : str
        What weakens the verdicts besides what a run can tell, as a part of a sentence.
    finding : callable, optional
        Says in a sentence what came out, from the numbers of claims, by their id; what is raised
        where some are missing leaves it out.
    page_tables : sequence of callable
        Each returns a table of values on the paper's page, rows of cells of Markdown, the head
        first, whose first cell no other table has; from tables that a run has written.
    over_states : {"median", "mean"}
        What its tables have of several random states.
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
