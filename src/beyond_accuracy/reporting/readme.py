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

    `papers` has the definitions of all papers and arenas, by name. Raises FileNotFoundError if the
    reference lacks a file.
    """
    claims = read_claims(existing(Path(reference) / layout.CLAIMS))
    agreement = read_agreement(existing(Path(reference) / layout.AGREEMENT))
    rows = {}
    for name, paper in papers.items():
        own = claims[claims["paper"] == name]
        counts = own["verdict"].value_counts().reindex(VERDICTS, fill_value=0)
        rows[name] = {
            "name": paper.name,
            "finding": finding(paper, own.to_dict("records")),
            "verdicts": "/".join(map(str, counts.drop("not testable"))),
        }
    frame = read_arena_table(reference, "arena", "table_recommendation")
    return template("README.md.jinja").render(
        papers=rows,
        published_cells=agreement_in_words(agreement),
        recommended={
            kind: recommended_methods(frame, papers["arena"].methods, f"{kind} features")
            for kind in ("dense", "sparse")
        },
    )
