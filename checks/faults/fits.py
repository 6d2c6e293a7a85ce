"""Fits that die for want of memory, and fits that hang."""

import os
import random
import re
import resource
import signal
import subprocess
import time
from pathlib import Path

from checks.faults.outcome import IDENTICAL, LOST, NAMED, Outcome, Stage, after_one_plain_run
from checks.run import Run, differences

_KILLED_FIT = re.compile(r"FitKilled: (.*) on (.*): its process was killed by (SIG\w+)")
_HOURS = 0.005


def killed_fit(stage: Stage, folder: Path, rng: random.Random) -> Outcome:
    """Kill the process of a fit, as the system does where memory is short."""
    run = stage.run.copy(folder)
    with run.start() as process:
        fork = _fork_of_a_fit(process, rng)
        if fork is not None:
            os.kill(fork, signal.SIGKILL)
        output, _ = process.communicate()
    return _told(stage, run, process.returncode == 0, output)


def little_memory(stage: Stage, folder: Path, rng: random.Random) -> Outcome:
    """Give all processes of a run too small an address space."""
    run = stage.run.copy(folder)
    limit = int(rng.uniform(0.4, 1.6) * 2**30)
    with run.start() as process:
        resource.prlimit(process.pid, resource.RLIMIT_AS, (limit, limit))
        output, _ = process.communicate()
    outcome = _told(stage, run, process.returncode == 0, output)
    return Outcome(outcome.kind, f"{limit / 2**30:.2f} GB. {outcome.detail}")


def hanging_fit(stage: Stage, folder: Path, rng: random.Random) -> Outcome:
    """Stop the process of a fit for ever; `longest_fit` must end it, and the job with it."""
    run = stage.run.copy(folder)
    with run.start("--config", f"longest_fit={_HOURS}") as process:
        fork = _fork_of_a_fit(process, rng)
        if fork is not None:
            os.kill(fork, signal.SIGSTOP)
        try:
            output, _ = process.communicate(timeout=600)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return Outcome(LOST, "the run did not end")
    if fork is not None and (process.returncode == 0 or "longest_fit" not in output):
        return Outcome(LOST, f"not said that a fit hangs: {output[-1500:]}")
    outcome = after_one_plain_run(stage, run)
    if outcome.kind == IDENTICAL and fork is not None:
        return Outcome(NAMED, "the fit that hangs; the next run mends it")
    return outcome


def _fork_of_a_fit(process: subprocess.Popen, rng: random.Random) -> int | None:
    """Wait for the fork of a job in which a method is fitted, and a moment longer; its number."""
    while process.poll() is None:
        forks = _forks(process.pid)
        if forks:
            time.sleep(rng.uniform(0, 1))
            return rng.choice(sorted(_forks(process.pid)) or [None])
        time.sleep(0.02)
    return None


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
