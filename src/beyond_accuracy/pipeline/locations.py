"""Where a key of the configuration stands: file and line, for error messages."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from beyond_accuracy.datasets.yaml_lines import (
    ConfigurationSyntaxError,
    KeyPath,
    compose,
    duplicate_keys,
    format_key,
    line_of,
)

__all__ = ["ConfigurationSyntaxError", "KeyPath", "Locations", "compose", "format_key"]


class Locations:
    """Finds the place from which a value of the merged configuration comes.

    Parameters
    ----------
    files : sequence of paths
        The files that were merged, the one that wins last.
    command_line : mapping, default={}
        Values given with ``--config``, which win over all files.

    Raises
    ------
    ConfigurationSyntaxError
        If a file is not valid YAML.
    """

    def __init__(
        self, files: Sequence[str | Path], command_line: Mapping[str, Any] | None = None
    ) -> None:
        self._roots = [(str(file), compose(file)) for file in files]
        self._command_line = command_line or {}

    def of(self, path: KeyPath) -> str:
        """Return ``file, line n`` of the key at `path`, or of the mapping that lacks it."""
        if path and path[0] in self._command_line:
            return "--config on the command line"
        for length in range(len(path), 0, -1):
            for file, root in reversed(self._roots):
                line = line_of(root, path[:length])
                if line is not None:
                    return f"{file}, line {line}"
        return self._roots[0][0] if self._roots else "the configuration"

    def duplicates(self) -> Iterator[tuple[str, KeyPath]]:
        """Yield place and path of keys that a file gives twice (YAML would keep the last)."""
        for file, root in self._roots:
            for path, line in duplicate_keys(root):
                yield f"{file}, line {line}", path
