"""The verdict on a claim, and what it stands on."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

VerdictName = Literal["reproduced", "partly", "not reproduced", "not testable"]
VERDICTS: tuple[VerdictName, ...] = get_args(VerdictName)


@dataclass(frozen=True)
class Verdict:
    """What the measurements say about a claim.

    Attributes
    ----------
    verdict : str
        "reproduced", "partly", "not reproduced" or "not testable".
    numbers : dict
        The numbers behind it, by name.
    test : str
        How they were obtained.
    note : str
        What a reader has to know besides: substitutes, what is missing.
    """

    verdict: VerdictName
    numbers: Mapping[str, float | int | str] = field(default_factory=dict)
    test: str = ""
    note: str = ""

    def __post_init__(self) -> None:
        if self.verdict not in VERDICTS:
            raise ValueError(f"verdict: found {self.verdict!r}; valid: {', '.join(VERDICTS)}.")


def grade(reproduced: bool, partly: bool) -> VerdictName:
    """Return the verdict of a rule of two conditions."""
    return "reproduced" if reproduced else "partly" if partly else "not reproduced"
