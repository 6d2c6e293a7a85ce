"""Whatever is in a file, a reader reads it or raises the named error: nothing else.

HYPOTHESIS_EXAMPLES (`make fuzz EXAMPLES=...`) sets how many files each reader is given.
"""

import pytest

from .mutations import fuzzed
from .readers import READERS, reader


@pytest.mark.parametrize("name", READERS)
def test_readers(tmp_path, name):
    seed, check = reader(name, tmp_path)
    # Else nothing but refusals would be tried.
    assert check(seed)

    @fuzzed(seed)
    def check_changed(content):
        check(content)

    check_changed()
