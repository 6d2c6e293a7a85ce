"""What the build of wheels calls, to have it compiled, can be called."""

import pytest

from release import first_fits


def test_thresholds():
    first_fits._thresholds(*first_fits.examples())


def test_labels():
    first_fits._labels(first_fits.examples()[0])


@pytest.mark.slow
def test_every_use():
    first_fits.every_use()
