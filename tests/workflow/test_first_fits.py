"""What the build of wheels calls can be called, and its compiled code is the same each time."""

import numpy as np
import pytest
from numba import njit

from release import first_fits
from release.compiled_files import check_code


def test_thresholds():
    first_fits._thresholds(*first_fits.examples())


def test_labels():
    first_fits._labels(first_fits.examples()[0])


def codes(function):
    """What numba keeps for other functions to link, whether it was compiled or loaded."""
    libraries = [result.library for result in function.overloads.values()]
    return [library._get_module_for_linking().as_bitcode() for library in libraries]


def negated_array(x):
    return -x[:2]


def negated_values(x):
    for number in range(len(x)):
        x[number] = -x[number]


@pytest.mark.parametrize(("function", "refused"), [(negated_array, True), (negated_values, False)])
def test_code_with_an_address_in_a_name_is_refused(function, refused):
    compiled = njit(function)
    compiled(np.ones(3))
    (content,) = codes(compiled)
    if refused:
        with pytest.raises(ValueError, match="write it as a loop"):
            check_code("this", content)
    else:
        check_code("this", content)


@pytest.mark.slow
def test_every_use_has_code_of_the_same_bytes():
    first_fits.every_use()
    contents = {str(each): codes(each) for each in first_fits.compiled_functions()}
    assert sum(map(len, contents.values())) > 50
    for name, each in contents.items():
        for content in each:
            check_code(name, content)
