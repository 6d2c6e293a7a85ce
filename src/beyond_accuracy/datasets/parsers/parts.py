"""Parts of a data set, whose columns stand for the same: they are told by their places."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from beyond_accuracy.datasets.errors import ParseError
from beyond_accuracy.datasets.raw_files import RawFile
from beyond_accuracy.datasets.table import Table

_NAMES_SHOWN = 30


def check_alike(tables: Mapping[str, Table], files: Mapping[str, RawFile]) -> None:
    """Raise ParseError for a part that has other features, values of one, or labels than the first.

    Nominal values are codes, so that their order counts as well.
    """
    # One file may hold several parts.
    places = {role: files[role].location if role in files else role for role in tables}
    (first_role, first), *others = tables.items()
    there = f"in {places[first_role]}"
    for role, table in others:
        location = places[role]
        _check_equal(table.class_names, first.class_names, "label", location, there)
        names, expected = (part.feature_names or () for part in (table, first))
        _check_equal(names, expected, "feature", location, there)
        if table.X.ndim > 1 and table.X.shape[1] != first.X.shape[1]:
            found, valid = (f"{part.X.shape[1]} features" for part in (table, first))
            raise ParseError(location, None, found, f"{valid}, as {there}")
        for column in sorted(table.categories.keys() | first.categories.keys()):
            values, valid = (part.categories.get(column) for part in (table, first))
            if values != valid:
                name = repr(names[column]) if names else f"number {column + 1}"
                found = f"the feature {name} with {_values(values)}"
                raise ParseError(location, None, found, f"{_values(valid)}, as {there}")


def _check_equal(
    found: Sequence[Any], expected: Sequence[Any], kind: str, location: str, there: str
) -> None:
    for number, (name, valid) in enumerate(zip_longest(found, expected), start=1):
        if name != valid:
            shown = f"no {kind} {number}" if name is None else f"{name!r} as {kind} {number}"
            asked = "no more" if valid is None else repr(valid)
            raise ParseError(location, None, shown, f"{asked}, as {there}")


def _values(names: Sequence[str] | None) -> str:
    if names is None:
        return "numbers"
    more = ", …" if len(names) > _NAMES_SHOWN else ""
    return f"the values {', '.join(names[:_NAMES_SHOWN])}{more}"
