"""What can go wrong between a catalogue entry and prepared arrays."""

import errno
from collections.abc import Iterator, Sequence
from contextlib import contextmanager


class DataSetError(Exception):
    """Base of every error of this package."""


class MirrorNotFound(DataSetError):
    """A mirror was configured, but there is no such directory."""

    def __init__(self, mirror: object):
        super().__init__(
            f"the mirror {str(mirror)!r} is not a directory; valid is a folder laid out as the "
            "`mirror` sources of config/datasets say, or no mirror at all "
            "(--config mirror=DIR or BEYOND_ACCURACY_MIRROR)"
        )


class ChecksumError(DataSetError):
    """A file was had, but its content is not the one the catalogue pins."""

    def __init__(self, name: str, expected: Sequence[str], found: str, action: str):
        super().__init__(
            f"{name}: wrong checksum\n"
            f"  expected sha256: {' or '.join(expected)}\n"
            f"  found sha256:    {found}\n"
            f"  what to do: {action}"
        )


class SourceUnreachable(DataSetError):
    """One source could not be reached; the next one may be tried."""

    def __init__(self, location: str, reason: str):
        self.reason = reason
        super().__init__(f"{location}: {reason}")


class DataSetUnavailable(DataSetError):
    """No source of a data set can be reached.

    ``reason`` says why of each source, ``how_to_get`` what a user can do.
    """

    def __init__(self, name: str, reason: str, how_to_get: str):
        self.name, self.reason, self.how_to_get = name, reason, how_to_get
        super().__init__(f"data set {name} is unavailable: {reason}. How to get it: {how_to_get}")


class ParseError(DataSetError):
    """A file's content is malformed; names file and, where it can be told, the line (from 1)."""

    def __init__(self, file: str, line: int | None, found: str, expected: str):
        self.file, self.line = file, line
        place = f"{file}, line {line}" if line is not None else file
        valid = expected if expected.startswith("did you mean") else f"expected {expected}"
        super().__init__(f"{place}: found {found}; {valid}")


class ShapeError(DataSetError):
    """Parsed arrays do not have the shape that the catalogue expects."""

    def __init__(self, name: str, problems: Sequence[str]):
        self.problems = tuple(problems)
        super().__init__(
            f"data set {name} does not have its expected shape:\n"
            + "\n".join(f"  - {problem}" for problem in self.problems)
            + f"\n  what to do: check the files, or `shape` in config/datasets/{name}.yaml"
        )


class DiskFull(DataSetError):
    """No room was left while a file was written; what was written of it has been removed."""

    def __init__(self, target: object):
        super().__init__(
            f"the disk is full: {target} could not be written and its partial copy was removed; "
            "free some space and run again"
        )


@contextmanager
def disk_full_named(target: object) -> Iterator[None]:
    """Turn the operating system's no-room errors into :class:`DiskFull` naming ``target``."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise DiskFull(target) from error
        raise
