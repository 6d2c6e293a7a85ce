"""Pydantic models and checks that the configurations of all papers share."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, TypeVar

from pydantic import (
    AfterValidator,
    Field,
    PositiveInt,
    StringConstraints,
)

from beyond_accuracy.measures import get_measure
from beyond_accuracy_pipeline.datasets.entry import Catalogue
from beyond_accuracy_pipeline.datasets.problems import (
    CheckedModel,
    KeyPath,
    Problem,
    problems_error,
    suggestion,
)
from beyond_accuracy_pipeline.datasets.schema import Task
from beyond_accuracy_pipeline.reporting.judge import parse_condition
from beyond_accuracy_pipeline.results.columns import STUDY_COLUMNS
from beyond_accuracy_pipeline.results.layout import fitted_pairs


@dataclass(frozen=True)
class Context:
    """Names that a paper's configuration may use: of data sets, tables, figures and functions."""

    data_sets: Catalogue
    """Data sets that have a file in ``config/datasets``."""
    definition: Any
    """The object ``PAPER`` of the paper's package: tables, figures and claim functions by name."""


Item = TypeVar("Item")


def once(names: list[str]) -> list[str]:
    """Return `names`; raise a pydantic error if a name is listed twice."""
    twice = [index for index, name in enumerate(names) if name in names[:index]]
    if twice:
        raise problems_error(
            Problem((index,), f"{names[index]!r} is listed twice", "each name once")
            for index in twice
        )
    return names


def accepted_by(check: Callable[[str], object]) -> AfterValidator:
    """Return a pydantic validator that refuses texts for which `check` raises ValueError."""

    def validated(value: str) -> str:
        check(value)
        return value

    return AfterValidator(validated)


PAPERS_GUIDE = "src/beyond_accuracy_pipeline/papers/README.md"


def unknown(
    key: KeyPath,
    names: Iterable[str] | Mapping[str, str | None],
    kind: str,
    valid_names: Iterable[str],
    how_to_add: str = "",
) -> Iterator[Problem]:
    """Yield a problem for each name in `names`, a list or values of a mapping, that is not valid.

    `key` is the key of `names` in the configuration. Messages call a name `kind`, such as "method",
    and end with `how_to_add`, advice to the user.
    """
    items = names.items() if isinstance(names, Mapping) else enumerate(names)
    for below, name in items:
        if name is not None and name not in valid_names:
            valid = suggestion(name, valid_names) + how_to_add
            yield Problem((*key, below), f"unknown {kind} {name!r}", valid)


Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$", max_length=100)]
"""A name that is also a file name: letters, digits, dots, hyphens and underscores."""

NonEmpty = Annotated[list[Item], Field(min_length=1)]
Each = Annotated[list[Item], AfterValidator(once)]
Some = Annotated[list[Item], Field(min_length=1), AfterValidator(once)]
Names = Each[Name]
Selection = Some[Name]
Fraction = Annotated[float, Field(gt=0, lt=1)]

Condition = Annotated[str, accepted_by(parse_condition)]
"""What must hold of comparisons: a quantifier and a relation, or several separated by "or"."""

Scalar = bool | int | float | str | None
"""A value that keeps the type it has in YAML: 1 is no 1.0, and "1" is text."""

Values = NonEmpty[Scalar]


class Bootstrap(CheckedModel):
    """Settings of bootstrap intervals, for which test examples are resampled."""

    n_resamples: PositiveInt = 1000
    """Number of bootstrap samples."""
    level: Fraction = 0.95
    """Coverage of the interval."""


class Significance(CheckedModel):
    """Settings of paired significance tests between methods, and of the stars in tables."""

    stars: dict[Annotated[str, StringConstraints(pattern=r"^\*+$")], Fraction] = {
        "*": 0.05,
        "**": 0.01,
    }
    """Symbols for p-values, each with the largest p-value that it marks."""
    zero_method: Literal["wilcox", "pratt", "zsplit"] = "wilcox"
    """Treatment of zero differences in the Wilcoxon signed-rank test, as in SciPy."""


def _has_a_rule(id, rule) -> Iterator[Problem]:
    if not rule.strip():
        yield Problem(("rule",), f"no rule of the claim {id!r}", "when it is reproduced, in words")


def _is_judged(function, compare, reproduced, partly) -> Iterator[Problem]:
    declared = {"compare": compare, "reproduced": reproduced, "partly": partly}
    missing = [name for name, value in declared.items() if not value]
    if (function is None) == (missing == [*declared]):
        found = "nothing" if function is None else repr(function)
        valid = "a function, or `compare`, `reproduced` and `partly` instead"
        yield Problem(("function",), found, valid)
    elif function is None:
        given = " and ".join(f"`{name}`" for name in declared if name not in missing)
        for name in missing:
            yield Problem((name,), "nothing", f"this key is required beside {given}")


