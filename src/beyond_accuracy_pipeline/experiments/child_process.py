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
    """Error for a call whose process ended without a result; the message says why."""


class CallHangs(Exception):
    """Error for a call that exceeded its time limit; `number` is the call's index from 0."""

    def __init__(self, number: int, seconds: float):
        self.number = number
        super().__init__(f"call {number}: no result within {seconds:g} seconds; it was killed")


class ProcessKilled(Exception):
    """Error for a call whose process was killed from outside.

    `number` is the call's index from 0, and `cause` the name of the signal or the exit status.
    """

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


def call_in_child_process(
    functions: Sequence[Callable[[], T]], time_limit: float | None = None
) -> list[T | ProcessDied]:
    """Call functions one after the other in a fork of this process.

    The fork starts with the modules and data of this process. Modules that one call imports or
    compiles stay loaded for the next call. Other changes by the functions are lost with the fork.
    If the fork crashes or exits, the next call runs in a new fork. With a memory limit (`ulimit
    -v`, `-d`), a crash counts as killed from outside, because compiled code without memory crashes
    in the same way. ``process_time`` counts only the fork.

    Parameters
    ----------
    functions : sequence of callables without arguments
    time_limit : float, optional
        Seconds per call, after which the process is killed. By default, calls may take any time.

    Returns
    -------
    list
        One item per function: its return value, or a ProcessDied if the fork crashed or exited.

    Raises
    ------
    CallHangs
        If a call exceeds the time limit.
    ProcessKilled
        If the process is killed from outside, for example by the system when memory is short.
    Exception
        If a function raises this exception. After any error, no further function is called.
    """
    results: list[T | ProcessDied] = []
    while len(results) < len(functions):
        results += _call_in_one_process(functions, len(results), time_limit)
    return results


def _call_in_one_process(
    functions: Sequence[Callable[[], T]], first: int, time_limit: float | None
) -> list[T | ProcessDied]:
    """Call `functions[first:]` in one fork until one of them ends the process.

    Return the results so far. The last one is a ProcessDied if a call ended the process.
    """
    # Modules are never garbage. Freezing saves the fork's garbage collector from scanning them.
    gc.freeze()
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_send_results, args=(sender, functions[first:]))
    process.start()
    sender.close()
    results: list[T | ProcessDied] = []
    for number in range(first, len(functions)):
        if not _result_arrives(receiver, time_limit):
            process.kill()
            process.join()
            raise CallHangs(number, time_limit)
        try:
            result, error = receiver.recv()
        except EOFError:
            process.join()
            cause = _exit_cause(process.exitcode)
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


def _result_arrives(receiver, time_limit: float | None) -> bool:
    """Return whether a result arrives within `time_limit` seconds; None means no limit."""
    end = None if time_limit is None else time.monotonic() + time_limit
    while not receiver.poll(_LONGEST_WAIT if end is None else min(time_limit, _LONGEST_WAIT)):
        if end is not None and (time_limit := end - time.monotonic()) <= 0:
            return False
    return True


def _end_with_parent():
    wait([multiprocessing.parent_process().sentinel])
    os._exit(1)


def _send_results(sender, functions):
    """Run in the fork: call the functions and send a pair (result, error) for each.

    Stop after the first exception, whose pair is (None, error).
    """
    try:
        # Without this thread, fits of a cancelled run would continue for hours.
        threading.Thread(target=_end_with_parent, daemon=True).start()
        for function in functions:
            sender.send((function(), None))
    except Exception as error:
        # Pickling drops the traceback, but keeps notes.
        error.add_note("".join(traceback.format_exception(error)))
        sender.send((None, error))


def _exit_cause(exit_code: int) -> str:
    """Return the name of the signal that ended a process, or its exit status as text."""
    return signal.Signals(-exit_code).name if exit_code < 0 else f"exit status {exit_code}"
