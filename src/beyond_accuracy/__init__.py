"""Classifiers for performance measures other than accuracy.

Import the estimators, `get_measure`, `OperatingPointDisplay`, `compare` and the subpackages from
here. Each is loaded on first access.
"""

from importlib import import_module
from typing import TYPE_CHECKING

# For type checkers and editors.
if TYPE_CHECKING:
    from beyond_accuracy import comparison as comparison
    from beyond_accuracy import estimators as estimators
    from beyond_accuracy import inference as inference
    from beyond_accuracy import measures as measures
    from beyond_accuracy import operating_points as operating_points
    from beyond_accuracy import reweighting as reweighting
    from beyond_accuracy.comparison import compare as compare
    from beyond_accuracy.estimators import *  # noqa: F403
    from beyond_accuracy.measures import get_measure as get_measure
    from beyond_accuracy.operating_points import OperatingPointDisplay as OperatingPointDisplay

    __version__: str

_PACKAGES = ("estimators", "inference", "measures", "operating_points", "reweighting")
_ELSEWHERE = {"OperatingPointDisplay": "operating_points", "get_measure": "measures"}
# `import *` leaves these out, because they need the extra `compare`.
_EXTRA = {"compare": "comparison"}


# If a type checker saw this function, it would accept any name.
if not TYPE_CHECKING:

    def __getattr__(name: str):
        if name == "__version__":
            from importlib.metadata import version

            return version("beyond-accuracy")
        if name == "__all__":
            return _public()
        if name in (*_PACKAGES, *_EXTRA.values()):
            return import_module(f"beyond_accuracy.{name}")
        if package := (_ELSEWHERE | _EXTRA).get(name):
            return getattr(import_module(f"beyond_accuracy.{package}"), name)
        # Tools such as copy and inspect ask for private names, which must not cause an import.
        if not name.startswith("_"):
            estimators = import_module("beyond_accuracy.estimators")
            if name in estimators.__all__:
                return getattr(estimators, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _public() -> list[str]:
    estimators = import_module("beyond_accuracy.estimators")
    return sorted({*estimators.__all__, *_ELSEWHERE, *_PACKAGES})


def __dir__() -> list[str]:
    return sorted({*globals(), *_public(), *_EXTRA, *_EXTRA.values(), "__version__"})
