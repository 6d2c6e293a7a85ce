"""The frame around every script of the workflow: its messages, its failures, its outputs."""

import logging
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from beyond_accuracy.pipeline.last_complete import JobOutputs


@contextmanager
def job(snakemake: Any) -> Iterator[Callable[[str | Path], Path]]:
    """Run the body of a script, and replace the rule's outputs only if it ends well.

    Parameters
    ----------
    snakemake : object
        What Snakemake hands to a script: ``log``, ``output``, and a ``config`` with the folders
        ``results`` and ``resources``.

    Yields
    ------
    function
        From an output of the rule to the path to which the body has to write it. Until the body
        has ended, the outputs of the last run that ended well stand where they belong.

    Raises
    ------
    SystemExit
        With status 1 if the body raises. Everything printed, logged (level INFO and above) or
        warned goes to the rule's log file, which Snakemake shows if the job fails
        (``show-failed-logs``). It ends with the message, preceded by the traceback unless the
        error is one of the library's own classes or an OSError (full disk, missing file): these
        say by themselves what to do.
    """
    folders = (snakemake.config["results"], snakemake.config["resources"])
    outputs = JobOutputs(snakemake.output, folders)
    with _logged(snakemake.log[0]), outputs.replaced():
        yield outputs.new


@contextmanager
def _logged(log: str | Path) -> Iterator[None]:
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
        failed = False
        try:
            yield
        except Exception as error:
            failed = True
            if _explains_itself(error):
                print(f"{type(error).__name__}: {error}", file=stream)
            else:
                traceback.print_exc(file=stream)
    if failed:
        sys.exit(1)


def _explains_itself(error: Exception) -> bool:
    return isinstance(error, OSError) or type(error).__module__.startswith("beyond_accuracy.")
