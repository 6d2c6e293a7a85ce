"""Write the web pages of a run: results/index.html and results/pages/.

Only pages/run.html and pages/run.json have seconds, date, machine and commit. The pages load
nothing from the network.
"""

import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd

from beyond_accuracy_pipeline.results import layout

from ..agreement import read_agreement
from ..claims import read_claims
from ..conclusion import DISTANCE_COLUMNS
from ..names import explained, measure_name
from ..paper import Paper
from ..report import Report
from ..table_files import template
from ..verdict import VERDICTS
from .data_sets import data_set_page, data_set_rows
from .methods import method_page, method_rows
from .overview import agreement_by_paper, draw_agreement, recommendations, without_marks
from .papers import paper_page
from .run import machine, seconds
from .search import search_index


def build_site(
    reports: Sequence[Report],
    output: str | Path,
    *,
    documentation: str = "",
    footer: str = "",
    runs: Mapping[str, Mapping[str, str]] | None = None,
    others: Iterable[Paper] = (),
    reference: pd.DataFrame | None = None,
) -> None:
    """Write the web pages that show a run's results.

    - `output`: the HTML file of the overview; other pages are in the folder `pages` beside this
      file
    - `documentation`: path of the documentation, relative to the overview
    - `footer`: a sentence for the foot of pages
    - `runs`: machine and date of each paper's run; by default, facts on this run are shown
    - `others`: papers that were not run
    - `reference`: an earlier run's verdicts on claims, to be compared with this run's
    """
    output = Path(output)
    folder, pages = output.parent, output.parent / layout.PAGES
    shutil.rmtree(pages, ignore_errors=True)
    for name in ("papers", "data_sets", "methods"):
        (pages / name).mkdir(parents=True)
    assets = resources.files("beyond_accuracy_pipeline.reporting.site") / "assets"
    with resources.as_file(assets) as source:
        shutil.copytree(source, pages / "assets", ignore=shutil.ignore_patterns("*.py*", "__*"))

    claims = read_claims(folder / layout.CLAIMS) if (folder / layout.CLAIMS).is_file() else None
    agreement = read_agreement(folder / layout.AGREEMENT)
    papers = [paper_page(report, claims, agreement) for report in reports]
    present = [report for report, paper in zip(reports, papers, strict=True) if paper["present"]]
    rows = data_set_rows(folder / layout.DATA_SETS)
    by_id = {paper["id"]: paper for paper in papers}
    data_sets = [data_set_page(row, present, by_id) for row in rows]
    methods = [method_page(report, method) for report in present for method in method_rows(report)]
    stored = [] if reference is None else reference.groupby("paper")
    compared = {paper: own.set_index("id").to_dict("index") for paper, own in stored}
    common = {"papers": papers, "verdicts": VERDICTS, "documentation": documentation, "of": footer}
    common["compared"] = compared

    def write(name: str, path: str, **context: Any) -> None:
        root = "../" * path.count("/")
        # The folder of pages, relative to the page.
        here = {"root": root, "path": path, "pages": root[3:] if root else f"{layout.PAGES}/"}
        page = template(f"{name}.html.jinja").render(**here, **common, **context)
        (folder / path).write_text(page, encoding="utf-8")

    with TemporaryDirectory() as folder_of_picture:
        stem = Path(folder_of_picture) / "agreement"
        drawn = draw_agreement(agreement, reports, stem, pages=f"{layout.PAGES}/")
    recommended = recommendations(present)
    shown_tables = (table for own in recommended for table in (*own["tables"], *own["more"]))
    cells = (row for table in shown_tables for row in table["rows"])
    # A run with only users' data sets shows their results on the overview.
    alone = bool(present) and all(paper["own_data"] for paper in papers if paper["present"])
    shown = [own for own in data_sets if own["results"]]
    write(
        "overview",
        output.name,
        agreement=agreement_by_paper(agreement, reports),
        distance_columns=DISTANCE_COLUMNS,
        picture=drawn,
        without_marks=without_marks(agreement, reports),
        data_sets=rows,
        untestable=sum(paper["counts"]["not testable"] for paper in papers),
        not_run=[paper for paper in others if paper.claims],
        recommendations=recommended,
        abbreviations=explained(text for row in cells for text in row),
        in_findings=explained(paper["finding"] for paper in papers),
        results=shown if alone else [],
    )
    for paper in papers:
        write("paper", f"{layout.PAGES}/papers/{paper['id']}.html", paper=paper)
    write("data_sets", f"{layout.PAGES}/data_sets.html", data_sets=data_sets)
    for data_set in data_sets:
        write("data_set", f"{layout.PAGES}/data_sets/{data_set['name']}.html", data_set=data_set)
    labels = (text for method in methods for text in (method["label"], method["summary"]))
    write(
        "methods", f"{layout.PAGES}/methods.html", methods=methods, abbreviations=explained(labels)
    )
    for method in methods:
        write("method", f"{layout.PAGES}/methods/{method['id']}.html", method=method)
    if compared:
        write("reference", f"{layout.PAGES}/reference.html")
    timed = [(paper["id"], seconds(report)) for report, paper in zip(reports, papers, strict=True)]
    here = machine() if runs is None else {}
    write("run", f"{layout.PAGES}/run.html", machine=here, runs=runs or {}, seconds=dict(timed))
    if here:
        text = json.dumps(here, indent=1)
        (folder / layout.RUN).write_text(f"{text}\n", encoding="utf-8")
    measures: dict[str, list[tuple[str, str]]] = {}
    for report in present:
        page = f"{layout.PAGES}/papers/{report.paper.id}.html"
        for measure in map(measure_name, report.measures):
            measures.setdefault(measure, []).append((report.paper.name, page))
    index = search_index(papers, data_sets, methods, measures)
    (pages / "assets" / "search_index.js").write_text(index, encoding="utf-8")
