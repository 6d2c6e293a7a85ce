"""Damage intermediate files without changing their dates."""

import os
import random
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from beyond_accuracy_pipeline.results.checksums import FOLDER
from checks.faults.outcome import (
    IDENTICAL,
    LOST,
    VERIFY,
    Outcome,
    Stage,
    after_one_plain_run,
    damaged_files,
)
from checks.run import Run


def flip(content: bytes, rng: random.Random) -> bytes:
    """Change one bit of one byte."""
    if not content:
        return b"\0"
    place = rng.randrange(len(content))
    return content[:place] + bytes([content[place] ^ 1 << rng.randrange(8)]) + content[place + 1 :]


def truncate(content: bytes, rng: random.Random) -> bytes:
    """Cut a file short."""
    return content[: rng.randrange(len(content))] if content else b"\0"


def empty(content: bytes, rng: random.Random) -> bytes:
    """Empty a file."""
    return b"" if content else b"\0"


CHANGES = (flip, truncate, empty, None)
"""Changes of a file's content; None deletes the file."""


def damage(
    stage: Stage,
    folder: Path,
    rng: random.Random,
    changes: Sequence[Callable[[bytes, random.Random], bytes] | None],
    among: Callable[[Run], list[str]],
) -> Outcome:
    """Damage one file of a half-finished run.

    The file is drawn from `among(run)`, the change from `changes`.
    """
    run = stage.run.copy(folder)
    change, name = rng.choice(changes), rng.choice(among(run))
    file = run.folder / name
    dates = file.stat().st_atime_ns, file.stat().st_mtime_ns
    content = file.read_bytes() if change is None else change(file.read_bytes(), rng)
    if change is None:
        file.unlink()
    else:
        file.write_bytes(content)
        os.utime(file, ns=dates)
    subject = _subject(name)
    outcome = after_one_plain_run(stage, run, f"{_result(subject)}: damaged")
    if outcome.kind == IDENTICAL and change is not None and file.is_file():
        # Files that differ from run to run are not compared with the undisturbed run. If the
        # damage is still there, `make verify` must find it.
        found = subject in damaged_files(run)
        if file.read_bytes() == content and (found or subject == name):
            outcome = Outcome(VERIFY if found else LOST, "" if found else f"{name}: not found")
    return Outcome(outcome.kind, outcome.detail or name)


def _alike(run: Run) -> list[str]:
    """Return the files whose bytes must be the same in every run."""
    return sorted(run.contents())


def _in_folder(run: Run, folder: str) -> list[str]:
    """Return the files in all folders with this name."""
    places = [run.folder / run.settings()[name] for name in ("results", "resources")]
    files = [file.relative_to(run.folder) for place in places for file in place.rglob("*.*")]
    kept = {file.as_posix() for file in files if folder in file.parts}
    return sorted(name for name in kept if (run.folder / name).is_file())


def _subject(name: str) -> str:
    """Return the file that a checksum belongs to, or `name` itself if it is no checksum."""
    parts = Path(name).parts
    if FOLDER not in parts:
        return name
    place = parts.index(FOLDER)
    return Path(*parts[:place], *parts[place + 1 :]).with_suffix("").as_posix()


def _result(name: str) -> str:
    """Return the name in error messages: the file, or its folder for prepared data."""
    parts = Path(name).parts
    return "/".join(parts[:3]) if parts[0] == "resources" else name


KINDS = {
    "a bit of a file flipped": partial(damage, changes=(flip,), among=_alike),
    "a file cut short": partial(damage, changes=(truncate,), among=_alike),
    "a file emptied": partial(damage, changes=(empty,), among=_alike),
    "a file deleted": partial(damage, changes=(None,), among=_alike),
    "a file of seconds damaged": partial(
        damage, changes=CHANGES, among=partial(_in_folder, folder="seconds")
    ),
    "a checksum damaged": partial(
        damage, changes=CHANGES, among=partial(_in_folder, folder=FOLDER)
    ),
}
