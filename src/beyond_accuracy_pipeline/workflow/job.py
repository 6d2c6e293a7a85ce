"""Context in which each script of the workflow runs: checksums, log and readable errors."""

import gc
import logging
import resource
import sys
import time
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from typing import Any

from beyond_accuracy_pipeline.results.checksums import Checksums

_LOGGER = logging.getLogger(__name__)


@contextmanager
def running(job: Any) -> Iterator[None]:
    """Return a context in which the script of a Snakemake job runs.

    It compares the job's inputs with their stored checksums, sends everything printed to the job's
    log, and stores the checksums of the outputs. Scripts import their modules inside the context,
    so that the log shows failed imports.
    """
    start = time.monotonic()
    # Modules are never garbage: collecting takes a fifth of a job's start.
    gc.set_threshold(50_000)
    with logged(job.log[0]):
        checksums = Checksums.of(job.config)
        checksums.check(job.input)
        yield
        checksums.store(job.output)
        cost = time.monotonic() - start, *cost_of_this_process()
        _LOGGER.info("%.1f s, %.1f CPU s, at most %.0f MiB of memory", *cost)
    gc.freeze()


def cost_of_this_process() -> tuple[float, float]:
    """Return (CPU seconds, memory in MiB) of this process and its finished child processes.

    The memory is the peak of the largest process.
    """
    process, forks = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    cpu = sum(usage.ru_utime + usage.ru_stime for usage in (process, forks))
    # Linux counts in KiB. `getrusage` includes the memory of Snakemake, which started this process.
    size = process.ru_maxrss
    with suppress(OSError):
        status = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
        size = next((int(line.split()[1]) for line in status if "VmHWM" in line), size)
    return cpu, max(size, forks.ru_maxrss) / 1024


@contextmanager
def logged(log: str | Path) -> Iterator[None]:
    """Return a context that writes everything printed, logged or warned to the file `log`.

    An exception ends the process with exit status 1 and is logged with a traceback. For OSError and
    this project's errors, only the message is logged.
    """
    Path(log).parent.mkdir(parents=True, exist_ok=True)
    with (
        open(log, "w", encoding="utf-8") as stream,
        redirect_stdout(stream),
        redirect_stderr(stream),
        warnings.catch_warnings(),
    ):
        logging.basicConfig(
            stream=stream, level=logging.INFO, format="%(levelname)s %(name)s: %(message)s"
        )
        logging.captureWarnings(True)
        try:
            yield
        except Exception as error:
            explained = type(error).__module__.startswith("beyond_accuracy")
            if explained or isinstance(error, OSError):
                print(f"{type(error).__name__}: {error}", file=stream)
            else:
                traceback.print_exc(file=stream)
            sys.exit(1)
