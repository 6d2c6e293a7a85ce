"""An installation that nobody can write to, and a user without home, can fit all the same."""

import os
import stat
import warnings
from pathlib import Path

import pytest

from beyond_accuracy import compilation_cache
from beyond_accuracy.compilation_cache import choose_folder, user_cache_folder

NOWHERE = Path("/dev/null/cache")


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """Let the folder for temporary files be one of the test's; no variable is set."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", "to be taken back")
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    monkeypatch.setattr(compilation_cache.tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("places", [(Path("."), NOWHERE), (NOWHERE, Path("./new/numba"))])
def test_one_place_that_can_be_written_is_enough(temporary, monkeypatch, places):
    monkeypatch.chdir(temporary)
    with warnings.catch_warnings(action="error"):
        choose_folder(*places)
    assert "NUMBA_CACHE_DIR" not in os.environ


def test_without_one_a_private_folder_is_taken_and_said(temporary):
    with pytest.warns(RuntimeWarning, match="compiled code is kept in"):
        choose_folder(NOWHERE, NOWHERE)
    folder = Path(os.environ["NUMBA_CACHE_DIR"])
    assert folder.parent == temporary
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    with warnings.catch_warnings(action="error"):
        choose_folder(NOWHERE, NOWHERE)


@pytest.mark.parametrize("kind", ["open to others", "a link"])
def test_a_folder_of_others_is_not_taken(temporary, kind):
    expected = temporary / f"beyond-accuracy-{os.getuid()}"
    if kind == "a link":
        (temporary / "elsewhere").mkdir(mode=0o700)
        expected.symlink_to(temporary / "elsewhere")
    else:
        expected.mkdir()
        expected.chmod(0o777)
    with pytest.warns(RuntimeWarning):
        choose_folder(NOWHERE, NOWHERE)
    assert Path(os.environ["NUMBA_CACHE_DIR"]) != expected


def test_the_users_cache_is_where_numba_has_it(monkeypatch, tmp_path):
    from numba.misc.appdirs import AppDirs

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert user_cache_folder() == Path(AppDirs("numba", appauthor=False).user_cache_dir)
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert user_cache_folder() == Path(AppDirs("numba", appauthor=False).user_cache_dir)
