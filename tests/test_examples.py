"""Examples of README.md and of public objects are correct; public objects link to their source."""

import contextlib
import doctest
import inspect
import io
import re
import sys

import pytest

from beyond_accuracy import (
    comparison,
    estimators,
    inference,
    measures,
    operating_points,
    reweighting,
)

_OBJECTS = {
    f"{package.__name__}.{name}": getattr(package, name)
    for package in (comparison, estimators, inference, measures, operating_points, reweighting)
    for name in package.__all__
    if callable(getattr(package, name))
}


@pytest.mark.parametrize("name", _OBJECTS)
def test_every_public_object_has_sources_and_an_example_that_holds(name):
    public = _OBJECTS[name]
    _, _, references = inspect.getdoc(public).partition("\nReferences\n----------\n")
    assert re.search(r"https://\S+\.\S+/", references.partition("\nExamples\n")[0])
    # The globals are empty: an example must import every name that it uses.
    test = doctest.DocTestParser().get_doctest(
        public.__doc__, {}, name, sys.modules[public.__module__].__file__, None
    )
    assert test.examples
    outcome = doctest.DocTestRunner().run(test)
    assert outcome.attempted == len(test.examples)
    assert not outcome.failed


def test_the_example_of_the_readme_prints_what_it_says(repository):
    text = (repository / "README.md").read_text(encoding="utf-8")
    example, printed = re.search(r"```python\n(.*?)```\s+```text\n(.*?)```", text, re.S).groups()
    with contextlib.redirect_stdout(io.StringIO()) as output:
        exec(compile(example, "README.md", "exec"), {"__name__": "readme"})
    assert output.getvalue() == printed


def test_the_readme_is_short(repository):
    assert len((repository / "README.md").read_text(encoding="utf-8").split()) <= 700
