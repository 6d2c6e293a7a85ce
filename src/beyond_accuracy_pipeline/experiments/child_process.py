"""Calls in a process of their own, so that a crash of compiled code costs one call only."""

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
    """The process of a call ended without a result; the message says of what."""


class CallHangs(Exception):
    """A call gave no result in the time it had; `number` counts the functions from 0."""

    def __init__(self, number: int, seconds: float):
        self.number = number
        super().__init__(f"call {number}: no result within {seconds:g} seconds; it was killed")


class ProcessKilled(Exception):
    """The process of a call was killed from outside; `number` counts the functions from 0."""

    def __init__(self, number: int, cause: str):
        self.number = number
        self.cause = cause
        super().__init__(f"call {number}: its process was killed by {cause}")


# Seconds; a poll takes at most 2³¹ milliseconds.
_LONGEST_WAIT = 86_400.0

# Of other signals, such as SIGSEGV and SIGABRT, the call itself is the cause.
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
    """Call functions one after the other in a fork of this process, and return what they return.

    Modules and data are those of this process, and what one call has imported and compiled is
    there for the next. What the functions change is lost with the fork; results come through a
    pipe. Where the fork dies by itself (a crash, an exit) the result of the call is a ProcessDied,
    and the next call is made in another fork. Under a limit of memory (`ulimit -v`, `-d`) it counts
    as killed from outside: compiled code dies of that as of its own faults. ``process_time`` in a
    fork is that of the fork alone.

    Parameters
    ----------
    functions : sequence of callables without arguments
    seconds : float, optional
        How long each may take; by default there is no limit. What takes longer is killed.

    Raises
    ------
    CallHangs
        For the first function that takes longer; those after it are not called.
    ProcessKilled
        For the first function whose process is killed from outside, as the system does where
        memory is short; those after it are not called.
    Exception
        What a function raises; those after it are not called.
    """
    results: list[T | ProcessDied] = []
    while len(results) < len(functions):
        results += _in_one_process(functions, len(results), seconds)
    return results


def _in_one_process(
    functions: Sequence[Callable[[], T]], first: int, seconds: float | None
) -> list[T | ProcessDied]:
    """What the functions from `first` on return, up to the one that the process dies of."""
    # What is imported stays: the collector of the fork need not look at it, while numba compiles.
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
    """Whether there is something to receive within `seconds`, or without limit if None."""
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
        # A run that is cancelled would leave fits behind that go on for hours.
        threading.Thread(target=_end_with_parent, daemon=True).start()
        for function in functions:
            sender.send((function(), None))
    except Exception as error:
        # A traceback does not go through a pipe, but a note does.
        error.add_note("".join(traceback.format_exception(error)))
        sender.send((None, error))


def _cause(exit_code: int) -> str:
    return signal.Signals(-exit_code).name if exit_code < 0 else f"exit status {exit_code}"
