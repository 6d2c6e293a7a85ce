"""Whoever has an editor or a type checker sees the types of the public interface."""

import ast
import inspect
import re
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


@cache
def syntax(path):
    return ast.parse(Path(path).read_text(encoding="utf-8"))


def nodes_of(base):
    body = next(
        node
        for node in ast.walk(syntax(inspect.getfile(base)))
        if isinstance(node, ast.ClassDef) and node.name == base.__name__
    )
    return list(ast.walk(body))


def typed_attributes(base):
    """Attributes whose type a class declares, and its properties."""
    targets = (node.target for node in nodes_of(base) if isinstance(node, ast.AnnAssign))
    declared = {target.attr if isinstance(target, ast.Attribute) else target.id
                for target in targets}  # fmt: skip
    return declared | {name for name, member in vars(base).items() if isinstance(member, property)}


def documented_attributes(base):
    """Attributes of a fit, `name_`, that the docstring lists."""
    _, _, section = (inspect.getdoc(base) or "").partition("Attributes\n----------\n")
    heads = re.findall(r"^[a-zA-Z].*$", section.partition("\n\n")[0], re.M)
    return {name for head in heads for name in re.findall(r"\w+_\b", head.partition(" : ")[0])}


def untyped_attributes(base):
    """Public attributes that a class sets without saying what they are.

    One that keeps a parameter of `__init__` as it is has the type of this.
    """
    nodes = nodes_of(base)
    kept = {
        node.value.id
        for node in nodes
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Name)
        and ast.unparse(node.targets[0]) == f"self.{node.value.id}"
    }
    stored = {
        node.attr
        for node in nodes
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
        and not node.attr.startswith("_")
    }
    return stored - typed_attributes(base) - kept


@pytest.mark.parametrize("name", public_objects())
def test_everything_public_has_types(name):
    thing = public_objects()[name]
    if inspect.isfunction(thing):
        assert missing_annotations(thing, name) == []
    if not inspect.isclass(thing):
        return
    own = [each for each in thing.__mro__ if each.__module__.startswith("beyond_accuracy.")]
    missing = []
    for base in own:
        for method, function in own_functions(base):
            missing += missing_annotations(function, f"{base.__qualname__}.{method}")
        missing += [f"{base.__qualname__}.{each}" for each in sorted(untyped_attributes(base))]
    typed = set().union(*map(typed_attributes, own))
    missing += sorted(documented_attributes(thing) - typed)
    assert missing == []


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


def test_annotations_that_are_missing_are_found():
    def incomplete(first: int, second, *, third: int = 0):
        return first

    assert missing_annotations(incomplete, "f") == ["f: second", "f: return"]
