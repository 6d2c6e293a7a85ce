"""Classifiers for performance measures other than accuracy.

The estimators of `beyond_accuracy.estimators` can be imported from here, and what is used beside
them; each is loaded when it is first asked for, as are the subpackages.
"""

from importlib import import_module
from typing import TYPE_CHECKING

# What type checkers and editors read.
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
# A star leaves these out, as they need the extra `compare`.
_EXTRA = {"compare": "comparison"}


# A checker that saw it would take any name for one that exists.
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
        # Tools that want no import, such as copy and inspect, ask for private names.
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
