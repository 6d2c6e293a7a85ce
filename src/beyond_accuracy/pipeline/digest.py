"""Digests of library code, so that a change of a module reruns just the rules that use it.

Snakemake tracks a rule's script, but not the modules that the script imports. A rule that lists
:func:`module_digest` of its entry point among its ``params`` is rerun when that module, or any
module of the same top-level package that it imports directly or indirectly, changes.
"""

import ast
import hashlib
import importlib.util
from collections.abc import Iterator
from functools import cache
from pathlib import Path

_IGNORED_SUFFIXES = {".pyc", ".nbi", ".nbc"}


def module_digest(*modules: str) -> str:
    """Return the sha256 of the sources of `modules` and of all that they import.

    Parameters
    ----------
    *modules : str
        Dotted names, e.g. ``"beyond_accuracy.experiments.run"``. Only modules of the same
        top-level package are followed; what comes from elsewhere is pinned by the lock file.

    Returns
    -------
    str
        64 hexadecimal digits. They depend on the names of the files and on what they do: comments,
        docstrings and layout do not count, nor where the package is installed. A package counts
        with its ``__init__.py`` and its data files (templates, tables), and so does every parent
        package.

    Raises
    ------
    ModuleNotFoundError
        If one of `modules` does not exist.

    Notes
    -----
    Imports are found in the syntax tree, wherever in the module they stand; nothing is executed.
    A string that is the dotted name of a module (a registry, ``importlib.resources``) counts as
    an import of it.
    """
    return _digest(tuple(sorted(set(modules))))


@cache
def _digest(modules: tuple[str, ...]) -> str:
    total = hashlib.sha256()
    for name, path in sorted(_source_files(modules)):
        content = _code(path) if path.suffix == ".py" else path.read_bytes()
        total.update(f"{name}\0{hashlib.sha256(content).hexdigest()}\n".encode())
    return total.hexdigest()


def _code(path: Path) -> bytes:
    """Return what a source file does: its syntax tree without docstrings and comments."""
    tree = ast.parse(path.read_bytes(), filename=str(path))
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
            and ast.get_docstring(node, clean=False) is not None
        ):
            del node.body[0]
    return ast.dump(tree).encode()


def imported_modules(*modules: str) -> set[str]:
    """Return `modules`, their parent packages and all that these import, as dotted names."""
    found: set[str] = set()
    waiting = list(modules)
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        if _locate(name) is None:
            raise ModuleNotFoundError(f"there is no module named {name!r}", name=name)
        found.add(name)
        waiting.extend(_imports(name))
        if "." in name:
            waiting.append(name.rpartition(".")[0])
    return found


def _source_files(modules: tuple[str, ...]) -> Iterator[tuple[str, Path]]:
    for name in imported_modules(*modules):
        path = _locate(name)
        assert path is not None
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


@cache
def _imports(name: str) -> frozenset[str]:
    """Return the modules of the same top-level package that the module `name` imports itself."""
    path = _locate(name)
    assert path is not None
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    top_level = name.partition(".")[0]
    candidates: set[str] = set()
    for node in ast.walk(ast.parse(path.read_bytes(), filename=str(path))):
        match node:
            case ast.Import(names=aliases):
                candidates.update(alias.name for alias in aliases)
            case ast.ImportFrom(module=module, names=aliases, level=level):
                base = importlib.util.resolve_name("." * level + (module or ""), package)
                candidates.add(base)
                # `from package import name` imports a submodule or an attribute: the
                # candidates that are no modules are dropped below.
                candidates.update(f"{base}.{alias.name}" for alias in aliases)
            case ast.Constant(value=str(text)) if text.startswith(f"{top_level}."):
                if all(part.isidentifier() for part in text.split(".")):
                    candidates.add(text)
    return frozenset(
        candidate
        for candidate in candidates
        if candidate.partition(".")[0] == top_level and _locate(candidate) is not None
    )
