"""An installation that nobody can write to, and a user without home, can fit all the same."""

import os
import stat
import subprocess
import sys
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


def test_a_user_without_a_home_has_a_cache_folder(monkeypatch):
    """As in a container that runs as any user."""

    def unknown(user):
        raise KeyError(user)

    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr("pwd.getpwuid", unknown)
    assert user_cache_folder().name == "numba"


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
warnings.simplefilter("always")
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
        "from beyond_accuracy.compilation import compiled\n"
        "@compiled\ndef double(x):\n    return 2 * x\n"
    )
    if place == "elsewhere":
        monkeypatch.setenv("NUMBA_CACHE_DIR", str(cache))

    def call():
        command = [sys.executable, "-c", KERNEL, package]
        return subprocess.run(command, text=True, capture_output=True, check=False)

    assert call().stdout == "42.0 0\n"
    files = sorted(file for file in tmp_path.rglob("*") if file.suffix in (".nbi", ".nbc"))
    assert len(files) == 2
    return call, files


@pytest.mark.parametrize(
    ("place", "number", "damage"),
    [
        ("beside the source", 0, "cut"),
        ("beside the source", 1, "emptied"),
        ("elsewhere", 0, "flipped amid"),
        ("elsewhere", 1, "flipped amid"),
        ("elsewhere", 1, "flipped at the start"),
    ],
)
def test_damaged_compiled_code_is_compiled_again(compiled, number, damage):
    """A flipped bit in the midst of machine code would be executed."""
    call, files = compiled
    content = bytearray(files[number].read_bytes())
    match damage:
        case "cut":
            del content[len(content) // 2 :]
        case "emptied":
            content.clear()
        case "flipped at the start":
            content[1] ^= 1
        case "flipped amid":
            content[len(content) // 2] ^= 4
    files[number].write_bytes(content)
    run = call()
    assert run.stdout == "42.0 0\n", run.stderr
    assert f"{files[number]}: damaged compiled code" in run.stderr
    again = call()
    assert (again.stdout, again.stderr) == ("42.0 1\n", "")


@pytest.mark.parametrize("place", ["elsewhere"])
def test_damage_that_cannot_be_replaced_is_got_round(compiled):
    call, files = compiled
    files[1].unlink()
    # Nothing replaces a folder, whoever writes.
    files[1].mkdir()
    (files[1] / "file").touch()
    run = call()
    assert run.stdout == "42.0 0\n", run.stderr
    assert "compiled code cannot be kept" in run.stderr
