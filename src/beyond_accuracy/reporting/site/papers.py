"""What the page of a paper shows."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from beyond_accuracy.reporting.claims import NOT_RERUN
from beyond_accuracy.reporting.formats import significant
from beyond_accuracy.reporting.report import Report
from beyond_accuracy.reporting.table_files import table_fragment
from beyond_accuracy.reporting.vector_graphics import aspect_ratio
from beyond_accuracy.reporting.verdict import VERDICTS
from beyond_accuracy.results.variants import selected_readings

_FIRST_NUMBERS = 6


def heading(name: str) -> str:
    """Return how a table or figure is called: "table2_per_class" is "Table 2 per class"."""
    words = name.replace("_", " ")
    for kind in ("table", "figure"):
        number = words.removeprefix(kind)
        if number != words:
            own = number.strip()
            return f"{kind.title()} {own}" if own[:1].isdigit() else own[:1].upper() + own[1:]
    return words


def paper_page(
    report: Report, claims: pd.DataFrame | None, agreement: pd.DataFrame
) -> dict[str, Any]:
    """Return what the pages show of a paper; lists are empty while its results are absent."""
    definition, configuration = report.paper, report.configuration
    folder = report.results.folder / definition.id
    functions = {claim["id"]: claim["function"] for claim in configuration["claims"]}
    own = [] if claims is None else claims[claims["paper"] == definition.id].to_dict("records")
    several = (report.results.whole.get("states") or 1) > 1
    judged = [
        _claim(claim, functions.get(claim["id"]) in definition.timed) | {"several": several}
        for claim in own
    ]
    tables = [
        {
            "name": name,
            "title": heading(name),
            "fragment": table_fragment(page.read_text(encoding="utf-8")),
            "stem": f"{definition.id}/tables/{name}",
            "timed": name in definition.timed,
        }
        for name in configuration["tables"]
        if (page := folder / "tables" / f"{name}.html").is_file()
    ]
    figures = [
        {
            "name": name,
            "title": heading(name),
            "caption": definition.figures[name].caption,
            "stem": f"{definition.id}/figures/{name}",
            "ratio": aspect_ratio(picture),
        }
        for name in configuration["figures"]
        if (picture := folder / "figures" / f"{name}.svg").is_file()
    ]
    page: dict[str, Any] = {"id": definition.id, "definition": definition, "figures": figures}
    for prefix, timed in (("", False), ("timed_", True)):
        page[f"{prefix}tables"] = [table for table in tables if table["timed"] == timed]
        page[f"{prefix}claims"] = [claim for claim in judged if claim["timed"] == timed]
    cells = agreement[agreement["paper"] == definition.id]
    return page | {
        "present": bool(tables or figures or judged),
        "counts": Counter(claim["verdict"] for claim in page["claims"]),
        "agreement": _cells(cells),
        "readings": _readings(report),
        "states": configuration.get("states") or 1,
        "deviations": [_deviation(report, own) for own in configuration.get("deviations") or []],
        "notes": report.data_set_notes(report.data_sets) if _known(report) else [],
        "substituted": _known(report) and bool(report.substitutes(report.data_sets)),
    }


def _known(report: Report) -> bool:
    return Path(report.results.folder, "data_sets.csv").is_file()


def _claim(claim: Mapping[str, Any], timed: bool) -> dict[str, Any]:
    numbers = [
        (name, significant(value) if isinstance(value, float) else str(value))
        for name, value in claim["numbers"].items()
    ]
    every = claim["readings"]
    readings = {name: verdict for name, verdict in every.items() if verdict != NOT_RERUN}
    others = {
        name: verdict for name, verdict in readings.items() if verdict != claim["first_state"]
    }
    return {
        **claim,
        "timed": timed,
        "evidence": numbers[:_FIRST_NUMBERS],
        "more": numbers[_FIRST_NUMBERS:],
        "readings": readings,
        "otherwise": others,
        "not_rerun": bool(every) and not readings,
        "severity": VERDICTS.index(claim["verdict"]),
    }


def _cells(agreement: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the published cells for a table, seconds and missing ones last."""
    rows = []
    for cell in agreement.to_dict("records"):
        known = not pd.isna(cell["ours"])
        bounded = not pd.isna(cell["low"])
        inside = cell["inside"]
        rows.append(
            {
                **cell,
                "published": significant(cell["published"]),
                "ours": significant(cell["ours"]) if known else "n/a",
                "interval": f"{significant(cell['low'])} to {significant(cell['high'])}"
                if bounded
                else "",
                "difference": significant(cell["ours"] - cell["published"]) if known else "",
                "verdict": "" if pd.isna(inside) else ("inside" if inside else "outside"),
            }
        )
    return sorted(rows, key=lambda row: row["ours"] == "n/a")


def _deviation(report: Report, own: Mapping[str, Any]) -> dict[str, str]:
    """Return the cells that a deviation is about, and its reason."""
    method = own.get("method")
    parts = [own.get("data_set"), report.method_label(method) if method else None]
    parts += [own.get(name) for name in ("task", "quantity")]
    return {"cells": ", ".join(filter(None, parts)), "reason": own["reason"].strip()}


def _readings(report: Report) -> list[dict[str, Any]]:
    known = report.results.whole.get("readings") or {}
    selected = set(selected_readings(report.results.whole))
    return [
        {"name": name, "why": reading["why"].strip(), "selected": name in selected}
        for name, reading in known.items()
    ]
