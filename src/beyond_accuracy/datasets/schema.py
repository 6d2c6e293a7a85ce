"""What all models of the catalogue share: the base class and the types of single values."""

import datetime
import re
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, ConfigDict, Field, StringConstraints

from beyond_accuracy.datasets.faults import CheckedModel

Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
_HOST = re.compile(r"[A-Za-z0-9_.-]+")


def is_web_address(text: str) -> bool:
    """Whether a text is an address of HTTP(S) whose host and port could be."""
    try:
        parts = urlsplit(text)
        host = parts.hostname or ""
        # It is an error to ask for a port that is none.
        valid = parts.scheme in ("http", "https") and parts.port != 0 and text.isprintable()
        if ":" in host:
            return valid
        # Labels have 1 to 63 characters.
        return valid and bool(_HOST.fullmatch(host.encode("idna").decode("ascii")))
    except ValueError:
        return False


def _web_address(url: str) -> str:
    if not is_web_address(url):
        raise ValueError("an address on the web, http://host/path or https://host/path")
    return url


Url = Annotated[
    str,
    StringConstraints(pattern=r"^https?://[^\s/]+(/\S*)?$"),
    AfterValidator(_web_address),
]


def _inside_the_mirror(path: str) -> str:
    """A catalogue must not be able to reach outside the mirror."""
    if path.startswith("/") or ".." in path.split("/") or not path:
        raise ValueError("a relative path without `..`")
    return path


def _day(text: str) -> str:
    try:
        valid = datetime.date.fromisoformat(text).isoformat() == text
    except ValueError:
        valid = False
    if not valid:
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
