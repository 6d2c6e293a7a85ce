"""Collect the contents of papers' pages."""

import re
from collections import Counter
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from markupsafe import Markup, escape

from beyond_accuracy_pipeline.results import layout
from beyond_accuracy_pipeline.results.columns import MISSING
from beyond_accuracy_pipeline.results.variants import selected_readings

from ..agreement import is_value
from ..cards import came_out, published, without_substitutes
from ..claims import NOT_RERUN
from ..conclusion import (
    SOURCES,
    conclusion,
    decided_in_words,
    distance_table,
    finding,
    judged_main_claim,
    of_the_paper,
)
from ..formats import change, significant
from ..names import (
    capitalized,
    data_set_name,
    decision_name,
    explained,
    measure_name,
    spaced,
)
from ..published import KEYS
from ..report import SUBSTITUTE_MARK, Report, is_substitute
from ..table_files import SHOWN, ShownTable, read_shown, table_html, with_best
from ..vector_graphics import inline
from ..verdict import VERDICTS

_TABLE_FILES = {"csv": "CSV", "json": "JSON", "tex": "LaTeX"}
_FIGURE_FILES = {"svg": "SVG", "png": "PNG", "csv": "Data as CSV"}
_AGREEMENT_COLUMNS = {
    "data_set": "Data set",
    "quantity": "Quantity",
    "method": "Method",
    "task": "Task",
    "published": "Published",
    "ours": "Ours",
    "difference": "Difference",
    "reason": "Why",
    "verdict": "In the interval",
    "interval": "95 % interval",
    "met_under": "Met under",
    "table": "Table",
}
_SUBSTITUTE = Markup('{} a substitute: <a href="#substitutes">which, and why</a>.').format(
    SUBSTITUTE_MARK
)
_TABLE_NAME = re.compile(r"\btable_\w+")
NOT_TESTABLE = "not testable"


def heading(name: str) -> str:
    """Return the title of a table or figure, such as "Table 2 per class" for table2_per_class."""
    kind, words = re.fullmatch("(table|figure|)(.*)", spaced(name)).groups()
    words = words.strip()
    return capitalized(f"{kind} {words}" if kind and words[:1].isdigit() else words)


