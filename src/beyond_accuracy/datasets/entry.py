"""The model of one catalogue entry, ``config/datasets/<name>.yaml``."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from beyond_accuracy.datasets.schema import Count, Model, Name, Task
from beyond_accuracy.datasets.sources import FileSpecification, Source
from beyond_accuracy.datasets.steps import ArffParser, Parser, PositiveRule, Split, Transform


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
    files: dict[str, FileSpecification] = {}
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

    @model_validator(mode="after")
    def _consistent(self):
        problems = []
        has_files = [
            source for source in self.sources if source.kind not in ("bundled", "generated")
        ]
        if has_files and self.parser is None:
            problems.append("parser: missing; valid is a parser for the files of the sources")
        for number, source in enumerate(self.sources):
            if source.kind in ("mirror", "url") and set(source.files) != set(self.files):
                problems.append(
                    f"sources.{number}.files: found roles {sorted(source.files)}; valid are the "
                    f"roles of `files`, {sorted(self.files)}"
                )
            if source.kind == "openml" and set(self.files) != {"data"}:
                problems.append(
                    f"sources.{number}: an openml source gives one file of role `data`; "
                    f"found roles {sorted(self.files)}"
                )
            if source.kind == "openml" and not (
                source.target or isinstance(self.parser, ArffParser)
            ):
                problems.append(
                    f"sources.{number}.target: missing; valid is the class attribute of its file"
                )
        if (self.substitute_for is None) != (self.substitute_reason is None):
            problems.append("substitute_for and substitute_reason: give both or neither")
        if self.positive is not None and self.task != "binary":
            problems.append(f"positive: only for task binary; found task {self.task}")
        if isinstance(self.parser, ArffParser) and self.target is None:
            problems.append("target: missing; valid is the name of the class attribute")
        if problems:
            raise ValueError("; ".join(problems))
        return self
