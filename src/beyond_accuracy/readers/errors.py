"""Exception for errors in the content of a user's file."""

from os import PathLike


class FileError(Exception):
    """Error in the content of a file. The message is `FILE:LINE: message`, or without a line."""

    def __init__(self, path: str | PathLike, line: int | None, message: str):
        location = f"{path}:{line}" if line is not None else f"{path}"
        super().__init__(f"{location}: {message}")
