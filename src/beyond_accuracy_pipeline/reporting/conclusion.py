"""Sentences computed from results: a paper's claim, the result, and reasons for doubt.

A claim is a row of the claims table as a dict: its statement, verdict and numbers.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from beyond_accuracy_pipeline.results.columns import MISSING
from beyond_accuracy_pipeline.results.variants import selected_readings

from .agreement import distances
from .cards import advice, without_substitutes
from .cells import ranked_cells, with_ranks
from .names import data_set_name, sentences_of
from .paper import Paper
from .published import as_measurements
from .report import Report, is_substitute
from .verdict import VERDICTS

SOURCES = {"ours": "a question of ours", "later": "a later paper"}
"""How pages mark claims that are not the paper's."""
DISTANCE_COLUMNS = (
    *("published values", "within 0.005 of ours", "0.01", "0.02", "0.03"),
    "inside our 95 % interval",
)
_NAMED = 2
Claim = Mapping[str, Any]


def finding(definition: Paper, claims: Sequence[Claim]) -> str:
    """Return a sentence that states a paper's main result, or "" if numbers for it are missing.

    `claims` are dicts with the keys "id" and "numbers", a dict from name to value.
    """
    numbers = {claim["id"]: claim["numbers"] for claim in claims}
    try:
        return definition.finding(numbers) if definition.finding else ""
    except (KeyError, TypeError, ValueError):
        return ""


def judged_main_claim(definition: Paper, claims: Iterable[Claim]) -> Claim | None:
    """Return the row of a paper's main claim among judged claims, or None if it was not judged."""
    if definition.main_claim is None:
        return None
    return next((claim for claim in claims if claim["id"] == definition.main_claim.id), None)


def of_the_paper(claims: Iterable[Claim]) -> list[Claim]:
    """Select the claims of the paper itself; leave out claims of later papers and our questions."""
    return [claim for claim in claims if claim["source"] == "paper"]


def conclusion(report: Report, claims: Sequence[Claim], sentence: str) -> dict[str, str]:
    """Summarize the results of a paper: a dict from title to sentences.

    "Result" has the verdict on the main claim, the main result `sentence`, and the methods that are
    best most often. "Caveats" are reasons to doubt the verdicts. `claims` are the judged claims.
    Without a main claim, return {}.
    """
    if report.paper.main_claim is None or not claims:
        return {}
    parts = []
    if main := judged_main_claim(report.paper, claims):
        verdict = main["verdict"]
        basis = f" ({text})" if (text := basis_of_verdict(main)) else ""
        parts.append(f"Main claim {verdict}{' reproduced' * (verdict == 'partly')}{basis}.")
    of_paper = of_the_paper(claims)
    verdicts = Counter(claim["verdict"] for claim in of_paper)
    counts = listed(f"{verdicts[name]} {name}" for name in VERDICTS if verdicts[name])
    parts += [sentence, best_overall(report)]
    parts.append(f"Verdicts on {len(of_paper)} sentences of the paper: {counts}.")
    sentences = {
        "Claim": report.paper.main_claim.sentence,
        "Result": " ".join(filter(None, parts)),
        "Advice": advice(report, claims),
        "Caveats": sentences_of(_doubts(report, claims)),
    }
    return {title: text for title, text in sentences.items() if text}


def basis_of_verdict(claim: Claim) -> str:
    """Return for how many seeds a verdict holds: "9 of 10 seeds; partly under the reading X".

    X is a variant of the protocol with another verdict. With one seed and no X, return "".
    """
    verdict, states = claim["verdict"], claim["states"]
    several = states and verdict != "not testable" and not states.endswith(" of 1")
    parts = [f"{states} seeds"] if several else []
    parts += [
        f"{other} under the reading {reading.replace('_', ' ')}"
        for reading, other in claim["otherwise"].items()
    ]
    return "; ".join(parts)


def best_overall(report: Report) -> str:
    """Return a sentence that names the methods that most often have the best average.

    Averages over classes are compared for each of the paper's data sets and main measures, among
    its main methods. If these are fewer than three, or if the paper proposes no method, return "".
    """
    paper, cells = report.paper, ranked_cells(report)
    measures = paper.main_measures or report.measures
    cells = cells[cells["data_set"].isin(paper.data_sets) & cells["measure"].isin(measures)]
    if paper.main_methods:
        cells = with_ranks(cells[cells["method"].isin(paper.main_methods)])
    # Of two methods, the main result says which is ahead.
    if cells.empty or not paper.proposed or cells["method"].nunique() <= 2:
        return ""
    place = ["data_set", "measure"]
    best = cells[cells["rank"] == 1].drop_duplicates([*place, "method"])
    counts = best["method"].value_counts(sort=False)
    first = counts.index[counts == counts.max()]
    labels = [report.method_label(name) for name in first]
    among = "Among the paper's methods" if paper.main_methods else "By the values shown"
    text = f"{among}, {listed(labels)}"
    text += f" {'is' if len(first) == 1 else 'are each'} best in {counts.max()} of "
    text += f"{cells.groupby(place).ngroups} cells (data set and measure)"
    if paper.proposed not in first:
        text += f", {paper.methods[paper.proposed]} in {counts.get(paper.proposed, 0)}"
    printed = as_measurements(report.all_published().values())[[*place, "method"]]
    if len(first) == 1 and first[0] != paper.proposed and printed["method"].eq(first[0]).any():
        n_printed = len(best[best["method"] == first[0]].merge(printed.drop_duplicates()))
        text += f"; the paper prints {n_printed or 'none'} of these {counts.max()} values"
    return f"{text}."


