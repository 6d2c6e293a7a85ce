"""Where the files of the data sets are."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

MIRROR_VARIABLE = "BEYOND_ACCURACY_MIRROR"


def mirror_folder(config: Mapping[str, Any]) -> Path | None:
    """Return the folder with the files of the data sets, or None.

    The configuration's ``mirror`` counts before the environment variable
    ``BEYOND_ACCURACY_MIRROR``; an empty text is none.

    Raises
    ------
    NotADirectoryError
        If the environment variable names no folder (the configuration's own key is checked with
        the rest of the configuration).
    """
    mirror = config.get("mirror")
    if mirror:
        return Path(mirror)
    mirror = os.environ.get(MIRROR_VARIABLE)
    if not mirror:
        return None
    if not Path(mirror).is_dir():
        raise NotADirectoryError(
            f"The environment variable {MIRROR_VARIABLE} is {mirror!r}, which is not a folder. "
            "Set it to an existing folder, or unset it."
        )
    return Path(mirror)
