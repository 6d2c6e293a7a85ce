"""Checks of the columns of a user's table, whose errors name the column, the value and a remedy.

All checks raise ValueError. Callers add the name of the file.
"""

import re
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pandas as pd

_NAMES_SHOWN = 30
# A column of fewer rows may hold other whole numbers in each by chance.
_FEWEST_ROWS = 50
# A nominal column with more values, most of them in a single row, is an identifier or text.
_FEW_VALUES = 50
_MOST_NUMBERS = 50
# Whole numbers of more values than this are quantities as often as classes.
_MOST_WHOLE = 10
# A column with more different numbers is numeric, also with some texts in it.
_FEW_NUMBERS = 10
_MOST_MARKS = 3
_DATE = re.compile(r"(\d{4}([-/.])\d{1,2}\2\d{1,2}|\d{1,2}([-/.])\d{1,2}\3\d{4})([ T][\d:.]+Z?)?$")
_GROUPED = r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?"
# Numbers as other countries and spreadsheets write them.
_WRITTEN_NUMBER = re.compile(r"[+-]?(\d++[.,]?\d*+|[.,]\d++)([eE][+-]?\d++)?\s*%?")


def listed(names: Sequence[str]) -> str:
    """Join names with commas for a message; of more than 30 names, only the first 30."""
    more = f" and {len(names) - _NAMES_SHOWN} more" if len(names) > _NAMES_SHOWN else ""
    return ", ".join(names[:_NAMES_SHOWN]) + more if names else "none"


def missing_marks(name: str, column: "pd.Series") -> list[str]:
    """Return the texts that mark missing values in a column of numbers, such as "?".

    `column` holds the values as texts, without empty ones, and `name` is its name in messages.
    Raises ValueError if the column has too many texts that are not numbers, or separators between
    thousands.
    """
    import pandas as pd

    grouped = column[column.str.fullmatch(_GROUPED)]
    if len(grouped) and len(grouped) >= len(column) / 2:
        raise ValueError(
            f"column {name!r}: found numbers with marks between thousands, such as "
            f"{grouped.iloc[0]!r}; write them without, or say --nominal {name} if they are codes"
        )
    numbers = pd.to_numeric(column, errors="coerce")
    others = column[numbers.isna()]
    known = numbers.dropna()
    if others.empty or known.nunique() <= _FEW_NUMBERS or len(known) < len(others):
        return []
    marks = sorted(set(others))
    if len(marks) > _MOST_MARKS or any(character.isdigit() for mark in marks for character in mark):
        raise ValueError(
            f"column {name!r}: found {len(known)} numbers, and {len(others)} values that are none, "
            f"such as {marks[0]!r}; make numbers of them or leave them empty, or say --nominal "
            f"{name} if all are codes"
        )
    return marks


def check_classes(names: Sequence[str], target: str | None, *, confirmed: bool) -> None:
    """Raise ValueError if the values of a target column look like a quantity, or are all equal.

    `names` holds the distinct values as texts, sorted. `target` is the name of the column, or None.
    If `confirmed`, the user has declared that the values are classes.
    """
    what = f"target {target!r}" if target else "labels"
    if len(names) < 2:
        raise ValueError(f"{what}: found the one class {names[0]!r}; valid are two or more")
    try:
        numbers = np.array([float(name) for name in names])
    except ValueError:
        return
    fractions = numbers != np.rint(numbers)
    many = len(names) > _MOST_NUMBERS and not confirmed
    if (fractions.any() and len(names) > 2) or many:
        raise ValueError(
            f"{what}: found {len(names)} different numbers, such as {names[0]} and {names[-1]}: a "
            f"regression target; valid are classes, at most {_MOST_NUMBERS} if they are numbers. "
            "Make classes of it first, such as values above a limit"
        )
    if target is not None and len(names) > _MOST_WHOLE and not confirmed:
        raise ValueError(
            f"{what}: found {len(names)} whole numbers from {names[0]} to {names[-1]}: a quantity? "
            f"If they are classes, say --nominal {target}; else make classes of it first"
        )


def useless_columns(
    X: "pd.DataFrame", nominal: Collection[str] = (), keep: Collection[str] = ()
) -> dict[str, str]:
    """Find columns that say nothing about new rows: empty columns and identifiers.

    Return a dict from the name of each such column to the reason. Columns in `keep` are never
    identifiers. Raises ValueError if no column is left, or if a column that is not in `nominal`
    (categories) holds dates or numbers written as text.
    """
    from pandas.api.types import is_numeric_dtype

    identifiers = identifier_columns(X, keep)
    useless = {}
    for name in X:
        values = X[name].dropna()
        if values.empty:
            useless[name] = "no value"
        elif is_numeric_dtype(values):
            infinite = np.flatnonzero(np.isinf(X[name]))
            if infinite.size:
                raise ValueError(
                    f"column {name!r}: found an infinite number in row {infinite[0] + 1}; valid "
                    "are finite numbers"
                )
        elif name not in nominal:
            _check_texts(name, sorted(set(map(str, values))))
        if name in identifiers:
            useless[name] = f"{identifiers[name]} (to keep it: --keep {name})"
    if len(useless) == len(X.columns):
        reasons = "; ".join(f"{name}: {reason}" for name, reason in useless.items())
        raise ValueError(f"found no feature to learn from ({reasons}); valid is one or more")
    return useless


def identifier_columns(X: "pd.DataFrame", keep: Collection[str] = ()) -> dict[str, str]:
    """Find columns that only identify the rows, such as customer numbers.

    Return a dict from the name of each such column to the reason, without the columns in `keep`. An
    identifier has a different whole number in each row, for at least 50 rows, or more than 50
    different texts, and more than half as many different texts as rows.
    """
    from pandas.api.types import is_numeric_dtype

    identifiers = {}
    for name, column in X.items():
        values = column.dropna()
        if name in keep:
            continue
        if not is_numeric_dtype(values):
            different = set(map(str, values))
            if len(different) > max(_FEW_VALUES, len(X) / 2):
                texts = f"{len(different)} different texts in {len(X)} rows"
                identifiers[name] = f"{texts}, such as {min(different)[:60]!r}"
        elif _FEWEST_ROWS <= len(X) == values.nunique() and (values == np.rint(values)).all():
            identifiers[name] = "another whole number in each row"
    return identifiers


def _check_texts(name, values) -> None:
    """Raise ValueError if all values are dates, or numbers written as text."""
    if all(map(_DATE.match, values)):
        raise ValueError(
            f"column {name!r}: found dates, such as {values[0]!r}; make numbers of them first, "
            f"such as the day or the month, leave it out by --drop {name}, or say --nominal {name} "
            "if each is a category"
        )
    digits = [value for value in values if any(map(str.isdigit, value))]
    n_marks = len(values) - len(digits)
    if n_marks > min(_MOST_MARKS, len(digits)) or not all(map(_WRITTEN_NUMBER.fullmatch, digits)):
        return
    for mark, what, remedy in (
        ("%", "percentages", "write them without the sign"),
        (",", "numbers with a decimal comma", "write all numbers of the file with a point"),
        (".", "numbers with a decimal point", "write all numbers of the file in one way"),
    ):
        if found := [value for value in digits if mark in value][:2]:
            raise ValueError(
                f"column {name!r}: found texts such as {' and '.join(map(repr, found))}, which "
                f"look like {what}; {remedy}, leave the column out by --drop {name}, or say "
                f"--nominal {name} if each is a category"
            )
