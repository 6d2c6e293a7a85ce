"""A reader reads any file content or raises the named error, and nothing else.

HYPOTHESIS_EXAMPLES (`make fuzz EXAMPLES=...`) sets the number of files per reader. The files then
differ each time.
"""

import signal
import subprocess
import sys

import pytest

from .limits import Hangs, _largest_size, limited
from .mutations import fuzz
from .readers import READERS, reader


@pytest.mark.parametrize("name", READERS)
def test_readers(tmp_path, name):
    seed, check = reader(name, tmp_path)
    # If the original file were refused, only refusals would be tested.
    assert check(seed)
    fuzz(check, seed)


def contents(seed: bytes, monkeypatch, capfd, **variables) -> tuple[list[bytes], str]:
    """Return the contents that a check gets, and the printed text."""
    given = []
    for name in ("HYPOTHESIS_EXAMPLES", "FUZZ_SEED"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    fuzz(given.append, seed)
    return given, capfd.readouterr().out


def test_files_are_the_same_in_ci_and_others_each_time_where_asked_for(monkeypatch, capfd):
    seed = b"1,2\n3,4\n"
    assert contents(seed, monkeypatch, capfd) == contents(seed, monkeypatch, capfd)
    many = {"HYPOTHESIS_EXAMPLES": "200"}
    first, out = contents(seed, monkeypatch, capfd, **many)
    second, _ = contents(seed, monkeypatch, capfd, **many)
    assert first != second
    again = {"FUZZ_SEED": out.strip().removeprefix("FUZZ_SEED=")}
    assert contents(seed, monkeypatch, capfd, **many, **again)[0] == first


def test_what_takes_too_long_or_too_much_is_found(monkeypatch):
    monkeypatch.setattr("tests.fuzzing.limits.CPU_SECONDS", 0.05, raising=False)
    monkeypatch.setitem(limited.__globals__, "CPU_SECONDS", 0.05)

    def for_ever(content):
        while True:
            pass

    with pytest.raises(Hangs):
        limited(for_ever)(b"")
    monkeypatch.setitem(limited.__globals__, "CPU_SECONDS", 10.0)
    with pytest.raises(AssertionError, match="MiB of memory for 1 bytes"):
        limited(lambda content: b"1" * (_largest_size() + 2**28))(b"1")


def test_compiled_code_that_does_not_return_ends_the_process_with_the_stack(repository):
    lines = [
        "import re",
        "from tests.fuzzing import limits",
        "limits._SECONDS_IN_COMPILED_CODE = 0.2",
        "limits.limited(lambda content: re.match('(a+)+$', 'a' * 40 + 'b'))(b'')",
    ]
    command = [sys.executable, "-c", "\n".join(lines)]
    run = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=False)
    assert run.returncode == -signal.SIGVTALRM
    assert "in check_within" in run.stderr
