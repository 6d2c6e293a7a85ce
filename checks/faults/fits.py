"""Fits that die for want of memory, and fits that hang."""

import itertools
import os
import random
import re
import resource
import signal
import subprocess
import time
from pathlib import Path

from checks.faults.outcome import IDENTICAL, LOST, NAMED, Outcome, Stage, after_one_plain_run
from checks.run import Run, differences, wait_for

_KILLED_FIT = re.compile(r"FitKilled: (.*) on (.*): its process was killed by (SIG\w+)")
_HOURS = 0.005
# A run that takes longer has not ended.
_LONGEST_SECONDS = 900


def killed_fit(stage: Stage, folder: Path, rng: random.Random) -> Outcome:
    """Kill the process of a fit, as the system does where memory is short."""
    run = stage.run.copy(folder)
    with run.start() as process:
        met = _signal_a_fit(process, signal.SIGKILL, rng)
        output = wait_for(process, _LONGEST_SECONDS)
    if not met:
        return Outcome(LOST, "no fit was met")
    # A fit that had just ended lacks nothing.
    if process.returncode != 0 and not _KILLED_FIT.search(output):
        return Outcome(LOST, f"not said which fit was killed: {output[-1500:]}")
    return _told(stage, run, process.returncode == 0, output)


def little_memory(stage: Stage, folder: Path, rng: random.Random) -> Outcome:
    """Give all processes of a run too small an address space: a tenth less, until it fails."""
    limit = int(rng.uniform(0.8, 1.6) * 2**30)
    for number in itertools.count():
        run = stage.run.copy(folder / str(number))
        with run.start() as process:
            resource.prlimit(process.pid, resource.RLIMIT_AS, (limit, limit))
            output = wait_for(process, _LONGEST_SECONDS)
        if process.returncode != 0:
            break
        limit = int(0.9 * limit)
    outcome = _told(stage, run, False, output)
    return Outcome(outcome.kind, f"{limit / 2**30:.2f} GB. {outcome.detail}")


def hanging_fit(stage: Stage, folder: Path, rng: random.Random) -> Outcome:
    """Stop the process of a fit for ever; `longest_fit` must end it, and the job with it."""
    run = stage.run.copy(folder)
    with run.start("--config", f"longest_fit={_HOURS}") as process:
        met = _signal_a_fit(process, signal.SIGSTOP, rng)
        output = wait_for(process, _LONGEST_SECONDS)
    if not met:
        return Outcome(LOST, "no fit was met")
    if process.returncode == 0 or "longest_fit" not in output:
        return Outcome(LOST, f"not said that a fit hangs: {output[-1500:]}")
    outcome = after_one_plain_run(stage, run)
    if outcome.kind == IDENTICAL:
        return Outcome(NAMED, "the fit that hangs; the next run mends it")
    return outcome


def _signal_a_fit(process: subprocess.Popen, number: int, rng: random.Random) -> bool:
    """Wait for the fork of a job in which a method is fitted, and a moment; whether it was met."""
    while process.poll() is None:
        if _forks(process.pid):
            time.sleep(rng.uniform(0, 1))
            forks = sorted(_forks(process.pid))
            rng.shuffle(forks)
            for fork in forks:
                try:
                    os.kill(fork, number)
                except ProcessLookupError:
                    continue
                return True
        time.sleep(0.02)
    return False


def _forks(session: int) -> list[int]:
    """The processes of a session that run a script of fits and whose parent does so, too."""
    scripts, parents = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            # The name, in parentheses, may have blanks; then: state, parent, group, session.
            _, parent, _, own = (folder / "stat").read_text().rpartition(")")[2].split()[:4]
            script = (folder / "cmdline").read_bytes()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(own) == session and script.endswith(b".fit.py\0"):
            scripts[int(folder.name)], parents[int(folder.name)] = script, int(parent)
    return [each for each, parent in parents.items() if scripts.get(parent) == scripts[each]]


def _told(stage: Stage, run: Run, succeeded: bool, output: str) -> Outcome:
    """Judge a run that lacked memory: it fails, or its results are whole; one plain run follows."""
    if succeeded and differences(stage.expected, run.contents()):
        return Outcome(LOST, f"different, and the run has succeeded: {output[-1500:]}")
    run("--unlock")
    outcome = after_one_plain_run(stage, run)
    killed = _KILLED_FIT.search(output)
    if outcome.kind != IDENTICAL or not killed:
        return outcome
    method, data_set, cause = killed.groups()
    return Outcome(NAMED, f"{method} on {data_set} ({cause}); the next run makes it anew")


KINDS = {
    "a fit killed": killed_fit,
    "a fit that hangs": hanging_fit,
    "memory is short": little_memory,
}
