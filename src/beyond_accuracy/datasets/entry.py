"""The model of one catalogue entry, ``config/datasets/<name>.yaml``."""

from typing import Annotated, Literal

from pydantic import Field

from beyond_accuracy.datasets.entry_checks import ENTRY_CHECKS
from beyond_accuracy.datasets.schema import Count, Model, Name, Role, Task
from beyond_accuracy.datasets.sources import FileSpecification, Source
from beyond_accuracy.datasets.steps import Parser, PositiveRule, Split, Transform


class Shape(Model):
    """What the prepared arrays must look like; null is unknown and not checked."""

    n_train: Count | None = None
    """Rows of the training part (of all, where there is no split)."""
    n_test: Count | None = None
    """Rows of the test part; null without a split."""
    n_features: Count | None = None
    """Columns after dropping."""
    n_classes: Count | None = None
    """Classes or labels."""
    positives: dict[Literal["train", "test"], Count | dict[str, Count]] | None = None
    """Positive rows a part; of (some) classes or labels by name where the task has several."""


class Entry(Model):
    """One data set of the catalogue."""

    checks = ENTRY_CHECKS

    name: Name
    """Identifier; equals the file's name without ``.yaml``."""
    title: str
    """Name for people, one line."""
    papers: list[str] = []
    """Ids of the papers that use it."""
    collection: Literal["weka-uci"] | None = None
    """Collection that a paper chooses from by a rule (see the catalogue's README)."""
    variant_of: Name | None = None
    """Another entry with (nearly) the same rows, which the choice counts instead of this one."""
    task: Task
    """What is learned; ``binary`` sets may need ``positive``."""
    sources: Annotated[list[Source], Field(min_length=1)]
    """Tried in this order until one can be reached."""
    files: dict[Role, FileSpecification] = {}
    """Checksums by file role: data, train, test, labels."""
    parser: Parser | None = None
    """How the files are read; null for bundled and generated sets."""
    drop_columns: list[str | int] = []
    """Identifier columns, by name (ARFF) or index from 0 (delimited)."""
    target: str | None = None
    """Class attribute by name (ARFF)."""
    positive: PositiveRule | None = None
    """Rule that makes a multi-class file binary."""
    split: Split
    """Training and test part."""
    transforms: list[Transform] = []
    """Applied in order after the split, fitted on the training part."""
    shape: Shape
    """Expected shape; a difference is an error."""
    citation: str
    """Source to cite."""
    licence: str
    """Terms of use, as far as known."""
    notes: str | None = None
    """Traps and choices."""
    how_to_get: str | None = None
    """What a user can do when no source is reached, beyond trying the sources by hand."""
    substitute: Name | None = None
    """Entry that stands in when no source of this one can be reached."""
    substitute_for: str | None = None
    """What this one stands in for: an entry, or, where that has none, its name in words."""
    substitute_reason: str | None = None
    """Why a substitute is needed and how it differs."""


Catalogue = dict[str, Entry]
