"""Catalogue models: where the files of a data set come from, and how they are pinned."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from beyond_accuracy.datasets.schema import Model, RelativePath, Sha256, Url


class BundledSource(Model):
    kind: Literal["bundled"]
    """Ships with scikit-learn; needs neither network nor mirror."""
    loader: Literal["breast_cancer", "digits", "iris", "wine"]
    """``sklearn.datasets.load_<loader>``."""


class GeneratedSource(Model):
    kind: Literal["generated"]
    """Drawn from the configured seed; needs neither network nor mirror."""
    generator: Literal["imbalanced_gaussians", "zipf_documents"]
    """A function of ``beyond_accuracy.datasets.generators``."""
    options: dict[str, int | float | bool] = {}
    """Keyword arguments of the generator."""


class MirrorSource(Model):
    kind: Literal["mirror"]
    """Files below the configured mirror directory, read in place."""
    files: dict[str, RelativePath]
    """Path of each file role below the mirror; .xz, .bz2 and .gz are recognised by content."""


class UrlSource(Model):
    kind: Literal["url"]
    """Files downloaded over HTTP(S)."""
    files: dict[str, list[Url]]
    """Addresses of each file role, tried in order."""


class OpenmlSource(Model):
    kind: Literal["openml"]
    """The ARFF file of an OpenML data set, by id, through the ``openml`` package."""
    id: Annotated[int, Field(ge=1)]
    """Id of the data set at OpenML; its file takes the role ``data``."""
    sha256: list[Sha256] | None = None
    """Pins of OpenML's file where it differs from the ``data`` file of the other sources."""
    unpinned: str | None = None
    """Why no sha256 of OpenML's file is known (OpenML's own md5 is checked all the same)."""
    target: str | None = None
    """Class attribute of OpenML's file, where the other sources are no ARFF."""
    nominal_as_numbers: bool = False
    """Parser option for OpenML's file, where the other sources are no ARFF."""


Source = Annotated[
    BundledSource | GeneratedSource | MirrorSource | UrlSource | OpenmlSource,
    Field(discriminator="kind"),
]


class FileSpecification(Model):
    """How the content of one file is pinned. Exactly one of the four keys."""

    sha256: list[Sha256] | None = None
    """Of the decompressed content; several where honest variants exist (CRLF and LF)."""
    sha256_compressed: list[Sha256] | None = None
    """Of the file as distributed, where no checksum of the decompressed content is known."""
    members: dict[str, Sha256] | None = None
    """For a tar archive: sha256 of each member that is read, by base name."""
    unpinned: str | None = None
    """Why no checksum can be given; the shape is then the only check."""

    @model_validator(mode="after")
    def _exactly_one_pin(self):
        given = [key for key in type(self).model_fields if getattr(self, key)]
        if len(given) != 1:
            raise ValueError(
                "exactly one of sha256, sha256_compressed, members, unpinned must be given, "
                f"found {', '.join(given) or 'none'}"
            )
        return self
