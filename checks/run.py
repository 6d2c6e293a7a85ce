"""A run of the workflow in a folder of its own, and the bytes that every such run must write."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import yaml

from beyond_accuracy_pipeline.papers import load_paper

REPOSITORY = Path(__file__).parents[1]
SMOKE = "config/smoke.yaml"

# Folders and files with seconds, dates and machines in them; checksums are those of seconds too.
_DIFFERING = {"seconds", "logs", "checksums"}
_OF_THE_RUN = {"pages/run.html", "pages/run.json"}
_SNAKEMAKE = ".snakemake_timestamp"


@dataclass(frozen=True)
class Run:
    """A copy of the workflow and its configuration, and how Snakemake is called in it.

    `configfiles` are laid over `config/config.yaml`, in this order; paths in the folder.
    """

    folder: Path
    configfiles: tuple[str, ...] = (SMOKE,)
    cores: int = 2

    @classmethod
    def new(cls, folder: Path, *overlays: Path, cores: int = 2) -> "Run":
        """Copy the workflow into a new folder; `overlays` are laid over the smoke run's."""
        for name in ("workflow", "config", "papers", "profiles"):
            shutil.copytree(REPOSITORY / name, folder / name)
        shutil.copyfile(REPOSITORY / "Snakefile", folder / "Snakefile")
        copies = []
        for overlay in overlays:
            shutil.copyfile(overlay, folder / "config" / overlay.name)
            copies.append(f"config/{overlay.name}")
        return cls(folder, (SMOKE, *copies), cores)

    def copy(self, folder: Path) -> "Run":
        """Copy everything, results and what Snakemake knows of them."""
        shutil.copytree(self.folder, folder, symlinks=True)
        return Run(folder, self.configfiles, self.cores)

    def start(
        self, *arguments: str, environment: Mapping[str, str] | None = None
    ) -> subprocess.Popen:
        """Start Snakemake in a process group of its own; variables are added to this one's."""
        variables = {**os.environ, **(environment or {})}
        # Only what a check itself serves may be reached.
        if "BEYOND_ACCURACY_MIRROR" not in (environment or {}):
            variables.pop("BEYOND_ACCURACY_MIRROR", None)
        command = [sys.executable, "-m", "snakemake", "--nocolor", "--configfile"]
        options = [] if "--cores" in arguments else ["--cores", str(self.cores)]
        return subprocess.Popen(
            [*command, *self.configfiles, *options, *arguments],
            cwd=self.folder,
            env=variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
            preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
        )

    def __call__(
        self, *arguments: str, environment: Mapping[str, str] | None = None, limit: float = 1800
    ) -> tuple[bool, str]:
        """Run Snakemake; return whether it succeeded, and all that it printed.

        After `limit` seconds its process group is killed: it counts as failed.
        """
        with self.start(*arguments, environment=environment) as process:
            output = wait_for(process, limit)
        return process.returncode == 0, output

    def settings(self) -> dict:
        """Return the configuration files laid over one another at the top level."""
        merged: dict = {}
        for file in ("config/config.yaml", *self.configfiles):
            merged |= yaml.safe_load((self.folder / file).read_text(encoding="utf-8"))
        return merged

    @property
    def results(self) -> Path:
        """The folder of the results."""
        return self.folder / self.settings()["results"]

    def contents(self) -> dict[str, bytes]:
        """Return the bytes of all results and prepared data that every run writes alike."""
        settings = self.settings()
        folders = [self.folder / settings[name] for name in ("results", "resources")]
        timed = {name for paper in settings["papers"] for name in load_paper(paper).timed}
        return {
            file.relative_to(self.folder).as_posix(): file.read_bytes()
            for folder in folders
            for file in _files(folder)
            if _comparable(file.relative_to(folder), timed)
        }


def wait_for(process: subprocess.Popen, limit: float) -> str:
    """Return what a process of `Run.start` prints; its group is killed after `limit` seconds."""
    try:
        return process.communicate(timeout=limit)[0]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return f"{process.communicate()[0]}\nkilled after {limit:g} s"


def differences(expected: Mapping[str, bytes], found: Mapping[str, bytes]) -> list[str]:
    """Return the names of the files that only one of two runs has, or that differ."""
    names = sorted(expected.keys() | found.keys())
    return [name for name in names if expected.get(name) != found.get(name)]


def _files(folder: Path) -> Iterable[Path]:
    return (file for file in sorted(folder.rglob("*")) if file.is_file())


def _comparable(file: Path, timed: set[str]) -> bool:
    return (
        not _DIFFERING & set(file.parts)
        and file.as_posix() not in _OF_THE_RUN
        and file.name != _SNAKEMAKE
        and "retries" not in file.parts
        and file.stem not in timed
    )
