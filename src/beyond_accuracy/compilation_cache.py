"""Where compiled code is kept if neither the package's folder nor the user's cache can be written.

Numba refuses to define a function then. What it keeps is executed when it is loaded, so the folder
must be the user's alone. Files that a full disk or a power loss has cut short are removed: numba
would fail on them at each call.
"""

import hashlib
import os
import stat
import tempfile
import warnings
from collections.abc import Iterator
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


def remove_damaged(package: Path, user_cache: Path) -> None:
    """Remove files of compiled code that were cut short, with a RuntimeWarning that names one.

    Numba compiles again what is gone. Where they cannot be removed, compiled code is kept in a
    temporary folder instead. Looked at are `package`, and its parts of NUMBA_CACHE_DIR, if that is
    set, or of `user_cache`. Only the ends of files are read: a changed byte in the midst of one is
    not found.
    """
    damaged = [file for file in _compiled_files(package, user_cache) if not _is_whole(file)]
    if not damaged:
        return
    removed = f"{damaged[0]}: compiled code that was cut short ({len(damaged)} files)"
    try:
        for file in damaged:
            file.unlink(missing_ok=True)
    except OSError:
        folder = os.environ[_VARIABLE] = str(_own_temporary_folder())
        message = f"{removed}, and cannot be removed: it is kept in {folder}, and compiled again"
    else:
        message = f"{removed} is removed, and compiled again"
    warnings.warn(message, RuntimeWarning, stacklevel=2)


def _compiled_files(package: Path, user_cache: Path) -> Iterator[Path]:
    folders = [folder for folder, _, _ in os.walk(package)]
    elsewhere = Path(os.environ.get(_VARIABLE) or user_cache)
    # Numba names the folder of a source folder after it and its sha1.
    names = (
        f"{Path(f).name}_{hashlib.sha1(f.encode(), usedforsecurity=False).hexdigest()}"
        for f in folders
    )
    for folder in [*map(Path, folders), *(elsewhere / name for name in names)]:
        for suffix in (".nbi", ".nbc"):
            yield from folder.glob(f"*{suffix}")


def _is_whole(file: Path) -> bool:
    """Whether a file, which is a pickle, begins and ends like one; a file that is gone is."""
    try:
        with file.open("rb") as stream:
            first = stream.read(1)
            stream.seek(-1, os.SEEK_END)
            return first == b"\x80" and stream.read(1) == b"."
    except FileNotFoundError:
        return True
    except OSError:
        # An empty file has no last byte.
        return False


def user_cache_folder() -> Path:
    """Numba's folder in the cache of the user."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()) / "numba"


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