def _doubts(report: Report, claims: Sequence[Claim]) -> list[str]:
    """Return the reasons to doubt the verdicts."""
    used = [name for name in report.data_sets if name in report.paper.data_sets]
    records = {name: report.results.record(name) for name in used}
    parts = [*report.paper.doubts]
    for text, names, effect in (
        (
            "substitutes stand in for",
            [name for name in used if is_substitute(records[name])],
            _use_of_substitutes(report, claims),
        ),
        ("no data for", [name for name in used if records[name].get("status") in MISSING], ""),
    ):
        if names:
            shown = f" ({listed(map(data_set_name, names))})" if len(names) <= _NAMED else ""
            parts.append(f"{text} {len(names)} of {len(used)} data sets{shown}{effect}")
    whole = report.results.whole
    n_run, n_readings = len(selected_readings(whole)), len(whole.get("readings") or {})
    of_readings = (
        f"on a reading ({n_run} of {n_readings} readings {'was' if n_run == 1 else 'were'} run)"
    )
    for key, text in (("decided_by", "on a single class"), ("otherwise", of_readings)):
        decided = [claim["statement"].strip(" .") for claim in claims if claim[key]]
        if decided:
            shown = f": “{decided[0]}”" if len(decided) == 1 else ""
            verdicts = "verdict depends" if len(decided) == 1 else "verdicts depend"
            parts.append(f"{len(decided)} {verdicts} {text}{shown}")
    parts += dict.fromkeys(claim["fewer_seeds"] for claim in claims if claim["fewer_seeds"])
    return parts or [
        "no data set is a substitute, and no verdict depends on a single class or reading"
    ]


def _use_of_substitutes(report: Report, claims: Sequence[Claim]) -> str:
    """Return how many verdicts on the paper's claims use substitutes, or "" if none does."""
    judged = [claim for claim in of_the_paper(claims) if claim["verdict"] != "not testable"]
    using = [claim for claim in judged if without_substitutes(report, claim["note"])[1]]
    return f", which {len(using)} of {len(judged)} verdicts use" if using else ""


def decided_in_words(claim: Claim) -> str:
    """Return a text on the classes whose omission changes the verdict on a claim.

    For example: "partly without class 2 or 3 of covertype, or class 8 of optdigits". If the verdict
    does not rest on averages over classes, return "".
    """
    if not claim["of_classes"]:
        return ""
    verdicts: dict[str, dict[str, list[str]]] = {}
    for name, verdict in claim["decided_by"].items():
        found = re.fullmatch(r"(.+) \((.+)\)", name)
        of_data_set = f" of {data_set_name(found[2])}" if found else ""
        classes = verdicts.setdefault(verdict, {}).setdefault(of_data_set, [])
        classes.append(found[1] if found else name)
    parts = []
    for verdict in sorted(verdicts, key=lambda name: (name == "undecided", name)):
        groups = verdicts[verdict]
        names = (listed(classes, "or") + of_data_set for of_data_set, classes in groups.items())
        parts.append(f"{verdict} without class {', or class '.join(names)}")
    return "; ".join(parts) or "the same without any one class"


def distance_table(cells: pd.DataFrame) -> list[list[str]]:
    """Return a table on how close published values are to ours: headings and one row of texts.

    `cells` has one row per number that a paper prints. The headings are `DISTANCE_COLUMNS`. If the
    paper publishes no values, return [].
    """
    counts = distances(cells)
    if not counts["n_values"]:
        return []
    substitutes = counts["substitutes"]
    number = f"{counts['n_values']}{f' ({substitutes} on substitutes)' if substitutes else ''}"
    inside = f"{counts['inside']} of {counts['compared']}" if counts["compared"] else "–"
    shares = [f"{100 * count / counts['n_values']:.0f} %" for count in counts["within"]]
    return [[*DISTANCE_COLUMNS], [number, *shares, inside]]


def listed(items: Iterable[str], word: str = "and") -> str:
    """Join items in words, such as "a, b and c"; return "" without items."""
    *others, last = [*items] or [""]
    return f"{', '.join(others)} {word} {last}" if others else last
