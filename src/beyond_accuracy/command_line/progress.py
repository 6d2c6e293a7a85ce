"""How far a program is, on standard error."""

import shutil
import time
from typing import TextIO

_TERMINAL_SECONDS = 0.1
_PLAIN_SECONDS = 10.0
_ERASE_TO_END = "\x1b[K"


class Progress:
    """Callback of a solver: one line, rewritten, on a terminal; elsewhere one every ten seconds.

    Parameters
    ----------
    stream : text stream
    quiet : bool
        Write nothing at all.
    """

    def __init__(self, stream: TextIO, quiet: bool = False):
        self._stream = stream
        self._quiet = quiet
        self._terminal = stream.isatty()
        self._interval = _TERMINAL_SECONDS if self._terminal else _PLAIN_SECONDS
        self._next = time.monotonic() + (0.0 if self._terminal else self._interval)
        self._open = False

    def __call__(self, iteration) -> None:
        """Show an `Iteration`, if it is time to."""
        gap = (iteration.primal - iteration.dual) / iteration.primal if iteration.primal else 0.0
        self.show(
            f"iteration {iteration.iteration}  primal {iteration.primal:.8g}  "
            f"dual {iteration.dual:.8g}  gap {max(gap, 0.0):.2e}"
        )

    def show(self, text: str) -> None:
        """Show a text, if it is time to."""
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
        """Erase the line of a terminal, so that what follows starts on a clean one."""
        if self._open:
            self._stream.write(f"\r{_ERASE_TO_END}")
            self._stream.flush()
            self._open = False
