"""The page on which all results stand: results/index.html, and timing.html beside it.

Seconds differ from run to run. They have a page of their own, so that index.html does not.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from beyond_accuracy.reporting.claims import read_claims
from beyond_accuracy.reporting.report import Report, is_substitute, substitute_text
from beyond_accuracy.reporting.table_files import table_fragment, template
from beyond_accuracy.reporting.verdict import VERDICTS
from beyond_accuracy.results import layout
from beyond_accuracy.results.paper_results import PaperResults

LONG_TABLE = 60


def build_site(reports: Sequence[Report], output: str | Path) -> None:
    """Write the overview of all results as one page, and a page of seconds beside it.

    Tables and styles are inside the page, figures are linked relative to it. Tables and figures
    that are not there (yet) are left out, and papers without results are named as such.
    """
    output = Path(output)
    claims_path = output.parent / layout.CLAIMS
    claims = read_claims(claims_path).to_dict("records") if claims_path.is_file() else []
    sections = [_section(report, claims) for report in reports]
    output.parent.mkdir(parents=True, exist_ok=True)
    page = template("site.html.jinja").render(
        sections=sections, data_sets=_data_sets(output.parent), verdicts=VERDICTS
    )
    output.write_text(page, encoding="utf-8")
    seconds = [
        _seconds(report.results) if section["present"] else []
        for section, report in zip(sections, reports, strict=True)
    ]
    page = template("timing.html.jinja").render(papers=list(zip(sections, seconds, strict=True)))
    output.with_name(layout.TIMING).write_text(page, encoding="utf-8")


def _section(report: Report, claims: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what the pages show of a paper; lists are empty while its results are absent."""
    definition, configuration = report.paper, report.configuration
    folder = report.results.folder / definition.id
    functions = {claim["id"]: claim["function"] for claim in configuration["claims"]}
    tables = [
        {
            "name": table,
            "fragment": table_fragment(page.read_text(encoding="utf-8")),
            "stem": f"{definition.id}/tables/{table}",
            # Folded away until it is asked for.
            "long": len(pd.read_csv(page.with_suffix(".csv"))) > LONG_TABLE,
            "timed": table in definition.timed,
        }
        for table in configuration["tables"]
        if (page := folder / "tables" / f"{table}.html").is_file()
    ]
    figures = [
        {
            "name": figure,
            "caption": definition.figures[figure].caption,
            "stem": f"{definition.id}/figures/{figure}",
        }
        for figure in configuration["figures"]
        if (folder / "figures" / f"{figure}.svg").is_file()
    ]
    several = (report.results.whole.get("states") or 1) > 1
    claims = [
        {**claim, "timed": functions.get(claim["id"]) in definition.timed, "several": several}
        for claim in claims
        if claim["paper"] == definition.id
    ]
    section: dict[str, Any] = {"paper": definition.id, "definition": definition, "figures": figures}
    for prefix, timed in (("", False), ("timed_", True)):
        section[f"{prefix}tables"] = [table for table in tables if table["timed"] == timed]
        section[f"{prefix}claims"] = [claim for claim in claims if claim["timed"] == timed]
    counts = Counter(claim["verdict"] for claim in section["claims"])
    present = bool(section["tables"] or figures or section["claims"])
    return section | {"verdicts": counts, "present": present}


def _data_sets(results_folder: Path) -> list[dict[str, Any]]:
    path = results_folder / "data_sets.csv"
    if not path.is_file():
        return []
    rows = pd.read_csv(path, keep_default_na=False, dtype=str).to_dict("records")
    for row in rows:
        row["is_substitute"] = is_substitute(row)
        row["substitute"] = substitute_text(row["data_set"], row) if row["is_substitute"] else ""
    return rows


def _seconds(results: PaperResults) -> list[dict[str, Any]]:
    """Sum the seconds of a paper by data set, method and stage; medians where fits are repeated."""
    frame = results.seconds
    keys = ["data_set", "method", "measure", "stage"]
    columns = ["wall_seconds", "cpu_seconds"]
    options = {"sort": False, "dropna": False}
    once = frame.groupby([*keys, "task", "repetition"], **options)[columns].sum()
    medians = once.groupby([*keys, "task"], **options)[columns].median()
    return medians.groupby(keys, **options)[columns].sum().reset_index().to_dict("records")
