"""Fill in the Markdown pages of papers, with their conclusions and tables."""

from collections.abc import Callable, Mapping
from functools import partial
from importlib import resources

import pandas as pd

from .conclusion import conclusion, distance_table, finding
from .page_tables import claims_table, markdown_table
from .page_templates import render
from .reference_values import PageError, Reference, nearest
from .report import Report

PAGES = {
    "page.md.jinja": "docs/results/{paper}.md",
    "details.md.jinja": "docs/results/details/{paper}.md",
}
"""The templates in a paper's folder, and the pages that are written from them."""


def paper_pages(
    report: Report, claims: pd.DataFrame, agreement: pd.DataFrame, values: Reference
) -> dict[str, str]:
    """Fill in the templates of a paper's Markdown pages: a dict from path to text.

    `claims` has one row per judged claim, and `agreement` one row per number that a paper prints.
    """
    paper = report.paper.id
    own = claims[claims["paper"] == paper]
    tables = {table.__name__: partial(table, report) for table in report.paper.page_tables}
    tables["claims"] = partial(claims_table, own)

    def table(name: str) -> str:
        if name not in tables:
            raise PageError(f"there is no table '{name}'; {nearest(name, tables)}")
        try:
            return markdown_table(tables[name]())
        except KeyError as error:
            raise ValueError(
                f"{report.results.folder}: no {error} in the tables of {paper}, which its page "
                "shows: run the whole paper"
            ) from error

    cells = agreement[agreement["paper"] == paper]
    functions = {"conclusion": partial(_conclusion, report, own, cells), "table": table}
    return render_pages(paper, values, functions)


def render_pages(
    paper: str, values: Reference, functions: Mapping[str, Callable[..., str]]
) -> dict[str, str]:
    """Fill in the templates of the pages of a paper or arena: a dict from path to text."""
    folder = resources.files(f"beyond_accuracy_pipeline.papers.{paper}")
    return {
        page.format(paper=paper): render(
            (folder / name).read_text(encoding="utf-8"), f"{paper}/{name}", values, functions
        )
        for name, page in PAGES.items()
    }


def _conclusion(report: Report, claims: pd.DataFrame, cells: pd.DataFrame) -> str:
    """Return Markdown with the paper's conclusion and its distances from published values."""
    rows = claims.to_dict("records")
    sentences = conclusion(report, rows, finding(report.paper, rows))
    parts = ["\n".join(f"- **{title}.** {text}" for title, text in sentences.items())]
    if table := distance_table(cells):
        parts.append(markdown_table(table))
    return "\n\n".join(parts)
