"""Compiled functions, and the code that a wheel brings so that a first fit compiles nothing.

Such code is in numba's own format, in `__compiled__`: an index and data files for each function, in
folders as those of the sources. It is for any processor of `compilation_target`, and taken only by
the numba, llvmlite and Python that made it, for the source it was made of. Whatever else is found
there is passed over, and numba does as it always does.

Its index and data are pickles, executed as they are read: they are code, as the sources are.
"""

import hashlib
import os
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import llvmlite.binding
import numba
from numba import njit

from beyond_accuracy.compilation_target import CPU_FEATURES, CPU_NAME, NEEDED_FEATURES

_PACKAGE = Path(__file__).parent
FOLDER = _PACKAGE / "__compiled__"
# One look for the package, not one for each function.
_IS_BROUGHT = FOLDER.is_dir()

# Who asks numba for other code by these gets it.
_OTHER_CODE = ("BOUNDSCHECK", "DEBUGINFO_DEFAULT")


def compiled(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Compile a function when it is called, as `numba.njit(cache=True, nogil=True, **options)`.

    Code that the wheel brings is loaded in place of compiling.
    """
    if function is None:
        return partial(compiled, **options)
    dispatcher = njit(cache=True, nogil=True, **options)(function)
    with_digests(dispatcher)
    if _IS_BROUGHT:
        use_brought(dispatcher, _PACKAGE, FOLDER)
    return dispatcher


def with_digests(dispatcher: Any) -> None:
    """Let the code that numba keeps of a function have digests, if numba is as it was known."""
    # No kind of failure is worth that of an import; a function that is not compiled has no cache.
    try:
        from beyond_accuracy.compiled_code_file import CodeFile

        usual, stamp = dispatcher._cache, dispatcher._cache._impl.locator.get_source_stamp()
        usual._cache_file = CodeFile(usual._cache_path, usual._impl.filename_base, stamp)
    except Exception:
        return


def use_brought(dispatcher: Any, package: Path, folder: Path) -> None:
    """Let a function of `package` be looked for in `folder` first, if numba is as it was known."""
    # No kind of failure is worth that of an import; a function that is not compiled has no cache.
    try:
        dispatcher._cache = BroughtFirst(
            dispatcher._cache, brought_file(dispatcher, package, folder)
        )
    except Exception:
        return


def brought_file(dispatcher: Any, package: Path, folder: Path) -> Any:
    """Return numba's reader and writer of the brought index and data of one function."""
    from beyond_accuracy.compiled_code_file import CodeFile

    source = Path(dispatcher.py_func.__code__.co_filename)
    place = folder / source.absolute().relative_to(package.absolute()).parent
    return CodeFile(str(place), dispatcher._cache._impl.filename_base, _stamp(source))


@cache
def _stamp(source: Path) -> tuple[str, str]:
    """What has to be the same beside numba, which compares its version, and Python, in the names.

    Numba's own stamp was the time of the file's last change until 0.68, which installing sets.
    """
    return llvmlite.__version__, hashlib.sha256(source.read_bytes()).hexdigest()


class BroughtFirst:
    """The cache of a function: what was brought, and else `usual`, numba's own."""

    def __init__(self, usual: Any, brought: Any):
        self.usual = usual
        self.brought = brought

    def __getattr__(self, name: str) -> Any:
        return getattr(self.usual, name)

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """Return the compiled function of a signature; None if it has to be compiled."""
        # A damaged file can end in any exception, and numba may have changed.
        try:
            found = self._load_brought(signature, target_context)
        except Exception:
            found = None
        if found is not None:
            return found
        return self.usual.load_overload(signature, target_context)

    def _load_brought(self, signature, target_context):
        if not _is_for_this_process():
            return None
        target_context.refresh()
        data = self.brought.load(self.key(signature, target_context.codegen()))
        return None if data is None else self.usual._impl.rebuild(target_context, data)

    def key(self, signature: Any, codegen: Any) -> tuple:
        """Return numba's key, with the processors that code is brought for in place of this one."""
        signature, (triple, *_), hashes = self.usual._index_key(signature, codegen)
        return signature, (triple, CPU_NAME, CPU_FEATURES), hashes

    def bring(self, signature: Any, result: Any) -> None:
        """Write what numba has compiled, in a process that compiles for `compilation_target`."""
        key = self.usual._index_key(signature, result.codegen)
        if key != self.key(signature, result.codegen):
            raise ValueError(f"compiled for {key[1]}, not for {CPU_NAME} with {CPU_FEATURES}")
        if not self.usual._impl.check_cachable(result):
            raise ValueError(f"numba cannot keep {self.usual} for {signature}")
        os.makedirs(self.brought._cache_path, exist_ok=True)
        # For people to read, with the places of packages on this machine.
        result = result._replace(type_annotation="")
        self.brought.save(key, self.usual._impl.reduce(result))


@cache
def _is_for_this_process() -> bool:
    asked = (numba.config.CPU_NAME, numba.config.CPU_FEATURES)
    if asked not in ((None, None), (CPU_NAME, CPU_FEATURES)):
        return False
    if any(getattr(numba.config, name) for name in _OTHER_CODE):
        return False
    features = llvmlite.binding.get_host_cpu_features()
    return all(features.get(name) for name in NEEDED_FEATURES)
