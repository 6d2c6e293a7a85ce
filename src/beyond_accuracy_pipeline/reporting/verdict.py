"""The verdict on a claim, with its evidence."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Literal, get_args

VerdictName = Literal["reproduced", "partly", "undecided", "not reproduced", "not testable"]
VERDICTS: tuple[VerdictName, ...] = get_args(VerdictName)
Numbers = dict[str, float | int | str]
Ruling = tuple[VerdictName, Numbers] | None
"""What a rule returns: a verdict and its numbers, or None if there is too little to judge."""


@dataclass(frozen=True)
class Verdict:
    """Verdict on a claim, with its numbers.

    Attributes
    ----------
    verdict : str
        "reproduced", "partly", "undecided" (a test decides neither way), "not reproduced" or "not
        testable".
    numbers : dict
        The numbers behind it, by name.
    test : str
        How they were obtained.
    note : str
        Substitutes, missing results and other facts that a reader has to know.
    without : dict, optional
        For verdicts on averages over classes: each class whose absence changes the verdict, with
        the verdict without it. None for all other verdicts.
    """

    verdict: VerdictName
    numbers: Mapping[str, float | int | str] = field(default_factory=dict)
    test: str = ""
    note: str = ""
    without: Mapping[str, VerdictName] | None = None

    def __post_init__(self) -> None:
        if self.verdict not in VERDICTS:
            raise ValueError(f"verdict: found {self.verdict!r}; valid: {', '.join(VERDICTS)}.")


def grade(reproduced: bool, partly: bool) -> VerdictName:
    """Return the verdict of a rule of two conditions."""
    return "reproduced" if reproduced else "partly" if partly else "not reproduced"


def all_or_any(true: Sequence[bool]) -> VerdictName:
    """Reproduced if all are true, partly if some are, otherwise not."""
    return grade(all(true), any(true))


def all_or_undecided(true: Sequence[bool | None]) -> VerdictName:
    """Return the verdict of `all_or_any` for tests that may answer None, neither way.

    Without any true answer, the verdict is undecided unless an answer is false.
    """
    verdict = all_or_any([answer is True for answer in true])
    is_open = verdict == "not reproduced" and None in true and False not in true
    return "undecided" if is_open else verdict


def all_or_most(true: Sequence[bool]) -> VerdictName:
    """Reproduced if all are true, partly if more than half, otherwise not."""
    return grade(all(true), 2 * sum(map(bool, true)) > len(true))


class Claims(dict[str, Callable[..., Verdict]]):
    """The claims of a paper by the names of their rules."""

    def add(self, judge: Callable[..., Verdict], *context, **options) -> Callable:
        """Decorate a rule: `judge` applies it to the context and the report."""

        def register(rule: Callable) -> Callable:
            self[rule.__name__] = partial(judge, rule, *context, **options)
            return rule

        return register
