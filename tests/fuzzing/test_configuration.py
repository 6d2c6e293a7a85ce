"""Any content of a configuration file is valid, or all its errors are named."""

import pytest

from .configurations import CONFIGURATIONS
from .mutations import fuzz


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_configuration(tmp_path, name):
    seed, make = CONFIGURATIONS[name]
    check = make(tmp_path)
    # If the original file were refused, only refusals would be tested.
    assert check(seed)
    fuzz(check, seed)
