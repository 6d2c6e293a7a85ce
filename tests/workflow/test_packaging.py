"""pyproject.toml, requirements.lock and CITATION.cff say the same, and packages are complete."""

import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name


@pytest.fixture(scope="module")
def project(repository):
    return tomllib.loads((repository / "pyproject.toml").read_text())


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
    # A group names another, whose requirements are listed there, as a table.
    for text in (text for group in groups for text in group if isinstance(text, str)):
        requirement = Requirement(text)
        if canonicalize_name(requirement.name) != project["project"]["name"]:
            yield requirement


def test_every_direct_dependency_is_locked_within_its_bounds(repository, project):
    text = (repository / "requirements.lock").read_text()
    # A package can be pinned once for each marker.
    pins = re.findall(r"^([A-Za-z0-9._-]+)(?:\[.*\])?==([^ ;]+)", text, flags=re.MULTILINE)
    for requirement in direct_requirements(project):
        name = canonicalize_name(requirement.name)
        versions = [version for pinned, version in pins if canonicalize_name(pinned) == name]
        assert versions, requirement
        assert all(map(requirement.specifier.contains, versions)), requirement


def test_versions_agree(repository, project):
    citation = yaml.safe_load((repository / "CITATION.cff").read_text())
    for key in ("version", "license"):
        assert citation[key] == project["project"][key]


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
