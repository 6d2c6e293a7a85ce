"""A reader reads any file content or raises the named error, and nothing else.

HYPOTHESIS_EXAMPLES (`make fuzz EXAMPLES=...`) sets the number of files per reader. The files then
differ each time.
"""

import pytest

from .mutations import Hangs, _peak_bytes, fuzz, limited
from .readers import READERS


@pytest.mark.parametrize("name", READERS)
def test_readers(tmp_path, name):
    whole, make = READERS[name]
    fuzz(make(tmp_path), whole() if callable(whole) else whole)


def test_what_takes_too_long_or_too_much_is_found(monkeypatch):
    def for_ever(content):
        while True:
            pass

    with pytest.raises(AssertionError, match="MiB of memory for 1 bytes"):
        limited(lambda content: b"1" * (_peak_bytes() + 2**28), b"1")
    monkeypatch.setitem(limited.__globals__, "CPU_SECONDS", 0.05)
    with pytest.raises(Hangs):
        limited(for_ever, b"")
