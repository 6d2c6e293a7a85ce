"""Where a key of the configuration stands: file and line, for error messages."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

KeyPath = tuple[str | int, ...]


class ConfigurationSyntaxError(ValueError):
    """A configuration file is not valid YAML."""


def compose(file: str | Path) -> yaml.Node | None:
    """Return the syntax tree of a YAML file, with line numbers; None if the file is empty.

    Raises
    ------
    ConfigurationSyntaxError
        Naming file, line and problem if the file cannot be read or is not valid YAML.
    """
    try:
        return yaml.compose(Path(file).read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
    except OSError as error:
        raise ConfigurationSyntaxError(f"{file}: cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise ConfigurationSyntaxError(f"{file}: is not UTF-8 text: {error}.") from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"{file}, line {mark.line + 1}" if mark else str(file)
        raise ConfigurationSyntaxError(
            f"{place}: is not valid YAML: {error.problem or error.context}."
        ) from error


def format_key(path: KeyPath) -> str:
    """Return a key path as text, e.g. ``joachims2005.data_sets[0]``."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return text.removeprefix(".")


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
                line = _line(root, path[:length])
                if line is not None:
                    return f"{file}, line {line}"
        return self._roots[0][0] if self._roots else "the configuration"

    def duplicates(self) -> Iterator[tuple[str, KeyPath]]:
        """Yield place and path of keys that a file gives twice (YAML would keep the last)."""
        for file, root in self._roots:
            for path, line in _duplicate_keys(root, ()):
                yield f"{file}, line {line}", path


def _line(root: yaml.Node | None, path: KeyPath) -> int | None:
    node, line = root, None
    for part in path:
        if isinstance(node, yaml.MappingNode):
            pair = next((pair for pair in node.value if pair[0].value == str(part)), None)
            if pair is None:
                return None
            line, node = pair[0].start_mark.line + 1, pair[1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int):
            if part >= len(node.value):
                return None
            node = node.value[part]
            line = node.start_mark.line + 1
        else:
            return None
    return line


def _duplicate_keys(node: yaml.Node | None, path: KeyPath) -> Iterator[tuple[KeyPath, int]]:
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            here = (*path, key.value)
            if key.value in seen:
                yield here, key.start_mark.line + 1
            seen.add(key.value)
            yield from _duplicate_keys(value, here)
    elif isinstance(node, yaml.SequenceNode):
        for index, value in enumerate(node.value):
            yield from _duplicate_keys(value, (*path, index))
