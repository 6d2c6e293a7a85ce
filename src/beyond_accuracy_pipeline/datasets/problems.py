"""Faults of a configuration in words, and a pydantic model that lists all of them."""

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
class Fault:
    """One fault of a configuration."""

    key: KeyPath
    """Where it is, e.g. ``("joachims2005", "data_sets", 0)``; the whole file if it is empty."""
    found: str
    """What stands there."""
    valid: str
    """What could stand there."""
    place: str | None = None
    """File and line, where they are known."""

    def __str__(self) -> str:
        place = f"{self.place}: " if self.place else ""
        key = format_key(self.key) or "(whole file)"
        return f"{place}{key}\n    found: {self.found}\n    valid: {self.valid}"


def format_key(path: KeyPath) -> str:
    """Return a key path as text, e.g. ``joachims2005.data_sets[0]``."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return text.removeprefix(".")


def suggestion(name: object, names: Iterable[str], most: int | None = None) -> str:
    """Return ``did you mean 'x'? Valid: ...`` with the names in order, or ``one of: ...``.

    Offers up to three names that begin with the written text, otherwise the most similar one. Lists
    at most `most` names.
    """
    # Keys of a YAML file may be anything.
    valid, written = sorted(map(str, names)), str(name)
    longer = [known for known in valid if len(written) >= _BEGINNING and known.startswith(written)]
    close = longer[:3] or difflib.get_close_matches(written, valid, n=1, cutoff=0.5)
    meant = " or ".join(map(repr, close))
    listing = ", ".join(valid[:most]) or "none"
    if len(valid[:most]) < len(valid):
        listing += f" and {len(valid) - most} more"
    return f"did you mean {meant}? Valid: {listing}" if meant else f"one of: {listing}"


def shown(value: object) -> str:
    """Return a value as YAML text, shortened if it is long."""
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


Check = Callable[..., Iterable[Fault]]


class CheckedModel(BaseModel):
    """A mapping in which an unknown key is an error and values keep the type they have in YAML.

    Its ``checks`` are functions of some of its values, by name, which return the faults between
    them. `given` is the mapping as it was written and `context` the context of the validation.
    Checks are made once all values are valid. A ValidationError lists all faults, which
    :func:`faults_of` returns.
    """

    model_config = ConfigDict(extra="forbid", strict=True, use_attribute_docstrings=True)

    checks: ClassVar[tuple[Check, ...]] = ()

    @model_validator(mode="wrap")
    @classmethod
    def _list_all_faults(cls, given, handler, info):
        model, faults = None, []
        try:
            model = handler(given)
            values = dict(model)
        except ValidationError as error:
            faults = faults_of(error, given, cls)
            broken = {fault.key[0] for fault in faults if fault.key}
            if not isinstance(given, Mapping) or not broken:
                raise faults_error(faults) from error
            values = dict(cls._valid_values(given, broken, info.context))
        values |= {"given": given, "context": info.context}
        for check in cls.checks:
            needed = inspect.signature(check).parameters
            if values.keys() >= needed.keys():
                faults.extend(check(**{name: values[name] for name in needed}))
        if faults:
            raise faults_error(faults)
        return model

    @classmethod
    def _valid_values(cls, given, broken, context) -> Iterator[tuple[str, Any]]:
        for key, field in cls.model_fields.items():
            if key in given and key not in broken:
                adapter = _adapter(cls, key)
                with suppress(ValidationError):
                    yield key, adapter.validate_python(given[key], strict=True, context=context)
            elif key not in given and not field.is_required():
                yield key, field.get_default(call_default_factory=True)


@cache
def _adapter(model: type[BaseModel], key: str) -> TypeAdapter:
    """Return the validator of one field, which takes long to build."""
    field = model.model_fields[key]
    return TypeAdapter(typing.Annotated[field.annotation, field])


def faults_error(faults: Iterable[Fault]) -> ValidationError:
    """Return the exception by which a validator of pydantic reports faults; keys are relative."""
    text = "{name}: found {found}; valid: {valid}"
    contexts = [vars(fault) | {"name": format_key(fault.key)} for fault in faults]
    kinds = [PydanticCustomError("fault", text, context) for context in contexts]
    details = [InitErrorDetails(type=kind, input=None) for kind in kinds]
    return ValidationError.from_exception_data("values", details)


def faults_of(error: ValidationError, given: object, owner: type[BaseModel] | None = None):
    """Return the faults that a validation of `given` against the model `owner` found.

    Valid values of several types are listed in one fault.
    """
    faults: dict[tuple[KeyPath, str], list[str]] = {}
    for detail in error.errors():
        fault = _fault(detail, given, owner)
        faults.setdefault((fault.key, fault.found), []).append(fault.valid)
    return [Fault(*place, " or ".join(valid)) for place, valid in faults.items()]


def _fault(detail: ErrorDetails, given: object, owner: type[BaseModel] | None) -> Fault:
    kind, context = detail["type"], detail.get("ctx", {})
    key, found = _key(detail["loc"], given), shown(detail["input"])
    if kind == "fault":
        return Fault((*key, *context["key"]), context["found"], context["valid"])
    if kind == "missing":
        return Fault((*key, detail["loc"][-1]), "nothing", "this key is required")
    if kind == "extra_forbidden":
        name = key[-1]
        return Fault(key, f"unknown key {name!r}", suggestion(name, owner.model_fields))
    if kind == "literal_error":
        return Fault(key, found, suggestion(detail["input"], _quoted(context["expected"])))
    if kind.startswith("union_tag"):
        key = (*key, context["discriminator"].strip("'"))
        if kind == "union_tag_not_found":
            return Fault(key, "nothing", "this key is required, and says which others can be")
        valid = suggestion(context["tag"], _quoted(context["expected_tags"]))
        return Fault(key, shown(context["tag"]), valid)
    if kind in _VALID:
        return Fault(key, found, _VALID[kind].format(**context))
    valid = detail["msg"].removeprefix("Value error, ").removeprefix("Input should be ")
    return Fault(key, found, " ".join(valid.split()))


def _quoted(text: str) -> list[str]:
    return re.findall(r"'([^']*)'", text)


def _key(location: tuple[str | int, ...], given: object) -> KeyPath:
    """Return the key path in the file for a location of pydantic.

    Pydantic adds the chosen member of a union, and ``[key]`` for a key: parts that `given` lacks.
    """
    key: list[str | int] = []
    for part in location:
        try:
            given = given[part]
        except (KeyError, IndexError, TypeError):
            continue
        key.append(part)
    return tuple(key)
