"""`python -m beyond_accuracy_pipeline.workflow.verify FOLDER...`: compare files with checksums."""

import sys
from collections.abc import Sequence
from pathlib import Path

from beyond_accuracy_pipeline.results.checksums import FOLDER, Checksums


def verify(folders: Sequence[str]) -> int:
    """Print the files below some folders that differ from their checksums; return the exit status.

    Status 1 means that a file differs, or that no file has a stored checksum.
    """
    # A run in `results/smoke` has separate checksums.
    roots = [path.parent for folder in folders for path in sorted(Path(folder).rglob(FOLDER))]
    files = [(Checksums((root,)), file) for root in roots for file in Checksums((root,)).files()]
    damaged = [file for checksums, file in files if not checksums.holds(file)]
    for file in damaged:
        print(f"{file}: damaged; delete it and run again")
    print(f"{len(files)} files compared, {len(damaged)} damaged")
    if not files:
        print(f"no results of a run below {', '.join(folders)}", file=sys.stderr)
    return int(bool(damaged) or not files)


if __name__ == "__main__":
    sys.exit(verify(sys.argv[1:]))
