"""Compilation without a writable cache folder, and the message that it logs."""

import logging

from numba import njit
from numba.core.caching import FunctionCache

from beyond_accuracy import compilation


def double(x):
    return 2 * x


def test_compilation_is_logged_once(caplog, monkeypatch, tmp_path):
    monkeypatch.setattr("numba.config.CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(double, "__module__", compilation.__name__)
    monkeypatch.setattr(compilation.LISTENER, "logged", False)
    function = compilation.compiled(double)
    with caplog.at_level(logging.INFO, logger="beyond_accuracy"):
        assert (function(3.0), function(3)) == (6.0, 6)
    assert len(caplog.messages) == 1


def test_without_a_folder_to_write_to_each_process_compiles(monkeypatch):
    """For example, for a container user without any home folder."""

    class NoFolder:
        def __init__(self, function):
            raise RuntimeError("no locator available")

    monkeypatch.setattr(FunctionCache, "_impl_class", NoFolder)
    assert compilation.compiled(double)(3.0) == 6.0


def test_a_part_runs_in_compiled_functions_and_in_python():
    part = compilation.compiled_part(double)

    def four_times(x):
        return part(part(x))

    assert njit(four_times)(3.0) == 12.0
    assert part("ab") == "abab"
