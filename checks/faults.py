"""`python -m checks.faults`: inject faults into real runs, and report the outcomes.

Each fault hits a copy of a run. The next plain run must end with the bytes of an undisturbed run,
or with an error that names the damaged file. Otherwise the exit status is 1.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pandas as pd

from beyond_accuracy_pipeline.results import layout
from beyond_accuracy_pipeline.results.checksums import FOLDER, Checksums
from checks.run import Run, differences, wait_for

SMALL = Path(__file__).parent / "small.yaml"
IDENTICAL = "identical"
NAMED = "named error"
VERIFY = "found by verify"
LOST = "lost"
# Messages of the operating system and of the pipeline.
_FULL = ("No space left on device", "the disk is full", "Disk quota exceeded")


@dataclass(frozen=True)
class Stage:
    """A run before the fault, with the bytes and seconds of the undisturbed run."""

    run: Run
    expected: Mapping[str, bytes]
    seconds: float


@dataclass(frozen=True)
class Outcome:
    """Outcome of a fault: one of the constants above, with details."""

    kind: str
    detail: str = ""


@dataclass(frozen=True)
class Family:
    """One kind of fault; `often` has its repetitions by default and with --nightly."""

    fault: Callable[[Stage, Path, random.Random], Outcome]
    often: tuple[int, int]
    stage: str = "begun"


def after_one_plain_run(stage: Stage, run: Run, culprit: str | None = None) -> Outcome:
    """Run once more and judge the results. Three outcomes are good:

    - all bytes are the same as in the undisturbed run;
    - the run fails, its message contains `culprit`, and the next run repairs the file;
    - no job had to read the file, and `make verify` names every file that differs.
    """
    succeeded, output = run()
    different = differences(stage.expected, run.contents())
    if succeeded and not different:
        return Outcome(IDENTICAL)
    if succeeded:
        if set(different) <= damaged_files(run):
            return Outcome(VERIFY, ", ".join(different))
        return Outcome(LOST, f"silently different: {', '.join(different[:5])}")
    if culprit is None or culprit not in output:
        return Outcome(LOST, f"failed, and does not name {culprit}: {output[-1500:]}")
    succeeded, output = run()
    different = differences(stage.expected, run.contents())
    if succeeded and not different:
        return Outcome(NAMED, f"{culprit}; the next run mends it")
    return Outcome(LOST, f"{culprit} was named, but not mended: {different[:5]} {output[-1500:]}")


def damaged_files(run: Run) -> set[str]:
    """Return the files that `make verify` would name, relative to the folder of the run."""
    damaged = set()
    for folder in run.folders():
        checksums = Checksums((folder,))
        files = (file for file in checksums.files() if not checksums.holds(file))
        damaged |= {file.relative_to(run.folder).as_posix() for file in files}
    return damaged


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
    before = sum(file.stat().st_size for file in stage.run.folder.rglob("*") if file.is_file())
    needed = sum(map(len, stage.expected.values())) + before
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
            problem = f"{megabytes} MB, not said that the disk is full"
            return Outcome(LOST, f"{problem}: {output[-1500:]}")
        subprocess.run(["mount", "-o", "remount,size=2g", folder], check=True)
        run("--unlock")
        return after_one_plain_run(stage, run)
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def may_mount(folder: Path) -> bool:
    """Return whether a small disk can be mounted here."""
    folder.mkdir(parents=True)
    command = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder]
    if os.geteuid() != 0 or subprocess.run(command, capture_output=True, check=False).returncode:
        return False
    subprocess.run(["umount", folder], check=True)
    return True


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


def flip(content: bytes, rng: random.Random) -> bytes:
    """Change one bit of one byte."""
    changed = bytearray(content or b"\1")
    changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def truncate(content: bytes, rng: random.Random) -> bytes:
    """Cut a file short; a file without content gets a byte."""
    return content[: rng.randrange(len(content))] if content else b"\0"


def delete(content: bytes, rng: random.Random) -> None:
    """Return None, for a file that does not exist."""


def damage(
    stage: Stage,
    folder: Path,
    rng: random.Random,
    changes: Sequence[Callable[[bytes, random.Random], bytes | None]],
    among: str | None = None,
) -> Outcome:
    """Damage one file of a half-finished run, without changing its date.

    The file is drawn from all files that must be the same in every run, or from those in the
    folders `among`.
    """
    run = stage.run.copy(folder)
    names = _files_in(run, among) if among else sorted(run.contents())
    change, name = rng.choice(changes), rng.choice(names)
    file = run.folder / name
    dates = file.stat().st_atime_ns, file.stat().st_mtime_ns
    content = change(file.read_bytes(), rng)
    if content is None:
        file.unlink()
    else:
        file.write_bytes(content)
        os.utime(file, ns=dates)
    subject = _subject(name)
    outcome = after_one_plain_run(stage, run, f"{_result(subject)}: damaged")
    if outcome.kind == IDENTICAL and content is not None and file.is_file():
        # Files that differ from run to run are not compared with the undisturbed run. If the
        # damage is still there, `make verify` must find it.
        verified = subject in damaged_files(run)
        if file.read_bytes() == content and (verified or subject == name):
            outcome = Outcome(VERIFY) if verified else Outcome(LOST, f"{name}: not found")
    return Outcome(outcome.kind, outcome.detail or name)


def _files_in(run: Run, folder: str) -> list[str]:
    """Return the files in all folders with this name."""
    files = (file for parent in run.folders() for file in parent.rglob("*.*") if file.is_file())
    names = (file.relative_to(run.folder) for file in files)
    return sorted(name.as_posix() for name in names if folder in name.parts)


def _subject(name: str) -> str:
    """Return the file that a checksum belongs to, or `name` itself if it is no checksum."""
    parts = Path(name).parts
    if FOLDER not in parts:
        return name
    without = Path(*(part for part in parts if part != FOLDER))
    return without.with_suffix("").as_posix()


def _result(name: str) -> str:
    """Return the name in error messages: the file, or its folder for prepared data."""
    parts = Path(name).parts
    return "/".join(parts[:3]) if parts[0] == "resources" else name


ANY_CHANGE = (flip, truncate, delete)
FAMILIES = {
    "a run killed": Family(kill, (3, 50)),
    "the disk is full": Family(full_disk, (2, 25)),
    "two runs in one folder": Family(two_pipelines, (1, 5)),
    **{
        name: Family(partial(damage, **options), (2, 50), "half")
        for name, options in {
            "a bit of a file flipped": {"changes": (flip,)},
            "a file cut short": {"changes": (truncate,)},
            "a file deleted": {"changes": (delete,)},
            "a file of seconds damaged": {"changes": ANY_CHANGE, "among": "seconds"},
            "a checksum damaged": {"changes": ANY_CHANGE, "among": FOLDER},
        }.items()
    },
}


def stages(folder: Path, overlays: Sequence[Path]) -> Mapping[str, Stage]:
    """Return two runs by name: one that has not begun, and one that stopped before its tables."""
    begun = Run.new(folder / "begun", *overlays)
    undisturbed, half = begun.copy(folder / "undisturbed"), begun.copy(folder / "half")
    settings = half.settings()
    measured = [
        f"{settings['results']}/{layout.MEASUREMENTS.format(paper=paper)}"
        for paper in settings["papers"]
    ]
    start = time.monotonic()
    outcomes = [undisturbed()]
    seconds = time.monotonic() - start
    outcomes.append(half(*measured))
    for succeeded, output in outcomes:
        if not succeeded:
            raise RuntimeError(output)
    expected = undisturbed.contents()
    return {"begun": Stage(begun, expected, seconds), "half": Stage(half, expected, seconds)}


def main(arguments: Sequence[str] | None = None) -> int:
    """Inject all selected faults, and print a table with one row per kind."""
    parser = argparse.ArgumentParser(prog="python -m checks.faults", description=__doc__)
    parser.add_argument("--nightly", action="store_true", help="the whole smoke run, many times")
    parser.add_argument("--times", type=int, help="repetitions per kind of fault")
    parser.add_argument("--seed", type=int, default=0, help="seed of the moments and files")
    parser.add_argument(
        "--only", nargs="*", default=[""], help="names, or parts of names, of faults"
    )
    given = parser.parse_args(arguments)
    rows = []
    with tempfile.TemporaryDirectory(prefix="faults-") as name:
        folder = Path(name)
        selected = {name for name in FAMILIES if any(part in name for part in given.only)}
        if not may_mount(folder / "disk"):
            print("skipped: the disk is full (only root can mount a small one)")
            selected.discard("the disk is full")
        runs = stages(folder / "runs", [] if given.nightly else [SMALL])
        for name in filter(selected.__contains__, FAMILIES):
            family = FAMILIES[name]
            for number in range(given.times or family.often[given.nightly]):
                rng = random.Random(f"{given.seed} {name} {number}")
                with tempfile.TemporaryDirectory(prefix="fault-", dir=folder) as faulty:
                    outcome = family.fault(runs[family.stage], Path(faulty) / "run", rng)
                rows.append((name, outcome.kind))
                print(f"{name}, {number + 1}: {outcome.kind}. {outcome.detail}", flush=True)
    outcomes = pd.DataFrame(rows, columns=["fault", "outcome"])
    print(pd.crosstab(outcomes["fault"], outcomes["outcome"], margins=True).to_string())
    return int((outcomes["outcome"] == LOST).any())


if __name__ == "__main__":
    sys.exit(main())
