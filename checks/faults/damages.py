"""Intermediate files that change behind the pipeline's back, without a new date."""

import os
import random
from collections.abc import Callable
from functools import partial
from pathlib import Path

from checks.faults.outcome import Outcome, Stage, after_one_plain_run


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
    """Leave nothing in a file."""
    return b"" if content else b"\0"


def damage(
    stage: Stage,
    folder: Path,
    rng: random.Random,
    change: Callable[[bytes, random.Random], bytes] | None,
) -> Outcome:
    """Damage a random file of a run that has got half way, or delete it (`change` None)."""
    run = stage.run.copy(folder)
    names = sorted(run.contents())
    name = rng.choice(names)
    file = run.folder / name
    dates = file.stat().st_atime_ns, file.stat().st_mtime_ns
    if change is None:
        file.unlink()
    else:
        file.write_bytes(change(file.read_bytes(), rng))
        os.utime(file, ns=dates)
    # A damaged file of prepared data is named with its folder.
    parts = Path(name).parts
    culprit = "/".join(parts[:3]) if parts[0] == "resources" else name
    outcome = after_one_plain_run(stage, run, f"{culprit}: damaged")
    return Outcome(outcome.kind, outcome.detail or name)


KINDS = {
    "a bit of a file flipped": partial(damage, change=flip),
    "a file cut short": partial(damage, change=truncate),
    "a file emptied": partial(damage, change=empty),
    "a file deleted": partial(damage, change=None),
}
