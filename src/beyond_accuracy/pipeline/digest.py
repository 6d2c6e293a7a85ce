"""Digests of library code, so that a change of a module reruns just the rules that use it.

Snakemake tracks a rule's script, but not the modules that the script imports. A rule that lists
:func:`module_digest` of its entry point among its ``params`` is rerun when that module, or any
module of the same top-level package that it imports directly or indirectly, changes.

A package whose ``__init__.py`` does nothing but re-export names is looked through: who imports a
name from it depends on the module that defines the name, and not on its neighbours.
"""

import ast
import hashlib
import importlib.util
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

_IGNORED_SUFFIXES = {".pyc", ".nbi", ".nbc"}


def module_digest(*modules: str, apart: Iterable[str] = ()) -> str:
    """Return the sha256 of the sources of `modules` and of all that they import.

    Parameters
    ----------
    *modules : str
        Dotted names of modules, e.g. ``"beyond_accuracy.experiments.run"``, or of what they
        define, e.g. ``"beyond_accuracy.estimators.MultivariateSVC"``. Only modules of the same
        top-level package are followed; what comes from elsewhere is pinned by the lock file.
    apart : iterable of str, default=()
        Modules that are imported for what does not concern `modules`, such as a list of all there
        is, one of which is used. Neither their code nor what they import counts.

    Returns
    -------
    str
        64 hexadecimal digits. They depend on the names of the files and on what they do: comments,
        docstrings and layout do not count, nor where the package is installed. A package counts
        with its ``__init__.py`` and its data files (templates, tables), and so does every parent
        package; one that only re-exports names counts with its data files alone, unless the
        package as a whole is what is imported.

    Raises
    ------
    ModuleNotFoundError
        If one of `modules` does not exist, nor its parent.

    Notes
    -----
    Imports are found in the syntax tree, wherever in the module they stand; nothing is executed.
    A string that is the dotted name of a module (a registry, ``importlib.resources``) counts as
    an import of it. A module that has an effect on others by being imported, such as an entry in a
    registry, has to be imported by those.
    """
    return _digest(tuple(sorted(set(modules))), frozenset(apart))


@cache
def _digest(modules: tuple[str, ...], apart: frozenset[str]) -> str:
    total = hashlib.sha256()
    for name, path in sorted(_source_files(modules, apart)):
        total.update(f"{name}\0{_file_digest(path)}\n".encode())
    return total.hexdigest()


@cache
def _file_digest(path: Path) -> str:
    content = _code(path) if path.suffix == ".py" else path.read_bytes()
    return hashlib.sha256(content).hexdigest()


def _code(path: Path) -> bytes:
    """Return what a source file does: its syntax tree without docstrings and comments."""
    tree = _tree(path)
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
            and ast.get_docstring(node, clean=False) is not None
        ):
            del node.body[0]
    return ast.dump(tree).encode()


def imported_modules(*modules: str, apart: Iterable[str] = ()) -> set[str]:
    """Return `modules`, their parent packages and all that these import, as dotted names."""
    return set(_closure(modules, frozenset(apart)))


def _closure(modules: Iterable[str], apart: frozenset[str]) -> dict[str, bool]:
    """Return all modules by name, and of each whether its code counts."""
    found: dict[str, bool] = {}
    waiting: list[str] = []
    for name in modules:
        package = name.rpartition(".")[0]
        defining = _defining(name)
        if defining is None or (defining == package and _exports(package) is not None):
            raise ModuleNotFoundError(f"there is no module named {name!r}", name=name)
        waiting.append(defining)
    while waiting:
        name = waiting.pop()
        if found.get(name):
            continue
        found[name] = True
        waiting.extend(_imports(name) - apart)
        while "." in name:
            name = name.rpartition(".")[0]
            if _exports(name) is None and name not in apart:
                waiting.append(name)
            else:
                found.setdefault(name, False)
    return found


def _source_files(modules: tuple[str, ...], apart: frozenset[str]) -> Iterator[tuple[str, Path]]:
    for name, counts in _closure(modules, apart).items():
        path = _locate(name)
        assert path is not None
        if counts:
            yield name, path
        if path.name == "__init__.py":
            for data_file in _data_files(path.parent):
                yield f"{name}/{data_file.relative_to(path.parent).as_posix()}", data_file


def _data_files(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        if path.is_dir():
            if path.name != "__pycache__" and not (path / "__init__.py").exists():
                yield from _data_files(path)
        elif path.suffix != ".py" and path.suffix not in _IGNORED_SUFFIXES:
            yield path


@cache
def _locate(name: str) -> Path | None:
    """Return the file of a module without importing it, or None if there is no such module."""
    package, _, leaf = name.rpartition(".")
    if not package:
        spec = importlib.util.find_spec(name)
        return Path(spec.origin) if spec and spec.origin else None
    parent = _locate(package)
    if parent is None or parent.name != "__init__.py":
        return None
    candidates = (parent.parent / leaf / "__init__.py", parent.parent / f"{leaf}.py")
    return next((path for path in candidates if path.is_file()), None)


def _defining(name: str) -> str | None:
    """Return the module `name`, or the one that defines what is called so; None if there is none.

    Of ``package.thing`` that is the module from which the package re-exports the thing; the package
    itself where that cannot be told.
    """
    if _locate(name) is not None:
        return name
    package, _, leaf = name.rpartition(".")
    if not package or _locate(package) is None:
        return None
    return _defining((_exports(package) or {}).get(leaf, package))


@cache
def _exports(name: str) -> dict[str, str] | None:
    """Return where the names of a package that only re-exports them come from; None for others."""
    path = _locate(name)
    if path is None or path.name != "__init__.py":
        return None
    origins: dict[str, str] = {}
    for node in _tree(path).body:
        match node:
            case ast.ImportFrom(names=aliases) if all(alias.name != "*" for alias in aliases):
                base = _base(node, name)
                if base.partition(".")[0] != name.partition(".")[0]:
                    return None
                origins |= {alias.asname or alias.name: f"{base}.{alias.name}" for alias in aliases}
            case ast.Assign(targets=[ast.Name(id="__all__")]) | ast.Expr(value=ast.Constant()):
                pass
            case _:
                return None
    return origins


@cache
def _imports(name: str) -> frozenset[str]:
    """Return the modules of the same top-level package that the module `name` imports itself."""
    path = _locate(name)
    assert path is not None
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    top_level = name.partition(".")[0]
    candidates: set[str] = set()
    for node in ast.walk(_tree(path)):
        match node:
            case ast.Import(names=aliases):
                candidates.update(alias.name for alias in aliases)
            case ast.ImportFrom(names=aliases):
                base = _base(node, package)
                # `from package import name` imports a submodule, or what the package or a module
                # defines.
                candidates.update(
                    base if alias.name == "*" else f"{base}.{alias.name}" for alias in aliases
                )
            case ast.Constant(value=str(text)) if text.startswith(f"{top_level}."):
                if all(part.isidentifier() for part in text.split(".")):
                    candidates.add(text)
    own = {each for each in candidates if each.partition(".")[0] == top_level}
    return frozenset(module for module in map(_defining, own) if module is not None)


def _base(node: ast.ImportFrom, package: str) -> str:
    """Return the absolute name of the module from which a statement in `package` imports."""
    return importlib.util.resolve_name("." * node.level + (node.module or ""), package)


def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_bytes(), filename=str(path))
