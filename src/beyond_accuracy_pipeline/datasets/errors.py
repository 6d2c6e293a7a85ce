"""Errors that can occur between a catalogue entry and its prepared arrays."""

from collections.abc import Sequence
from typing import Any


class DataSetError(Exception):
    """Base class of all errors of data sets."""


class SourceUnreachable(DataSetError):
    """Exception raised if a source of a data set cannot be reached. Another source may work."""

    def __init__(self, location: str, reason: str):
        self.reason = reason
        super().__init__(f"{location}: {reason}")


class WrongContent(DataSetError):
    """Exception raised if the content of a data file cannot be used. Another source may work."""

    @property
    def reason(self) -> str:
        return " ".join(str(self).split())


class ChecksumError(WrongContent):
    """Exception raised if a file's sha256 is not in `expected`; `action` is advice to the user."""

    def __init__(self, name: str, expected: Sequence[str], found: str, action: str):
        super().__init__(
            f"{name}: wrong checksum\n"
            f"  expected sha256: {' or '.join(expected)}\n"
            f"  found sha256:    {found}\n"
            f"  what to do: {action}"
        )


class ParseError(WrongContent):
    """Exception for a malformed data file. The message names the file and, if known, the line."""

    def __init__(self, file: str, line: int | None, found: str, expected: str):
        self.file, self.line = file, line
        where = file if line is None else f"{file}, line {line}"
        valid = expected if expected.startswith("did you mean") else f"expected {expected}"
        super().__init__(f"{where}: found {found}; {valid}")


class DataSetMissing(DataSetError):
    """Exception for a data set that no source can provide.

    `status` is "faulty" if a source had a wrong file, otherwise "unavailable". `attempts` lists the
    failed attempts, and `how_to_get` is advice to the user.
    """

    def __init__(self, name: str, status: str, attempts: Sequence[Any], how_to_get: str):
        self.name, self.status, self.how_to_get = name, status, how_to_get
        self.attempts = tuple(attempts)
        self.reason = "; ".join(map(str, attempts))
        super().__init__(f"data set {name} is {status}: {self.reason}. How to get it: {how_to_get}")
