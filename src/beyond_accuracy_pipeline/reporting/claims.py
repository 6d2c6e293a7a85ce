"""Verdicts on a paper's claims, over seeds and readings.

A reading is a variant of the paper's protocol; the headline is the protocol as configured. Seeds
have the numbers 1, 2, … and are called states in columns and texts.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from beyond_accuracy_pipeline.results import layout
from beyond_accuracy_pipeline.results.frames import write_csv
from beyond_accuracy_pipeline.results.paper_results import PaperResults
from beyond_accuracy_pipeline.results.variants import (
    HEADLINE,
    Variant,
    reading_states,
    selected_readings,
)

from .judge import judge_declared
from .report import Report
from .verdict import VERDICTS, Verdict, VerdictName

NOT_RERUN = "not rerun"
"""Replaces the verdict under a reading that does not repeat the studies that the claim needs."""

UNDECIDED: VerdictName = "undecided"
"""The verdict on a claim if no verdict has more than half of the seeds."""

TEXTS = ["id", "section", "source", "statement", "rule"]
COLUMNS = [
    *("paper", *TEXTS, "verdict", "states", "votes", "fewer_seeds", "first_state", "readings"),
    *("otherwise", "published", "decided_by", "averaged", "averaged_numbers", "numbers", "test"),
    "note",
]
"""Texts of the claim, then the verdict of most seeds and how many have it (`states`) or another
(`votes`). `readings` has the verdicts of readings, and `otherwise` those that differ. `published`
is the rule's verdict on the paper's own numbers, and `averaged` on averages over the seeds.
`decided_by` has the classes without which the verdict changes. `numbers` are medians over the
seeds; `test` and `note` are those of the first seed with the verdict."""
_JSON = ("readings", "otherwise", "decided_by", "averaged_numbers", "numbers")


def judge(report: Report) -> pd.DataFrame:
    """Judge each claim of a paper from the results in `report`; return one row per claim.

    The results are of one seed and one variant of the protocol. The columns are:

    - `id`, and the `verdict`, such as "reproduced"
    - `numbers` behind the verdict, as JSON
    - `test`, the statistical test, and `note`
    - `without`: JSON of {class: verdict} for classes whose omission changes the verdict
    """
    on_own_data_sets = report.of_the_paper
    rows = []
    for claim in report.configuration["claims"]:
        if _is_rerun(claim, report.results):
            own = judge_claim(on_own_data_sets, claim)
            without = "" if own.without is None else _as_json(own.without)
            numbers = _as_json(own.numbers)
            rows.append((claim["id"], own.verdict, numbers, own.test, own.note, without))
    return pd.DataFrame(rows, columns=["id", "verdict", "numbers", "test", "note", "without"])


def judge_claim(report: Report, claim: Mapping[str, Any]) -> Verdict:
    """Judge one claim of a paper, which is an entry in the configuration file paper.yaml.

    If `claim`, the entry, has the key "compare", the methods listed there are compared. Otherwise
    the key "function" names a function in the paper's `claims`, which returns the verdict.
    """
    if claim.get("compare"):
        return judge_declared(report, claim)
    return report.paper.claims[claim["function"]](report)


def _as_json(values: Mapping[str, Any]) -> str:
    """Return a mapping as JSON: floats with ten significant digits, infinite ones as text."""
    values = {
        name: (float(f"{value:.10g}") if math.isfinite(value) else str(value))
        if isinstance(value, float)
        else value
        for name, value in values.items()
    }
    return json.dumps(values, ensure_ascii=False)


def _is_rerun(claim: Mapping[str, Any], results: PaperResults) -> bool:
    """Return whether this reading and seed ran all studies and readings that a claim needs."""
    variant, whole = results.variant, results.whole
    studies, readings = claim.get("rests_on") or [], claim.get("compares") or []
    if variant.is_headline or not (studies or readings):
        return True
    configured, selected = whole.get("studies") or {}, selected_readings(whole)
    states: set[int] = set()
    states.update(*(layout.study_states(whole, name) for name in studies if configured.get(name)))
    states.update(*(reading_states(whole, name) for name in readings if name in selected))
    pooled = claim.get("pools_states", False)
    return variant.reading == HEADLINE and variant.state in states and not pooled


def judge_variants(report: Report) -> pd.DataFrame:
    """Judge each claim of a paper for each seed and each reading (variant of the protocol).

    Return one row per claim, reading and seed. The columns are `reading`, `state` (the number of
    the seed), and those of `judge`.
    """
    return report.over_variants(judge)


def evaluate_claims(
    report: Report, reference_seeds: Mapping[str, int] | None = None
) -> pd.DataFrame:
    """Judge a paper's claims over all seeds and variants of its protocol; one row per claim.

    The verdict is for the protocol as configured: the verdict of more than half of the seeds, or
    "undecided". The column `readings` has the verdicts for variants of the protocol. All columns
    are listed in `COLUMNS`. `reference_seeds` maps ids of claims to their numbers of seeds in the
    stored results of full runs. If a claim has fewer seeds now, its row says so.

    Claims with `on_published` are also judged on the numbers that the paper prints. If such a
    verdict is "partly" or "not reproduced", the claim's rule is unfair, and ValueError is raised.
    """
    whole = report.results.whole
    # The table of readings asks the same report.
    every = report.under(Variant()).once(judge_variants)
    judged = majority(every).set_index(["id", "reading"])
    first = in_first_state(every).set_index("id")["verdict"]
    rows = []
    for claim in report.configuration["claims"]:
        name = claim["id"]
        headline = judged.loc[(name, HEADLINE)]
        verdict = headline["verdict"]
        readings = {
            reading: judged["verdict"].get((name, reading), NOT_RERUN)
            for reading in selected_readings(whole)
        }
        otherwise = {
            reading: other
            for reading, other in readings.items()
            # A reading with one seed is compared with the first seed.
            if other
            not in (NOT_RERUN, verdict if len(reading_states(whole, reading)) > 1 else first[name])
        }
        row = {"source": "paper", **claim}
        row = {text: row[text].strip() for text in TEXTS} | {"paper": report.paper.id}
        row |= headline.to_dict() | {"first_state": first[name]}
        row |= {"readings": _as_json(readings), "otherwise": _as_json(otherwise)}
        row["published"] = _on_published(report, claim)
        states = every[(every["id"] == name) & (every["reading"] == HEADLINE)]
        if (states["without"] != "").any():
            row["decided_by"] = _as_json(_decided_by(states, verdict))
            if len(states) > 1:
                averaged = judge_claim(report.of_the_paper.once(Report.averaged), claim)
                row["averaged"] = averaged.verdict
                row["averaged_numbers"] = _as_json(averaged.numbers)
        n_states = (whole.get("states") or 1) if claim.get("pools_states") else len(states)
        n_reference = (reference_seeds or {}).get(name, 0)
        if n_states < n_reference:
            seeds = f"{n_states} seed{'' if n_states == 1 else 's'}"
            row["fewer_seeds"] = f"{seeds}; the reference has {n_reference}"
        rows.append(row)
    return pd.DataFrame(rows, columns=COLUMNS).fillna("")


def _on_published(report: Report, claim: Mapping[str, Any]) -> str:
    """Return the verdict on the paper's own numbers, or "" if the rule needs other numbers."""
    if not claim.get("on_published"):
        return ""
    verdict = judge_claim(report.as_published(), claim).verdict
    # Without a data set of the paper, a rule that needs its size cannot be applied.
    if verdict not in ("reproduced", "not testable"):
        raise ValueError(
            f"claims of {report.paper.id}: the rule of {claim['id']} is {verdict!r} on the paper's "
            "own numbers; a fair rule is 'reproduced' there. Rewrite it, or remove on_published if "
            "it needs other numbers."
        )
    return verdict


