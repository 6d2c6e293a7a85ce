"""Digests of code: each change of a module is seen by those that use it, and by no others."""

import importlib
import sys

import pytest

from beyond_accuracy.pipeline import digest

FILES = {
    "__init__.py": "",
    "low.py": "def value():\n    return 1\n",
    "user.py": "from .low import value\n",
    "late.py": "def call():\n    from example import low\n    return low.value()\n",
    "apart.py": "import json\n",
    "named.py": "MODULE = 'example.low'\n",
    "reports/__init__.py": "from .page import build\n",
    "reports/page.py": "import example.user as user\n\n\ndef build():\n    return user\n",
    "reports/templates/page.html": "<p></p>\n",
    "star.py": "from example.low import *\n",
}


@pytest.fixture
def package(tmp_path, monkeypatch):
    folder = tmp_path / "example"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    yield folder
    forget()
    assert not [name for name in sys.modules if name.startswith("example")], "it was imported"


def forget():
    for function in (digest._digest, digest._locate, digest._imports):
        function.cache_clear()


MODULES = ["low", "user", "late", "apart", "named", "star", "reports", "reports.page"]


def digests():
    forget()
    return {name: digest.module_digest(f"example.{name}") for name in MODULES}


@pytest.mark.parametrize(
    ("file", "changed"),
    [
        ("low.py", set(MODULES) - {"apart"}),
        ("user.py", {"user", "reports", "reports.page"}),
        ("apart.py", {"apart"}),
        ("reports/templates/page.html", {"reports", "reports.page"}),
        ("reports/page.py", {"reports", "reports.page"}),
        ("__init__.py", set(MODULES)),
    ],
)
def test_a_change_is_seen_by_its_users_only(package, file, changed):
    before = digests()
    with (package / file).open("a") as stream:
        stream.write("\nCHANGED = True\n")
    after = digests()
    assert {name for name in MODULES if before[name] != after[name]} == changed


def test_new_data_file_counts_and_bytecode_does_not(package):
    before = digests()
    (package / "reports/__pycache__").mkdir()
    (package / "reports/__pycache__/page.cpython-311.pyc").write_bytes(b"1")
    assert digests() == before
    (package / "reports/table.csv").write_text("1\n")
    assert digests()["reports"] != before["reports"]


def test_does_not_depend_on_the_place(package, tmp_path, monkeypatch):
    before = digests()
    (tmp_path / "elsewhere").mkdir()
    package.rename(tmp_path / "elsewhere/example")
    monkeypatch.syspath_prepend(tmp_path / "elsewhere")
    sys.path_importer_cache.clear()
    assert digests() == before


def test_several_modules_are_a_set(package):
    forget()
    both = digest.module_digest("example.low", "example.apart")
    assert both == digest.module_digest("example.apart", "example.low", "example.low")
    assert both != digest.module_digest("example.low")


def test_cycles_end(package):
    (package / "low.py").write_text("from example import user\n")
    forget()
    assert digest.imported_modules("example.low") == {"example", "example.low", "example.user"}


def test_unknown_module_is_an_error(package):
    with pytest.raises(ModuleNotFoundError, match=r"example\.missing"):
        digest.module_digest("example.missing")


def test_finds_what_python_imports():
    """Whatever of the package Python loads for a module is part of the module's closure."""
    import subprocess

    code = (
        "import sys, beyond_accuracy.measures\n"
        "print(*(name for name in sys.modules if name.startswith('beyond_accuracy')))"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert set(loaded) <= digest.imported_modules("beyond_accuracy.measures")


def test_comments_docstrings_and_layout_do_not_count(package):
    before = digests()
    (package / "low.py").write_text(
        '"""Doc."""\n\n\ndef value():\n    """Doc."""\n    return (1)  # one\n'
    )
    assert digests() == before
