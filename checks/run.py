"""Run the workflow in a separate folder, and compare the bytes that it writes."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import yaml

from beyond_accuracy_pipeline.papers import load_paper

REPOSITORY = Path(__file__).parents[1]
SMOKE = "config/smoke.yaml"
CORES = 2

# These folders and files differ from run to run: they hold seconds, dates and machine names.
# Checksums differ because files of seconds have checksums too.
_DIFFERING = {"seconds", "logs", "checksums"}
_OF_THE_RUN = {"pages/run.html", "pages/run.json"}
_SNAKEMAKE = ".snakemake_timestamp"


@dataclass(frozen=True)
class Run:
    """Copy of the workflow and its configuration, in which Snakemake can be started.

    The `configfiles` are applied in order on top of `config/config.yaml`.
    """

    folder: Path
    configfiles: tuple[str, ...] = (SMOKE,)

    @classmethod
    def new(cls, folder: Path, *overlays: Path) -> "Run":
        """Copy the workflow into a new folder; `overlays` are applied on top of the smoke run's."""
        for name in ("workflow", "config", "profiles", "src/beyond_accuracy_pipeline/papers"):
            shutil.copytree(REPOSITORY / name, folder / name)
        shutil.copyfile(REPOSITORY / "Snakefile", folder / "Snakefile")
        copies = []
        for overlay in overlays:
            shutil.copyfile(overlay, folder / "config" / overlay.name)
            copies.append(f"config/{overlay.name}")
        return cls(folder, (SMOKE, *copies))

    def copy(self, folder: Path) -> "Run":
        """Copy the folder with results and Snakemake's records."""
        shutil.copytree(self.folder, folder, symlinks=True)
        return replace(self, folder=folder)

    def start(
        self, *arguments: str, variables: Mapping[str, str] | None = None
    ) -> subprocess.Popen:
        """Start Snakemake, without the user's mirror, in a new process group.

        `variables` are added to the environment.
        """
        environment = dict(os.environ)
        environment.pop("BEYOND_ACCURACY_MIRROR", None)
        command = [sys.executable, "-m", "snakemake", "--nocolor"]
        if self.configfiles:
            command += ["--configfile", *self.configfiles]
        return subprocess.Popen(
            [*command, "--cores", str(CORES), *arguments],
            cwd=self.folder,
            env=environment | dict(variables or {}),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
            # A shell's background job ignores interrupts, and so would all that it starts.
            preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
        )

    def __call__(self, *arguments: str) -> tuple[bool, str]:
        """Run Snakemake for half an hour at most; return (whether it succeeded, its output)."""
        with self.start(*arguments) as process:
            output = wait_for(process, 1800)
        return process.returncode == 0, output

    def settings(self) -> dict:
        """Return the configuration, merged at the top level."""
        merged: dict = {}
        for file in ("config/config.yaml", *self.configfiles):
            merged |= yaml.safe_load((self.folder / file).read_text(encoding="utf-8"))
        return merged

    def folders(self) -> list[Path]:
        """Return the folders of the results and of the prepared data."""
        settings = self.settings()
        return [self.folder / settings[name] for name in ("results", "resources")]

    def contents(self) -> dict[str, bytes]:
        """Return the bytes of all results and prepared data that must be the same in every run."""
        papers = self.settings()["papers"]
        timed = {name for paper in papers for name in load_paper(paper).timed}
        return {
            file.relative_to(self.folder).as_posix(): file.read_bytes()
            for folder in self.folders()
            for file in sorted(folder.rglob("*"))
            if file.is_file() and _comparable(file.relative_to(folder), timed)
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


def _comparable(file: Path, timed: set[str]) -> bool:
    return (
        not _DIFFERING & set(file.parts)
        and file.as_posix() not in _OF_THE_RUN
        and file.name != _SNAKEMAKE
        and "retries" not in file.parts
        and file.name.partition(".")[0] not in timed
    )