def _decided_by(states: pd.DataFrame, verdict: str) -> dict[str, str]:
    """Return {class: verdict of most seeds without it} for classes that change the verdict."""
    without = [json.loads(text) if text else {} for text in states["without"]]
    classes = dict.fromkeys(name for changed in without for name in changed)
    verdicts = {
        name: _winner(
            Counter(
                changed.get(name, vote)
                for changed, vote in zip(without, states["verdict"], strict=True)
            )
        )
        for name in classes
    }
    return {name: other for name, other in verdicts.items() if other != verdict}


def _winner(votes: Counter[str]) -> str:
    """Return the verdict of more than half of the seeds, or "undecided"."""
    verdict, count = votes.most_common(1)[0]
    return verdict if 2 * count > votes.total() else UNDECIDED


def majority(judged: pd.DataFrame) -> pd.DataFrame:
    """Combine the verdicts of all seeds; one row per claim and reading (variant of the protocol).

    `judged` is a table made by `judge_variants`. The verdict is the one of more than half of the
    seeds, or "undecided". Numbers are medians over the seeds.
    """
    rows = []
    for (name, reading), states in judged.groupby(["id", "reading"], sort=False):
        votes, n_states = Counter(states["verdict"]), len(states)
        most = max(votes.values())
        is_split = 2 * most <= n_states
        verdict = _winner(votes)
        chosen = states if is_split else states[states["verdict"] == verdict]
        first = chosen.sort_values("state", kind="stable").iloc[0]
        note = first["note"]
        # Otherwise values of one seed in the note would contradict the medians beside it.
        if note and chosen["note"].nunique() > 1:
            note = f"With seed {first['state']}: {note}"
        all_votes = ", ".join(f"{votes[other]} {other}" for other in VERDICTS if votes[other])
        n_votes = f"{'at most ' * is_split}{most} of {n_states}"
        numbers = _over_states(states["numbers"], first["numbers"])
        rows.append((name, reading, verdict, all_votes, n_votes, numbers, first["test"], note))
    columns = ["id", "reading", "verdict", "votes", "states", "numbers", "test", "note"]
    return pd.DataFrame(rows, columns=columns)


