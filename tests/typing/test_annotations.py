"""Whoever has an editor or a type checker sees the types of the public interface."""

import inspect
import subprocess
import sys
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

PACKAGES = (
    "estimators",
    "inference",
    "measures",
    "operating_points",
    "reweighting",
)


@cache
def public_objects():
    found = {}
    for package in PACKAGES:
        module = import_module(f"beyond_accuracy.{package}")
        found |= {f"{package}.{name}": getattr(module, name) for name in module.__all__}
    return found


def missing_annotations(function, name):
    """Parameters without a type, and "return"."""
    signature = inspect.signature(function)
    missing = [
        each.name
        for each in signature.parameters.values()
        if each.annotation is each.empty and each.name not in ("self", "cls")
    ]
    if signature.return_annotation is signature.empty:
        missing.append("return")
    return [f"{name}: {each}" for each in missing]


def own_functions(base):
    """Functions of a class that users call."""
    for name, member in vars(base).items():
        function = getattr(member, "__func__", getattr(member, "fget", member))
        if (not name.startswith("_") or name == "__init__") and inspect.isfunction(function):
            yield name, inspect.unwrap(function)


@pytest.mark.parametrize("name", public_objects())
def test_everything_public_has_types(name):
    thing = public_objects()[name]
    if inspect.isfunction(thing):
        assert missing_annotations(thing, name) == []
    if not inspect.isclass(thing):
        return
    bases = [base for base in thing.__mro__ if base.__module__.startswith("beyond_accuracy.")]
    assert [
        missing
        for base in bases
        for method, function in own_functions(base)
        for missing in missing_annotations(function, f"{base.__qualname__}.{method}")
    ] == []


def pyright(path):
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, str(path)]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.mark.slow
@pytest.mark.skipif(find_spec("pyright") is None, reason="make test-types brings pyright")
def test_pyright_accepts_typical_uses_and_finds_mistakes(tmp_path):
    accepted = pyright(Path(__file__).parent / "typical_uses.py")
    assert accepted.returncode == 0, accepted.stdout
    wrong = tmp_path / "wrong.py"
    wrong.write_text(
        "from beyond_accuracy import MultivariatSVC, MultivariateSVC\n"
        "MultivariateSVC('f1', 'large')\n"
        "MultivariateSVC(line_serach=False)\n"
    )
    refused = pyright(wrong).stdout
    assert {f"wrong.py:{line}:" in refused for line in (1, 2, 3)} == {True}, refused
