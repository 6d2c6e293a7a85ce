"""Description of the machine."""

import os
import platform
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from threadpoolctl import threadpool_info

_PACKAGES = ("beyond-accuracy", "numpy", "scipy", "scikit-learn", "numba")


def describe_machine() -> dict[str, str]:
    """Return processor, memory, system, versions, threads and date by name."""
    import numpy as np  # noqa: F401 - loads the BLAS that threadpool_info reports

    threads = {
        f"{pool['internal_api']} {pool.get('version') or ''}".strip(): pool["num_threads"]
        for pool in threadpool_info()
    }
    return {
        "processor": _processor(),
        "cores": f"{os.cpu_count()}, of which 1 is used",
        "memory": f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB",
        "system": f"{platform.system()} {platform.machine()}",
        "Python": platform.python_version(),
        **{name: version(name) for name in _PACKAGES},
        "threads": ", ".join(f"{name}: {count}" for name, count in sorted(threads.items())),
        "load at the end": f"{os.getloadavg()[0]:.1f} jobs wanted a core",
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
    }


def _processor():
    information = Path("/proc/cpuinfo")
    if information.is_file():
        for line in information.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or "unknown"
