"""Show the progress of a long computation on standard error."""

import shutil
import time
from typing import TextIO

_TERMINAL_SECONDS = 0.1
_PLAIN_SECONDS = 10.0
_ERASE_TO_END = "\x1b[K"


class Progress:
    """Progress line for a terminal or a log; can be the callback of a solver.

    On a terminal, one line is overwritten. Any other stream gets a new line every ten seconds.
    """

    def __init__(self, stream: TextIO, quiet: bool = False):
        self._stream = stream
        self._quiet = quiet
        self._terminal = stream.isatty()
        self._interval = _TERMINAL_SECONDS if self._terminal else _PLAIN_SECONDS
        self._next = time.monotonic() + (0.0 if self._terminal else self._interval)
        self._open = False

    def __call__(self, iteration) -> None:
        """Show the current `Iteration` of a solver, unless the last output was too recent."""
        gap = (iteration.primal - iteration.dual) / iteration.primal if iteration.primal else 0.0
        self.show(
            f"iteration {iteration.iteration}  primal {iteration.primal:.8g}  "
            f"dual {iteration.dual:.8g}  gap {max(gap, 0.0):.2e}"
        )

    def show(self, text: str) -> None:
        """Show a text, unless the last one was shown only a moment ago."""
        if self._quiet or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + self._interval
        if self._terminal:
            width = max(shutil.get_terminal_size().columns - 1, 20)
            self._stream.write(f"\r{text[:width]}{_ERASE_TO_END}")
            self._open = True
        else:
            self._stream.write(text + "\n")
        self._stream.flush()

    def close(self) -> None:
        """Erase the progress line of a terminal, so that later output starts on an empty line."""
        if self._open:
            self._stream.write(f"\r{_ERASE_TO_END}")
            self._stream.flush()
            self._open = False
