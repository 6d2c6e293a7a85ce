"""pyproject.toml, requirements.lock and environment.yml say the same."""

import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile

import pytest
import yaml
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version


@pytest.fixture(scope="module")
def project(repository):
    return tomllib.loads((repository / "pyproject.toml").read_text())


@pytest.fixture(scope="module")
def lock_text(repository):
    return (repository / "requirements.lock").read_text()


@pytest.fixture(scope="module")
def locked(lock_text):
    """Return all pinned versions by name; a package can be pinned once for each marker."""
    pins = {}
    for line in re.findall(r"^[A-Za-z0-9].*==.*$", lock_text, flags=re.MULTILINE):
        requirement = Requirement(line.removesuffix("\\").strip())
        (specifier,) = requirement.specifier
        pins.setdefault(canonicalize_name(requirement.name), []).append(
            (Version(specifier.version), requirement.marker)
        )
    return pins


# What few need: the driver of a browser, 45 MB, for the tests of the pages; Sphinx; Dask; rivals.
NOT_LOCKED = ("browser", "distributed", "docs", "rivals")


def direct_requirements(project):
    optional = project["project"].get("optional-dependencies", {})
    optional = optional | project.get("dependency-groups", {})
    groups = [
        project["build-system"]["requires"],
        project["project"]["dependencies"],
        *(group for name, group in optional.items() if name not in NOT_LOCKED),
    ]
    own = canonicalize_name(project["project"]["name"])
    # A group names another, whose requirements are listed there, as a table.
    for text in (text for group in groups for text in group if isinstance(text, str)):
        requirement = Requirement(text)
        if canonicalize_name(requirement.name) != own:
            yield requirement


def test_every_direct_dependency_is_locked_within_its_bounds(project, locked):
    for requirement in direct_requirements(project):
        versions = [version for version, _ in locked[canonicalize_name(requirement.name)]]
        assert versions, requirement
        assert all(requirement.specifier.contains(version) for version in versions), requirement


def test_every_pin_has_hashes(lock_text):
    for block in re.split(r"\n(?=\S)", lock_text.strip()):
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", block), block


def test_the_lock_is_what_runs_here(locked):
    from importlib.metadata import version

    environment = default_environment()
    for name in ("numpy", "scipy", "scikit-learn", "numba", "snakemake", "pandas"):
        pins = [pin for pin, marker in locked[name] if not marker or marker.evaluate(environment)]
        assert pins == [Version(version(name))]


def test_environment_is_python_pip_the_lock_and_the_package(repository, project):
    text = (repository / "environment.yml").read_text()
    python, pip, packages = yaml.safe_load(text)["dependencies"]
    assert pip == "pip"
    # One call of pip installs all that is listed here, and it refuses the package next to hashes.
    assert packages == {"pip": ["-r requirements.lock"]}
    assert "pip install --no-deps --no-build-isolation --editable ." in text
    name, _, version = python.partition("=")
    assert name == "python"
    assert SpecifierSet(project["project"]["requires-python"]).contains(f"{version}.0")


def test_versions_agree(repository, project):
    citation = yaml.safe_load((repository / "CITATION.cff").read_text())
    assert citation["version"] == project["project"]["version"]
    assert citation["license"] == project["project"]["license"]


def test_wheel_is_the_library_and_the_sources_are_all(repository, tmp_path):
    command = [sys.executable, "-m", "hatchling", "build", "-d", tmp_path, "-t", "wheel"]
    subprocess.run([*command, "-t", "sdist"], cwd=repository, check=True, capture_output=True)
    source = repository / "src"
    files = {
        file.relative_to(source).as_posix()
        for file in source.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    with zipfile.ZipFile(*tmp_path.glob("*-py3-none-any.whl")) as wheel:
        held = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert held == {file for file in files if file.startswith("beyond_accuracy/")}
    with tarfile.open(*tmp_path.glob("*.tar.gz")) as sources:
        names = {name.partition("/")[2] for name in sources.getnames()}
    assert {f"src/{file}" for file in files} <= names
