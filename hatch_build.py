"""Wheels for one Python and platform, which bring compiled code: HATCH_BUILD_HOOKS_ENABLE=1.

Without the variable a wheel is for any Python and platform, and compiles on its user's machine.
"""

import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_PACKAGE = "beyond_accuracy"


class CompiledCode(BuildHookInterface):
    """Adds what `release/compiled_files.py` writes, and the tag of what can load it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, unless the installation is editable."""
        if version == "editable":
            return
        build_data["tag"] = _tag()
        build_data["pure_python"] = False
        root = Path(self.root)
        # Kept until the files are in the wheel.
        self._temporary = tempfile.TemporaryDirectory(prefix="compiled-")
        sources, folder = (Path(self._temporary.name, name) for name in ("sources", "compiled"))
        ignored = shutil.ignore_patterns("__pycache__", "__compiled__")
        shutil.copytree(root / "src" / _PACKAGE, sources / _PACKAGE, ignore=ignored)
        program = root / "release" / "compiled_files.py"
        subprocess.run([sys.executable, program, sources, folder], check=True)
        build_data["force_include"][str(folder)] = f"{_PACKAGE}/__compiled__"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was compiled."""
        if version != "editable":
            self._temporary.cleanup()


def _tag() -> str:
    """The tag of this Python on Linux; RuntimeError on other systems and processors.

    The code is linked with no library: what it calls of libc, such as `exp`, is looked for by name
    in the process that loads it, so that any glibc will do which numba and Python run with.
    manylinux_2_17 is the oldest that tools know; PyPI refuses linux_x86_64, which promises nothing.
    """
    usual = sys.implementation.name == "cpython" and not sys.abiflags
    if not usual or (sys.platform, platform.machine()) != ("linux", "x86_64"):
        raise RuntimeError(
            "compiled code is brought for CPython on x86-64 Linux only: "
            "unset HATCH_BUILD_HOOKS_ENABLE for the wheel of other platforms"
        )
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-manylinux_2_17_x86_64"
