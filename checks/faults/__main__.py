"""`python -m checks.faults`: inject faults into real runs, and report the outcomes.

Each fault hits a copy of a run. The next plain run must end with the bytes of an undisturbed run,
or with an error that names the damaged file. Otherwise the exit status is 1.
"""

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from beyond_accuracy_pipeline.results import layout
from checks.faults import damages, interruptions
from checks.faults.outcome import IDENTICAL, LOST, NAMED, VERIFY, Outcome, Stage
from checks.run import Run

Fault = Callable[[Stage, Path, random.Random], Outcome]
SMALL = Path(__file__).parents[1] / "small.yaml"


@dataclass(frozen=True)
class Family:
    """One kind of fault; `often` has its repetitions by default and with --nightly."""

    fault: Fault
    often: tuple[int, int]
    stage: str = "begun"


def families(*, small_disks: bool) -> Mapping[str, Family]:
    """Return all kinds of faults."""
    disks = {"the disk is full": Family(interruptions.full_disk, (2, 25))} if small_disks else {}
    return {
        "a run killed": Family(interruptions.kill, (3, 50)),
        **disks,
        "two runs in one folder": Family(interruptions.two_pipelines, (1, 5)),
        **{name: Family(fault, (2, 50), "half") for name, fault in damages.KINDS.items()},
    }


def stages(folder: Path, overlays: Sequence[Path], cores: int) -> Mapping[str, Stage]:
    """Return two runs by name: one that has not begun, and one that stopped before its tables.

    Both carry the bytes of an undisturbed run.
    """
    begun = Run.new(folder / "begun", *overlays, cores=cores)
    undisturbed = begun.copy(folder / "undisturbed")
    start = time.monotonic()
    succeeded, output = undisturbed()
    seconds = time.monotonic() - start
    if not succeeded:
        raise RuntimeError(output)
    expected = undisturbed.contents()
    half = begun.copy(folder / "half")
    settings = half.settings()
    measured = [
        f"{settings['results']}/{layout.MEASUREMENTS.format(paper=paper)}"
        for paper in settings["papers"]
    ]
    succeeded, output = half(*measured)
    if not succeeded:
        raise RuntimeError(output)
    return {"begun": Stage(begun, expected, seconds), "half": Stage(half, expected, seconds)}


def main(arguments: Sequence[str] | None = None) -> int:
    """Inject all selected faults, and print a Markdown table with one row per kind."""
    parser = argparse.ArgumentParser(prog="python -m checks.faults", description=__doc__)
    parser.add_argument("--nightly", action="store_true", help="the whole smoke run, many times")
    parser.add_argument("--times", type=int, help="repetitions per kind of fault")
    parser.add_argument("--seed", type=int, default=0, help="seed of the moments and files")
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument(
        "--only", nargs="*", default=[""], help="names, or parts of names, of faults"
    )
    parser.add_argument("--table", type=Path, help="file to write the table into")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="faults-") as name:
        folder = Path(name)
        small_disks = interruptions.may_mount(folder / "disk")
        if not small_disks:
            print("skipped: the disk is full (only root can mount a small one)")
        selected = {
            name: family
            for name, family in families(small_disks=small_disks).items()
            if any(part in name for part in given.only)
        }
        begun = stages(folder / "runs", [] if given.nightly else [SMALL], given.cores)
        counts = {
            name: _count(
                name,
                family,
                begun[family.stage],
                folder / "faults",
                given,
            )
            for name, family in selected.items()
        }
    table = _table(counts)
    print(table)
    if given.table:
        given.table.write_text(table, encoding="utf-8")
    return int(any(count[LOST] for count in counts.values()))


def _count(
    name: str, family: Family, stage: Stage, folder: Path, given: argparse.Namespace
) -> Counter:
    counts: Counter = Counter()
    for number in range(given.times or family.often[given.nightly]):
        with tempfile.TemporaryDirectory(prefix="fault-", dir=folder.parent) as own:
            rng = random.Random(f"{given.seed} {name} {number}")
            outcome = family.fault(stage, Path(own) / "run", rng)
        counts[outcome.kind] += 1
        print(f"{name}, {number + 1}: {outcome.kind}. {outcome.detail}", flush=True)
    return counts


def _table(counts: Mapping[str, Counter]) -> str:
    columns = (IDENTICAL, NAMED, VERIFY, LOST)
    rows = [
        [name, str(count.total()), *(str(count[column]) for column in columns)]
        for name, count in [*counts.items(), ("all", sum(counts.values(), Counter()))]
    ]
    header = ["fault", "tried", *columns]
    rule = [":--", *("--:" for _ in header[1:])]
    return "".join(f"| {' | '.join(row)} |\n" for row in [header, rule, *rows])


if __name__ == "__main__":
    sys.exit(main())