def paper_page(
    report: Report, claims: pd.DataFrame | None, agreement: pd.DataFrame
) -> dict[str, Any]:
    """Return the template's variables for the web page of one paper: claims, tables and figures."""
    definition, configuration = report.paper, report.configuration
    folder = report.results.folder / definition.id
    own = [] if claims is None else claims[claims["paper"] == definition.id].to_dict("records")
    by_id = {claim["id"]: claim for claim in configuration["claims"]}
    judged = [_claim(report, claim, by_id[claim["id"]]) for claim in own if claim["id"] in by_id]
    written = {
        name: read_shown(file)
        for name in configuration["tables"]
        if (file := folder / "tables" / f"{name}.{SHOWN}").is_file()
    }
    with_values = {name: table for name, table in written.items() if table.has_values}
    tables = [
        {
            "name": name,
            "title": heading(name),
            "fragment": table_html(
                with_best(table), _notes(table, with_values, short=name not in definition.timed)
            ),
            "rows": len(table.cells),
            "stem": f"{definition.id}/tables/{name}",
            "files": _files(folder / "tables" / name, _TABLE_FILES),
            "timed": name in definition.timed,
        }
        for name, table in with_values.items()
    ]
    drawn = {
        name: picture
        for name in configuration["figures"]
        if (picture := folder / "figures" / f"{name}.svg").is_file()
    }
    # A figure without values has a file of values with a head only.
    empty_figures = {
        name
        for name, picture in drawn.items()
        if (values := picture.with_suffix(".csv")).is_file()
        and values.read_text(encoding="utf-8").count("\n") <= 1
    }
    figures = [
        {
            "name": name,
            "title": heading(name),
            "caption": definition.figures[name].caption,
            "stem": f"{definition.id}/figures/{name}",
            "picture": inline(picture, f"{definition.id}-{name}", definition.figures[name].caption),
            "timed": name in definition.timed,
            "files": _files(picture.with_suffix(""), _FIGURE_FILES),
        }
        for name, picture in drawn.items()
        if name not in empty_figures
    ]
    cells = agreement[agreement["paper"] == definition.id]
    has_data_sets = report.results.path(layout.DATA_SETS).is_file()
    statuses = report.results.data_sets["status"].to_dict() if has_data_sets else {}
    with_data = cells["data_set"].map(statuses).eq("ok")
    with_value = cells["ours"].notna()
    own_sets = [name for name in report.data_sets if name in definition.data_sets]
    shown = {own["name"] for own in [*tables, *figures]}
    selected = [*configuration["tables"], *configuration["figures"]]
    absent = [name for name in selected if name not in {*written, *drawn}]
    empty = [name for name in selected if name not in {*shown, *absent}]
    testable = [claim for claim in judged if claim["verdict"] != NOT_TESTABLE]
    read = selected_readings(report.results.whole)
    found = finding(definition, own)
    sentences = conclusion(report, judged, found) if own_sets else {}
    of_decisions = configuration["protocol"] == "multilabel"
    titles = _AGREEMENT_COLUMNS | ({"task": "Inference"} if of_decisions else {})
    counted = of_the_paper(judged)
    all_on_substitutes = bool(testable) and all(claim["on_substitutes"] for claim in testable)
    fewer = next((claim["fewer_seeds"] for claim in own if claim["fewer_seeds"]), "")
    return {
        "id": definition.id,
        "definition": definition,
        "tables": [table for table in tables if not table["timed"]],
        "figures": [figure for figure in figures if not figure["timed"]],
        "timed_tables": [table for table in tables if table["timed"]],
        "timed_figures": [figure for figure in figures if figure["timed"]],
        "present": bool(written or drawn or judged),
        "counts": Counter(claim["verdict"] for claim in counted),
        "claims": judged,
        "timed_claims": [claim for claim in judged if claim["timed"]],
        "n_others": len(judged) - len(counted),
        "conclusion": sentences,
        "abbreviations": explained(sentences.values()),
        "distances": distance_table(cells),
        "testable": testable,
        # A mark on each claim would tell nothing.
        "all_on_substitutes": all_on_substitutes,
        "not_testable": [claim for claim in judged if claim not in testable],
        "finding": found,
        "main_claim": judged_main_claim(definition, judged),
        "absent": list(map(heading, absent)),
        "empty": list(dict.fromkeys(map(heading, empty))),
        "agreement": (printed := _cells(report, cells[with_data & with_value])),
        "cells_without_value": int((with_data & ~with_value).sum()),
        "cells_without_data": int((~with_data).sum()),
        # Empty columns are left out.
        "agreement_columns": {
            name: title for name, title in titles.items() if any(cell[name] for cell in printed)
        },
        "readings": [
            {"name": name, "why": reading["why"].strip(), "selected": name in read}
            for name, reading in (report.results.whole.get("readings") or {}).items()
        ],
        "protocol": report.protocol().strip().split("\n\n"),
        "seeds": configuration.get("states") or 1,
        "reference_seeds": int(fewer.rpartition(" ")[2]) if fewer else 0,
        "deviations": [_deviation(report, own) for own in configuration.get("deviations") or []],
        "own_available": [statuses.get(name) for name in own_sets].count("ok"),
        "own_missing": [
            (name, data_set_name(name)) for name in own_sets if statuses.get(name) in MISSING
        ],
        "notes": report.data_set_notes(
            [name for name in report.data_sets if statuses.get(name) == "ok"]
        ),
        "own_data": not any(name in definition.data_sets for name in report.data_sets),
    }


