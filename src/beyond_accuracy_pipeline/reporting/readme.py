"""Write README.md from a template and the reference: the stored results of full runs."""

from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from beyond_accuracy_pipeline.results import layout
from beyond_accuracy_pipeline.results.damage import existing

from .agreement import read_agreement
from .arena.documents import read_arena_table, recommended_methods
from .claims import read_claims
from .conclusion import (
    basis_of_verdict,
    distance_table,
    finding,
    judged_main_claim,
    listed,
)
from .names import contestant_name
from .paper import Paper
from .table_files import template
from .verdict import VERDICTS

README = "README.md"
ANSWERS = {
    "reproduced": "Yes",
    "partly": "Partly",
    "undecided": "Undecided",
    "not reproduced": "No",
    "not testable": "Not testable",
}
"""How README.md answers a main claim, by its verdict."""
_TUNED = ", threshold tuned"
"""How labels of methods with a tuned threshold end."""
_MEASURES = {"F1": "F1", "Rec@Prec 0.9": "recall at precision 0.9", "ROC area": "ROC area"}
"""The measures for which README.md recommends methods, with their names for readers."""
_SITUATIONS = {
    "dense features": "Dense features",
    "dense, below 10 % positives": "Dense, below 10 % positives",
    "sparse features": "Sparse features, such as words",
}
"""The kinds of tasks for which README.md recommends methods, with their names for readers."""


def readme(reference: str | Path, papers: Mapping[str, Paper]) -> str:
    """Fill the template of README.md with numbers from stored results, and return the text.

    `reference` is the folder of these results. `papers` maps ids to definitions.
    """
    claims = read_claims(existing(Path(reference) / layout.CLAIMS))
    agreement = read_agreement(existing(Path(reference) / layout.AGREEMENT))
    data_sets = pd.read_csv(existing(Path(reference) / layout.DATA_SETS), index_col="data_set")
    # Arenas have no claims.
    described = [paper for paper in papers.values() if paper.main_claim is not None]
    described.sort(key=lambda paper: paper.id[-4:])
    rows = [
        _paper_row(paper, claims[claims["paper"] == paper.id], paper.main_claim.sentence)
        for paper in described
    ]
    used = {name for paper in described for name in paper.data_sets}
    data_sets = data_sets[data_sets.index.isin(used)]
    frame = read_arena_table(reference, "arena", "table_recommendation")
    pairs = read_arena_table(reference, "arena", "table_pairs")
    return template("README.md.jinja").render(
        papers=rows,
        n_claims=sum(row["n_claims"] for row in rows),
        distances=distance_table(agreement),
        substitutes=listed(data_sets.index[data_sets["substitute_for"].notna()]),
        missing=listed(data_sets.index[data_sets["status"] != "ok"]),
        recommended=[
            _recommendation(frame, pairs, papers["arena"].methods, *situation)
            for situation in _SITUATIONS.items()
        ],
    )


def _paper_row(paper: Paper, claims: pd.DataFrame, summary: str) -> dict[str, object]:
    judged = claims.to_dict("records")
    of_paper = claims[claims["source"] == "paper"]
    verdicts = of_paper["verdict"].value_counts().reindex(VERDICTS, fill_value=0)
    verdict, basis = "not testable", ""
    if main := judged_main_claim(paper, judged):
        verdict, basis = main["verdict"], basis_of_verdict(main)
    return {
        "id": paper.id,
        "name": paper.name,
        "claim": summary,
        "answer": f"**{ANSWERS[verdict]}**{f' ({basis})' if basis else ''}.",
        "finding": finding(paper, judged),
        "verdicts": [int(verdicts[name]) for name in ANSWERS],
        "n_claims": len(of_paper),
    }


def _recommendation(
    frame: pd.DataFrame, pairs: pd.DataFrame, labels: Mapping[str, str], when: str, text: str
) -> str:
    """Return a sentence on the methods recommended for a kind of tasks, `text` in words."""
    n_data_sets, methods = recommended_methods(frame, labels, when)
    shown = {
        method: listed(
            [
                _MEASURES[name] + (_close_threshold(pairs, labels, when, method) * (name == "F1"))
                for name in measures
                if name in _MEASURES
            ]
        )
        for method, measures in methods.items()
    }
    parts = [
        f"{_method_in_words(method) if method else 'undecided'} for {measures}"
        for method, measures in shown.items()
        if measures
    ]
    if parts == [f"undecided for {shown.get('')}"]:
        parts = ["undecided"]
    return f"- {text} ({n_data_sets} data sets): {'; '.join(parts)}."


def _close_threshold(pairs: pd.DataFrame, labels: Mapping[str, str], when: str, method: str) -> str:
    """Return which method with a tuned threshold is at most a point of F1 behind, or ""."""
    pairs = pairs[(pairs["measure"] == "f1") & (pairs["situation"] == when)]
    turned = pairs.rename(columns={"first": "second", "second": "first"})
    both = pd.concat([pairs, turned.assign(difference=-turned["difference"])])
    both = both.assign(
        first=both["first"].map(lambda name: contestant_name(name, labels)),
        second=both["second"].map(lambda name: contestant_name(name, labels)),
    )
    behind = both[
        (both["first"] == method)
        & both["second"].str.endswith(_TUNED)
        & both["difference"].between(0, 0.01)
    ]
    if behind.empty or method.endswith(_TUNED):
        return ""
    nearest = behind.sort_values("difference")["second"].iloc[0]
    return f" (close: tuned {_method_in_words(nearest.removesuffix(_TUNED))})"


def _method_in_words(label: str) -> str:
    """Return a method in words, such as "weighted logistic regression" for "LR, weighted"."""
    name, _, variant = label.partition(", ")
    name = name.replace("HGB", "gradient boosting").replace("LR", "logistic regression")
    name = name[0].lower() + name[1:]
    if variant == "threshold tuned":
        return f"{name} with a tuned threshold"
    return f"{variant} {name}".strip()
