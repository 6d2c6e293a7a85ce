"""Digests of code change with the files of a package, and only with them."""

import re
from pathlib import Path

import pytest

import beyond_accuracy_pipeline
from beyond_accuracy_pipeline.workflow.digest import (
    EXPERIMENTS,
    OVERVIEW,
    PREPARATION,
    REPORTS,
    source_digest,
)

FILES = {
    "low/__init__.py": "",
    "low/sums.py": "def value():\n    return 1\n",
    "high/page.py": "import low\n",
    "high/templates/page.html": "<p></p>\n",
    "alone.py": "ALONE = 1\n",
}


@pytest.fixture
def library(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def digests(library):
    source_digest.cache_clear()
    combinations = [("low",), ("high",), ("low", "high"), ("alone.py",)]
    return {names: source_digest(*names, root=library) for names in combinations}


@pytest.mark.parametrize(
    ("file", "text", "changed"),
    [
        ("low/sums.py", "def value():\n    return 2\n", "low"),
        ("low/new.py", "NEW = 1\n", "low"),
        ("high/templates/page.html", "<div></div>\n", "high"),
        ("high/names.yaml", "label: 1\n", "high"),
        ("low/paper.yaml", "label: 1\n", None),
        ("low/__pycache__/sums.cpython-311.pyc", "1", None),
        ("other/sums.py", "OTHER = 1\n", None),
        ("alone.py", "ALONE = 2\n", "alone.py"),
    ],
)
def test_changes_with_what_the_floor_holds(library, file, text, changed):
    before = digests(library)
    (library / file).parent.mkdir(exist_ok=True)
    (library / file).write_text(text)
    after = digests(library)
    assert {names for names in before if before[names] != after[names]} == {
        names for names in before if changed in names
    }


@pytest.mark.parametrize("floors", [PREPARATION, OVERVIEW, EXPERIMENTS, REPORTS])
def test_floors_exist_and_import_no_others(floors):
    """A change of an imported module outside them would not cause a rerun."""
    assert len(source_digest(*floors)) == 64
    root = Path(beyond_accuracy_pipeline.__file__).parents[1]
    folders = [root / floor for floor in floors]
    files = [
        file for each in folders for file in ([each] if each.is_file() else each.rglob("*.py"))
    ]
    imports = re.compile(r"^\s*(?:from|import) (beyond_accuracy\w*\.[\w.]+)", re.MULTILINE)
    for name in {name for file in files for name in imports.findall(file.read_text())}:
        path = root / name.replace(".", "/")
        assert any(path.is_relative_to(folder.with_suffix("")) for folder in folders), name
