"""Base class of the catalogue's pydantic models, and the types of their values."""

from typing import Annotated, Literal

from pydantic import AfterValidator, ConfigDict, Field, StringConstraints

from beyond_accuracy_pipeline.datasets.problems import CheckedModel


def _below_its_folder(path: str) -> str:
    if path.startswith("/") or ".." in path.split("/") or not path:
        raise ValueError("a relative path without `..`")
    return path


Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Url = Annotated[str, StringConstraints(pattern=r"^https?://[^\s/\[\]]+(/\S*)?$")]
RelativePath = Annotated[str, AfterValidator(_below_its_folder)]
Name = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9._-]*$", max_length=100)]
Day = Annotated[str, StringConstraints(pattern=r"^\d{4}-\d\d-\d\d$")]
Count = Annotated[int, Field(ge=0)]
Character = Annotated[str, StringConstraints(min_length=1, max_length=1)]
Task = Literal["binary", "multiclass", "multilabel"]
Role = Literal["data", "train", "test", "labels"]


class Model(CheckedModel):
    """Base class of the immutable pydantic models for catalogue entries.

    Values keep their YAML type: ``"5"``, ``5.0`` and ``yes`` are not whole numbers. Numbers must be
    finite.
    """

    model_config = ConfigDict(frozen=True, allow_inf_nan=False)
