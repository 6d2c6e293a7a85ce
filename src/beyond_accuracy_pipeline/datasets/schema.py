"""What all models of the catalogue share: the base class and the types of single values."""

import datetime
from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    HttpUrl,
    StringConstraints,
    TypeAdapter,
    ValidationError,
)

from beyond_accuracy_pipeline.datasets.faults import CheckedModel

Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
_WEB_ADDRESS = TypeAdapter(HttpUrl)


def _web_address(url: str) -> str:
    try:
        _WEB_ADDRESS.validate_python(url)
    except ValidationError:
        raise ValueError("an address on the web, http://host/path or https://host/path") from None
    return url


Url = Annotated[str, AfterValidator(_web_address)]


def _inside_the_mirror(path: str) -> str:
    """A catalogue must not be able to reach outside the mirror."""
    if path.startswith("/") or ".." in path.split("/") or not path:
        raise ValueError("a relative path without `..`")
    return path


def _day(text: str) -> str:
    if datetime.date.fromisoformat(text).isoformat() != text:
        raise ValueError("a day of the calendar, YYYY-MM-DD")
    return text


RelativePath = Annotated[str, AfterValidator(_inside_the_mirror)]
Name = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9._-]*$", max_length=100)]
Day = Annotated[str, AfterValidator(_day)]
Count = Annotated[int, Field(ge=0)]
Task = Literal["binary", "multiclass", "multilabel"]
Role = Literal["data", "train", "test", "labels"]


class Model(CheckedModel):
    """A checked mapping of the catalogue, which does not change and holds finite numbers only.

    Values are taken as they are: ``"5"``, ``5.0`` and ``yes`` are no whole numbers.
    """

    model_config = ConfigDict(frozen=True, allow_inf_nan=False)
