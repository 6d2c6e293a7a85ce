"""What reading one file may take: seconds of a processor, and memory."""

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
    """No result within `CPU_SECONDS`; no `except Exception` of a reader stops it."""


def limited(check: Callable[[bytes], object]) -> Callable[[bytes], object]:
    """Return a check that fails where it takes too long or too much memory.

    Memory is the growth of the largest resident size that the process has had, of all libraries;
    it may be `MEBIBYTES` and `TIMES_ITS_SIZE` times the file. Where compiled code does not return,
    Python's stack is written and the process ends: by a signal, since a thread that watches would
    have to be begun and ended for each file, which takes longer than most files.
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
