"""Changed files: bytes changed, removed or doubled, and pieces of the format inserted."""

import os
import random
import resource
import signal

from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

EXAMPLES = "HYPOTHESIS_EXAMPLES"
SEED = "FUZZ_SEED"
# Most files take a millisecond; what is not linear in the files' size takes far longer.
CPU_SECONDS = 10.0
MEBIBYTES = 64
TIMES_ITS_SIZE = 10

_STRAY = [
    b"\0", b"\xff\xfe", b"\xe2\x80\xa8", b"\r", b"'", b'"', b"%", b"\\", b"{", b"}", b"<", b">",
    b"&#0;", b"&x;", b"?", b"nan", b"inf", b"1e999", b"-0", b"9" * 400, b"\n\n", b"\t", b",", b":",
    b"0x1", b"1_0", b"&a [*a]", b"!!python/object:os.system x",
]  # fmt: skip


def mutations(whole: bytes):
    """Return a strategy for a valid file with up to eight changes, or a few random bytes."""
    pieces = sorted({*_STRAY, *whole.split()})
    positions = st.integers(0, len(whole))
    change = st.one_of(
        st.tuples(st.just("insert"), positions, st.sampled_from(pieces)),
        st.tuples(st.just("replace"), positions, st.binary(min_size=1, max_size=4)),
        st.tuples(st.just("cut"), positions, st.integers(1, 40)),
        st.tuples(st.just("double"), positions, st.integers(1, 40)),
        st.tuples(st.just("end"), positions, st.none()),
    )
    changed = st.lists(change, min_size=1, max_size=8).map(lambda changes: _apply(whole, changes))
    return st.one_of(changed, st.binary(max_size=60))


def _apply(content: bytes, changes) -> bytes:
    for kind, position, what in changes:
        before, after = content[:position], content[position:]
        if kind == "insert":
            content = before + what + after
        elif kind == "replace":
            content = before + what + after[len(what) :]
        elif kind == "cut":
            content = before + after[what:]
        elif kind == "double":
            content = before + after[:what] + after
        else:
            content = before
    return content


def fuzz(check, whole: bytes) -> None:
    """Check a valid file and changed versions of it, within the limits of time and memory.

    By default, the same 50 files are checked each time. If the environment variable
    HYPOTHESIS_EXAMPLES sets another number, the files differ each time. Their seed is printed;
    FUZZ_SEED repeats them.
    """
    # If the original file were refused, only refusals would be tested.
    assert check(whole)
    options = {"max_examples": 50}
    decorate = seed(0)
    if EXAMPLES in os.environ:
        chosen = int(os.environ.get(SEED) or random.SystemRandom().randrange(2**32))
        print(f"{SEED}={chosen}")
        options = {"max_examples": int(os.environ[EXAMPLES]), "derandomize": False}
        options |= {"database": None, "print_blob": True}
        decorate = seed(chosen)
    health = [HealthCheck.too_slow]

    @decorate
    @settings(suppress_health_check=health, **options)
    @given(content=mutations(whole))
    def check_changed(content):
        limited(check, content)

    check_changed()


class Hangs(BaseException):
    """No result within `CPU_SECONDS`. A reader's `except Exception` does not stop it."""


def limited(check, content: bytes) -> None:
    """Check a file, and fail if that takes too much time or memory.

    Memory is the growth of the process's peak resident size, including all libraries. A file may
    use `MEBIBYTES` plus `TIMES_ITS_SIZE` times its size.
    """

    def stop(*_):
        raise Hangs(f"no result within {CPU_SECONDS:g} CPU seconds")

    before = _peak_bytes()
    earlier = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
    try:
        check(content)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, earlier)
    grown = _peak_bytes() - before
    allowed = MEBIBYTES * 2**20 + TIMES_ITS_SIZE * len(content)
    assert grown <= allowed, f"{grown >> 20} MiB of memory for {len(content)} bytes"


def _peak_bytes() -> int:
    # Linux counts in KiB.
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def attempt(read, named):
    """Return what `read` returns and None, or None and the message of the named error."""
    try:
        return read(), None
    except named as error:
        return None, str(error)
