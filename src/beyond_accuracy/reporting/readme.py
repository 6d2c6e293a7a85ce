"""README.md, written from a template and the reference."""

from collections.abc import Mapping
from pathlib import Path

from beyond_accuracy.reporting.agreement import agreement_in_words, read_agreement
from beyond_accuracy.reporting.arena.documents import read_arena_table, recommended_methods
from beyond_accuracy.reporting.claims import read_claims
from beyond_accuracy.reporting.paper import Paper
from beyond_accuracy.reporting.site.papers import finding
from beyond_accuracy.reporting.table_files import template
from beyond_accuracy.reporting.verdict import VERDICTS
from beyond_accuracy.results import layout
from beyond_accuracy.results.damage import existing

README = "README.md"


def readme(reference: str | Path, papers: Mapping[str, Paper]) -> str:
    """Return README.md with the numbers of the reference.

    Parameters
    ----------
    reference : path
        The folder of the reference, with all papers and the binary arena.
    papers : dict of str to Paper
        The definitions of all papers and arenas.

    Raises
    ------
    FileNotFoundError
        If the reference lacks a file.
    """
    claims = read_claims(existing(Path(reference) / layout.CLAIMS))
    rows = {}
    for name, paper in papers.items():
        own = claims[claims["paper"] == name]
        counts = own["verdict"].value_counts()
        rows[name] = {
            "name": paper.name,
            "finding": finding(paper, own.to_dict("records")),
            "verdicts": "/".join(
                str(counts.get(verdict, 0)) for verdict in VERDICTS if verdict != "not testable"
            ),
        }
    recommended = read_arena_table(reference, "arena", "table_recommendation")
    return template("README.md.jinja").render(
        papers=rows,
        published_cells=agreement_in_words(
            read_agreement(existing(Path(reference) / layout.AGREEMENT))
        ),
        recommended={
            features: recommended_methods(
                recommended, papers["arena"].methods, f"{features} features"
            )
            for features in ("dense", "sparse")
        },
    )
