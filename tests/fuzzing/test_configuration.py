"""Whatever is in a file of the configuration: it is valid, or all its faults are named."""

import pytest

from .configurations import CONFIGURATIONS
from .mutations import fuzz


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_configuration(tmp_path, name):
    seed, make = CONFIGURATIONS[name]
    check = make(tmp_path)
    # Else nothing but refusals would be tried.
    assert check(seed)
    fuzz(check, seed)
