"""Problems of a configuration as objects, and a pydantic model that lists all of them."""

import datetime
import difflib
import inspect
import re
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError, model_validator
from pydantic_core import ErrorDetails, InitErrorDetails, PydanticCustomError

KeyPath = tuple[str | int, ...]

# Letters from which on a name is taken for the beginning of a longer one.
_BEGINNING = 3

_VALID = {
    "model_type": "a mapping of keys to values",
    "model_attributes_type": "a mapping of keys to values",
    "dict_type": "a mapping of keys to values",
    "list_type": "a list",
    "string_type": "text",
    "int_type": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "finite_number": "a finite number",
    "string_pattern_mismatch": "text that matches {pattern}",
    "string_too_long": "text of at most {max_length} characters",
    "too_short": "a list of {min_length} or more",
}


@dataclass(frozen=True)
class Problem:
    """Problem of a configuration file: a key that is missing or has an invalid value."""

    key: KeyPath
    """Path of the key, e.g. ``("joachims2005", "data_sets", 0)``; empty for the whole file."""
    found: str
    """Text that describes the value found."""
    valid: str
    """Text that describes valid values."""
    location: str | None = None
    """File and line, if they are known."""

    def __str__(self) -> str:
        location = f"{self.location}: " if self.location else ""
        key = format_key(self.key) or "(whole file)"
        return f"{location}{key}\n    found: {self.found}\n    valid: {self.valid}"


def format_key(path: KeyPath) -> str:
    """Return a path of nested keys as text, e.g. ``joachims2005.data_sets[0]``."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return text.removeprefix(".")


def suggestion(name: object, valid_names: Iterable[str], max_listed: int | None = None) -> str:
    """Return text that suggests valid names to a user who gave the unknown `name`.

    If a valid name is similar, the text is ``did you mean 'x'? Valid: ...``, otherwise ``one of:
    ...``. It lists at most `max_listed` names.
    """
    # Keys of a YAML file may be anything.
    valid, written = sorted(map(str, valid_names)), str(name)
    longer = [other for other in valid if len(written) >= _BEGINNING and other.startswith(written)]
    close = longer[:3] or difflib.get_close_matches(written, valid, n=1, cutoff=0.5)
    meant = " or ".join(map(repr, close))
    listing = ", ".join(valid[:max_listed]) or "none"
    if len(valid[:max_listed]) < len(valid):
        listing += f" and {len(valid) - max_listed} more"
    return f"did you mean {meant}? Valid: {listing}" if meant else f"one of: {listing}"


def format_value(value: object) -> str:
    """Return a value as YAML text for a message, shortened if it is long."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, datetime.date):
        return f"the date {value.isoformat()} (in quotes it is text)"
    text = repr(value)
    if len(text) <= 80:
        return text
    if isinstance(value, dict):
        return f"a mapping with the keys {', '.join(map(str, value))}"[:200]
    return f"a list of {len(value)}" if isinstance(value, list) else f"{text[:80]}..."


Check = Callable[..., Iterable[Problem]]


class CheckedModel(BaseModel):
    """Pydantic model that refuses unknown keys and wrong types, and lists all problems at once.

    Functions in the class attribute `checks` check several fields together. Use `problems_of` to
    get the problems from the ValidationError.
    """

    model_config = ConfigDict(extra="forbid", strict=True, use_attribute_docstrings=True)

    checks: ClassVar[tuple[Check, ...]] = ()
    """Functions that check several values together and yield each `Problem`.

    A check takes fields as arguments of the same names, and runs only if they are valid. It may
    also take `given`, the unvalidated mapping, and `context`, the validation context.
    """

    @model_validator(mode="wrap")
    @classmethod
    def _list_all_problems(cls, given, handler, info):
        """Validate the fields, then run the checks; raise one ValidationError for all problems."""
        model, problems = None, []
        try:
            model = handler(given)
            values = dict(model)
        except ValidationError as error:
            problems = problems_of(error, given, cls)
            broken = {problem.key[0] for problem in problems if problem.key}
            if not isinstance(given, Mapping) or not broken:
                raise problems_error(problems) from error
            values = dict(cls._valid_values(given, broken, info.context))
        values |= {"given": given, "context": info.context}
        for check in cls.checks:
            needed = inspect.signature(check).parameters
            if values.keys() >= needed.keys():
                problems.extend(check(**{name: values[name] for name in needed}))
        if problems:
            raise problems_error(problems)
        return model

    @classmethod
    def _valid_values(cls, given, broken, context) -> Iterator[tuple[str, Any]]:
        """Yield (field, value) for each field that is valid, though others are `broken`."""
        for key, field in cls.model_fields.items():
            if key in given and key not in broken:
                adapter = _adapter(cls, key)
                with suppress(ValidationError):
                    yield key, adapter.validate_python(given[key], strict=True, context=context)
            elif key not in given and not field.is_required():
                yield key, field.get_default(call_default_factory=True)


