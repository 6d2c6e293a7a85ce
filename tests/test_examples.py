"""The docstrings of all public objects: an example that holds, and where the thing stems from."""

import doctest
import inspect
import re
import sys

import pytest

from beyond_accuracy import estimators, inference, measures, operating_points, reweighting
from beyond_accuracy.estimators import reproduction

_PACKAGES = (estimators, reproduction, inference, measures, operating_points, reweighting)
_OBJECTS = {
    f"{package.__name__}.{name}": getattr(package, name)
    for package in _PACKAGES
    for name in package.__all__
    if callable(getattr(package, name))
}


@pytest.mark.parametrize("name", _OBJECTS)
def test_every_public_object_has_an_example_that_holds(name):
    public = _OBJECTS[name]
    # The names of an example are those it imports itself, as for a reader who copies it.
    test = doctest.DocTestParser().get_doctest(
        public.__doc__, {}, name, sys.modules[public.__module__].__file__, None
    )
    assert test.examples
    outcome = doctest.DocTestRunner().run(test)
    assert outcome.attempted == len(test.examples)
    assert not outcome.failed


@pytest.mark.parametrize("name", _OBJECTS)
def test_every_public_object_links_to_its_source(name):
    _, _, references = inspect.getdoc(_OBJECTS[name]).partition("\nReferences\n----------\n")
    assert re.search(r"https://\S+\.\S+/", references.partition("\nExamples\n")[0])
