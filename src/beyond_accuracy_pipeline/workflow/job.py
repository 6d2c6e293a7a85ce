"""The frame around every script of the workflow: its messages, and how its failures are told."""

import gc
import logging
import resource
import sys
import time
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from beyond_accuracy_pipeline.workflow.checksums import Checksums

_LOGGER = logging.getLogger(__name__)


@contextmanager
def running(job: Any) -> Iterator[None]:
    """Run the body of the script of a job, Snakemake's object of that name, `logged`.

    Before it the checksums of its inputs are checked, after it those of its outputs stored, and its
    seconds and memory are logged. The body imports what it needs, so that the log has what cannot
    be imported.
    """
    start = time.monotonic()
    # Of modules nothing is garbage: looking for it takes a fifth of a job's start, and of its end.
    gc.set_threshold(50_000)
    with logged(job.log[0]):
        checksums = Checksums.of(job.config)
        checksums.check(job.input)
        yield
        checksums.store(job.output)
        _log_resources(time.monotonic() - start)
    gc.freeze()


def _log_resources(seconds: float) -> None:
    """Log what the job and its forks took; Snakemake's `benchmark` polls, at a CPU second a minute.

    Pages that both have count in each; the memory is that of the larger one. Of the job it is that
    since it was started: what `getrusage` says begins with that of Snakemake, which started it.
    """
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    cpu = sum(each.ru_utime + each.ru_stime for each in used)
    # Linux counts in KiB.
    memory = max(_largest_size(), used[1].ru_maxrss) / 1024
    _LOGGER.info("%.1f s, %.1f CPU s, at most %.0f MiB of memory", seconds, cpu, memory)


def _largest_size() -> int:
    """Return the KiB that this program has had at most; elsewhere than on Linux `getrusage`'s."""
    try:
        status = Path("/proc/self/status").read_text(encoding="utf-8")
        return next(int(line.split()[1]) for line in status.splitlines() if "VmHWM" in line)
    except (OSError, StopIteration):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


@contextmanager
def logged(log: str | Path) -> Iterator[None]:
    """Run the body of a script, with everything printed, logged (level INFO) or warned in a file.

    Snakemake shows the file if the job fails (``show-failed-logs``). If the body raises, the exit
    status is 1 and the file ends with the message, preceded by the traceback unless the error is
    one of the library's own classes or an OSError (full disk, missing file): these say by
    themselves what to do.
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
            own = type(error).__module__.startswith("beyond_accuracy")
            if own or isinstance(error, OSError):
                print(f"{type(error).__name__}: {error}", file=stream)
            else:
                traceback.print_exc(file=stream)
            sys.exit(1)
