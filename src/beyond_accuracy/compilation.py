"""Compilation of numerical functions by numba."""

import logging
from collections.abc import Callable
from functools import partial
from typing import Any

from numba import njit
from numba.core import event
from numba.extending import register_jitable

_LOGGER = logging.getLogger("beyond_accuracy")


def compiled(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Compile the decorated function with options of `numba.njit`, and cache the machine code.

    The cache is beside the source file or in the user's cache folder. If both are read-only, each
    process compiles again. To avoid this, set NUMBA_CACHE_DIR to a writable folder.
    """
    if function is None:
        return partial(compiled, **options)
    try:
        return njit(cache=True, nogil=True, **options)(function)
    except RuntimeError:
        # Numba finds no folder to write to.
        return njit(nogil=True, **options)(function)


def compiled_part(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Compile the decorated function as part of the compiled functions that call it.

    This takes less time than `compiled`, because the function has neither an entry from Python nor
    a place in the cache. Called from Python, it runs uncompiled.
    """
    decorator = register_jitable(no_cfunc_wrapper=True, **options)
    return decorator if function is None else decorator(function)


class _FirstCompilation(event.Listener):
    """Logger of a message, once per process, that functions of this package are being compiled."""

    logged = False

    def on_start(self, event: Any) -> None:
        function = event.data["dispatcher"].py_func
        if not self.logged and function.__module__.startswith("beyond_accuracy"):
            self.logged = True
            _LOGGER.info("compiling numerical functions: some seconds, once per installation")

    def on_end(self, event: Any) -> None:
        pass


LISTENER = _FirstCompilation()
event.register("numba:compile", LISTENER)
