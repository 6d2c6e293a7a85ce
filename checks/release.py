"""`python -m checks.release FOLDER`: build the published packages, and install them as users will.

The command writes wheel, sdist and a software bill of materials (CycloneDX, locked packages) into
FOLDER, and prints one line per check. If a check fails, the exit status is 1. The command needs
git, and a package index for temporary environments.
"""

import argparse
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from importlib import metadata
from pathlib import Path

from checks.run import REPOSITORY

# From the oldest that pyproject.toml allows to the newest.
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
_TOOLS = ("uv>=0.5", "cyclonedx-bom>=5", "hatchling>=1.27")
_EXAMPLE = Path(__file__).parent / "core_only.py"
_IMPORT_ALL = """
import importlib, pkgutil, beyond_accuracy
modules = pkgutil.walk_packages(beyond_accuracy.__path__, "beyond_accuracy.")
names = [module.name for module in modules if not module.name.endswith("__main__")]
for name in names:
    importlib.import_module(name)
print(len(names))
"""


class CheckFailed(Exception):
    """A check found a fault in a package."""


class Skipped(Exception):
    """A check cannot be made here."""


def call(*command: str | Path, cwd: Path = REPOSITORY, **variables: str) -> str:
    """Run a program and return its output; raise CheckFailed with the output if it fails."""
    # The installed package must not import the sources or the packages of this environment.
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    options = {"text": True, "capture_output": True, "check": False}
    run = subprocess.run(list(map(str, command)), cwd=cwd, env=kept | variables, **options)
    if run.returncode != 0:
        raise CheckFailed(f"{' '.join(map(str, command))}: {(run.stdout + run.stderr)[-2000:]}")
    return run.stdout


def project() -> dict:
    """Return the table `project` of pyproject.toml."""
    return tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]


class Release:
    """The checks, in order; each method returns one line of findings."""

    def __init__(self, folder: Path, temporary: Path):
        self.folder = folder
        self.temporary = temporary
        self.tools = temporary / "tools"

    def checks(self) -> list[tuple[str, Callable[[], str]]]:
        """Return the pairs (name, function) of all checks."""
        return [
            ("version", self.version),
            ("tools", self.install_tools),
            ("the same bytes twice", self.build),
            *((f"Python {version}", partial(self.installs, version)) for version in PYTHONS),
            ("lowest versions", partial(self.installs, PYTHONS[0], "lowest-direct")),
            ("extras", self.extras),
            ("bill of materials", self.bill_of_materials),
        ]

    def version(self) -> str:
        """Compare the version with the tag of this commit; the citation's is compared by a test."""
        version = project()["version"]
        tags = call("git", "tag", "--points-at", "HEAD").split()
        released = [tag for tag in tags if tag.startswith("v")]
        if released and f"v{version}" not in released:
            raise CheckFailed(f"pyproject.toml says {version}, the tag {released}: make them equal")
        return f"{version}, {'as tagged' if released else 'this commit has no tag'}"

    def install_tools(self) -> str:
        """Install the tools that build, resolve and list packages into their own environment."""
        call(sys.executable, "-m", "venv", self.tools)
        call(self.tools / "bin/pip", "install", "--quiet", *_TOOLS)
        return ", ".join(_TOOLS)

    def build(self) -> str:
        """Build from a fresh clone, the working folder and, the wheel, the sdist: the same bytes.

        So untracked files of the working folder stay out of the packages.
        """
        epoch = call("git", "log", "-1", "--format=%ct").strip()
        clone, unpacked = self.temporary / "clone", self.temporary / "unpacked"
        call("git", "clone", "--quiet", "--no-hardlinks", REPOSITORY, clone)
        built = self._hatch(clone, self.folder, epoch)
        with tarfile.open(next(self.folder.glob("*.tar.gz"))) as archive:
            archive.extractall(unpacked, filter="data")
        (unpacked,) = unpacked.iterdir()
        again = self._hatch(REPOSITORY, self.temporary / "from_folder", epoch)
        from_sdist = self._hatch(unpacked, self.temporary / "from_sdist", epoch, "-t", "wheel")
        different = [name for name in built if built[name] != again.get(name)]
        different += [
            f"{name}, built from the sdist"
            for name in from_sdist
            if from_sdist[name] != built[name]
        ]
        if different:
            raise CheckFailed(f"{', '.join(different)}: other bytes; is everything committed?")
        return ", ".join(f"{name} ({len(content) // 1024} kB)" for name, content in built.items())

    def _hatch(self, source: Path, target: Path, epoch: str, *options: str) -> dict[str, bytes]:
        """Build packages in the folder `target` and return their bytes by name."""
        command = [self.tools / "bin/python", "-m", "hatchling", "build", "-d", target, *options]
        call(*command, cwd=source, SOURCE_DATE_EPOCH=epoch)
        return {file.name: file.read_bytes() for file in sorted(target.glob("*-*.*"))}

    def installs(self, python: str, resolution: str = "highest") -> str:
        """Install the wheel alone into an empty environment, and use it there."""
        environment = self._environment(python, f"{python}-{resolution}")
        (wheel,) = self.folder.glob("*.whl")
        # uv lowers only the packages that are named on its command line.
        named = project()["dependencies"] if resolution == "lowest-direct" else []
        self._install(environment, "--resolution", resolution, wheel, *named)
        command = [environment / "bin/python", "-W", "error", _EXAMPLE, project()["version"]]
        cache = {"NUMBA_CACHE_DIR": str(environment / "numba")}
        return call(*command, cwd=environment, **cache).splitlines()[-1]

    def extras(self) -> str:
        """Install the wheel with all extras, the newest that it allows, and import all of it."""
        environment = self._environment("{}.{}".format(*sys.version_info), "extras")
        (wheel,) = self.folder.glob("*.whl")
        extras = project()["optional-dependencies"]
        # Some of these packages have no wheels.
        self._install(environment, f"{wheel}[{','.join(extras)}]", wheels_alone=False)
        imported = call(environment / "bin/python", "-c", _IMPORT_ALL, cwd=environment).strip()
        return f"{' and '.join(extras)}, {imported} modules"

    def _environment(self, python: str, name: str) -> Path:
        """Return a new empty environment; raise Skipped if there is no such Python."""
        uv = self.tools / "bin/uv"
        try:
            program = call(uv, "python", "find", "--no-python-downloads", "--system", python)
        except CheckFailed as error:
            raise Skipped(f"Python {python} is not installed") from error
        call(uv, "venv", "--quiet", "--python", program.strip(), self.temporary / name)
        return self.temporary / name

    def _install(
        self, environment: Path, *arguments: str | Path, wheels_alone: bool = True
    ) -> None:
        options = ["--quiet", "--python", environment / "bin/python"]
        options += ["--only-binary", ":all:"] if wheels_alone else []
        call(self.tools / "bin/uv", "pip", "install", *options, *arguments)

    def bill_of_materials(self) -> str:
        """List the locked packages of the pipeline, and no others, with their licences."""
        environment = self._environment("{}.{}".format(*sys.version_info), "locked")
        lock = REPOSITORY / "requirements.lock"
        self._install(environment, "--require-hashes", "--requirement", lock, wheels_alone=False)
        (packages,) = environment.glob("lib/python*/site-packages")
        file = self.folder / "bill-of-materials.cdx.json"
        options = ["--output-reproducible", "--of", "JSON", "--sv", "1.6", "-o", file]
        options += ["--pyproject", REPOSITORY / "pyproject.toml"]
        call(self.tools / "bin/cyclonedx-py", "environment", *options, environment / "bin/python")
        bill = json.loads(file.read_text(encoding="utf-8"))
        components = bill["components"]
        without = []
        for component in components:
            if not component.get("licenses"):
                title = licence_title(component["name"], packages)
                licence = {"name": title, "acknowledgement": "concluded"}
                component["licenses"] = [{"license": licence}]
                without += [] if title else [component["name"]]
        if without:
            raise CheckFailed(f"no licence known for {', '.join(without)}")
        file.write_text(json.dumps(bill, indent=2) + "\n", encoding="utf-8")
        licences = Counter(_licence(component) for component in components)
        text = ", ".join(f"{name} {count}" for name, count in licences.most_common())
        return f"{len(components)} packages: {text}"


