"""The examples in the estimators' docstrings."""

import doctest
import sys

import pytest

from beyond_accuracy import estimators
from beyond_accuracy.estimators import reproduction

_CLASSES = [
    getattr(module, name) for module in (estimators, reproduction) for name in module.__all__
]


@pytest.mark.parametrize("estimator", _CLASSES, ids=lambda each: each.__name__)
def test_every_estimator_has_an_example_that_holds(estimator):
    # The names of an example are those it imports itself, as for a reader who copies it.
    test = doctest.DocTestParser().get_doctest(
        estimator.__doc__, {}, estimator.__name__, sys.modules[estimator.__module__].__file__, None
    )
    assert test.examples
    outcome = doctest.DocTestRunner().run(test)
    assert outcome.attempted == len(test.examples)
    assert not outcome.failed
