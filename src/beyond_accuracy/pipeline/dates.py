"""Dates of files that a wrong clock has put into the future."""

import os
import time
from collections.abc import Iterable
from pathlib import Path


def end_future_dates(folders: Iterable[str | Path]) -> list[Path]:
    """Give the files below folders that are dated later than now the present date; return them.

    Snakemake would make what depends on them in each run anew, and then refuse it for being older
    than they are. Contents do not change; what has been changed is told by checksums, too.
    """
    now = time.time()
    files = (file for folder in folders for file in sorted(Path(folder).rglob("*")))
    ahead = [file for file in files if file.is_file() and file.stat().st_mtime > now]
    for file in ahead:
        os.utime(file, (now, now))
    return ahead
