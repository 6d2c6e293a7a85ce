"""Sentences computed from results: a paper's claim, the result, and reasons for doubt.

A claim is a row of the table that `read_claims` returns, as a dict.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from beyond_accuracy_pipeline.reporting.agreement import distances, shares_within
from beyond_accuracy_pipeline.reporting.cells import ranked_cells
from beyond_accuracy_pipeline.reporting.names import capitalized, data_set_name, decision_name
from beyond_accuracy_pipeline.reporting.paper import Paper
from beyond_accuracy_pipeline.reporting.report import Report, is_substitute
from beyond_accuracy_pipeline.reporting.verdict import VERDICTS
from beyond_accuracy_pipeline.results.columns import MISSING

SOURCES = {"ours": "a question of ours", "later": "a later paper"}
"""How pages mark claims that are not the paper's."""
DISTANCE_COLUMNS = (
    *("published values", "within 0.005 of ours", "0.01", "0.02", "0.03"),
    "inside our 95 % interval",
)
_NAMED = 2
Claim = Mapping[str, Any]


def finding(definition: Paper, claims: Sequence[Claim]) -> str:
    """Return a sentence with the paper's main result, or "" if numbers for it are missing.

    `definition` is the definition of the paper's reports. `claims` have the keys `id` and
    `numbers`, as in the table of `read_claims`.
    """
    numbers = {claim["id"]: claim["numbers"] for claim in claims}
    try:
        return definition.finding(numbers) if definition.finding else ""
    except (KeyError, TypeError, ValueError):
        return ""


def of_the_paper(claims: Iterable[Claim]) -> list[Claim]:
    """Return the claims that the paper itself makes; only these are counted.

    Other claims are our own questions, or come from later papers.
    """
    return [claim for claim in claims if claim["source"] == "paper"]


def conclusion(report: Report, claims: Sequence[Claim], sentence: str) -> dict[str, str]:
    """Return three sentences: the main claim, the result, and what the paper does not tell.

    Parameters
    ----------
    report : Report
        The report on the paper.
    claims : sequence of dict
        The claims whose verdicts may be shown, as `read_claims` returns them.
    sentence : str
        The sentence that `finding` returns, or "".

    Returns
    -------
    dict
        The sentences by their titles "Claim", "Result" and "Not told". The last one comes first if
        a baseline is best overall. Empty if the paper has no main
        claim or `claims` is empty.
    """
    if report.paper.main_claim is None or not claims:
        return {}
    own = of_the_paper(claims)
    verdicts = Counter(claim["verdict"] for claim in own)
    judged = len(own) - verdicts["not testable"]
    counts = [f"{verdicts[name]} {name}" for name in VERDICTS[:-1] if verdicts[name]]
    result = f"verdicts on {judged} sentences: {listed(counts)}" if judged else ""
    known = filter(None, [sentence.rstrip("."), result])
    result = "; ".join(known) or "no sentence could be judged"
    best, is_baseline = best_overall(report)
    doubt = capitalized(_doubt(report, claims, verdicts["not testable"]))
    untold = {"Not told": f"{best} {doubt}.".strip()}
    told = {"Claim": report.paper.main_claim.sentence, "Result": f"{capitalized(result)}."}
    return untold | told if is_baseline else told | untold


def best_overall(report: Report) -> tuple[str, bool]:
    """Return a sentence on the methods that are best in most cells, and whether one is a baseline.

    A cell is a data set of the paper and a measure. Baselines are other methods than the proposed
    one whose values the paper prints. The sentence is "" without any value.
    """
    paper, cells = report.paper, ranked_cells(report)
    measures = paper.main_measures or report.measures
    cells = cells[cells["data_set"].isin(paper.data_sets) & cells["measure"].isin(measures)]
    if cells.empty or not paper.proposed:
        return "", False
    n_cells = cells.groupby(["data_set", "measure"]).ngroups
    best = cells[cells["rank"] == 1]
    counts = best.groupby(["method", "decision"], sort=False).size()
    first = counts[counts == counts.max()].index
    printed = {name for own in report.all_published().values() for name in own.get("method", ())}
    is_baseline = any(name in printed and name != paper.proposed for name, _ in first)
    labels = listed(
        ", ".join(filter(None, (report.method_label(name), decision_name(decision))))
        for name, decision in first
    )
    text = f"Of {n_cells} cells (data set and measure), " + "its baseline " * is_baseline + labels
    text += f" {'is' if len(first) == 1 else 'are'} best in {counts.max()}"
    if paper.proposed not in first.get_level_values("method"):
        text += f", {paper.methods[paper.proposed]} in {best['method'].eq(paper.proposed).sum()}"
    return f"{text}.", is_baseline


