"""Classifiers for performance measures other than accuracy.

The estimators of `beyond_accuracy.estimators` can be imported from here; each is loaded when it is
first asked for.
"""

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from beyond_accuracy.compilation_cache import (
    choose_folder,
    remove_damaged,
    user_cache_folder,
)

# What type checkers and editors read.
if TYPE_CHECKING:
    from beyond_accuracy.estimators import *  # noqa: F403

    __version__: str

choose_folder(Path(__file__).parent, user_cache_folder())
remove_damaged(Path(__file__).parent, user_cache_folder())


# A checker that saw it would take any name for one that exists.
if not TYPE_CHECKING:

    def __getattr__(name: str):
        if name == "__version__":
            from importlib.metadata import version

            return version("beyond-accuracy")
        # Tools that want no import, such as copy and inspect, ask for private names.
        if not name.startswith("_"):
            estimators = import_module("beyond_accuracy.estimators")
            if name in estimators.__all__:
                return getattr(estimators, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    estimators = import_module("beyond_accuracy.estimators")
    return sorted({*globals(), *estimators.__all__, "__version__"})
