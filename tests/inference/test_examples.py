"""The examples in the docstrings of the maximizers are correct."""

import doctest
import sys

import pytest

from beyond_accuracy import inference

MAXIMIZERS = [
    *("gfm", "gfm_from_samples", "gfm_threshold", "gfm_threshold_from_samples"),
    *("meuf", "meuf_approx", "meuf_multinomial", "lewis_threshold"),
]


@pytest.mark.parametrize("name", MAXIMIZERS)
def test_every_maximizer_has_an_example_that_holds(name):
    function = getattr(inference, name)
    # The globals are empty: an example must import every name that it uses.
    test = doctest.DocTestParser().get_doctest(
        function.__doc__, {}, name, sys.modules[function.__module__].__file__, None
    )
    assert test.examples
    assert not doctest.DocTestRunner().run(test).failed