def _doubt(report: Report, claims: Sequence[Claim], untestable: int) -> str:
    """Return the reasons to doubt the verdicts, separated by semicolons.

    Reasons are substitute or missing data sets, verdicts that depend on a single class or on a
    reading (a variant of the paper's protocol), claims that are not testable, and fewer seeds than
    the stored reference results. `untestable` is the number of claims that are not testable.
    """
    used = [name for name in report.data_sets if name in report.paper.data_sets]
    records = {name: report.results.record(name) for name in used}
    parts = [report.paper.doubt] if report.paper.doubt else []
    for text, names in (
        ("substitutes stand in for", [name for name in used if is_substitute(records[name])]),
        ("no data for", [name for name in used if records[name].get("status") in MISSING]),
    ):
        if names:
            shown = f" ({listed(map(data_set_name, names))})" if len(names) <= _NAMED else ""
            parts.append(f"{text} {len(names)} of {len(used)} data sets{shown}")
    for key, text in (
        ("decided_by", "on a single class"),
        ("otherwise", "on a reading of this run"),
    ):
        decided = [claim["id"] for claim in claims if claim[key]]
        if decided:
            shown = f" ({listed(decided)})" if len(decided) <= _NAMED else ""
            verdicts = "verdict depends" if len(decided) == 1 else "verdicts depend"
            parts.append(f"{len(decided)} {verdicts} {text}{shown}")
    if untestable:
        sentences = "sentence is" if untestable == 1 else "sentences are"
        parts.append(f"{untestable} {sentences} not testable")
    parts += dict.fromkeys(claim["fewer_seeds"] for claim in claims if claim["fewer_seeds"])
    return "; ".join(parts) or (
        "no data set is a substitute, no verdict depends on a single class or reading, and every "
        "sentence could be tested"
    )


def decided_in_words(claim: Claim) -> str:
    """Say which single classes a verdict depends on; "" if it is not about averages over classes.

    Classes without which the verdict is the same are listed together. At most two of them are
    named.
    """
    if not claim["of_classes"]:
        return ""
    verdicts: dict[str, list[str]] = {}
    for name, verdict in claim["decided_by"].items():
        verdicts.setdefault(verdict, []).append(re.sub(r"\((.+)\)$", _named, name))
    parts = []
    for verdict in sorted(verdicts, key=lambda name: (name == "undecided", name)):
        names = verdicts[verdict]
        shown = " or ".join(names) if len(names) <= _NAMED else f"one of {len(names)} classes"
        parts.append(f"{verdict} without {shown}")
    return "; ".join(parts) or "the same without any one class"


def _named(found: re.Match[str]) -> str:
    return f"({data_set_name(found[1])})"


def distance_table(cells: pd.DataFrame) -> list[list[str]]:
    """Return a table that says how close published values are to ours: a head and one row.

    `cells` has rows of the table of `agreement`. The head is `DISTANCE_COLUMNS`. Without published
    values the table is [].
    """
    counts = distances(cells)
    if not counts["n_values"]:
        return []
    substitutes = counts["substitutes"]
    number = f"{counts['n_values']}{f' ({substitutes} on substitutes)' if substitutes else ''}"
    inside = f"{counts['inside']} of {counts['compared']}" if counts["compared"] else "–"
    return [[*DISTANCE_COLUMNS], [number, *shares_within(counts), inside]]


def listed(items: Iterable[str]) -> str:
    """Join items in words, such as "a, b and c"; return "" if there are none."""
    *others, last = [*items] or [""]
    return f"{', '.join(others)} and {last}" if others else last