@cache
def _adapter(model: type[BaseModel], key: str) -> TypeAdapter:
    """Return a validator for one field of a model. It is cached, because it takes long to build."""
    field = model.model_fields[key]
    return TypeAdapter(typing.Annotated[field.annotation, field])


def problems_error(problems: Iterable[Problem]) -> ValidationError:
    """Return a ValidationError with these problems, for a pydantic validator to raise."""
    text = "{name}: found {found}; valid: {valid}"
    contexts = [vars(problem) | {"name": format_key(problem.key)} for problem in problems]
    kinds = [PydanticCustomError("problem", text, context) for context in contexts]
    details = [InitErrorDetails(type=kind, input=None) for kind in kinds]
    return ValidationError.from_exception_data("values", details)


def problems_of(error: ValidationError, given: object, model: type[BaseModel] | None = None):
    """Return the problems that a pydantic ValidationError reports, as a list of `Problem`.

    `given` is the validated value. For unknown keys, the fields of `model` are suggested.
    """
    problems: dict[tuple[KeyPath, str], list[str]] = {}
    for detail in error.errors():
        problem = _problem(detail, given, model)
        # A value of a union has an error for each possible type.
        problems.setdefault((problem.key, problem.found), []).append(problem.valid)
    return [Problem(*key_found, " or ".join(valid)) for key_found, valid in problems.items()]


def _problem(detail: ErrorDetails, given: object, model: type[BaseModel] | None) -> Problem:
    """Convert one item of ``ValidationError.errors()`` into a `Problem`."""
    kind, context = detail["type"], detail.get("ctx", {})
    key, found = _key_path(detail["loc"], given), format_value(detail["input"])
    if kind == "problem":
        return Problem((*key, *context["key"]), context["found"], context["valid"])
    if kind == "missing":
        return Problem((*key, detail["loc"][-1]), "nothing", "this key is required")
    if kind == "extra_forbidden":
        name = key[-1]
        return Problem(key, f"unknown key {name!r}", suggestion(name, model.model_fields))
    if kind == "literal_error":
        return Problem(key, found, suggestion(detail["input"], _quoted(context["expected"])))
    if kind.startswith("union_tag"):
        key = (*key, context["discriminator"].strip("'"))
        if kind == "union_tag_not_found":
            return Problem(key, "nothing", "this key is required, and says which others can be")
        valid = suggestion(context["tag"], _quoted(context["expected_tags"]))
        return Problem(key, format_value(context["tag"]), valid)
    if kind in _VALID:
        return Problem(key, found, _VALID[kind].format(**context))
    valid = detail["msg"].removeprefix("Value error, ").removeprefix("Input should be ")
    return Problem(key, found, " ".join(valid.split()))


def _quoted(text: str) -> list[str]:
    return re.findall(r"'([^']*)'", text)


def _key_path(location: tuple[str | int, ...], given: object) -> KeyPath:
    """Return the key path of an error, without parts that are missing from the value `given`."""
    key: list[str | int] = []
    for part in location:
        try:
            given = given[part]
        except (KeyError, IndexError, TypeError):
            continue
        key.append(part)
    return tuple(key)
