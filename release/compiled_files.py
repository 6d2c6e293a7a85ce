"""`python release/compiled_files.py SOURCES FOLDER`: write the compiled code that a wheel brings.

Compiles what `first_fits.every_use` calls of the package in SOURCES, for the processors of
`beyond_accuracy.compilation_target`, and writes it into the new FOLDER as `compilation` reads it.
The same sources, Python and packages give the same bytes, wherever they are.
"""

import os
import sys
import tempfile
from collections.abc import Iterable
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, SourceFileLoader
from pathlib import Path

# Hashes order sets; numba writes the code that it keeps for itself, here for no one.
_REPRODUCIBLE = {"PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
_ARRAY_EXPRESSION = b"__numba_array_expr_"


class _RelativeSources(SourceFileLoader):
    """Names a file by its place below the working directory: numba puts it into its messages."""

    def source_to_code(self, data, path, **options):
        return super().source_to_code(data, os.path.relpath(path), **options)


def _find_relative_sources(folder: str) -> FileFinder:
    if not Path(folder).is_relative_to(Path.cwd()):
        raise ImportError(folder)
    return FileFinder(folder, (_RelativeSources, SOURCE_SUFFIXES))


def _write(folder: Path) -> int:
    import numba
    from first_fits import compiled_functions, every_use

    from beyond_accuracy.compilation import BroughtFirst, brought_file

    every_use()
    package = Path("beyond_accuracy")
    count = 0
    for function in compiled_functions():
        brought = BroughtFirst(function._cache, brought_file(function, package, folder))
        for signature, result in function.overloads.items():
            brought.bring(signature, result)
            count += 1
    places = {os.fsencode(place) for place in (Path.cwd(), sys.prefix, numba.__path__[0])}
    for file in sorted(folder.rglob("*.nb?")):
        check_code(file.name, file.read_bytes(), places)
    return count


def check_code(name: str, content: bytes, places: Iterable[bytes] = ()) -> None:
    """Raise ValueError if compiled code would be another next time, or elsewhere."""
    if found := [place for place in places if place in content]:
        raise ValueError(f"{name} names {found}, a place on this machine")
    if _ARRAY_EXPRESSION in content:
        raise ValueError(
            f"{name}: numba names an expression of whole arrays by its address, which is another "
            "each time; write it as a loop"
        )


def main(sources: str, folder: str) -> None:
    """Write all files, in a process that is told what to compile for; print how many there are."""
    sources, folder = os.path.realpath(sources), os.path.realpath(folder)
    os.chdir(sources)
    sys.path.insert(0, sources)
    sys.path_hooks.insert(0, _find_relative_sources)
    sys.path_importer_cache.clear()
    # Reads no package that needs numba, which reads the variables once.
    from beyond_accuracy.compilation_target import VARIABLES

    wanted = VARIABLES | _REPRODUCIBLE
    if any(os.environ.get(name) != value for name, value in wanted.items()):
        with tempfile.TemporaryDirectory() as cache:
            environment = {**os.environ, **wanted, "NUMBA_CACHE_DIR": cache}
            command = [sys.executable, __file__, sources, folder]
            raise SystemExit(os.spawnve(os.P_WAIT, sys.executable, command, environment))
    print(_write(Path(folder)))


if __name__ == "__main__":
    main(*sys.argv[1:])
