"""Names that `import beyond_accuracy` provides, and modules that it does not load."""

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


def test_a_star_gives_what_is_public():
    names = {}
    exec("from beyond_accuracy import *", names)
    packages = {"estimators", "inference", "measures", "operating_points", "reweighting"}
    elsewhere = {"OperatingPointDisplay", "get_measure"}
    # `compare` needs pandas, which is not always installed.
    assert set(names) - {"__builtins__"} == {*estimators.__all__, *packages, *elsewhere}


def test_compare_says_which_extra_it_needs(monkeypatch):
    from beyond_accuracy import comparison

    assert beyond_accuracy.compare is comparison.compare
    assert {"compare", "comparison"} <= set(dir(beyond_accuracy))
    code = (
        "import sys; sys.modules['pandas'] = None; from beyond_accuracy import *; "
        "import beyond_accuracy; beyond_accuracy.compare"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "compare needs the package pandas: pip install 'beyond-accuracy[compare]'" in done.stderr


def test_the_import_is_lazy_and_brings_the_subpackages():
    code = (
        "import sys, beyond_accuracy as b; "
        "print({'numpy', 'scipy', 'sklearn', 'numba'} & set(sys.modules)); "
        "b.operating_points.OperatingPointDisplay, b.measures.get_measure, b.reweighting, "
        "b.inference, b.estimators"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "set()"
