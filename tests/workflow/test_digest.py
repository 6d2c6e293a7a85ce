"""Digests of code: each change of a module is seen by those that use it, and by no others."""

import importlib
import shutil
import sys
from types import SimpleNamespace

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
    "facade/__init__.py": (
        "from example.facade.one import One\nfrom .two import Two as Second\n\n__all__ = ['One']\n"
    ),
    "facade/one.py": "class One: ...\n",
    "facade/two.py": "class Two: ...\n",
    "facade/data.csv": "1\n",
    "one_user.py": "from example.facade import One\n",
    "two_user.py": "from .facade import Second\n",
    "whole_user.py": "import example.facade\n",
    "star_user.py": "from example.facade import *\n",
    "unknown_user.py": "from example.facade import __all__\n",
    "text_user.py": "NAME = 'example.facade.One'\n",
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
    caches = ("_digest", "_file_digest", "_locate", "_imports", "_exports")
    for function in caches:
        getattr(digest, function).cache_clear()


MODULES = ["low", "user", "late", "apart", "named", "star", "reports", "reports.page"]


USERS = ["one_user", "two_user", "whole_user", "star_user", "unknown_user", "text_user",
         "facade.one", "facade.two", "facade.One", "facade.Second"]  # fmt: skip
WHOLE = {"whole_user", "star_user", "unknown_user"}


def digests(names=MODULES):
    forget()
    return {name: digest.module_digest(f"example.{name}") for name in names}


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


@pytest.mark.parametrize(
    ("file", "text", "changed"),
    [
        ("one.py", "\nCHANGED = 1\n",
         WHOLE | {"one_user", "text_user", "facade.one", "facade.One"}),
        ("two.py", "\nCHANGED = 1\n", WHOLE | {"two_user", "facade.two", "facade.Second"}),
        ("__init__.py", "from example.facade.three import Three\n", WHOLE),
        ("__init__.py", "from example.facade.three import Three as One\n",
         WHOLE | {"one_user", "text_user", "facade.One"}),
        ("__init__.py", "\nprint()\n", set(USERS)),
        ("__init__.py", "import example.low\n", set(USERS)),
        ("data.csv", "2\n", set(USERS)),
    ],
)  # fmt: skip
def test_names_that_a_package_re_exports_lead_to_their_module(package, file, text, changed):
    (package / "facade/three.py").write_text("class Three: ...\n")
    before = digests(USERS)
    with (package / "facade" / file).open("a") as stream:
        stream.write(text)
    after = digests(USERS)
    assert {name for name in USERS if before[name] != after[name]} == changed


def test_what_other_papers_add_reruns_no_fit(repository, tmp_path, monkeypatch):
    """New estimators, protocols, measures' neighbours and keys of the configuration."""
    shutil.copytree(repository / "src/beyond_accuracy", tmp_path / "beyond_accuracy",
                    ignore=shutil.ignore_patterns("__pycache__"))  # fmt: skip
    monkeypatch.syspath_prepend(tmp_path)
    path = tmp_path / "beyond_accuracy/__init__.py"
    monkeypatch.setattr(
        digest.importlib.util, "find_spec", lambda name: SimpleNamespace(origin=str(path))
    )
    fit = ["beyond_accuracy.experiments.run", "beyond_accuracy.experiments.binary",
           "beyond_accuracy.estimators.MultivariateSVC"]  # fmt: skip
    forget()
    before = digest.module_digest(*fit)
    package = tmp_path / "beyond_accuracy"
    for folder in ("estimators", "solvers", "measures"):
        (package / folder / "other.py").write_text("class New: ...\n")
        with (package / folder / "__init__.py").open("a") as stream:
            stream.write(f"from beyond_accuracy.{folder}.other import New\n")
    (package / "experiments/other.py").write_text("class Experiment: ...\n")
    with (package / "pipeline/configuration.py").open("a") as stream:
        stream.write("\n\nclass OtherPaper(Strict): ...\n")
    forget()
    assert digest.module_digest(*fit) == before
    with (package / "estimators/multivariate_svc.py").open("a") as stream:
        stream.write("CHANGED = 1\n")
    forget()
    assert digest.module_digest(*fit) != before
    forget()


def test_what_stands_apart_does_not_count(package):
    forget()
    both = digest.module_digest("example.reports.page", apart=["example.user"])
    assert both != digest.module_digest("example.reports.page")
    assert digest.imported_modules("example.reports.page", apart=["example.user"]) == {
        "example", "example.reports", "example.reports.page"
    }  # fmt: skip
    with (package / "user.py").open("a") as stream:
        stream.write("CHANGED = 1\n")
    forget()
    assert digest.module_digest("example.reports.page", apart=["example.user"]) == both


def test_a_package_that_stands_apart_does_not_count_for_its_modules(package):
    (package / "lists").mkdir()
    (package / "lists/__init__.py").write_text(
        "from example import apart, low\nALL = [apart, low]\n"
    )
    (package / "lists/one.py").write_text("ONE = 1\n")
    names = {"example", "example.lists", "example.lists.one"}
    forget()
    everything = {*names, "example.apart", "example.low"}
    assert digest.imported_modules("example.lists.one") == everything
    assert digest.imported_modules("example.lists.one", apart=["example.lists"]) == names


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
    for name in ("example.missing", "example.facade.Missing", "example.missing.thing"):
        with pytest.raises(ModuleNotFoundError, match=name):
            digest.module_digest(name)


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