def licence_title(package: str, folder: Path) -> str | None:
    """Return the title of the licence file of a package whose licence has no name, or None."""
    (distribution,) = metadata.distributions(name=package, path=[str(folder)])
    for file in distribution.files or []:
        if file.name.upper().startswith(("LICENSE", "LICENCE")) and ".dist-info" in str(file):
            lines = (line.strip() for line in file.read_text(encoding="utf-8").splitlines())
            title = next(filter(None, lines), "")
            if "license" in title.lower():
                return title
    return None


def _licence(component: dict) -> str:
    """Return the first licence of a component: an SPDX expression, an id, or a name."""
    first = component["licenses"][0]
    licence = first.get("license", {})
    name = first.get("expression") or licence.get("id") or licence.get("name", "")
    return name.splitlines()[0][:40]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all checks, and print one line per check."""
    parser = argparse.ArgumentParser(prog="python -m checks.release", description=__doc__)
    parser.add_argument("folder", type=Path, help="new or empty folder for the packages")
    parser.add_argument("--only", nargs="*", help="names of checks")
    parser.add_argument("--every", action="store_true", help="fail if a check cannot run here")
    given = parser.parse_args(arguments)
    given.folder.mkdir(parents=True, exist_ok=True)
    if any(given.folder.iterdir()):
        parser.error(f"{given.folder} is not empty")
    failed = False
    with tempfile.TemporaryDirectory(prefix="release-") as temporary:
        for name, check in Release(given.folder.resolve(), Path(temporary)).checks():
            if given.only and name not in given.only:
                continue
            try:
                print(f"{name}: {check()}", flush=True)
            except Skipped as reason:
                failed |= given.every
                print(f"{name}: not checked, {reason}", flush=True)
            except CheckFailed as error:
                failed = True
                print(f"{name}: FAILED. {error}", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
