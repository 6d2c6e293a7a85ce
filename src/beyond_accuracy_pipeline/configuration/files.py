"""Read YAML files with the line of each key. A ConfigurationError lists all files' problems."""

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml

from beyond_accuracy_pipeline.datasets.problems import KeyPath, Problem, format_value

_MAPPING = "a mapping of keys to values"
_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class ConfigurationError(ValueError):
    """Error for an invalid configuration; the message lists each of `problems` once, in order."""

    def __init__(self, problems: Iterable[Problem]):
        # If a paper is selected twice, its section is checked twice.
        self.problems = tuple(dict.fromkeys(problems))
        count = f"{len(self.problems)} error{'s' if len(self.problems) != 1 else ''}"
        lines = [f"The configuration has {count}; nothing was run."]
        super().__init__("\n".join([*lines, *(f"  {problem}" for problem in self.problems)]))


@dataclass(frozen=True)
class YamlFile:
    """Parsed YAML file: its values `content`, and its syntax tree `root` with line numbers."""

    path: str
    root: yaml.Node | None
    content: Any

    def reach(self, path: KeyPath) -> tuple[int, str, bool]:
        """Follow a path of nested keys as far as the file has them.

        Return (number of keys found, location, replaces). The location is the place of the last key
        found, such as "config.yaml, line 3". `replaces` is True if a key before the last one in the
        path has a value that is not a mapping. This value replaces the values from files of lower
        precedence.
        """
        node, location, replaces = self.root, self.path, False
        for depth, part in enumerate(path):
            replaces = replaces or (depth > 0 and not isinstance(node, yaml.MappingNode))
            below = _child(node, part)
            if below is None:
                return depth, location, replaces
            key, node = below
            location = _line(self.path, key)
        return len(path), location, replaces

    def mapping_problems(self) -> list[Problem]:
        """Return a problem per key given twice, or a single one if the content is not a mapping."""
        if not isinstance(self.content, dict):
            found = "nothing" if self.content is None else format_value(self.content)
            return [Problem((), found, _MAPPING, self.path)]
        return [
            Problem(path, "the key is given twice", "each key once", _line(self.path, key))
            for path, key in _duplicate_keys(self.root)
        ]


def read_yaml(file: str | Path) -> YamlFile:
    """Read a YAML file, or raise ConfigurationError with file, line and problem."""
    with _yaml_errors(file):
        text = Path(file).read_text(encoding="utf-8")
        # The constructor moves the values of merged keys (<<) within its tree, so parse twice.
        return YamlFile(str(file), yaml.compose(text, _Loader), _Loader(text).get_single_data())


def check_configuration_file(file: str | Path) -> dict[str, Any]:
    """Return the mapping in a YAML file, or raise ConfigurationError if it has none.

    The file is read by PyYAML's Python parser, as in Snakemake, because the C parser is less
    strict.
    """
    with _yaml_errors(file):
        content = yaml.safe_load(Path(file).read_text(encoding="utf-8"))
    if not isinstance(content, dict):
        raise ConfigurationError(YamlFile(str(file), None, content).mapping_problems())
    return content


def check_configuration_files() -> None:
    """Exit with a message if a file given by ``--configfile`` cannot be read.

    The Snakemake profiles call this function, so that users see no traceback.
    """
    parser = argparse.ArgumentParser(allow_abbrev=False, add_help=False, exit_on_error=False)
    parser.add_argument("--configfile", "--configfiles", nargs="+", action="extend", default=[])
    try:
        given, _ = parser.parse_known_args()
        for file in given.configfile:
            check_configuration_file(file)
    except argparse.ArgumentError:
        # Snakemake's own parser says it better.
        return
    except ConfigurationError as error:
        sys.exit(str(error))


@contextmanager
def _yaml_errors(file: str | Path) -> Iterator[None]:
    """Raise a ConfigurationError for each error of reading a YAML file."""
    location = str(file)
    try:
        yield
        return
    except OSError as error:
        found = f"a file that cannot be read: {error.strerror}"
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        location = f"{location}, line {mark.line + 1}" if mark else location
        found = f"no valid YAML: {error.problem or error.context}"
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        # ValueError: a value such as the date 2004-02-31, or bytes that are not UTF-8.
        found = f"no valid YAML: {' '.join(str(error).split())}"
    raise ConfigurationError([Problem((), found, f"YAML, {_MAPPING}", location)])


class MergedFiles:
    """Configuration files, of which later ones have precedence, and the values of ``--config``."""

    def __init__(self, files: Sequence[str | Path], command_line: Mapping[str, Any] | None = None):
        self.files = [read_yaml(file) for file in files]
        root = yaml.compose(yaml.safe_dump(dict(command_line or {})))
        self._command_line = YamlFile("--config on the command line", root, command_line)

    def location(self, path: KeyPath) -> str:
        """Return where the key at `path` is set last, as ``file, line n``.

        If the key is missing, return the location of the mapping that lacks it.
        """
        deepest, location = 0, self.files[0].path if self.files else "the configuration"
        for file in (self._command_line, *reversed(self.files)):
            depth, reached, replaces = file.reach(path)
            if depth >= max(deepest, 1):
                deepest = depth
                location = file.path if file is self._command_line else reached
            if depth == len(path) or replaces:
                break
        return location

    def with_locations(self, problems: Iterable[Problem]) -> list[Problem]:
        """Return the problems, with file and line added to those that have none."""
        return [
            replace(problem, location=problem.location or self.location(problem.key))
            for problem in problems
        ]


def _line(path: str, node: yaml.Node) -> str:
    return f"{path}, line {node.start_mark.line + 1}"


def _child(node: yaml.Node | None, part: str | int) -> tuple[yaml.Node, yaml.Node] | None:
    """Return (key node, value node) below a mapping's key, a list's item twice, or None."""
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
