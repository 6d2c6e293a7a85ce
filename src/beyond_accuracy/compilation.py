"""Compilation of numerical functions by numba."""

import logging
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numba import njit
from numba.core import event
from numba.extending import register_jitable
from numpy.typing import NDArray

_LOGGER = logging.getLogger("beyond_accuracy")

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def compiled(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Compile the decorated function with numba's `njit`, and cache the machine code in a file.

    `options` are passed to `njit`. The file is beside the source file or in the user's cache
    folder. If neither place is writable, each process compiles the function again. To avoid this,
    set the environment variable NUMBA_CACHE_DIR to a writable folder.
    """
    if function is None:
        return partial(compiled, **options)
    try:
        return njit(cache=True, nogil=True, **options)(function)
    except RuntimeError:
        # Numba finds no folder to write to.
        return njit(nogil=True, **options)(function)


def compiled_part(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Make the decorated function callable from functions that are decorated with `compiled`.

    Numba compiles the function together with each of its callers. This takes less time than
    decorating both with `compiled`, because numba creates no wrapper for calls from Python and no
    cache file. If Python calls the function, it runs uncompiled. `options` are passed to numba's
    `register_jitable`.
    """
    decorator = register_jitable(no_cfunc_wrapper=True, **options)
    return decorator if function is None else decorator(function)


class _FirstCompilation(event.Listener):
    """Numba event listener that logs, once per process, that functions are being compiled."""

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
