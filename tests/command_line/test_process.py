import io
import os
import re
import signal
import subprocess
import sys

import pytest

from beyond_accuracy.command_line.progress import Progress
from beyond_accuracy.solvers import Iteration

PROGRAM = [sys.executable, "-m", "beyond_accuracy.command_line"]


@pytest.mark.parametrize("arguments", [["--help"], ["train", "--help"], ["predict", "--help"]])
def test_help_shows_an_example(run, arguments):
    status, out, err = run(*arguments)
    assert (status, err) == (0, "")
    assert re.search(r"example:\n +beyond-accuracy (train|predict) ", out)


def test_help_imports_nothing_heavy():
    code = (
        "import sys\n"
        "from beyond_accuracy.command_line.main import main\n"
        "try:\n    main(['train', '--help'])\nexcept SystemExit:\n    pass\n"
        "print('heavy:', {'numpy', 'scipy', 'sklearn', 'numba'} & set(sys.modules))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("heavy: set()\n")


def test_a_reader_that_goes_away_ends_the_program_silently(run, train_file, tmp_path):
    run("train", train_file, tmp_path / "model.json")
    many = tmp_path / "many.svm"
    many.write_text(train_file.read_text() * 40)
    process = subprocess.Popen(
        [*PROGRAM, "predict", str(many), str(tmp_path / "model.json")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 141


def test_ctrl_c_ends_training_without_a_model(run, tmp_path, train_file, monkeypatch):
    class Interrupted(Progress):
        def __call__(self, iteration):
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr("beyond_accuracy.command_line.train.Progress", Interrupted)
    # A shell's background jobs ignore SIGINT, and tests that run in such a job inherit this.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        status, _, err = run("train", train_file, tmp_path / "model.json")
    finally:
        signal.signal(signal.SIGINT, before)
    assert status == 130
    assert err.endswith("beyond-accuracy: interrupted\n")
    assert [path.name for path in tmp_path.iterdir()] == ["train.svm"]


@pytest.fixture
def pipe():
    """Return a function that makes a pipe and returns its path; it can be read only once."""
    ends = []

    def make(content):
        end, start = os.pipe()
        ends.append(end)
        with open(start, "wb") as stream:
            stream.write(content)
        return f"/dev/fd/{end}"

    yield make
    for end in ends:
        os.close(end)


def test_data_can_come_through_a_pipe(run, pipe, write, train_file, tmp_path):
    run("train", train_file, tmp_path / "model.json")
    some = write("".join(train_file.read_text().splitlines(keepends=True)[:20]))
    expected = run("predict", some, tmp_path / "model.json")
    path = pipe(some.read_bytes())
    assert run("predict", path, tmp_path / "model.json") == expected
    path = pipe(b"1 1:x\n")
    status, _, err = run("predict", path, tmp_path / "model.json")
    assert status == 1
    assert f"{path}:1: " in err


class _Terminal(io.StringIO):
    def __init__(self, terminal):
        super().__init__()
        self.isatty = lambda: terminal


def test_a_terminal_gets_one_line_that_is_rewritten_and_erased():
    stream = _Terminal(True)
    progress = Progress(stream)
    progress(Iteration(3, 0.1, 100.0, 99.0))
    assert stream.getvalue() == "\riteration 3  primal 100  dual 99  gap 1.00e-02\x1b[K"
    progress.close()
    assert stream.getvalue().endswith("\r\x1b[K")
    assert "\n" not in stream.getvalue()


@pytest.mark.parametrize(("terminal", "quiet"), [(False, False), (True, True), (False, True)])
def test_a_short_run_elsewhere_or_quiet_shows_no_progress(terminal, quiet):
    stream = _Terminal(terminal)
    progress = Progress(stream, quiet)
    progress(Iteration(3, 0.1, 100.0, 99.0))
    progress.close()
    assert stream.getvalue() == ""
