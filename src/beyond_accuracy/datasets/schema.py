"""What all models of the catalogue share: the base class and the types of single values."""

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Url = Annotated[str, StringConstraints(pattern=r"^https?://[^\s/]+(/\S*)?$")]


def _inside_the_mirror(path: str) -> str:
    """A catalogue must not be able to reach outside the mirror."""
    if path.startswith("/") or ".." in path.split("/") or not path:
        raise ValueError("a relative path without `..` is valid")
    return path


RelativePath = Annotated[str, AfterValidator(_inside_the_mirror)]
Name = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9._-]*$")]
Count = Annotated[int, Field(ge=0)]
Task = Literal["binary", "multiclass", "multilabel"]


class Model(BaseModel):
    """Refuses unknown keys, so that a misspelt one is an error and not a default."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)
