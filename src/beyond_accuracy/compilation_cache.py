"""Where compiled code is kept if neither the package's folder nor the user's cache can be written.

Numba refuses to define a function then. What it keeps is executed when it is loaded, so the folder
must be the user's alone.
"""

import os
import stat
import tempfile
import warnings
from pathlib import Path

_VARIABLE = "NUMBA_CACHE_DIR"


def choose_folder(package: Path, user_cache: Path) -> None:
    """Point numba at a temporary folder, with a RuntimeWarning, if it could write nowhere else.

    `package` is where it keeps compiled code first, `user_cache` second, which it would make. The
    choice is an environment variable, for processes that this one starts; one that is set stays.
    """
    if _VARIABLE in os.environ or _is_writable(package) or _is_writable(user_cache):
        return
    folder = _own_temporary_folder()
    os.environ[_VARIABLE] = str(folder)
    warnings.warn(
        f"neither {package} nor {user_cache} can be written: compiled code is kept in {folder}; "
        f"set {_VARIABLE} to a folder that lasts, so that it is not compiled again",
        RuntimeWarning,
        stacklevel=2,
    )


def user_cache_folder() -> Path:
    """Numba's folder in the cache of the user."""
    # That of a path raises RuntimeError for users without a home.
    return Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")) / "numba"


def _is_writable(folder: Path) -> bool:
    existing = next(each for each in (folder, *folder.absolute().parents) if each.exists())
    return existing.is_dir() and os.access(existing, os.W_OK)


def _own_temporary_folder() -> Path:
    folder = Path(tempfile.gettempdir()) / f"beyond-accuracy-{os.getuid()}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()
        own = stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid()
        if own and not stat.S_IMODE(status.st_mode) & 0o077:
            return folder
    except OSError:
        pass
    return Path(tempfile.mkdtemp(prefix="beyond-accuracy-"))
