"""Collect the contents of data sets' pages: sources, sizes and results."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from beyond_accuracy_pipeline.results import layout
from beyond_accuracy_pipeline.results.variants import selected_readings

from ..agreement import NEAR
from ..cells import cells_over_states, describe_cells, with_ranks
from ..formats import decimals
from ..html_tables import plain_table
from ..names import data_set_name, decision_name, measure_name
from ..report import Report, is_substitute, substitute_text

_TEXTS = (
    *("source", "location", "used", "files", "sha256", "citation", "licence", "positives_found"),
    *("reason", "how_to_get", "attempts"),
)
_FORM = decimals(4)
_SHAPE = ("n_train", "n_test", "n_features", "n_classes")


def data_set_rows(path: Path) -> list[dict[str, Any]]:
    """Read the file data_sets.csv at `path`, and return one dict per data set for web pages.

    A dict has the columns of the file, "name" (for readers), "is_substitute" (whether the data set
    replaces one of the paper's), and "substitute" (a sentence that says which one, or ""). If there
    is no file, return [].
    """
    if not path.is_file():
        return []
    rows = pd.read_csv(path, keep_default_na=False, dtype=str).to_dict("records")
    for row in rows:
        row.update({name: row.get(name, "") for name in _TEXTS})
        row["name"] = data_set_name(row["data_set"])
        row["is_substitute"] = is_substitute(row)
        row["substitute"] = substitute_text(row["data_set"], row) if row["is_substitute"] else ""
    return rows


def data_set_page(
    row: Mapping[str, Any], reports: Sequence[Report], papers: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    """Return the template's variables for the web page of one data set: sizes, files and results.

    `row` is the data set's dict from `data_set_rows`. `reports` has one report per paper, and
    `papers` maps ids of papers to the variables of their pages.
    """
    name = row["data_set"]
    results = [
        {
            "id": report.paper.id,
            "name": report.paper.name,
            "title": report.paper.title,
            "aggregate": describe_cells(report),
            "more": _where_it_stands(report, papers[report.paper.id], name),
            **table,
        }
        for report in reports
        if (table := _results(report, name))
    ]
    readings = [
        {"id": report.paper.id, "name": report.paper.name, "reading": reading}
        for report in reports
        for reading, changed in selected_readings(report.results.whole).items()
        if name in (changed.get("data_sets") or {}).values()
    ]
    found = {measure_name(key): row.get(f"{key}_found", "") for key in _SHAPE}
    positives = json.loads(row["positives_found"] or "{}")
    shape = {title: f"{float(number):,.0f}" for title, number in found.items() if number}
    if isinstance(positives, dict) and all(isinstance(n, int) for n in positives.values()):
        shape |= {f"Positives, {part}": f"{number:,}" for part, number in positives.items()}
    # One attempt to get the data set per line, "source address: result".
    parts = [attempt.partition(": ") for attempt in row["attempts"].splitlines()]
    attempts = pd.DataFrame(
        [(*place.partition(" ")[::2], result) for place, _, result in parts],
        columns=["Source", "Address", "Result"],
    )
    return {
        "name": name,
        "label": data_set_name(name),
        "row": row,
        "shape": shape,
        "files": list(zip(row["files"].split(), row["sha256"].split(), strict=False)),
        "results": results,
        "readings": readings,
        "attempts": plain_table(attempts, ["Source"]),
    }


def _results(report: Report, data_set: str) -> dict[str, Any]:
    """Return a table of all methods' averages on a data set; {} without averages."""
    cells = report.once(cells_over_states)
    cells = cells[(cells["data_set"] == data_set) & cells["method"].isin(report.methods())]
    if cells["value"].isna().all():
        return {}
    # Sorted, then put in order: unsorted, pandas 2.3 puts values elsewhere where some are missing.
    # Nothing where a method is not trained for a measure, "n/a" where it was and has no value.
    cells = with_ranks(cells).set_index(["method", "decision", "measure"])
    is_best = cells["rank"].eq(1).unstack(fill_value=False)
    intervals = " [" + cells["low"].map(_FORM) + ", " + cells["high"].map(_FORM) + "]"
    texts = cells["value"].map(_FORM) + intervals.where(cells["low"].notna(), "")
    texts = texts.unstack().fillna("")
    texts = texts[list(dict.fromkeys(cells.index.get_level_values("measure")))]
    in_order = dict.fromkeys(cells.index.droplevel("measure"))
    texts = texts.loc[sorted(in_order, key=lambda key: report.methods().index(key[0]))]
    is_best = is_best.loc[texts.index, texts.columns]
    labels = [
        ", ".join(filter(None, (report.method_label(method), decision_name(decision))))
        for method, decision in texts.index
    ]
    texts.index = pd.Index(labels, name="Method")
    texts.columns = [measure_name(measure) for measure in texts.columns]
    return plain_table(texts.reset_index(), ["Method"], is_best) | {
        "bounded": bool(cells["low"].notna().any())
    }


def _where_it_stands(
    report: Report, page: Mapping[str, Any], data_set: str
) -> list[dict[str, str]]:
    """Return titles and anchors of the tables on a paper's page that contain a data set."""
    cells = [cell for cell in page["agreement"] if cell["page"] == data_set]
    links = []
    if cells:
        values = [cell["distance"] for cell in cells if cell["distance"] is not None]
        close = sum(distance <= NEAR for distance in values)
        title = f"{len(cells)} published cell{'' if len(cells) == 1 else 's'}"
        if values:
            title += f", {close} of {len(values)} values within {NEAR:g} of ours"
        links.append({"title": title, "anchor": cells[0]["id"]})
    rows = report.once(_data_sets_of_tables)
    for table in page["tables"]:
        if data_set in rows[table["name"]]:
            links.append({"title": table["title"], "anchor": table["name"]})
    return links


def _data_sets_of_tables(report: Report) -> dict[str, frozenset[str]]:
    """Return {table: data sets in it} for the tables of a paper."""
    names: dict[str, frozenset[str]] = {}
    for table in report.configuration["tables"]:
        file = report.results.path(layout.TABLE, table=table, suffix="csv")
        frame = pd.read_csv(file, dtype=str) if file.is_file() else pd.DataFrame()
        names[table] = frozenset(frame.get("data_set", ()))
    return names
