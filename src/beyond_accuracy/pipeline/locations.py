"""Where a key of the configuration stands: file and line, for error messages."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from beyond_accuracy.datasets.yaml_lines import (
    ConfigurationSyntaxError,
    KeyPath,
    child,
    compose,
    duplicate_keys,
    format_key,
    line_of,
)

__all__ = ["ConfigurationSyntaxError", "KeyPath", "Locations", "compose", "format_key"]

_COMMAND_LINE = "--config on the command line"


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
        self._command_line = yaml.compose(yaml.safe_dump(dict(command_line or {})))

    def of(self, path: KeyPath) -> str:
        """Return ``file, line n`` of the key at `path`, or of the mapping that lacks it.

        A file that gives a list, or anything else in place of a mapping, replaces all of it; what
        is missing there is not looked for elsewhere.
        """
        deepest, place = 0, self._roots[0][0] if self._roots else "the configuration"
        for file, root in reversed([*self._roots, (None, self._command_line)]):
            depth, replaces = _reach(root, path)
            if depth >= max(deepest, 1):
                line = line_of(root, path[:depth])
                deepest, place = depth, f"{file}, line {line}" if file else _COMMAND_LINE
            if depth == len(path) or replaces:
                break
        return place

    def duplicates(self) -> Iterator[tuple[str, KeyPath]]:
        """Yield place and path of keys that a file gives twice (YAML would keep the last)."""
        for file, root in self._roots:
            for path, line in duplicate_keys(root):
                yield f"{file}, line {line}", path


def _reach(root: yaml.Node | None, path: KeyPath) -> tuple[int, bool]:
    """Return how many parts of `path` a file has, and whether it replaces what other files say."""
    node, replaces = root, False
    for depth, part in enumerate(path):
        if not isinstance(node, yaml.MappingNode):
            replaces = depth > 0
        below = child(node, part)
        if below is None:
            return depth, replaces
        _, node = below
    return len(path), replaces
