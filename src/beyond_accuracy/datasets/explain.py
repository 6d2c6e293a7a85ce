"""What pydantic finds wrong in a catalogue entry, in words: key, found, valid."""

import datetime
import re
import types
import typing
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pydantic import BaseModel, Tag, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from beyond_accuracy.datasets.consistency import Fault, inconsistencies
from beyond_accuracy.datasets.entry import Entry
from beyond_accuracy.datasets.errors import nearest
from beyond_accuracy.datasets.yaml_lines import KeyPath

_VALID = {
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
    "dict_type": "a mapping",
    "list_type": "a list",
    "string_type": "text",
    "int_type": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "finite_number": "a finite number",
}


def faults_of(error: ValidationError, content: Mapping[str, Any]) -> list[Fault]:
    """All faults of an entry's ``content``: of single keys, and between those that are valid."""
    faults: dict[tuple[KeyPath, str], list[str]] = {}
    for detail in error.errors():
        # The whole entry's own check is made here, on whatever keys are valid.
        if detail["loc"]:
            fault = _fault(detail)
            faults.setdefault((fault.key, fault.found), []).append(fault.valid)
    alone = [Fault(*place, " or ".join(valid)) for place, valid in faults.items()]
    broken = {fault.key[0] for fault in alone}
    return alone + inconsistencies(dict(_valid_fields(content, broken)))


def _valid_fields(content: Mapping[str, Any], broken: set) -> Iterator[tuple[str, Any]]:
    for key, field in Entry.model_fields.items():
        if key in broken:
            continue
        if key in content:
            annotation = typing.Annotated[field.annotation, field]
            yield key, TypeAdapter(annotation).validate_python(content[key], strict=True)
        else:
            yield key, field.get_default(call_default_factory=True)


def _fault(detail: ErrorDetails) -> Fault:
    kind, context = detail["type"], detail.get("ctx", {})
    key, annotation = _place(detail["loc"])
    found, valid = shown(detail["input"]), _words(detail)
    if kind == "missing":
        return Fault(key, "nothing", "this key is required")
    if kind == "extra_forbidden":
        _, owner = _place(detail["loc"][:-1])
        return Fault(key, found, _choice(key[-1], owner.model_fields, "no such key; "))
    if kind == "literal_error":
        return Fault(key, found, _choice(detail["input"], _quoted(context["expected"])))
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        discriminator = context["discriminator"].strip("'")
        valid = _choice(context.get("tag", ""), _literals(annotation, discriminator))
        if not isinstance(detail["input"], dict):
            return Fault(key, found, f"a mapping with {discriminator}, {valid}")
        found = shown(context["tag"]) if "tag" in context else "nothing"
        return Fault((*key, discriminator), found, valid)
    return Fault(key, found, valid)


def _words(detail: ErrorDetails) -> str:
    if detail["type"] == "string_pattern_mismatch":
        return f"text that matches {detail['ctx']['pattern']}"
    if detail["type"] == "too_short":
        return f"a list of {detail['ctx']['min_length']} or more"
    text = _VALID.get(detail["type"]) or detail["msg"]
    for start in ("Value error, ", "Input should be "):
        text = text.removeprefix(start)
    return " ".join(text.split())


def _choice(name: object, names: Iterable[str], otherwise: str = "") -> str:
    known = sorted(names)
    close = nearest(str(name), known, 1)
    listing = ", ".join(known)
    return f"did you mean {close[0]}? Valid: {listing}" if close else f"{otherwise}one of {listing}"


def _quoted(text: str) -> list[str]:
    return re.findall(r"'([^']*)'", text)


def shown(value: object) -> str:
    """A value as it stands in a YAML file, cut short where it is long."""
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


def _place(location: tuple[str | int, ...]) -> tuple[KeyPath, Any]:
    """Key path in the file, and type expected there, of a place as pydantic gives it.

    Pydantic adds to the path which member of a union it took, and ``[key]`` for a key itself.
    """
    key: list[str | int] = []
    annotation: Any = Entry
    for part in location:
        annotation = _bare(annotation)
        if part == "[key]":
            continue
        if _is_union(annotation):
            members = typing.get_args(annotation)
            annotation = next((member for member in members if part in _tags(member)), None)
        elif isinstance(annotation, type) and issubclass(annotation, BaseModel):
            field = annotation.model_fields.get(str(part))
            annotation = field.annotation if field else None
            key.append(part)
        else:
            annotation = (typing.get_args(annotation) or (None,))[-1]
            key.append(part)
    return tuple(key), _bare(annotation)


def _bare(annotation: Any) -> Any:
    """A type without its annotations, and without None as an alternative."""
    while typing.get_origin(annotation) is typing.Annotated:
        annotation = typing.get_args(annotation)[0]
    members = [each for each in typing.get_args(annotation) if each is not types.NoneType]
    if _is_union(annotation) and len(members) == 1:
        return _bare(members[0])
    return annotation


def _is_union(annotation: Any) -> bool:
    return typing.get_origin(annotation) in (typing.Union, types.UnionType)


def _tags(member: Any) -> set[str]:
    """What pydantic may call a member of a union."""
    tags = {each.tag for each in getattr(member, "__metadata__", ()) if isinstance(each, Tag)}
    bare = _bare(member)
    return tags | _literals(bare, "kind") | _literals(bare, "generator")


def _literals(annotation: Any, name: str) -> set[str]:
    """The values of the key ``name`` in a model, or in all the models of a union."""
    annotation = _bare(annotation)
    if _is_union(annotation):
        members = typing.get_args(annotation)
        return {value for member in members for value in _literals(member, name)}
    field = getattr(annotation, "model_fields", {}).get(name)
    return set(typing.get_args(field.annotation)) if field else set()
