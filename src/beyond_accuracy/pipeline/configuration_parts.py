"""What the configurations of all papers are made of."""

from typing import Annotated, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PositiveInt,
    StringConstraints,
    ValidationError,
    WrapValidator,
)
from pydantic_core import PydanticCustomError

Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
"""A name that is also a file name: letters, digits, dots, hyphens and underscores."""

Fraction = Annotated[float, Field(gt=0, lt=1)]

Selection = Annotated[list[Name], Field(min_length=1)]


def _one_value(value, handler):
    try:
        return handler(value)
    except ValidationError as error:
        # One error, and not one for each type that it might have.
        kinds = "text, a number, true, false or null"
        raise PydanticCustomError("scalar_type", "a single value: " + kinds) from error


Scalar = Annotated[bool | int | float | str | None, WrapValidator(_one_value)]
"""A value that keeps the type it has in YAML: 1 is no 1.0, and "1" is text."""


class Strict(BaseModel):
    """A mapping in which an unknown key is an error and values keep the type they have in YAML."""

    model_config = ConfigDict(extra="forbid", strict=True, use_attribute_docstrings=True)


DottedPath = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_]\w*(\.[A-Za-z_]\w*)+$")]


class Bootstrap(Strict):
    """Percentile intervals by resampling the examples of the test set."""

    n_resamples: PositiveInt = 1000
    """Number of bootstrap samples."""

    level: Fraction = 0.95
    """Coverage of the interval."""


class Significance(Strict):
    """The paired test over the tasks of a data set, and how its result is shown."""

    stars: dict[Annotated[str, StringConstraints(pattern=r"^\*+$")], Fraction] = {
        "*": 0.05,
        "**": 0.01,
    }
    """Marks for p-values up to a level."""

    zero_method: Literal["wilcox", "pratt", "zsplit"] = "wilcox"
    """Treatment of zero differences in the Wilcoxon signed-rank test, as in scipy."""


class Claim(Strict):
    """A testable statement of the paper, with the rule of its verdict."""

    id: Name
    """Identifier within the paper."""

    statement: str
    """What the paper says, in a few words."""

    section: str
    """Where it says so."""

    rule: str
    """When the verdict is `reproduced`, `partly`, `not reproduced` or `not testable`, in words."""

    function: str
    """Name of the function that computes the verdict from the measurements."""
