"""Kill runs, fill their disk, and start two runs in one folder."""

import os
import random
import signal
import subprocess
import time
from pathlib import Path

from checks.faults.outcome import LOST, NAMED, Outcome, Stage, after_one_plain_run
from checks.run import wait_for

# Messages of the operating system and of the pipeline.
_FULL = ("No space left on device", "the disk is full", "Disk quota exceeded")


def kill(stage: Stage, folder: Path, rng: random.Random) -> Outcome:
    """Kill the whole process group at a random moment of a run, and remove only the lock."""
    run = stage.run.copy(folder)
    with run.start() as process:
        try:
            process.wait(rng.uniform(0, stage.seconds))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
    run("--unlock")
    return after_one_plain_run(stage, run)


def full_disk(stage: Stage, folder: Path, rng: random.Random) -> Outcome:
    """Run on a disk with room for only some of the files, then enlarge the disk (root only)."""
    needed = sum(map(len, stage.expected.values())) + _size(stage.run.folder)
    megabytes = max(1, round(rng.uniform(0.6, 1.0) * needed / 2**20))
    folder.mkdir()
    options = f"size={megabytes}m"
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], check=True)
    try:
        try:
            run = stage.run.copy(folder / "run")
        except OSError as error:
            return Outcome(NAMED, f"no room to begin: {error.strerror}")
        succeeded, output = run()
        if not succeeded and not any(text in output for text in _FULL):
            return Outcome(
                LOST, f"{megabytes} MB, not said that the disk is full: {output[-1500:]}"
            )
        subprocess.run(["mount", "-o", "remount,size=2g", folder], check=True)
        run("--unlock")
        return after_one_plain_run(stage, run)
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def two_pipelines(stage: Stage, folder: Path, rng: random.Random) -> Outcome:
    """Start a second run in the same folder: it must report the lock and change nothing."""
    run = stage.run.copy(folder)
    with run.start() as first:
        time.sleep(rng.uniform(0, stage.seconds / 2))
        with run.start() as second:
            outputs = [wait_for(process, 900) for process in (second, first)]
        statuses = [second.returncode, first.returncode]
    locked = any("lock" in output.lower() for output in outputs)
    if all(statuses) or (any(statuses) and not locked):
        return Outcome(LOST, "\n".join(output[-800:] for output in outputs))
    return after_one_plain_run(stage, run)


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def may_mount(folder: Path) -> bool:
    """Return whether a small disk can be mounted here."""
    folder.mkdir(parents=True, exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder]
    if os.geteuid() != 0 or subprocess.run(command, capture_output=True, check=False).returncode:
        return False
    subprocess.run(["umount", folder], check=True)
    return True
