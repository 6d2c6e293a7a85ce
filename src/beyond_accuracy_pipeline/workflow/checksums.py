"""Checksums of what jobs write: stored when a job ends, compared when another reads it.

They are files of `sha256sum`, one for each file, in the folder `checksums` of the results or of the
resources. A result with another content is removed, so that the next run makes it anew: Snakemake
itself asks only whether it is there.
"""

import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from beyond_accuracy_pipeline.results.damage import CHECKSUMS as FOLDER
from beyond_accuracy_pipeline.results.damage import has_checksum, sha256


class DamagedResult(Exception):
    """Results have another content than the jobs that made them wrote, or are gone."""

    def __init__(self, files: Iterable[Path]):
        self.files = list(files)
        super().__init__(
            f"{', '.join(map(str, self.files))}: damaged (the sha256 is not the one that was "
            f"stored when it was written) and removed. Run again to make it anew."
        )


@dataclass(frozen=True)
class Checksums:
    """The checksums of a run; results are files or folders, by the paths the workflow uses.

    What has no checksum, such as a file of the configuration, passes.
    """

    roots: tuple[Path, ...]

    @classmethod
    def of(cls, config: Mapping[str, Any]) -> "Checksums":
        """Return those of the run with this configuration: `results` and `resources`."""
        roots = Path(config["results"]), Path(config["resources"])
        # One may be inside the other.
        return cls(tuple(sorted(roots, key=lambda root: -len(root.parts))))

    def store(self, results: Iterable[str | Path]) -> None:
        """Store the checksums of results that are complete, instead of earlier ones."""
        for result in map(Path, results):
            place = self._place(result)
            shutil.rmtree(place, ignore_errors=True)
            files = sorted(result.rglob("*")) if result.is_dir() else [result]
            for file in filter(Path.is_file, files):
                stored = place / file.relative_to(result) if file != result else place
                stored = stored.with_name(f"{stored.name}.sha256")
                stored.parent.mkdir(parents=True, exist_ok=True)
                line = f"{sha256(file)}  {file}\n"
                stored.write_text(line, encoding="utf-8")

    def check(self, results: Iterable[str | Path]) -> None:
        """Remove results that are damaged, whole folders too, and raise DamagedResult for them."""
        damaged = []
        for result in map(Path, results):
            if not self.holds(result):
                damaged.append(result)
                if result.is_dir() and not result.is_symlink():
                    shutil.rmtree(result, ignore_errors=True)
                else:
                    result.unlink(missing_ok=True)
        if damaged:
            raise DamagedResult(damaged)

    def holds(self, result: str | Path) -> bool:
        """Whether a result, or a file of one, is what was stored."""
        return all(_holds(stored, file) for stored, file in self._stored(Path(result)))

    def results(self) -> list[Path]:
        """Return all files that have a checksum."""
        stored = [(root, path) for root in self.roots for path in _files(root / FOLDER)]
        return [root / path.relative_to(root / FOLDER).with_suffix("") for root, path in stored]

    def _is_inside(self, path: Path) -> bool:
        return any(path.is_relative_to(root) for root in self.roots)

    def _place(self, result: Path) -> Path:
        root = next(root for root in self.roots if result.is_relative_to(root))
        return root / FOLDER / result.relative_to(root)

    def _stored(self, result: Path) -> Iterator[tuple[Path, Path]]:
        """The stored checksums of a result, each with the file that it is of."""
        if not self._is_inside(result):
            return
        place = self._place(result)
        single = place.with_name(f"{place.name}.sha256")
        if single.is_file():
            yield single, result
        for stored in _files(place):
            yield stored, result / stored.relative_to(place).with_suffix("")


def _files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.sha256"))


def _holds(stored: Path, file: Path) -> bool:
    return file.is_file() and has_checksum(file, stored)
