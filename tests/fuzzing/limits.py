"""Limits for reading one file: processor seconds and memory."""

import faulthandler
import resource
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

CPU_SECONDS = 10.0
"""Most files take a millisecond; what is not linear in the files' size takes far longer."""
MEBIBYTES = 64
TIMES_ITS_SIZE = 10
_SECONDS_IN_COMPILED_CODE = 300


class Hangs(BaseException):
    """No result within `CPU_SECONDS`. A reader's `except Exception` does not stop it."""


def limited(check: Callable[[bytes], object]) -> Callable[[bytes], object]:
    """Return a check that fails if it takes too much time or memory.

    Memory is the growth of the process's peak resident size, including all libraries. A file may
    use `MEBIBYTES` plus `TIMES_ITS_SIZE` times its size. If compiled code does not return, a signal
    writes Python's stack and ends the process. A thread that watches each file would take longer
    than most files.
    """
    faulthandler.register(signal.SIGVTALRM, chain=True)

    def check_within(content: bytes) -> object:
        before = _largest_size()
        with _deadline():
            result = check(content)
        grown = _largest_size() - before
        allowed = MEBIBYTES * 2**20 + TIMES_ITS_SIZE * len(content)
        assert grown <= allowed, f"{grown >> 20} MiB of memory for {len(content)} bytes"
        return result

    return check_within


@contextmanager
def _deadline() -> Iterator[None]:
    def stop(*_):
        raise Hangs(f"no result within {CPU_SECONDS:g} CPU seconds")

    earlier = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, _SECONDS_IN_COMPILED_CODE)
    signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGPROF, earlier)


def _largest_size() -> int:
    # Linux counts in KiB.
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
