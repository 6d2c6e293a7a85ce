"""Errors in the files that a user names."""

from os import PathLike


class FileError(Exception):
    """A file's content is wrong; the message reads `FILE:LINE: message`, lines from 1."""

    def __init__(self, path: str | PathLike, line: int | None, message: str):
        place = f"{path}:{line}" if line is not None else f"{path}"
        super().__init__(f"{place}: {message}")


def without_file(path: str | PathLike, error: Exception) -> str:
    """Return the message of an error without the file that it may begin with.

    Readers of data sets name it as `FILE: message` or `FILE, line 3: message`.
    """
    message = str(error)
    return message.removeprefix(f"{path}: ").removeprefix(f"{path}, ")
