"""The headings and cells of tables in HTML, where columns of numbers can be sorted."""

import math
import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from markupsafe import Markup, escape

_NUMBER = re.compile(r"[<>≤≥]?\s*([+\-−]?)(\d[\d,]*(?:\.\d+)?|\.\d+)(?:e([+-]?\d+))?")
_STYLES = {
    "bold": Markup("<strong>{}</strong>"),
    "underline": Markup("<u>{}</u>"),
    "inside": Markup('<span class="inside">{}</span>'),
    "outside": Markup('<span class="outside">{}</span>'),
}


class Heading(NamedTuple):
    """A cell of a table's head."""

    text: str
    columns: int = 1
    rows: int = 1
    is_number: bool = False


class Cell(NamedTuple):
    """A cell of a table's body: its column, and the number that it begins with.

    `order` is "" of a cell without a number in a column of numbers, and None in other columns.
    """

    tag: str
    text: str | Markup
    order: str | None
    label: str


def table_parts(cells: pd.DataFrame, styles: pd.DataFrame) -> dict[str, Any]:
    """Return the context of the template of tables, for a frame of texts and their looks.

    `head` and `body` are rows. `words` says whether most cells hold words: then columns are narrow,
    and narrow pages show cards instead of rows.
    """
    rows = list(_body(cells, styles))
    filled = [cell for row in rows for cell in row if cell.tag == "td" and cell.text]
    numbers = sum(cell.order is not None for cell in filled)
    numeric = [_is_numeric(column) for column in zip(*rows, strict=True)]
    body = [
        [
            cell._replace(order=(cell.order or "") if of_numbers else None)
            for cell, of_numbers in zip(row, numeric, strict=True)
        ]
        for row in rows
    ]
    n_names = sum(cell.tag == "th" for cell in rows[0]) if rows else 0
    head = _head(cells, numeric[n_names:] or [False] * cells.shape[1])
    return {"head": head, "body": body, "words": numbers < len(filled) / 2}


def _is_numeric(column: Sequence[Cell]) -> bool:
    """Return whether at least half of the texts in a column are numbers."""
    filled = [cell for cell in column if cell.text]
    return 2 * sum(cell.order is not None for cell in filled) >= len(filled) > 0


def _head(cells: pd.DataFrame, numeric: Sequence[bool]) -> list[list[Heading]]:
    """Return the rows of headings; with two levels, the columns of a group share a heading."""
    of_numbers = iter(numeric)
    names = [] if isinstance(cells.index, pd.RangeIndex) else list(cells.index.names)
    if cells.columns.nlevels == 1:
        own = [Heading(str(name), is_number=next(of_numbers)) for name in cells.columns]
        return [[*(Heading(str(name or "")) for name in names), *own]]
    upper, lower = [Heading(str(name or ""), rows=2) for name in names], []
    for title, group in groupby(cells.columns, key=lambda column: column[0]):
        titles = [column[1] for column in group]
        if titles == [""]:
            upper.append(Heading(title, rows=2, is_number=next(of_numbers)))
        else:
            upper.append(Heading(title, columns=len(titles)))
            lower += [Heading(text, is_number=next(of_numbers)) for text in titles]
    return [upper, lower]


def _body(cells: pd.DataFrame, styles: pd.DataFrame) -> Iterator[list[Cell]]:
    """Yield the rows of cells, headed by their index."""
    columns = [
        " ".join(filter(None, name)) if isinstance(name, tuple) else str(name)
        for name in cells.columns
    ]
    for place, (index, values) in enumerate(zip(cells.index, cells.to_numpy(), strict=True)):
        row = []
        if not isinstance(cells.index, pd.RangeIndex):
            names = index if isinstance(index, tuple) else (index,)
            row = [
                Cell("th", str(name), _order(str(name)), str(title or ""))
                for name, title in zip(names, cells.index.names, strict=True)
            ]
        looks = styles.to_numpy()[place]
        row += [
            Cell("td", _styled(value, look), _order(str(value)), column)
            for value, look, column in zip(values, looks, columns, strict=True)
        ]
        yield row


def _styled(text: Any, look: str) -> Markup:
    content = escape(text)
    for name in look.split():
        content = _STYLES[name].format(content)
    return content


def _order(text: str) -> str | None:
    match = _NUMBER.match(text)
    if match is None:
        # Missing values come first or last, not between numbers.
        return None
    sign, digits, exponent = match.groups()
    number = float(f"{digits.replace(',', '')}e{exponent or 0}")
    # A name may begin like a number, and one that is too large.
    if number == math.inf:
        return None
    return f"{-number if sign in ('-', '−') else number:.12g}"


def plain_table(frame: pd.DataFrame, index: Sequence[str]) -> dict[str, Any]:
    """Return the parts of a frame of texts, for the template of tables."""
    cells = frame.set_index(list(index))
    plain = pd.DataFrame(np.full(cells.shape, ""), cells.index, cells.columns)
    return table_parts(cells, plain) | {"sortable": True}
