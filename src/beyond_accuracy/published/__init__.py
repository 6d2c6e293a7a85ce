"""The papers' own numbers, as far as they are known, and their sources (see README.md)."""

import csv
from importlib import resources

COLUMN_NAMES = {"dataset": "data_set"}
MEASURE_NAMES = {"roc_auc": "roc_area"}


def published_table(paper: str, table: str) -> list[dict[str, str]] | None:
    """Return the rows of one published table, or None where no copy of it is at hand.

    An empty string is a value that the paper does not print (N/A, a dash). The files keep the
    names of their source; here they are translated to this package's: `data_set`, `roc_area`.
    """
    file = resources.files(__name__) / f"{paper}_{table}.csv"
    if not file.is_file():
        return None
    with file.open(encoding="utf-8", newline="") as lines:
        rows = [
            {COLUMN_NAMES.get(key, key): value for key, value in row.items()}
            for row in csv.DictReader(lines)
        ]
    for row in rows:
        if "measure" in row:
            row["measure"] = MEASURE_NAMES.get(row["measure"], row["measure"])
    return rows
