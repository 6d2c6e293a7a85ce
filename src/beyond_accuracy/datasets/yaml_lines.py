"""YAML files with the line of each key, for error messages."""

from collections.abc import Iterator
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
        raise _syntax_error(file, error) from error
    except yaml.YAMLError as error:
        reason = " ".join(str(error).split())
        raise ConfigurationSyntaxError(f"{file}: is not valid YAML: {reason}.") from error


def content_of(file: str | Path, root: yaml.Node | None) -> Any:
    """Return what the syntax tree of a file says: mappings, lists, texts, numbers, dates.

    Raises
    ------
    ConfigurationSyntaxError
        Naming file and line of a value that is none of its type, such as the date 2004-02-31.
    """
    try:
        return None if root is None else _constructed(root)
    except yaml.MarkedYAMLError as error:
        raise _syntax_error(file, error) from error
    except ValueError as error:
        for node in _scalars(root):
            try:
                _constructed(node)
            except ValueError:
                line = node.start_mark.line + 1
                raise ConfigurationSyntaxError(
                    f"{file}, line {line}: is not valid YAML: {node.value!r}: {error}."
                ) from error
        raise


def format_key(path: KeyPath) -> str:
    """Return a key path as text, e.g. ``joachims2005.data_sets[0]``."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return text.removeprefix(".")


def line_of(root: yaml.Node | None, path: KeyPath) -> int | None:
    """Return the line, from 1, of the key at `path`; None if there is no such key."""
    node, line = root, None
    for part in path:
        found = child(node, part)
        if found is None:
            return None
        line, node = found
    return line


def child(node: yaml.Node | None, part: str | int) -> tuple[int, yaml.Node] | None:
    """Return line, from 1, and node of a key of a mapping or an item of a list; None without it."""
    if isinstance(node, yaml.MappingNode):
        pair = next((pair for pair in node.value if pair[0].value == str(part)), None)
        return None if pair is None else (pair[0].start_mark.line + 1, pair[1])
    if isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
        return node.value[part].start_mark.line + 1, node.value[part]
    return None


def duplicate_keys(node: yaml.Node | None, path: KeyPath = ()) -> Iterator[tuple[KeyPath, int]]:
    """Yield path and line of keys that stand twice in one mapping (YAML would keep the last)."""
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            here = (*path, key.value)
            if key.value in seen:
                yield here, key.start_mark.line + 1
            seen.add(key.value)
            yield from duplicate_keys(value, here)
    elif isinstance(node, yaml.SequenceNode):
        for index, value in enumerate(node.value):
            yield from duplicate_keys(value, (*path, index))


def _constructed(node: yaml.Node) -> Any:
    loader = yaml.SafeLoader("")
    try:
        return loader.construct_document(node)
    finally:
        loader.dispose()


def _scalars(node: yaml.Node) -> Iterator[yaml.ScalarNode]:
    if isinstance(node, yaml.ScalarNode):
        yield node
    elif isinstance(node, yaml.MappingNode):
        for pair in node.value:
            for child in pair:
                yield from _scalars(child)
    else:
        for child in node.value:
            yield from _scalars(child)


def _syntax_error(file: str | Path, error: yaml.MarkedYAMLError) -> ConfigurationSyntaxError:
    mark = error.problem_mark or error.context_mark
    place = f"{file}, line {mark.line + 1}" if mark else str(file)
    return ConfigurationSyntaxError(
        f"{place}: is not valid YAML: {error.problem or error.context}."
    )
