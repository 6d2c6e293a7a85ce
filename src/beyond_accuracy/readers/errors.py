"""Errors in the files that a user names."""

from os import PathLike


class FileError(Exception):
    """A file's content is wrong; the message reads `FILE:LINE: message`, lines from 1."""

    def __init__(self, path: str | PathLike, line: int | None, message: str):
        place = f"{path}:{line}" if line is not None else f"{path}"
        super().__init__(f"{place}: {message}")
