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
    """Verdict on whether a claim of a paper is reproduced, with the numbers behind it.

    `test` names the statistical test. `without` maps each class whose omission changes the verdict
    to the changed verdict.
    """

    verdict: VerdictName
    numbers: Mapping[str, float | int | str] = field(default_factory=dict)
    test: str = ""
    note: str = ""
    without: Mapping[str, VerdictName] | None = None


def grade(reproduced: bool, partly: bool) -> VerdictName:
    """Return the best verdict whose condition holds: "reproduced", "partly" or "not reproduced"."""
    return "reproduced" if reproduced else "partly" if partly else "not reproduced"


def all_or_any(answers: Sequence[bool]) -> VerdictName:
    """Return "reproduced" if all answers are true, "partly" if some are, else "not reproduced"."""
    return grade(all(answers), any(answers))


def all_or_undecided(answers: Sequence[bool | None]) -> VerdictName:
    """Return "reproduced" if all answers are True, "partly" if some are, else "not reproduced".

    None is an answer without a significant result. If all answers are None, return "undecided".
    """
    verdict = all_or_any([answer is True for answer in answers])
    is_open = verdict == "not reproduced" and None in answers and False not in answers
    return "undecided" if is_open else verdict


def all_or_most(answers: Sequence[bool]) -> VerdictName:
    """Return "reproduced" if all answers are true, "partly" if over half, else "not reproduced"."""
    return grade(all(answers), 2 * sum(map(bool, answers)) > len(answers))


class Claims(dict[str, Callable[..., Verdict]]):
    """Dict from name to function that takes a report and returns the verdict on a claim."""

    def add(self, judge: Callable[..., Verdict], *context, **options) -> Callable:
        """Return a decorator that adds the decorated function, the rule of a claim, to this dict.

        The key is the function's name. The value is a function that takes a report and returns the
        verdict `judge(rule, *context, report, **options)`.
        """

        def register(rule: Callable) -> Callable:
            self[rule.__name__] = partial(judge, rule, *context, **options)
            return rule

        return register
