"""Call functions in a child process, so that a crash of compiled code costs only one call."""

import gc
import math
import multiprocessing
import os
import resource
import signal
import threading
import traceback
from collections.abc import Callable, Sequence
from multiprocessing.connection import wait
from typing import TypeVar

T = TypeVar("T")


class ProcessDied(Exception):
    """Exception for a child process that ended without returning a result; the message says why."""


class CallStopped(Exception):
    """Exception for a call that was killed. `index` is the position of the call in the list.

    `cause` says what killed the process from outside; None means that the time limit did.
    """

    def __init__(self, index: int, cause: str | None):
        self.index = index
        self.cause = cause
        super().__init__(f"call {index}: {cause or 'longer than the time limit'}")


# A poll cannot wait longer than 2³¹ milliseconds; more seconds count as no limit.
_LONGEST_WAIT = 2_000_000.0

# Other signals, such as SIGSEGV and SIGABRT, are caused by the call itself.
_FROM_OUTSIDE = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGXCPU)


def call_in_child_process(
    functions: Sequence[Callable[[], T]], time_limit: float = math.inf
) -> list[T | ProcessDied]:
    """Call functions one after the other in a fork of this process; return their results.

    If the fork crashes or exits, the result of that call is a ProcessDied, and a new fork makes the
    next call. An exception in a function ends all calls and is raised. CallStopped is raised if a
    call takes more than `time_limit` seconds, or if the fork is killed from outside. With a memory
    limit (`ulimit -v`, `-d`), every crash counts as killed from outside.
    """
    results: list[T | ProcessDied] = []
    while len(results) < len(functions):
        results += _call_in_one_process(functions, len(results), time_limit)
    return results


def _call_in_one_process(functions, first: int, time_limit: float):
    """Call `functions[first:]` in one fork until one of them ends the process."""
    # Modules are never garbage. Freezing saves the fork's garbage collector from scanning them.
    gc.freeze()
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_send_results, args=(sender, functions[first:]))
    process.start()
    sender.close()
    timeout = time_limit if time_limit <= _LONGEST_WAIT else None
    results: list[T | ProcessDied] = []
    for index in range(first, len(functions)):
        if not receiver.poll(timeout):
            process.kill()
            process.join()
            raise CallStopped(index, None)
        try:
            result, error = receiver.recv()
        except EOFError:
            process.join()
            code = process.exitcode
            cause = signal.Signals(-code).name if code < 0 else f"exit status {code}"
            if -code in _FROM_OUTSIDE:
                raise CallStopped(index, cause) from None
            limits = [
                resource.getrlimit(of)[0] for of in (resource.RLIMIT_AS, resource.RLIMIT_DATA)
            ]
            if limits != [resource.RLIM_INFINITY] * 2:
                raise CallStopped(index, f"{cause}, under a limit of memory (ulimit)") from None
            results.append(ProcessDied(f"the process died of {cause}"))
            break
        if error is not None:
            raise error
        results.append(result)
    process.join()
    return results


def _end_with_parent():
    wait([multiprocessing.parent_process().sentinel])
    os._exit(1)


def _send_results(sender, functions):
    """Send, from the fork, one pair (result, None) per function; an error is sent and ends it."""
    try:
        # Without this thread, fits of a cancelled run would continue for hours.
        threading.Thread(target=_end_with_parent, daemon=True).start()
        for function in functions:
            sender.send((function(), None))
    except Exception as error:
        # Pickling drops the traceback, but keeps notes.
        error.add_note("".join(traceback.format_exception(error)))
        sender.send((None, error))
