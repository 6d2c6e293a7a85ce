"""The definition of a paper's reports. The file `papers/<id>/__init__.py` creates one per paper."""

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
    """A figure of a report."""

    draw: "Callable[..., Figure]"
    caption: str


class MainClaim(NamedTuple):
    """The main claim of a paper: its id among the claims, and a short sentence."""

    id: str
    sentence: str


@dataclass(frozen=True)
class Paper:
    """The definition of the reports on one paper.

    Attributes
    ----------
    id, title, citation : str
        The name of the paper's folder, and the texts that the site shows.
    data_sets : sequence of str
        The paper's data sets. Claims use no other data sets; tables mark the others.
    methods : dict of str to str
        Names for readers of the methods in the paper's configuration, in the order of tables.
    tables : dict of str to callable
        For each table, a function that takes a report and returns the table.
    figures : dict of str to Chart
    claims : dict of str to callable
        For each rule, a function that takes a report on the paper's own data sets and returns the
        verdict. Claims that declare their comparisons in paper.yaml need no function.
    remark : callable, optional
        Takes a report and methods, and returns what a reader must know about these methods, or "".
        The text begins the notes of declared comparisons of these methods.
    quantities : callable, optional
        Takes a report and returns our values of printed numbers that are neither measurements nor
        sizes of data sets, by (data set, quantity, method, task).
    frequency_edges : sequence of int
        Lower edges of bins of classes by their number of training positives. Averages over the
        classes of a bin have bootstrap intervals too.
    timed : sequence of str
        Tables, figures and claims that use processor seconds, and so differ from run to run.
    protocol : str
        The protocol of the experiments, in paragraphs separated by empty lines.
    name : str
        Short name on pages and in pictures; `id` by default.
    proposed : str
        The id of the method that the paper proposes, "" if there is none.
    main_measures : sequence of str
        The measures by which the best method overall is chosen; by default all measures.
    main_claim : MainClaim, optional
        The claim in README.md and in the first sentence of the paper's page.
    doubt : str
        A reason to doubt the verdicts that results cannot show, as a part of a sentence.
    finding : callable, optional
        Takes the numbers of claims by the claims' ids, and returns a sentence with the result. It
        may raise KeyError, TypeError or ValueError if numbers are missing.
    page_tables : sequence of callable
        Each takes a report and returns a table of the paper's page: rows of Markdown cells, the
        first row is the head. The first cell of each table is unique on the page.
    over_states : {"median", "mean"}
        The kind of average over the seeds in the paper's tables.
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
    proposed: str = ""
    main_measures: Sequence[str] = ()
    main_claim: MainClaim | None = None
    doubt: str = ""
    finding: "Callable[[Mapping[str, Mapping[str, Any]]], str] | None" = None
    page_tables: "Sequence[Callable[[Report], list[list[str]]]]" = ()
    over_states: Literal["median", "mean"] = "median"

    def __post_init__(self) -> None:
        if not self.name:
            object.__setattr__(self, "name", self.id)
