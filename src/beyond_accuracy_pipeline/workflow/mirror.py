"""Find the mirror: a local folder with copies of the files of data sets."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

MIRROR_VARIABLE = "BEYOND_ACCURACY_MIRROR"


def mirror_folder(config: Mapping[str, Any]) -> Path | None:
    """Return the folder with copies of the files of data sets, or None if none is configured.

    The key ``mirror`` of the configuration has precedence over the environment variable
    ``BEYOND_ACCURACY_MIRROR``. Raises NotADirectoryError if the variable names no folder.
    """
    mirror = config.get("mirror")
    if not mirror and (mirror := os.environ.get(MIRROR_VARIABLE)) and not Path(mirror).is_dir():
        raise NotADirectoryError(
            f"The environment variable {MIRROR_VARIABLE} is {mirror!r}, which is not a folder. "
            "Set it to an existing folder, or unset it."
        )
    # For Snakemake `--config mirror=2026` is a number.
    return Path(str(mirror)) if mirror else None
