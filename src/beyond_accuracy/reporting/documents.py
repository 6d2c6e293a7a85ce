"""Tables in Markdown documents: written, and replaced where they stand."""

import re
from collections.abc import Sequence
from pathlib import Path


def markdown_table(rows: Sequence[Sequence[str]]) -> str:
    """Return rows of cells, the head first, as a table of Markdown."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], "|---" * len(rows[0]) + "|", *lines[1:], ""])


def replace_table(text: str, rows: Sequence[Sequence[str]], document: str | Path) -> str:
    """Return the text with the table replaced whose first cell is that of `rows`.

    Raises ValueError if the document has no such table, or several.
    """
    table = re.compile(rf"^\| {re.escape(rows[0][0])} \|.*\n(?:\|.*\n)+", re.MULTILINE)
    text, found = table.subn(lambda _: markdown_table(rows), text)
    if found != 1:
        raise ValueError(f"{document}: {found} tables begin with {rows[0][0]!r}, not one")
    return text
