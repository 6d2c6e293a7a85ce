"""Read YAML files with the line of each key; ConfigurationError lists the problems of all files."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml

from beyond_accuracy_pipeline.datasets.problems import KeyPath, Problem, format_value

_COMMAND_LINE = "--config on the command line"
_MAPPING = "a mapping of keys to values"


class ConfigurationError(ValueError):
    """Error for an invalid configuration; the message lists all `problems`, in their order."""

    def __init__(self, problems: Iterable[Problem]):
        self.problems = tuple(problems)
        count = f"{len(self.problems)} error{'s' if len(self.problems) != 1 else ''}"
        lines = [f"The configuration has {count}; nothing was run."]
        super().__init__("\n".join([*lines, *(f"  {problem}" for problem in self.problems)]))


class _Values:
    """Mixin for YAML loaders that adds the line to errors of values."""

    def construct_object(self, node, deep=False):
        """Construct a value. An impossible one, such as the date 2004-02-31, gets its line."""
        try:
            return super().construct_object(node, deep)
        except (ValueError, OverflowError) as error:
            text = f"{node.value!r}: {error}"
            raise yaml.MarkedYAMLError(problem=text, problem_mark=node.start_mark) from error


class _SafeLoader(_Values, getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    pass


class _SafeLoaderOfSnakemake(_Values, yaml.SafeLoader):
    pass


@dataclass(frozen=True)
class YamlFile:
    """A parsed YAML file.

    `root` is the syntax tree, whose nodes have line numbers; None for an empty file. `content` are
    the values.
    """

    path: str
    root: yaml.Node | None
    content: Any

    def reach(self, path: KeyPath) -> tuple[int, str, bool]:
        """Follow a key path as far as the file has its keys. Return (depth, location, replaces).

        - `depth`: number of parts of `path` that the file has.
        - `location`: file and line of the last of these parts.
        - `replaces`: whether the file has a value on the path that is not a mapping. It then
          replaces the rest of the path in earlier files.
        """
        node, place, replaces = self.root, self.path, False
        for depth, part in enumerate(path):
            replaces = replaces or (depth > 0 and not isinstance(node, yaml.MappingNode))
            below = _child(node, part)
            if below is None:
                return depth, place, replaces
            key, node = below
            place = _line(self.path, key)
        return len(path), place, replaces

    def mapping_problems(self) -> list[Problem]:
        """Return the problems of the file as a mapping.

        They are keys that occur twice in one mapping, or a file that is no mapping.
        """
        if not isinstance(self.content, dict):
            found = "nothing" if self.content is None else format_value(self.content)
            return [Problem((), found, _MAPPING, self.path)]
        return [
            Problem(path, "the key is given twice", "each key once", _line(self.path, key))
            for path, key in _duplicate_keys(self.root)
        ]


def read_yaml(file: str | Path, *, for_snakemake: bool = False) -> YamlFile:
    """Read a YAML file. Raises ConfigurationError with file, line and problem.

    `for_snakemake` also runs the YAML parser in Python, which Snakemake uses and which is stricter.
    """
    place = path = str(file)
    try:
        text = Path(file).read_text(encoding="utf-8")
        root = yaml.compose(text, _SafeLoader)
        if for_snakemake:
            _SafeLoaderOfSnakemake(text).get_single_data()
        # The constructor moves the values of merged keys (<<) within its tree: parse once more.
        return YamlFile(path, root, _SafeLoader(text).get_single_data())
    except RecursionError:
        found = "values that are nested too deeply"
    except OSError as error:
        found = f"a file that cannot be read: {error.strerror}"
    except UnicodeDecodeError as error:
        found = f"no UTF-8 text: {error}"
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"{path}, line {mark.line + 1}" if mark else path
        found = f"no valid YAML: {error.problem or error.context}"
    except yaml.YAMLError as error:
        found = f"no valid YAML: {' '.join(str(error).split())}"
    raise ConfigurationError([Problem((), found, f"YAML, {_MAPPING}", place)])


def check_configuration_file(file: str | Path) -> dict[str, Any]:
    """Return the mapping in a YAML file. Raises ConfigurationError if there is none."""
    yaml_file = read_yaml(file, for_snakemake=True)
    if not isinstance(yaml_file.content, dict):
        raise ConfigurationError(yaml_file.mapping_problems())
    return yaml_file.content


class MergedFiles:
    """Configuration files and values of ``--config``, to find the line of a key.

    `files` are in order of precedence: a later file replaces values of earlier ones. The values of
    ``--config``, `command_line`, replace those of all files. Raises ConfigurationError if a file is
    not valid YAML.
    """

    def __init__(self, files: Sequence[str | Path], command_line: Mapping[str, Any] | None = None):
        self.files = [read_yaml(file) for file in files]
        root = yaml.compose(yaml.safe_dump(dict(command_line or {})))
        self._command_line = YamlFile(_COMMAND_LINE, root, command_line)

    def location(self, path: KeyPath) -> str:
        """Return ``file, line n`` of the key at `path`, or of the mapping that lacks it."""
        deepest, place = 0, self.files[0].path if self.files else "the configuration"
        for file in (self._command_line, *reversed(self.files)):
            depth, reached, replaces = file.reach(path)
            if depth >= max(deepest, 1):
                deepest = depth
                place = file.path if file is self._command_line else reached
            if depth == len(path) or replaces:
                break
        return place

    def with_locations(self, problems: Iterable[Problem]) -> list[Problem]:
        """Return the problems, with file and line added if they are missing."""
        return [
            replace(problem, location=problem.location or self.location(problem.key))
            for problem in problems
        ]


def _line(path: str, node: yaml.Node) -> str:
    return f"{path}, line {node.start_mark.line + 1}"


def _child(node: yaml.Node | None, part: str | int) -> tuple[yaml.Node, yaml.Node] | None:
    """Find one key of a mapping, or one item of a list, in a YAML syntax tree.

    Return (key node, value node), or None if there is no such key or item. For an item, both are
    the node of the item.
    """
    if isinstance(node, yaml.MappingNode):
        return next((pair for pair in node.value if pair[0].value == str(part)), None)
    if isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
        return node.value[part], node.value[part]
    return None


def _duplicate_keys(
    node: yaml.Node | None, path: KeyPath = ()
) -> Iterator[tuple[KeyPath, yaml.Node]]:
    """Yield (key path, key node) of keys that occur twice; YAML would keep the last."""
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            here = (*path, key.value)
            if key.value in seen:
                yield here, key
            seen.add(key.value)
            yield from _duplicate_keys(value, here)
    elif isinstance(node, yaml.SequenceNode):
        for index, value in enumerate(node.value):
            yield from _duplicate_keys(value, (*path, index))
