"""Any content of a configuration file is valid, or all its errors are named."""

import pytest

from .configurations import CONFIGURATIONS
from .mutations import fuzz


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_configuration(tmp_path, name):
    whole, make = CONFIGURATIONS[name]
    fuzz(make(tmp_path), whole)
