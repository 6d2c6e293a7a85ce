"""Write tables in Markdown, and replace tables and blocks in Markdown documents."""

import re
from collections.abc import Sequence
from pathlib import Path


def replace_table(text: str, rows: Sequence[Sequence[str]], document: str | Path) -> str:
    """Return `text` with the table replaced whose first cell is the first cell of `rows`.

    Raises ValueError unless exactly one table has this first cell.
    """
    new = markdown_table(rows)
    table = re.compile(rf"^\| {re.escape(rows[0][0])} \|.*\n(?:\|.*\n)+", re.MULTILINE)
    text, found = table.subn(lambda _: new, text)
    if found != 1:
        raise ValueError(f"{document}: {found} tables begin with {rows[0][0]!r}, not one")
    return text


def markdown_table(rows: Sequence[Sequence[str]]) -> str:
    """Return rows of cells as a Markdown table; the first row is the head."""
    head, *body = (f"| {' | '.join(row)} |" for row in rows)
    return "\n".join([head, "|---" * len(rows[0]) + "|", *body, ""])


def replace_block(text: str, name: str, block: str) -> str:
    """Return `text` with `block` between the comments of this name.

    New comments are inserted below the first heading.
    """
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    new = f"{begin}\n{block}\n{end}"
    before, found, rest = text.partition(begin)
    if found:
        return before + new + rest.partition(end)[2]
    heading, _, rest = text.partition("\n")
    return f"{heading}\n\n{new}\n{rest}"
