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
            "from beyond_accuracy.datasets.errors import DataSetError",
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


@pytest.mark.parametrize(
    ("error", "message"),
    [
        ("DataSetError('found x')", "DataSetError: found x\n"),
        ("OSError(28, 'No space', 'out.npz')", "OSError: [Errno 28] No space: 'out.npz'\n"),
    ],
)
def test_an_error_of_the_library_and_a_full_disk_are_messages(run, error, message):
    assert run(f"raise {error}") == (1, "", message)


def test_any_other_error_keeps_its_traceback(run):
    status, _, log = run("1 / 0")
    assert status == 1
    assert log.startswith("Traceback")
    assert log.endswith("ZeroDivisionError: division by zero\n")
