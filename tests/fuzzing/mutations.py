"""Changed files: bytes changed, removed or doubled, and pieces of the format inserted."""

import os
import random

from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from .limits import limited

EXAMPLES = "HYPOTHESIS_EXAMPLES"
SEED = "FUZZ_SEED"

_STRAY = [
    b"\0", b"\xff\xfe", b"\xe2\x80\xa8", b"\r", b"'", b'"', b"%", b"\\", b"{", b"}", b"<", b">",
    b"&#0;", b"&x;", b"?", b"nan", b"inf", b"1e999", b"-0", b"9" * 400, b"\n\n", b"\t", b",", b":",
    b"0x1", b"1_0", b"&a [*a]", b"!!python/object:os.system x",
]  # fmt: skip


def mutations(whole: bytes):
    """Return a strategy for a valid file with up to eight changes, or a few random bytes."""
    pieces = sorted({*_STRAY, *whole.split()})
    places = st.integers(0, len(whole))
    change = st.one_of(
        st.tuples(st.just("insert"), places, st.sampled_from(pieces)),
        st.tuples(st.just("replace"), places, st.binary(min_size=1, max_size=4)),
        st.tuples(st.just("cut"), places, st.integers(1, 40)),
        st.tuples(st.just("double"), places, st.integers(1, 40)),
        st.tuples(st.just("end"), places, st.none()),
    )
    changed = st.lists(change, min_size=1, max_size=8).map(lambda changes: _apply(whole, changes))
    return st.one_of(changed, st.binary(max_size=60))


def _apply(content: bytes, changes) -> bytes:
    for kind, place, what in changes:
        before, after = content[:place], content[place:]
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
    """Check changed versions of a valid file, within the limits of time and memory.

    By default, the same 50 files are checked each time. If the environment variable
    HYPOTHESIS_EXAMPLES sets another number, the files differ each time. Their seed is printed;
    FUZZ_SEED repeats them.
    """
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
        limited(check)(content)

    check_changed()


def attempt(read, named):
    """Return what `read` returns and None, or None and the message of the named error."""
    try:
        return read(), None
    except named as error:
        return None, str(error)
