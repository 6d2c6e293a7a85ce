"""The frame of a job: everything goes to its log, and errors end with a message, not a riddle."""

import subprocess
import sys

import pytest


@pytest.fixture
def run(tmp_path):
    """Run the body of a job in a process of its own; return status, terminal and log."""

    def run(body):
        log = tmp_path / "logs/job.log"
        lines = [
            "import logging, sys, warnings",
            "from beyond_accuracy.pipeline.job import logged",
            "from beyond_accuracy.datasets.errors import ParseError, DataSetError",
            f"with logged({str(log)!r}):",
            *(f"    {line}" for line in body.splitlines()),
        ]
        finished = subprocess.run(
            [sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=False
        )
        return finished.returncode, finished.stdout + finished.stderr, log.read_text()

    return run


def test_output_goes_to_the_log(run):
    status, terminal, log = run(
        "print('printed')\nlogging.info('logged')\nwarnings.warn('warned')\n"
        "print('error stream', file=sys.stderr)\n"
    )
    assert (status, terminal) == (0, "")
    assert all(text in log for text in ("printed", "logged", "warned", "error stream"))


def test_an_error_of_the_library_is_a_message(run):
    status, terminal, log = run("raise DataSetError('file.txt, line 3: found x, valid is y')")
    assert (status, terminal) == (1, "")
    assert log == "DataSetError: file.txt, line 3: found x, valid is y\n"


def test_a_full_disk_is_a_message(run):
    status, _, log = run("raise OSError(28, 'No space left on device', 'out.npz')")
    assert status == 1
    assert log == "OSError: [Errno 28] No space left on device: 'out.npz'\n"


def test_any_other_error_keeps_its_traceback(run):
    status, _, log = run("1 / 0")
    assert status == 1
    assert log.startswith("Traceback")
    assert log.endswith("ZeroDivisionError: division by zero\n")
