"""An installation that nobody can write to, and a user without home, can fit all the same."""

import os
import stat
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from beyond_accuracy import compilation_cache
from beyond_accuracy.compilation_cache import choose_folder, remove_damaged, user_cache_folder

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


KERNEL = """
import sys, warnings
from pathlib import Path
warnings.simplefilter("always")
from beyond_accuracy.compilation_cache import remove_damaged
remove_damaged(Path(sys.argv[1]), Path(sys.argv[2]))
sys.path.insert(0, sys.argv[1])
from kernel import double
print(double(21.0), sum(double.stats.cache_hits.values()))
"""


@pytest.fixture
def compiled(tmp_path, monkeypatch, place):
    """Return how a process calls a compiled function of a package, and the files numba keeps."""
    package, cache = tmp_path / "package", tmp_path / "cache"
    package.mkdir()
    (package / "kernel.py").write_text(
        "import numba\n@numba.njit(cache=True)\ndef double(x):\n    return 2 * x\n"
    )
    if place == "elsewhere":
        monkeypatch.setenv("NUMBA_CACHE_DIR", str(cache))

    def call():
        command = [sys.executable, "-c", KERNEL, package, cache]
        return subprocess.run(command, text=True, capture_output=True, check=False)

    assert call().stdout == "42.0 0\n"
    files = sorted(file for file in tmp_path.rglob("*") if file.suffix in (".nbi", ".nbc"))
    assert len(files) == 2
    return call, files


@pytest.mark.parametrize(
    ("place", "number", "share"), [("beside the source", 0, 0.5), ("elsewhere", 1, 0)]
)
def test_compiled_code_that_was_cut_short_is_compiled_again(compiled, number, share):
    call, files = compiled
    content = files[number].read_bytes()
    # A cut right behind a full stop looks whole.
    end = next(n for n in range(int(len(content) * share), -1, -1) if content[n - 1 : n] != b".")
    files[number].write_bytes(content[:end])
    run = call()
    assert run.stdout == "42.0 0\n", run.stderr
    assert str(files[number]) in run.stderr
    again = call()
    assert (again.stdout, again.stderr) == ("42.0 1\n", "")


def test_damage_that_cannot_be_removed_is_got_round(temporary, monkeypatch):
    (temporary / "kernel.nbi").touch()

    def refuse(self, missing_ok=False):
        raise PermissionError(str(self))

    monkeypatch.setattr(Path, "unlink", refuse)
    with pytest.warns(RuntimeWarning, match=r"kernel\.nbi: .* cannot be removed"):
        remove_damaged(temporary, NOWHERE)
    assert Path(os.environ["NUMBA_CACHE_DIR"]).parent == temporary
