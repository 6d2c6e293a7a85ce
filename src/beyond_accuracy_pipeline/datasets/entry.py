"""The pydantic model of one catalogue entry, ``config/datasets/<name>.yaml``."""

from collections.abc import Mapping
from pathlib import PurePath
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from beyond_accuracy_pipeline.datasets.entry_checks import ENTRY_CHECKS
from beyond_accuracy_pipeline.datasets.schema import Count, Model, Name, Role, Sha256, Task
from beyond_accuracy_pipeline.datasets.sources import FileSpecification, Source
from beyond_accuracy_pipeline.datasets.steps import (
    FixedSplit,
    Parser,
    PositiveRule,
    Preprocessing,
    Split,
    Transform,
)

_PARSERS = {
    ".csv": {"kind": "csv"},
    ".tsv": {"kind": "csv", "delimiter": "\t"},
    ".parquet": {"kind": "parquet"},
    ".arff": {"kind": "arff"},
}
_COMPRESSED = (".gz", ".bz2", ".xz")
_PRIVATE = {"unpinned": "a file of one's own"}
OWN_DATA: dict[str, Any] = {
    "split": {"kind": "sample", "train_fraction": 0.667, "stratified": True},
    "citation": "data of one's own",
    "licence": "private",
}
"""Default values of entries of private files."""


class Shape(Model):
    """Expected numbers of rows, features and classes of a data set. Null is not checked."""

    n_train: Count | None = None
    """Rows of the training part; all rows without a split."""
    n_test: Count | None = None
    """Rows of the test part; null without a split."""
    n_features: Count | None = None
    """Columns after dropping."""
    n_classes: Count | None = None
    """Classes or labels."""
    positives: dict[Literal["train", "test"], Count | dict[str, Count]] | None = None
    """Positive rows of each part. If there are several classes or labels: rows of each, by name."""


class Entry(Model):
    """Catalogue entry of one data set: its sources, and how its files become arrays.

    Private data (sources of kind ``file``) need only the keys ``name``, ``task``, ``sources`` and
    ``target``. The suffix of the file selects the parser. Checksums are optional. Unless training
    and test rows have separate files, a stratified sample of two thirds is for training.
    """

    checks = ENTRY_CHECKS

    name: Name
    """Identifier; equals the file's name without ``.yaml``."""
    title: str = ""
    """Name for people, one line; the entry's `name` by default."""
    papers: list[str] = []
    """Ids of the papers that use it."""
    collection: Literal["weka-uci"] | None = None
    """Collection that a paper chooses from by a rule (see the catalogue's README)."""
    variant_of: Name | None = None
    """Another entry with (nearly) the same rows, which the choice counts instead of this one."""
    task: Task
    """What is learned; ``binary`` sets may need ``positive``."""
    sources: Annotated[list[Source], Field(min_length=1)]
    """Tried in this order until one has the right files."""
    files: dict[Role, FileSpecification] = {}
    """Checksums by file role: data, train, test, labels."""
    sha256_arrays: Sha256 | None = None
    """Digest of the parsed rows, before the split, for sources that spell them differently."""
    parser: Parser | None = None
    """How the files are read; null for bundled and generated sets."""
    drop_columns: list[str | int] = []
    """Identifier columns, by name (ARFF, CSV, Parquet) or index from 0 (delimited)."""
    target: str | None = None
    """Class attribute by name (ARFF, CSV, Parquet)."""
    positive: PositiveRule | None = None
    """Rule that makes a multi-class file binary."""
    split: Split = FixedSplit(kind="none")
    """Training and test part; needed unless the data are one's own."""
    preprocess: Preprocessing | None = None
    """Missing values, nominal columns and scaling; before the transforms."""
    transforms: list[Transform] = []
    """Applied in order after the split, fitted on the training part."""
    shape: Shape = Shape()
    """Expected shape; a difference is an error."""
    citation: str = ""
    """Source to cite; needed unless the data are one's own."""
    licence: str = ""
    """Terms of use, as far as known; needed unless the data are one's own."""
    redistributable: bool = False
    """Whether the licence lets anyone pass the files on, as `make mirror PUBLIC=1` does."""
    notes: str | None = None
    """Traps and choices."""
    how_to_get: str | None = None
    """What a user can do if no source can be used, besides trying the sources by hand."""
    substitute: Name | None = None
    """Entry that is used instead if no source of this one can be used."""
    substitute_for: str | None = None
    """The entry that this one replaces, or its name in words if it has no entry."""
    substitute_reason: str | None = None
    """Why a substitute is needed and how it differs."""

    @model_validator(mode="before")
    @classmethod
    def _fill_in_private_data(cls, given: Any) -> Any:
        """Add the default values of an entry with private files; return other entries unchanged."""
        sources = given.get("sources") if isinstance(given, Mapping) else None
        for source in sources if isinstance(sources, list) else ():
            files = source.get("files") if isinstance(source, Mapping) else None
            if files and isinstance(files, Mapping) and source.get("kind") == "file":
                return _private_defaults(given, files) | dict(given)
        return given


def _private_defaults(given: Mapping[str, Any], files: Mapping[str, Any]) -> dict[str, Any]:
    """Return default values of an entry with private `files`; the suffix selects the parser."""
    defaults = {
        **OWN_DATA,
        "title": given.get("name"),
        "files": dict.fromkeys(files, _PRIVATE),
    }
    if "train" in files:
        defaults["split"] = {"kind": "given"}
    suffixes = map(str.lower, PurePath(str(next(iter(files.values())))).suffixes)
    suffix = next((each for each in reversed([*suffixes]) if each not in _COMPRESSED), "")
    if suffix in _PARSERS:
        defaults["parser"] = _PARSERS[suffix]
    return defaults


Catalogue = dict[str, Entry]
