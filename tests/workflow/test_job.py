"""The frame of a job: everything goes to its log, and errors end with a message, not a riddle."""

import logging
import subprocess
import sys
import warnings

import numpy as np
import pytest

from beyond_accuracy_pipeline.datasets.errors import DataSetError
from beyond_accuracy_pipeline.workflow.job import logged


@pytest.fixture
def run(tmp_path, monkeypatch, capfd):
    """Run the body of a job; return status, terminal and log."""
    level = logging.root.level

    def run(body):
        log = tmp_path / "logs/job.log"
        status = 0
        # A new process has no log handlers yet.
        with monkeypatch.context() as fresh:
            fresh.setattr(logging.root, "handlers", [])
            try:
                with logged(log):
                    body()
            except SystemExit as end:
                status = end.code
        return status, "".join(capfd.readouterr()), log.read_text()

    yield run
    logging.captureWarnings(False)
    logging.root.setLevel(level)


def test_output_goes_to_the_log(run):
    def body():
        print("printed")
        logging.info("logged")
        warnings.warn("warned", stacklevel=1)
        print("error stream", file=sys.stderr)

    status, terminal, log = run(body)
    assert (status, terminal) == (0, "")
    assert all(text in log for text in ("printed", "logged", "warned", "error stream"))


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (
            DataSetError("file.txt, line 3: found x, valid is y"),
            "DataSetError: file.txt, line 3: found x, valid is y\n",
        ),
        (
            OSError(28, "No space left on device", "out.npz"),
            "OSError: [Errno 28] No space left on device: 'out.npz'\n",
        ),
    ],
)
def test_an_error_that_explains_itself_is_a_message(run, error, message):
    def body():
        raise error

    assert run(body) == (1, "", message)


def test_any_other_error_keeps_its_traceback(run):
    status, _, log = run(lambda: 1 / 0)
    assert status == 1
    assert log.startswith("Traceback")
    assert log.endswith("ZeroDivisionError: division by zero\n")


COST = """
import time
from beyond_accuracy_pipeline.experiments.child_process import call_in_child_process
from beyond_accuracy_pipeline.workflow.job import cost_of_this_process

def work():
    memory = bytearray(b"1") * 100_000_000
    while time.process_time() < 1:
        pass

cost_before = cost_of_this_process()
call_in_child_process([work])
print(*cost_before, *cost_of_this_process())
"""


def test_what_a_job_costs_is_what_it_and_its_forks_take():
    """Memory is not that of the process that started it, with which `getrusage` begins."""
    large = np.ones(50_000_000)
    run = subprocess.run([sys.executable, "-c", COST], capture_output=True, text=True, check=True)
    cpu_before, memory_before, cpu, memory = map(float, run.stdout.split())
    assert cpu - cpu_before >= 1
    assert 10 < memory_before < large.nbytes / 2**20
    assert memory >= 95
