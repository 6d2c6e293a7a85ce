"""Calls in a process of their own, so that a crash of compiled code costs one call only."""

import multiprocessing
import signal
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class ProcessDied(Exception):
    """The process of a call ended without a result; the message says of what."""


def in_child_process(function: Callable[[], T]) -> T:
    """Call a function in a fork of this process, and return what it returns.

    Modules and data are those of this process, and neither is imported or read again. What the
    function changes is lost with the fork; its result comes through a pipe. ``process_time`` in it
    is that of the fork alone.

    Raises
    ------
    ProcessDied
        If the process was killed by a signal, or ended by itself.
    Exception
        What the function raises.
    """
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(sender, function))
    process.start()
    sender.close()
    try:
        result, error = receiver.recv()
    except EOFError:
        process.join()
        raise ProcessDied(f"the process died of {_cause(process.exitcode)}") from None
    process.join()
    if error is not None:
        raise error
    return result


def _send(sender, function):
    try:
        message = function(), None
    except Exception as error:
        message = None, error
    sender.send(message)


def _cause(exit_code: int) -> str:
    return signal.Signals(-exit_code).name if exit_code < 0 else f"exit status {exit_code}"