class Compare(CheckedModel):
    """Comparisons that a claim states between methods: by which measures, on which data sets."""

    methods: Some[Name]
    """Methods that are better according to the claim."""
    against: Some[Name]
    """Methods with which each of `methods` is compared."""
    measures: Some[Name]
    """Measures by which they are compared."""
    data_sets: Names = []
    """Data sets on which they are compared; all of the paper by default."""


class Claim(CheckedModel):
    """Testable statement of a paper, and the rule that decides whether it is reproduced."""

    checks: ClassVar = (_has_a_rule, _is_judged)

    id: Name
    """Identifier within the paper."""
    statement: str
    """What the paper says, in a few words."""
    section: str
    """Section or table of the paper with the statement."""
    source: Literal["paper", "ours", "later"] = "paper"
    """Who makes the statement. Only statements of the paper count as reproduced or not."""
    rule: Annotated[str, Field(json_schema_extra={"pattern": r"\S"})]
    """Conditions of `reproduced`, `partly`, `undecided` and `not testable`, in words."""
    function: str | None = None
    """Name of the function that computes the verdict; none if the claim has `compare`."""
    compare: Compare | None = None
    """Comparisons of methods by which the claim is judged."""
    reproduced: Condition = ""
    """Condition for `reproduced`, such as `all significantly larger`."""
    partly: Condition = ""
    """Condition for `partly`, such as `all larger or some significantly larger`."""
    on_published: bool = False
    """Whether the rule needs only values that the paper prints; it is applied to these too."""
    rests_on: Names = []
    """Studies that the verdict needs. They are not repeated under readings."""
    compares: Names = []
    """Readings that the rule compares with the main protocol."""
    pools_states: bool = False
    """Whether the rule uses the results of all seeds together, so that there is one verdict."""


def _job_is_of_methods(job, changes, data_sets) -> Iterator[Problem]:
    others = sorted(changes.keys() - {"methods"}) + ["data_sets"] * bool(data_sets)
    if job is not None and others:
        found = f"{job!r}, though the reading has other {', '.join(others)} for all of a job"
        yield Problem(("job",), found, "none, or changes of `methods` alone")


class Reading(CheckedModel):
    """Named variant of a paper's protocol, under which claims are tested too."""

    checks: ClassVar = (_job_is_of_methods,)

    why: str
    """Why the paper may be understood in this way, in a sentence."""
    changes: dict[str, Any] = {}
    """Keys of the paper's section that differ: mappings are merged, everything else is replaced."""
    data_sets: dict[Name, Name] = {}
    """Data sets that replace others; results have the name of the replaced one."""
    job: Name | None = None
    """Job of the workflow; readings that share one are fitted together, and may change only
    methods."""
    every_state: bool = False
    """Whether the reading is run for all seeds of the paper instead of the first only."""


class Deviation(CheckedModel):
    """Known cause of differences between our numbers and a paper's, and the numbers concerned."""

    data_set: Name | None = None
    """Data set of these numbers."""
    quantity: str | None = None
    """Measure of these numbers, or size of a data set such as ``n_train``."""
    method: Name | None = None
    """Method of these numbers."""
    task: str | None = None
    """Decision rule of these numbers, for a multi-label method."""
    reason: str
    """The cause, as far as it is known."""


class Method(CheckedModel):
    """Settings that binary, multi-class and multi-label methods have in common."""

    parameters: dict[Name, Scalar] = {}
    """Fixed parameters of the estimator."""
    stochastic: bool = True
    """Whether fits draw random numbers. If not, the method is fitted once for all seeds."""
    job: Name | None = None
    """Job of the workflow. Methods with the same job are fitted together; results do not change."""


def _data_sets_suit(protocol, data_sets, context, given) -> Iterator[Problem]:
    yield from unknown(("data_sets",), data_sets, "data set", context.data_sets)
    # The multi-class protocol draws folds, and a sample its own test part.
    needs_test_part = protocol != "multiclass" and not given.get("sample")
    unsuitable = {}
    for name, entry in context.data_sets.items():
        if entry.task not in _TASKS[protocol]:
            unsuitable[name] = f"a {entry.task} data set"
        elif needs_test_part and entry.split.kind == "none":
            unsuitable[name] = "which has no split into a training and a test part"
    suitable = suggestion("", context.data_sets.keys() - unsuitable.keys())
    for index, name in enumerate(data_sets):
        if name in unsuitable:
            found = f"{name!r}, {unsuitable[name]}"
            yield Problem(("data_sets", index), found, f"for protocol {protocol} {suitable}")


def _methods_exist(methods_selected, given) -> Iterator[Problem]:
    methods = given.get("methods")
    if isinstance(methods, Mapping):
        yield from unknown(("methods_selected",), methods_selected, "method", methods)


