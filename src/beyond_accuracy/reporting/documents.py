"""Replace tables in Markdown documents."""

import re
from collections.abc import Sequence
from pathlib import Path


def replace_table(text: str, rows: Sequence[Sequence[str]], document: str | Path) -> str:
    """Return the text with a table replaced by `rows`, the head first.

    Raises ValueError unless exactly one table of the document has the same first cell as `rows`.
    """
    head, *body = (f"| {' | '.join(row)} |" for row in rows)
    new = "\n".join([head, "|---" * len(rows[0]) + "|", *body, ""])
    table = re.compile(rf"^\| {re.escape(rows[0][0])} \|.*\n(?:\|.*\n)+", re.MULTILINE)
    text, found = table.subn(lambda _: new, text)
    if found != 1:
        raise ValueError(f"{document}: {found} tables begin with {rows[0][0]!r}, not one")
    return text
