"""A reader reads any file content or raises the named error, and nothing else.

HYPOTHESIS_EXAMPLES (`make fuzz EXAMPLES=...`) sets the number of files per reader. The files then
differ each time.
"""

import pytest

from .mutations import fuzz
from .readers import READERS


@pytest.mark.parametrize("name", READERS)
def test_readers(tmp_path, name):
    whole, make = READERS[name]
    fuzz(make(tmp_path), whole() if callable(whole) else whole)
