"""Call functions in a child process, so that a crash of compiled code costs only one call."""

import gc
import multiprocessing
import os
import resource
import signal
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from multiprocessing.connection import wait
from typing import TypeVar

T = TypeVar("T")


class ProcessDied(Exception):
    """The process of a call ended without a result; the message says why."""


class CallHangs(Exception):
    """A call exceeded its time limit; `number` counts the functions from 0."""

    def __init__(self, number: int, seconds: float):
        self.number = number
        super().__init__(f"call {number}: no result within {seconds:g} seconds; it was killed")


class ProcessKilled(Exception):
    """The process of a call was killed from outside; `number` counts the functions from 0."""

    def __init__(self, number: int, cause: str):
        self.number = number
        self.cause = cause
        super().__init__(f"call {number}: its process was killed by {cause}")


# Seconds, because a poll cannot wait longer than 2³¹ milliseconds.
_LONGEST_WAIT = 86_400.0

# Other signals, such as SIGSEGV and SIGABRT, are caused by the call itself.
_FROM_OUTSIDE = (
    signal.SIGKILL,
    signal.SIGTERM,
    signal.SIGINT,
    signal.SIGHUP,
    signal.SIGXCPU,
)


def in_child_process(
    functions: Sequence[Callable[[], T]], seconds: float | None = None
) -> list[T | ProcessDied]:
    """Call functions one after the other in a fork of this process, and return their results.

    The fork starts with the modules and data of this process. Modules that one call imports or
    compiles stay loaded for the next call. Other changes by the functions are lost with the fork.
    If the fork crashes or exits, the result of the call is a ProcessDied, and the next call runs in
    a new fork. With a memory limit (`ulimit -v`, `-d`), a crash counts as killed from outside,
    because compiled code without memory crashes in the same way. ``process_time`` counts only the
    fork.

    Parameters
    ----------
    functions : sequence of callables without arguments
    seconds : float, optional
        Time limit per function, after which the process is killed. By default, calls may take any
        time.

    Raises
    ------
    CallHangs
        If a function exceeds the time limit.
    ProcessKilled
        If the process is killed from outside, for example by the system when memory is short.
    Exception
        If a function raises this exception. After any error, no further function is called.
    """
    results: list[T | ProcessDied] = []
    while len(results) < len(functions):
        results += _in_one_process(functions, len(results), seconds)
    return results


def _in_one_process(
    functions: Sequence[Callable[[], T]], first: int, seconds: float | None
) -> list[T | ProcessDied]:
    """Call the functions from `first` on until one ends the process; return their results."""
    # Modules are never garbage. Freezing saves the fork's garbage collector from scanning them.
    gc.freeze()
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(sender, functions[first:]))
    process.start()
    sender.close()
    results: list[T | ProcessDied] = []
    for number in range(first, len(functions)):
        if not _comes(receiver, seconds):
            process.kill()
            process.join()
            raise CallHangs(number, seconds)
        try:
            result, error = receiver.recv()
        except EOFError:
            process.join()
            cause = _cause(process.exitcode)
            if -process.exitcode in _FROM_OUTSIDE:
                raise ProcessKilled(number, cause) from None
            if _memory_is_limited():
                raise ProcessKilled(number, f"{cause}, under a limit of memory (ulimit)") from None
            results.append(ProcessDied(f"the process died of {cause}"))
            break
        if error is not None:
            raise error
        results.append(result)
    process.join()
    return results


def _memory_is_limited():
    limits = (resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA))
    return any(limit != resource.RLIM_INFINITY for limit in limits)


def _comes(receiver, seconds):
    """Return whether data arrive within `seconds`; None means no limit."""
    end = None if seconds is None else time.monotonic() + seconds
    while not receiver.poll(_LONGEST_WAIT if end is None else min(seconds, _LONGEST_WAIT)):
        if end is not None and (seconds := end - time.monotonic()) <= 0:
            return False
    return True


def _end_with_parent():
    wait([multiprocessing.parent_process().sentinel])
    os._exit(1)


def _send(sender, functions):
    try:
        # Without this thread, fits of a cancelled run would continue for hours.
        threading.Thread(target=_end_with_parent, daemon=True).start()
        for function in functions:
            sender.send((function(), None))
    except Exception as error:
        # Pickling drops the traceback, but keeps notes.
        error.add_note("".join(traceback.format_exception(error)))
        sender.send((None, error))


def _cause(exit_code: int) -> str:
    return signal.Signals(-exit_code).name if exit_code < 0 else f"exit status {exit_code}"
