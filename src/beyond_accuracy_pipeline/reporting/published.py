"""Numbers that a paper prints, in one form for all of its tables."""

from collections.abc import Iterable

import pandas as pd

from beyond_accuracy_pipeline.results.columns import MEASUREMENT_COLUMNS, SECONDS_COLUMNS

KEYS = ["data_set", "quantity", "method", "task"]
SECONDS = "seconds"
PRINTED = "published"
"""Value of the column `stage` for published processor seconds."""
_NAMES = {"model": "method", "inference": "task", "measure": "quantity", "cpu_seconds": SECONDS}
_PERCENT = "_percent"


def published_cells(published: pd.DataFrame) -> pd.DataFrame:
    """Return the numbers that a table of a paper prints, in the same columns for all tables.

    `published` has one row per printed number, which is in the column value, seconds or
    cpu_seconds. Other columns, such as measure and model, identify the number. The result has the
    columns data_set, quantity, method, task ("" where unknown) and published (the number). Numbers
    in percent become fractions.
    """
    frame = published.rename(columns=_NAMES)
    if SECONDS in frame:
        frame = frame.rename(columns={SECONDS: "published"}).assign(quantity=SECONDS)
    frame = frame.rename(columns={"value": "published"})
    frame = frame.assign(**{name: "" for name in KEYS if name not in frame})
    percent = frame["quantity"].str.endswith(_PERCENT)
    frame["published"] = frame["published"].where(~percent, frame["published"] / 100)
    frame["quantity"] = frame["quantity"].str.removesuffix(_PERCENT)
    return frame.dropna(subset="published")[[*KEYS, "published"]]


def as_measurements(tables: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """Return the values of measures in the printed tables of a paper, one row per value.

    The columns are `MEASUREMENT_COLUMNS`. If a value is printed twice, the first is returned.
    """
    parts = [cells for table in tables if len(cells := published_cells(table))]
    cells = pd.concat(parts) if parts else pd.DataFrame(columns=[*KEYS, "published"])
    of_methods = (cells["method"] != "") & ~cells["quantity"].str.endswith(SECONDS)
    cells = cells[of_methods].drop_duplicates(KEYS)
    rows = cells.rename(columns={"quantity": "measure", "published": "value"})
    rows = rows.assign(fold=0, status="ok", reason="").reindex(columns=list(MEASUREMENT_COLUMNS))
    return rows.astype(MEASUREMENT_COLUMNS).reset_index(drop=True)


def as_seconds(tables: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """Return the CPU seconds that a paper prints, one row per printed time.

    `tables` are the paper's printed tables. The columns are those of measured seconds, with the
    stage "published".
    """
    parts = [_seconds_of(table) for table in tables]
    parts = [own for own in parts if len(own)]
    rows = pd.concat(parts) if parts else pd.DataFrame()
    rows = rows.assign(stage=PRINTED, repetition=0).reindex(columns=list(SECONDS_COLUMNS))
    return rows.dropna(subset="cpu_seconds").astype(SECONDS_COLUMNS).reset_index(drop=True)


def _seconds_of(table: pd.DataFrame) -> pd.DataFrame:
    if "cpu_seconds" in table or table.empty:
        return table
    cells = published_cells(table)
    seconds = cells[(cells["method"] != "") & cells["quantity"].str.endswith(SECONDS)]
    return seconds.drop(columns="quantity").rename(columns={"published": "cpu_seconds"})