def _notes(table: ShownTable, names: Collection[str], *, short: bool) -> list[Markup]:
    """Return a table's notes, with links to other tables that they name.

    If `short`, one link replaces the notes on substitutes, which the page has elsewhere.
    """

    def link(found: re.Match[str]) -> str:
        name = found[0]
        return f'<a href="#{name}">{heading(name)}</a>' if name in names else name

    texts = table.notes_on_pages
    kept = [text for text in texts if not (short and text.startswith(f"{SUBSTITUTE_MARK} "))]
    # The text is escaped first, and names of tables are words.
    notes = [Markup(_TABLE_NAME.sub(link, escape(text))) for text in kept]  # nosec B704
    return notes if len(kept) == len(texts) else [*notes, _SUBSTITUTE]


def _files(stem: Path, suffixes: Mapping[str, str]) -> dict[str, str]:
    """Return a dict from suffix to label for those files of a table or figure that exist."""
    return {
        suffix: label
        for suffix, label in suffixes.items()
        if stem.with_suffix(f".{suffix}").is_file()
    }


def _claim(
    report: Report, claim: Mapping[str, Any], configured: Mapping[str, Any]
) -> dict[str, Any]:
    every = claim["readings"]
    readings = {name: verdict for name, verdict in every.items() if verdict != NOT_RERUN}
    note, on_substitutes = without_substitutes(report, claim["note"])
    under: dict[str, list[str]] = {}
    for reading, other in readings.items():
        # If the first seed has another verdict, "the same" would be ambiguous.
        is_same = other == claim["verdict"] == claim["first_state"]
        under.setdefault("the same" if is_same else other, []).append(reading)
    return {
        **claim,
        "several": (report.results.whole.get("states") or 1) > 1,
        # Claims that are not testable have no seconds.
        "timed": configured.get("function") in report.paper.timed
        and claim["verdict"] != NOT_TESTABLE,
        "came_out": came_out(report, configured, claim["numbers"]),
        "in_print": published(report, configured),
        "under": list(under.items()),
        "note": note,
        "on_substitutes": on_substitutes,
        "pooled": configured.get("pools_states", False),
        "readings": readings,
        "not_rerun": bool(every) and not readings,
        "severity": VERDICTS.index(claim["verdict"]),
        "source_in_words": SOURCES.get(claim["source"], ""),
        "decided": decided_in_words(claim),
    }


def _cells(report: Report, agreement: pd.DataFrame) -> list[dict[str, Any]]:
    """Return one dict per published number, with our value and texts for a row of the page."""
    rows = []
    decisions = report.configuration["protocol"] == "multilabel"
    records = {name: report.results.record(name) for name in agreement["data_set"].unique()}
    values = is_value(agreement)
    for number, value, cell in zip(values.index, values, agreement.to_dict("records"), strict=True):
        substitute = is_substitute(records[cell["data_set"]])
        difference = cell["ours"] - cell["published"]
        inside, ends = cell["inside"], map(significant, (cell["low"], cell["high"]))
        rows.append(
            {
                "id": f"cell-{number}",
                "page": cell["data_set"] if records[cell["data_set"]] else "",
                "table": heading(cell["table"]),
                "data_set": data_set_name(cell["data_set"]) + SUBSTITUTE_MARK * substitute,
                "quantity": measure_name(cell["quantity"]),
                "method": report.method_label(cell["method"]),
                "task": decision_name(cell["task"]) if decisions else cell["task"],
                "met_under": spaced(cell["met_under"]),
                "reason": f"{SUBSTITUTE_MARK} a substitute" if substitute else cell["reason"],
                "published": significant(cell["published"]),
                "ours": significant(cell["ours"]),
                "interval": "" if pd.isna(cell["low"]) else " to ".join(ends),
                "difference": change(difference, cell["published"]),
                "verdict": "" if pd.isna(inside) else ("inside" if inside else "outside"),
                "distance": abs(difference) if value else None,
            }
        )
    return rows


def _deviation(report: Report, own: Mapping[str, Any]) -> dict[str, str]:
    """Return the reason of a configured deviation, and which published numbers it explains."""
    data_set, quantity, method, task = (own.get(key) or "" for key in KEYS)
    parts = [data_set_name(data_set), report.method_label(method)]
    parts += [decision_name(task), measure_name(quantity)]
    return {"cells": ", ".join(filter(None, parts)), "reason": own["reason"].strip()}
