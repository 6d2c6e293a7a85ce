"""Store checksums of a job's files, and check them when another job reads the files.

Each file in the folders of results and resources has a file in `sha256sum` format in the subfolder
`checksums`. A damaged result is removed, so that the next run makes it again.
"""

import hashlib
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = "checksums"


class DamagedResult(Exception):
    """Exception for results that are missing or do not match their stored checksums."""


@dataclass(frozen=True)
class Checksums:
    """Stored sha256 checksums of the files below some root folders, to detect damaged files.

    A file without a stored checksum passes all checks.
    """

    roots: tuple[Path, ...]

    @classmethod
    def of(cls, config: Mapping[str, Any]) -> "Checksums":
        """Return the checksums of a configured run's folders `results` and `resources`."""
        roots = Path(config["results"]), Path(config["resources"])
        # If one folder is inside the other, the inner folder must come first.
        return cls(tuple(sorted(roots, key=lambda root: -len(root.parts))))

    def store(self, results: Iterable[str | Path]) -> None:
        """Store the checksums of `results`, files or folders, and replace earlier checksums."""
        for result in map(Path, results):
            shutil.rmtree(self._folder(result), ignore_errors=True)
            for file in [result, *sorted(result.rglob("*"))]:
                if file.is_file():
                    checksum = self._checksum(file)
                    checksum.parent.mkdir(parents=True, exist_ok=True)
                    checksum.write_text(f"{sha256(file)}  {file}\n", encoding="utf-8")

    def check(self, results: Iterable[str | Path]) -> None:
        """Remove the damaged files and folders in `results`, and raise DamagedResult for them.

        A folder is damaged if one of its files is missing or damaged.
        """
        damaged = [result for result in map(Path, results) if not self.holds(result)]
        for result in damaged:
            if result.is_dir() and not result.is_symlink():
                shutil.rmtree(result, ignore_errors=True)
            else:
                result.unlink(missing_ok=True)
        if damaged:
            raise DamagedResult(
                f"{', '.join(map(str, damaged))}: damaged (the sha256 is not the one that was "
                "stored when it was written) and removed. Run again to make it anew."
            )

    def holds(self, result: str | Path) -> bool:
        """Return whether a file or folder matches its stored checksums; True if none is stored."""
        result = Path(result)
        if not any(result.is_relative_to(root) for root in self.roots):
            return True
        folder = self._folder(result)
        stored = {
            result / path.relative_to(folder).with_suffix(""): path
            for path in folder.rglob("*.sha256")
        }
        if (checksum := self._checksum(result)).is_file():
            stored[result] = checksum
        return all(
            file.is_file() and sha256(file) == path.read_text("utf-8", "replace").partition(" ")[0]
            for file, path in stored.items()
        )

    def files(self) -> list[Path]:
        """Return the paths of all files that have a stored checksum."""
        return [
            root / path.relative_to(root / FOLDER).with_suffix("")
            for root in self.roots
            for path in sorted((root / FOLDER).rglob("*.sha256"))
        ]

    def _folder(self, result: Path) -> Path:
        root = next(root for root in self.roots if result.is_relative_to(root))
        return root / FOLDER / result.relative_to(root)

    def _checksum(self, file: Path) -> Path:
        folder = self._folder(file)
        return folder.with_name(f"{folder.name}.sha256")


def sha256(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