def _something_is_fitted(data_sets, measures, methods_selected, methods) -> Iterator[Problem]:
    if not methods.keys() >= set(methods_selected):
        return
    settings = {name: dict(method) for name, method in methods.items()}
    paper = {"data_sets": data_sets, "methods_selected": methods_selected, "methods": settings}
    if not fitted_pairs(paper | {"measures": measures}):
        fitted = sorted({m for n in methods_selected for m in settings[n].get("measures", ())})
        key, given = "measures", measures
        if not fitted_pairs(paper | {"measures": fitted}):
            fitted = sorted({name for m in methods_selected for name in methods[m].data_sets})
            key, given = "data_sets", data_sets
        found = f"{', '.join(given)}, for which no selected method is"
        yield Problem((key,), found, f"some of: {', '.join(fitted)}")


def _method_data_sets_exist(methods, context) -> Iterator[Problem]:
    for name, method in methods.items():
        key = ("methods", name, "data_sets")
        yield from unknown(key, getattr(method, "data_sets", []), "data set", context.data_sets)


def _readings_exist(readings_selected, readings) -> Iterator[Problem]:
    yield from unknown(("readings_selected",), readings_selected or [], "reading", readings)


def _readings_name_data_sets(readings, context) -> Iterator[Problem]:
    for name, reading in readings.items():
        key = ("readings", name)
        replaced = {data_set: data_set for data_set in reading.data_sets}
        for data_sets in (replaced, reading.data_sets):
            yield from unknown((*key, "data_sets"), data_sets, "data set", context.data_sets)


def _reports_exist(tables, figures, context) -> Iterator[Problem]:
    for kind, names in (("table", tables), ("figure", figures)):
        valid, how_to_add = getattr(context.definition, f"{kind}s"), _how_to_add(f"{kind}s")
        yield from unknown((f"{kind}s",), names or [], kind, valid, how_to_add)


def _how_to_add(reports: str) -> str:
    return f"; to add one, name its function in PAPER.{reports} ({PAPERS_GUIDE})"


def _claims_exist(claims, methods, context) -> Iterator[Problem]:
    functions = context.definition.claims
    for index, claim in enumerate(claims):
        key = ("claims", index)
        if any(claim.id == earlier.id for earlier in claims[:index]):
            found = f"{claim.id!r}, which an earlier claim has"
            yield Problem((*key, "id"), found, "an id of its own")
        function = {"function": claim.function}
        yield from unknown(key, function, "function", functions, _how_to_add("claims"))
        yield from unknown((*key, "rests_on"), claim.rests_on, "study", STUDY_COLUMNS)
        if claim.compare is None:
            continue
        key = (*key, "compare")
        for name in ("methods", "against"):
            yield from unknown((*key, name), getattr(claim.compare, name), "method", methods)
        names, own = claim.compare.data_sets, context.definition.data_sets
        yield from unknown((*key, "data_sets"), names, "data set of the paper", own)


def _comparisons_suit(protocol, claims, measures) -> Iterator[Problem]:
    for index, claim in enumerate(claims):
        key = ("claims", index, "compare")
        if claim.compare is None:
            continue
        if protocol != "binary":
            found = f"a comparison of methods in a {protocol} paper"
            yield Problem(key, found, "a `function`; `compare` is for binary papers")
            continue
        for number, measure in enumerate(claim.compare.measures):
            # A run may leave measures of a claim out: it is not testable then.
            try:
                get_measure(measure)
            except ValueError:
                found = f"unknown measure {measure!r}"
                yield Problem((*key, "measures", number), found, suggestion(measure, measures))


_TASKS: dict[str, tuple[Task, ...]] = {
    "binary": ("binary", "multiclass", "multilabel"),
    "multilabel": ("multilabel",),
    "multiclass": ("multiclass",),
}
"""Tasks of the data sets of a protocol."""


class Paper(CheckedModel):
    """Settings that binary, multi-class and multi-label papers have in common."""

    checks: ClassVar = (
        _data_sets_suit,
        _methods_exist,
        _something_is_fitted,
        _method_data_sets_exist,
        _readings_exist,
        _readings_name_data_sets,
        _reports_exist,
        _claims_exist,
        _comparisons_suit,
    )

    data_sets: Selection
    """Selected data sets: names of files of ``config/datasets/``."""
    methods_selected: Selection
    """Selected methods, out of `methods`."""
    significance: Significance = Significance()
    """Significance tests between methods, over tasks or data sets."""
    readings: dict[Name, Reading] = {}
    """Readings (variants of the protocol), by name."""
    readings_selected: Names | None = None
    """Selected readings, out of `readings`; all by default."""
    states: PositiveInt | None = None
    """Number of seeds; by default, the number in config.yaml."""
    deviations: list[Deviation] = []
    """Causes of differences from published numbers, for ``agreement.csv``."""
    tables: Names | None = None
    """Selected tables; all tables of the paper by default."""
    figures: Names | None = None
    """Selected figures; all figures of the paper by default."""
    claims: list[Claim] = []
    """Claims of the paper and the rules of their verdicts."""
