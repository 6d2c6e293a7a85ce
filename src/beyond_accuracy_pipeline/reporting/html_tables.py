"""Headings and cells of HTML tables whose columns of numbers can be sorted."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from markupsafe import Markup, escape

_NUMBER = re.compile(r"[<>≤≥]?\s*[+\-−]?\.?\d")
# A number with its interval, range and p-value is shorter.
_LONGEST_NUMBER = 40
_DETAILS = re.compile(r" (?:\{[^}]*\}|\[[^\]]*\])")
_STYLES = {
    "bold": Markup("<strong>{}</strong>"),
    "underline": Markup("<u>{}</u>"),
    "inside": Markup('<span class="inside">{}</span>'),
    "outside": Markup('<span class="outside">{}</span>'),
}


class Heading(NamedTuple):
    """Heading cell of an HTML table; it can span several columns and rows.

    `is_number` says whether the column below mostly has numbers.
    """

    text: str
    columns: int = 1
    rows: int = 1
    is_number: bool = False


class Cell(NamedTuple):
    """Cell in the body of an HTML table.

    `tag` is "th" if the cell names its row, otherwise "td". `is_number` says whether its column
    mostly has numbers.
    """

    tag: str
    text: str | Markup
    is_number: bool


def table_parts(cells: pd.DataFrame, styles: pd.DataFrame) -> dict[str, Any]:
    """Prepare a table of texts for the Jinja template that renders it as HTML.

    `styles` has the shape of `cells`, and style names such as "bold" or "". Return a dict of the
    template's variables:

    - `head` and `body`: lists of rows
    - `words`: whether most cells have words instead of numbers
    - `has_details`: whether a cell has a range or an interval in brackets

    Columns without any text are left out.
    """
    cells, styles = _filled(cells, styles)
    body = list(_body(cells, styles))
    filled = [cell for row in body for cell in row if cell.tag == "td" and cell.text]
    numbers = sum(cell.is_number for cell in filled)
    numeric = []
    for column in zip(*body, strict=True):
        are_numbers = [cell.is_number for cell in column if cell.text]
        numeric.append(2 * sum(are_numbers) >= len(are_numbers) > 0)
    n_names = sum(cell.tag == "th" for cell in body[0]) if body else 0
    head = _head(cells, numeric[n_names:] or [False] * cells.shape[1])
    aligned = [
        [cell._replace(is_number=number) for cell, number in zip(row, numeric, strict=True)]
        for row in body
    ]
    has_details = any(_DETAILS.search(str(text)) for text in cells.to_numpy().ravel())
    words = numbers < len(filled) / 2
    return {"head": head, "body": aligned, "words": words, "has_details": has_details}


def _filled(cells: pd.DataFrame, styles: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return `cells` and `styles` without the columns and index levels that have no text."""
    kept = (cells.fillna("") != "").any().to_numpy()
    cells, styles = cells.loc[:, kept], styles.loc[:, kept]
    levels = range(1, cells.index.nlevels)
    empty = [level for level in levels if not cells.index.get_level_values(level).any()]
    return cells.droplevel(empty), styles


def _head(cells: pd.DataFrame, numeric: Sequence[bool]) -> list[list[Heading]]:
    """Return the rows of headings. With two levels, columns of a group share a heading."""
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
    """Yield the rows of cells. Each row begins with its names from the index."""
    rows = zip(cells.index, cells.to_numpy(), styles.to_numpy(), strict=True)
    for index, values, looks in rows:
        row = []
        if not isinstance(cells.index, pd.RangeIndex):
            names = index if isinstance(index, tuple) else (index,)
            row = [Cell("th", str(name), _is_number(name)) for name in names]
        row += [
            Cell("td", _styled(value, look), _is_number(value))
            for value, look in zip(values, looks, strict=True)
        ]
        yield row


def _styled(text: Any, look: str) -> Markup:
    # Ranges in braces and intervals in brackets are shown on demand. The text is escaped first.
    content = Markup(_DETAILS.sub(r"<small>\g<0></small>", str(escape(text))))  # nosec B704
    for name in look.split():
        content = _STYLES[name].format(content)
    return content


def _is_number(text: Any) -> bool:
    return len(str(text)) <= _LONGEST_NUMBER and _NUMBER.match(str(text)) is not None


def plain_table(
    frame: pd.DataFrame, index: Sequence[str], is_bold: pd.DataFrame | None = None
) -> dict[str, Any]:
    """Return the variables of the Jinja template that renders a table as sortable HTML.

    The columns `index` of `frame` name its rows. `is_bold` has one boolean per cell of the other
    columns.
    """
    cells = frame.set_index(list(index))
    bold = False if is_bold is None else is_bold.to_numpy()
    styles = pd.DataFrame(np.where(np.broadcast_to(bold, cells.shape), "bold", ""))
    return table_parts(cells, styles) | {"sortable": True}
