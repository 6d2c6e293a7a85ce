"""What can go wrong between a catalogue entry and prepared arrays."""

import difflib
import errno
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

# Letters from which on a name is taken for the beginning of a longer one.
_BEGINNING = 3


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
        self.name, self.expected, self.found = name, tuple(expected), found
        super().__init__(
            f"{name}: wrong checksum\n"
            f"  expected sha256: {' or '.join(self.expected)}\n"
            f"  found sha256:    {found}\n"
            f"  what to do: {action}"
        )


class SourceUnreachable(DataSetError):
    """One source could not be reached; the next one may be tried."""

    def __init__(self, location: str, reason: str):
        self.location, self.reason = location, reason
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
        super().__init__(f"{place}: found {found}; expected {expected}")


class ShapeError(DataSetError):
    """Parsed arrays do not have the shape that the catalogue expects."""

    def __init__(self, name: str, problems: Sequence[str]):
        self.name, self.problems = name, tuple(problems)
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


def nearest(name: str, names: Iterable[str], count: int = 3) -> list[str]:
    """Up to ``count`` of ``names`` that a shortened or misspelt ``name`` may stand for.

    Names that begin with it come first, whatever their length, then those that look most like it.
    """
    known = sorted(names)
    longer = [each for each in known if len(name) >= _BEGINNING and each.startswith(name)]
    close = difflib.get_close_matches(name, known, n=count, cutoff=0.5)
    return list(dict.fromkeys([*longer, *close]))[:count]
