"""The verdict on a claim, with its numbers."""

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
    """The verdict on a claim, with its numbers and notes.

    Attributes
    ----------
    verdict : str
        "reproduced", "partly", "undecided" (a test decides neither way), "not reproduced" or "not
        testable".
    numbers : dict
        The numbers on which the verdict is based, by name.
    test : str
        How the numbers were obtained.
    note : str
        Substitutes, missing results and other facts that a reader must know.
    without : dict, optional
        For verdicts on averages over classes: the classes without which the verdict changes, with
        the verdict without the class. None for all other verdicts.
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
    """Return the verdict of a rule with two conditions.

    It is "reproduced" if the first holds, "partly" if only the second holds, otherwise "not
    reproduced".
    """
    return "reproduced" if reproduced else "partly" if partly else "not reproduced"


def all_or_any(answers: Sequence[bool]) -> VerdictName:
    """Return "reproduced" if all answers are true, "partly" if some are, else "not reproduced"."""
    return grade(all(answers), any(answers))


def all_or_undecided(answers: Sequence[bool | None]) -> VerdictName:
    """Return the verdict on answers of tests, where None means that a test decides neither way.

    It is "reproduced" if all are true and "partly" if some are. Otherwise it is "not reproduced" if
    one is false, and "undecided" if none is false.
    """
    verdict = all_or_any([answer is True for answer in answers])
    is_open = verdict == "not reproduced" and None in answers and False not in answers
    return "undecided" if is_open else verdict


def all_or_most(answers: Sequence[bool]) -> VerdictName:
    """Return "reproduced" if all answers are true and "partly" if more than half are.

    Otherwise the verdict is "not reproduced".
    """
    return grade(all(answers), 2 * sum(map(bool, answers)) > len(answers))


class Claims(dict[str, Callable[..., Verdict]]):
    """The rules that judge a paper's claims, by name. Each takes a report and returns a verdict."""

    def add(self, judge: Callable[..., Verdict], *context, **options) -> Callable:
        """Return a decorator that adds a rule under its function's name.

        The entry calls `judge(rule, *context, report, **options)`.
        """

        def register(rule: Callable) -> Callable:
            self[rule.__name__] = partial(judge, rule, *context, **options)
            return rule

        return register
