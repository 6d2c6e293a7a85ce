"""Judge a run after a fault."""

from collections.abc import Mapping
from dataclasses import dataclass

from beyond_accuracy_pipeline.results.checksums import Checksums
from checks.run import Run, differences

IDENTICAL = "identical"
NAMED = "named error"
VERIFY = "found by verify"
LOST = "lost"


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


def after_one_plain_run(stage: Stage, run: Run, culprit: str | None = None, **options) -> Outcome:
    """Run once more and judge the results. Three outcomes are good:

    - all bytes are the same as in the undisturbed run;
    - the run fails, its message contains `culprit`, and the next run repairs the file;
    - no job had to read the file, and `make verify` names every file that differs.
    """
    succeeded, output = run(**options)
    different = differences(stage.expected, run.contents())
    if succeeded and not different:
        return Outcome(IDENTICAL)
    if succeeded:
        damaged = damaged_files(run)
        if set(different) <= damaged:
            return Outcome(VERIFY, ", ".join(different))
        return Outcome(LOST, f"silently different: {', '.join(different[:5])}")
    if culprit is None or culprit not in output:
        return Outcome(LOST, f"failed, and does not name {culprit}: {output[-1500:]}")
    succeeded, output = run(**options)
    different = differences(stage.expected, run.contents())
    if succeeded and not different:
        return Outcome(NAMED, f"{culprit}; the next run mends it")
    return Outcome(LOST, f"{culprit} was named, but not mended: {different[:5]} {output[-1500:]}")


def damaged_files(run: Run) -> set[str]:
    """Return the files that `make verify` would name, relative to the folder of the run."""
    settings = run.settings()
    found = set()
    for name in ("results", "resources"):
        checksums = Checksums((run.folder / settings[name],))
        files = (file for file in checksums.files() if not checksums.holds(file))
        found |= {file.relative_to(run.folder).as_posix() for file in files}
    return found
