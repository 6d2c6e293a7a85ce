"""Final results that were damaged after their job had ended: found by the next run, and remade.

Of what no other job reads Snakemake asks only whether it is there. A mark among the inputs of the
job has it run again; removing files would not, as Snakemake knows by then which there are.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from beyond_accuracy.pipeline.checksums import Checksums


def damage_mark(config: Mapping[str, Any], job: str) -> Path:
    """Return the file that says when final results of a job were last found to be damaged."""
    return Path(config["results"]) / "logs" / "damaged" / f"{job}.txt"


def mark_damaged(config: Mapping[str, Any], job: str, outputs: Sequence[str]) -> list[str]:
    """Mark a job whose outputs, files or folders, are not what it wrote; return the lines to print.

    Files that are gone count as damaged; what has no checksum does not.
    """
    checksums = Checksums.of(config)
    damaged = [output for output in outputs if not checksums.holds(output)]
    if damaged:
        mark = damage_mark(config, job)
        mark.parent.mkdir(parents=True, exist_ok=True)
        # Snakemake compares contents, not only times.
        mark.write_text(f"{datetime.now(UTC).isoformat()}\n", encoding="utf-8")
    shown = [f"{output}: damaged or gone, and made anew." for output in damaged[:3]]
    more = len(damaged) - len(shown)
    return [*shown, f"{more} more files of {job}: likewise."] if more else shown
