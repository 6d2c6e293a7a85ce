"""What `import beyond_accuracy` gives, and what it does not load."""

import subprocess
import sys

import pytest

import beyond_accuracy
from beyond_accuracy import estimators


def test_estimators_can_be_imported_from_the_top():
    from beyond_accuracy import MultivariateSVC

    assert MultivariateSVC is estimators.MultivariateSVC
    assert set(estimators.__all__) <= set(dir(beyond_accuracy))
    assert beyond_accuracy.__version__.count(".") == 2
    with pytest.raises(AttributeError, match="no attribute 'Multivariate'"):
        _ = beyond_accuracy.Multivariate


def test_the_import_is_lazy():
    code = (
        "import sys, beyond_accuracy; "
        "print({'numpy', 'scipy', 'sklearn', 'numba'} & set(sys.modules))"
    )
    found = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert found.stdout.strip() == "set()"
