"""Run the workflow in a separate folder, and compare the bytes that it writes."""

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

# These folders and files differ from run to run: they hold seconds, dates and machine names.
# Checksums differ because files of seconds have checksums too.
_DIFFERING = {"seconds", "logs", "checksums"}
_OF_THE_RUN = {"pages/run.html", "pages/run.json"}
_SNAKEMAKE = ".snakemake_timestamp"


@dataclass(frozen=True)
class Run:
    """Copy of the workflow and its configuration, in which Snakemake can be started.

    `configfiles` are paths relative to the folder. They are applied in order on top of
    `config/config.yaml`.
    """

    folder: Path
    configfiles: tuple[str, ...] = (SMOKE,)
    cores: int = 2

    @classmethod
    def new(cls, folder: Path, *overlays: Path, cores: int = 2) -> "Run":
        """Copy the workflow into a new folder; `overlays` are applied on top of the smoke run's."""
        for name in ("workflow", "config", "profiles", "src/beyond_accuracy_pipeline/papers"):
            shutil.copytree(REPOSITORY / name, folder / name)
        shutil.copyfile(REPOSITORY / "Snakefile", folder / "Snakefile")
        copies = []
        for overlay in overlays:
            shutil.copyfile(overlay, folder / "config" / overlay.name)
            copies.append(f"config/{overlay.name}")
        return cls(folder, (SMOKE, *copies), cores)

    def copy(self, folder: Path) -> "Run":
        """Copy the folder with results and Snakemake's records."""
        shutil.copytree(self.folder, folder, symlinks=True)
        return Run(folder, self.configfiles, self.cores)

    def start(
        self, *arguments: str, environment: Mapping[str, str] | None = None
    ) -> subprocess.Popen:
        """Start Snakemake in a new process group.

        `environment` is added to the environment of this process.
        """
        variables = {**os.environ, **(environment or {})}
        # Without a mirror of its own, a check must not read the real one.
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
        """Run Snakemake and return (whether it succeeded, its output).

        After `limit` seconds the process group is killed, and the run counts as failed.
        """
        with self.start(*arguments, environment=environment) as process:
            output = wait_for(process, limit)
        return process.returncode == 0, output

    def settings(self) -> dict:
        """Return the configuration, merged at the top level."""
        merged: dict = {}
        for file in ("config/config.yaml", *self.configfiles):
            merged |= yaml.safe_load((self.folder / file).read_text(encoding="utf-8"))
        return merged

    @property
    def results(self) -> Path:
        """Return the folder of the results."""
        return self.folder / self.settings()["results"]

    def contents(self) -> dict[str, bytes]:
        """Return the bytes of all results and prepared data that must be the same in every run."""
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
    """Return the output of a process of `Run.start`; kill its group after `limit` seconds."""
    try:
        return process.communicate(timeout=limit)[0]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return f"{process.communicate()[0]}\nkilled after {limit:g} s"


def differences(expected: Mapping[str, bytes], found: Mapping[str, bytes]) -> list[str]:
    """Return the names of files that differ between two runs, or that only one of them has."""
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
