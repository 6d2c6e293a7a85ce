"""What can go wrong between a catalogue entry and prepared arrays."""

from collections.abc import Sequence
from typing import Any


class DataSetError(Exception):
    """Base of every error of this package."""


class SourceUnreachable(DataSetError):
    """One source could not be reached; the next one may be tried."""

    def __init__(self, location: str, reason: str):
        self.reason = reason
        super().__init__(f"{location}: {reason}")


class WrongContent(DataSetError):
    """A file was obtained, but its content cannot be used; the next source may be tried."""

    @property
    def reason(self) -> str:
        """The message in one line."""
        return " ".join(str(self).split())


class ChecksumError(WrongContent):
    """A file's content is not the one the catalogue pins."""

    def __init__(self, name: str, expected: Sequence[str], found: str, action: str):
        super().__init__(
            f"{name}: wrong checksum\n"
            f"  expected sha256: {' or '.join(expected)}\n"
            f"  found sha256:    {found}\n"
            f"  what to do: {action}"
        )


class ParseError(WrongContent):
    """A file's content is malformed; names the file and, if it is known, the line (from 1)."""

    def __init__(self, file: str, line: int | None, found: str, expected: str):
        self.file, self.line = file, line
        place = f"{file}, line {line}" if line is not None else file
        valid = expected if expected.startswith("did you mean") else f"expected {expected}"
        super().__init__(f"{place}: found {found}; {valid}")


class ShapeError(WrongContent):
    """Parsed arrays do not have the shape that the catalogue expects."""

    def __init__(self, name: str, problems: Sequence[str]):
        super().__init__(
            f"data set {name} does not have its expected shape:\n"
            + "\n".join(f"  - {problem}" for problem in problems)
            + f"\n  what to do: check the files, or `shape` in config/datasets/{name}.yaml"
        )


class ArraysError(WrongContent):
    """Parsed arrays are not those whose checksum the catalogue has."""

    def __init__(self, name: str, expected: str, found: str):
        super().__init__(
            f"data set {name}: the arrays have sha256 {found}; `sha256_arrays` in "
            f"config/datasets/{name}.yaml is {expected}"
        )


class DataSetMissing(DataSetError):
    """No source of a data set can be used.

    Attributes
    ----------
    name : str
    status : {"unavailable", "faulty"}
        "faulty" if a source was reached but had a wrong file.
    attempts : sequence of Attempt, or of text
        All that was tried.
    how_to_get : str
        What a user can do.
    """

    def __init__(self, name: str, status: str, attempts: Sequence[Any], how_to_get: str):
        self.name, self.status, self.how_to_get = name, status, how_to_get
        self.attempts = tuple(attempts)
        self.reason = "; ".join(map(str, attempts))
        super().__init__(f"data set {name} is {status}: {self.reason}. How to get it: {how_to_get}")