def _over_states(numbers: pd.Series, named: str) -> str:
    """Return JSON of the numbers in `named`: medians or most frequent values over the seeds."""
    states = [json.loads(text) for text in numbers]
    typical = {
        name: _typical(pd.Series([state[name] for state in states if name in state]))
        for name in json.loads(named)
    }
    return json.dumps(typical, ensure_ascii=False)


# Counts in one text, such as wins and losses: "21/0 (19/0)".
_COUNTS = re.compile(r"[\d/() ]*\d/\d[\d/() ]*")


def _typical(values: pd.Series) -> Any:
    if all(isinstance(value, str) and _COUNTS.fullmatch(value) for value in values):
        counts = pd.DataFrame([map(int, re.findall(r"\d+", value)) for value in values])
        ranges = iter(zip(counts.median(), counts.min(), counts.max(), strict=True))

        def with_range(_: re.Match[str]) -> str:
            median, least, most = next(ranges)
            return f"{median:g}" if least == most else f"{median:g} {{{least}–{most}}}"

        return re.sub(r"\d+", with_range, values.iloc[0])
    if not pd.api.types.is_numeric_dtype(values) or pd.api.types.is_bool_dtype(values):
        return Counter(values).most_common(1)[0][0]
    median = float(f"{values.median():.10g}")
    return int(median) if pd.api.types.is_integer_dtype(values) and median % 1 == 0 else median


def in_first_state(judged: pd.DataFrame) -> pd.DataFrame:
    """Return each claim's verdict for the first seed and the protocol as configured.

    `judged` is a table made by `judge_variants`.
    """
    headline = judged[judged["reading"] == HEADLINE].sort_values("state", kind="stable")
    return headline.drop_duplicates("id")[["id", "verdict"]]


def read_claims(path: str | Path) -> pd.DataFrame:
    """Read verdicts on claims from a CSV file, one row per claim, and parse its JSON columns.

    The column `of_classes` is added: whether the verdict rests on averages over classes.
    """
    frame = pd.read_csv(path, keep_default_na=False, dtype=str)
    parsed = {name: frame[name].map(lambda text: json.loads(text or "{}")) for name in _JSON}
    # A verdict on averages over classes that no class decides has "{}".
    return frame.assign(of_classes=frame["decided_by"] != "", **parsed)


def combine_claims(inputs: Sequence[str | Path], output: str | Path) -> None:
    """Concatenate the CSV files `inputs`, with the verdicts on one paper's claims each."""
    frames = [pd.read_csv(path, keep_default_na=False, dtype=str) for path in inputs]
    write_csv(output, pd.concat([pd.DataFrame(columns=COLUMNS), *frames]))
