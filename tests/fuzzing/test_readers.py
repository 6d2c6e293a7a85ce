"""A reader reads any file content or raises the named error, and nothing else.

HYPOTHESIS_EXAMPLES (`make fuzz EXAMPLES=...`) sets the number of files per reader. The files then
differ each time.
"""

import pytest

from .limits import Hangs, _largest_size, limited
from .mutations import fuzz
from .readers import READERS, reader


@pytest.mark.parametrize("name", READERS)
def test_readers(tmp_path, name):
    seed, check = reader(name, tmp_path)
    # If the original file were refused, only refusals would be tested.
    assert check(seed)
    fuzz(check, seed)


def test_what_takes_too_long_or_too_much_is_found(monkeypatch):
    monkeypatch.setattr("tests.fuzzing.limits.CPU_SECONDS", 0.05, raising=False)
    monkeypatch.setitem(limited.__globals__, "CPU_SECONDS", 0.05)

    def for_ever(content):
        while True:
            pass

    with pytest.raises(Hangs):
        limited(for_ever)(b"")
    monkeypatch.setitem(limited.__globals__, "CPU_SECONDS", 10.0)
    with pytest.raises(AssertionError, match="MiB of memory for 1 bytes"):
        limited(lambda content: b"1" * (_largest_size() + 2**28))(b"1")
