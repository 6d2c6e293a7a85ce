"""Catalogue models: where the files of a data set come from, and how they are pinned."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from beyond_accuracy.datasets.schema import Model, RelativePath, Role, Sha256, Url


class BundledSource(Model):
    kind: Literal["bundled"]
    """Ships with scikit-learn; needs neither network nor mirror."""
    loader: Literal["breast_cancer", "digits", "iris", "wine"]
    """``sklearn.datasets.load_<loader>``."""


class GeneratedSource(Model):
    kind: Literal["generated"]
    """Drawn from the configured seed; needs neither network nor mirror."""


class ImbalancedGaussiansOptions(Model):
    n_rows: Annotated[int, Field(ge=4)] = 1500
    """Number of rows."""
    n_features: Annotated[int, Field(ge=1)] = 20
    """Number of features."""
    positive_fraction: Annotated[float, Field(gt=0, lt=1)] = 0.05
    """Share of the positive rows, of which there are at least two, as of the others."""
    distance: Annotated[float, Field(ge=0)] = 2.5
    """Distance of the two centres, in standard deviations."""


class ImbalancedGaussiansSource(GeneratedSource):
    generator: Literal["imbalanced_gaussians"]
    """Two unit Gaussian clouds; dense, binary."""
    options: ImbalancedGaussiansOptions = ImbalancedGaussiansOptions()
    """Sizes and difficulty."""


class ZipfDocumentsOptions(Model):
    n_rows: Annotated[int, Field(ge=1)] = 900
    """Number of documents."""
    n_classes: Annotated[int, Field(ge=2)] = 6
    """Number of topics; topic c, from 0, has weight 1 / (c + 1)."""
    vocabulary: Annotated[int, Field(ge=60)] = 3000
    """Number of words, of which 60 belong to a topic; word r, from 1, has weight 1 / r."""
    mean_length: Annotated[float, Field(gt=0)] = 40.0
    """Words of a document on average; each has at least four."""
    multilabel: bool = False
    """Whether a document may have several topics."""
    mean_labels: Annotated[float, Field(ge=1)] = 1.5
    """Topics of a document on average; only with ``multilabel: true``."""

    @model_validator(mode="after")
    def _possible(self):
        if "mean_labels" in self.model_fields_set and not self.multilabel:
            raise ValueError("mean_labels only with multilabel: true")
        return self


class ZipfDocumentsSource(GeneratedSource):
    generator: Literal["zipf_documents"]
    """Documents of words that follow Zipf's law, to be transformed by ``tfidf``."""
    options: ZipfDocumentsOptions = ZipfDocumentsOptions()
    """Sizes and difficulty."""


class MirrorSource(Model):
    kind: Literal["mirror"]
    """Files below the configured mirror directory, read in place."""
    files: dict[Role, RelativePath]
    """Path of each file role below the mirror; .xz, .bz2 and .gz are recognised by content."""


class UrlSource(Model):
    kind: Literal["url"]
    """Files downloaded over HTTP(S)."""
    files: dict[Role, Annotated[list[Url], Field(min_length=1)]]
    """Addresses of each file role, tried in order."""


class FileSource(Model):
    kind: Literal["file"]
    """Files of one's own, read in place."""
    files: dict[Role, RelativePath]
    """Path of each file role below `folder`; .xz, .bz2 and .gz are recognised by content."""
    folder: str | None = None
    """Absolute, or relative to the catalogue's folder, which it is by default."""


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

    @model_validator(mode="after")
    def _consistent(self):
        if self.sha256 and self.unpinned:
            raise ValueError("one of sha256 and unpinned, not both")
        if self.nominal_as_numbers and self.target is None:
            raise ValueError("nominal_as_numbers here only with target, else in parser")
        return self


Source = Annotated[
    BundledSource
    | Annotated[ImbalancedGaussiansSource | ZipfDocumentsSource, Field(discriminator="generator")]
    | MirrorSource
    | FileSource
    | UrlSource
    | OpenmlSource,
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
                "exactly one of sha256, sha256_compressed, members, unpinned, "
                f"of which there are {', '.join(given) or 'none'}"
            )
        return self
