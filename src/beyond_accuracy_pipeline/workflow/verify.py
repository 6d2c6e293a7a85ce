"""`python -m beyond_accuracy_pipeline.workflow.verify FOLDER...`: compare files with checksums."""

import sys
from collections.abc import Sequence
from pathlib import Path

from beyond_accuracy_pipeline.workflow.checksums import Checksums


def verify(folders: Sequence[str]) -> int:
    """Name the files below the folders whose content is not what was written; 1 if there are any.

    So it is where there is nothing to compare. Nothing is removed. Folders of runs of their own,
    such as `results/smoke`, are included.
    """
    roots = [own.parent for each in folders for own in sorted(Path(each).rglob("checksums"))]
    files = [(root, file) for root in roots for file in Checksums((root,)).results()]
    damaged = [file for root, file in files if not Checksums((root,)).holds(file)]
    for file in damaged:
        print(f"{file}: damaged; delete it and run again")
    print(f"{len(files)} files compared, {len(damaged)} damaged")
    if not files:
        print(f"no results of a run below {', '.join(folders)}", file=sys.stderr)
    return int(bool(damaged) or not files)


if __name__ == "__main__":
    sys.exit(verify(sys.argv[1:]))
