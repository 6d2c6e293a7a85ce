"""Real entries with one value replaced are valid, or the error names the file."""

import datetime

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from beyond_accuracy_pipeline.configuration.catalogue import load_catalogue
from beyond_accuracy_pipeline.configuration.files import ConfigurationError


def places(value, path=()):
    """Yield the path of every value of a nested structure, including the root."""
    yield path
    if isinstance(value, list):
        value = dict(enumerate(value))
    for key, inner in value.items() if isinstance(value, dict) else ():
        yield from places(inner, (*path, key))


def replaced(value, path, new):
    """Return a copy of a nested structure with one value replaced."""
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = replaced(copy[path[0]], path[1:], new)
    return copy


VALUES = [None, True, -1, 0, 2.5, float("nan"), "", "none", "../a", datetime.date(2004, 1, 31)]
VALUES += [[], [None], ["mirror"], {}, {"kind": "none"}, {"kind": []}, {1: "a"}, {"data": 3}]


@settings(max_examples=60)
@given(data=st.data())
def test_any_wrong_value_is_an_error_of_the_configuration(catalogue_folder, folder, data):
    name = data.draw(st.sampled_from(sorted(file.stem for file in catalogue_folder.glob("*.yaml"))))
    content = yaml.safe_load((catalogue_folder / f"{name}.yaml").read_text(encoding="utf-8"))
    path = data.draw(st.sampled_from(list(places(content))))
    (folder / name).mkdir(exist_ok=True)
    path_in_folder = folder / name / f"{name}.yaml"
    text = yaml.safe_dump(replaced(content, path, data.draw(st.sampled_from(VALUES))))
    path_in_folder.write_text(text, encoding="utf-8")
    faults = ()
    try:
        load_catalogue(folder / name)
    except ConfigurationError as error:
        faults = error.problems
    # Every replaced name differs from the file name. Errors other than ConfigurationError fail.
    assert (path == ("name",)) <= bool(faults)
    assert all(fault.location.startswith(str(path_in_folder)) for fault in faults)
