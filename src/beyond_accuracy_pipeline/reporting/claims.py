"""The verdicts on a paper's claims, over random states and readings."""

import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from beyond_accuracy_pipeline.reporting.judge import judge_declared
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.reporting.verdict import VERDICTS, Verdict, VerdictName
from beyond_accuracy_pipeline.results import layout
from beyond_accuracy_pipeline.results.frames import write_csv
from beyond_accuracy_pipeline.results.paper_results import PaperResults
from beyond_accuracy_pipeline.results.variants import (
    HEADLINE,
    Variant,
    reading_states,
    selected_readings,
)

NOT_RERUN = "not rerun"
"""Stands for the verdict under a reading, which does not repeat what the claim rests on."""

UNDECIDED: VerdictName = "undecided"
"""The verdict on a claim if no verdict has more than half of the states."""

TEXTS = ["id", "section", "source", "statement", "rule"]
COLUMNS = [
    *("paper", *TEXTS, "verdict", "states", "votes", "fewer_seeds", "first_state", "readings"),
    *("otherwise", "published", "decided_by", "averaged", "averaged_numbers", "numbers", "test"),
    "note",
]
_JSON = ("readings", "otherwise", "decided_by", "averaged_numbers", "numbers")
# The headline's verdict in the same states as those of a reading: in one, or in several.
_COMPARED = ("first_state", "verdict")
_MAJORITY = ("id", "reading", "verdict", "votes", "states", "numbers", "test", "note")


def judge(report: Report) -> pd.DataFrame:
    """Return one row per claim with its verdict under one variant, in the configuration's order.

    Claims are judged by the paper's own data sets. A claim is left out if it rests on studies, or
    compares readings, that the variant does not repeat. Raises ValueError if a claim names a
    function that the paper does not have.
    """
    own = report.of_the_paper
    rows = []
    for claim in report.configuration["claims"]:
        if not _is_rerun(claim, report.results):
            continue
        verdict = judge_claim(own, claim)
        without = "" if verdict.without is None else _as_json(verdict.without)
        texts = (verdict.test, verdict.note, without)
        rows.append((claim["id"], verdict.verdict, _as_json(verdict.numbers), *texts))
    return pd.DataFrame(rows, columns=["id", "verdict", "numbers", "test", "note", "without"])


def judge_claim(report: Report, claim: Mapping[str, Any]) -> Verdict:
    """Return the verdict on a claim by its function, or by the comparisons that it declares."""
    if claim.get("compare"):
        return judge_declared(report, claim)
    functions = report.paper.claims
    if claim["function"] not in functions:
        raise ValueError(
            f"claims of {report.paper.id}: {claim['id']} has the function "
            f"{claim['function']!r}; valid: {', '.join(functions)}."
        )
    return functions[claim["function"]](report)


def _as_json(values: Mapping[str, Any]) -> str:
    """Return values as JSON, numbers with ten significant digits.

    JSON has no infinity and no NaN: they become text.
    """
    values = {
        name: (float(f"{value:.10g}") if math.isfinite(value) else str(value))
        if isinstance(value, float)
        else value
        for name, value in values.items()
    }
    return json.dumps(values, ensure_ascii=False)


def _is_rerun(claim: Mapping[str, Any], results: PaperResults) -> bool:
    """Return whether a variant repeats everything that a claim rests on."""
    variant, whole = results.variant, results.whole
    studies, readings = claim.get("rests_on") or [], claim.get("compares") or []
    if variant.is_headline or not (studies or readings):
        return True
    configured, selected = whole.get("studies") or {}, selected_readings(whole)
    of_each = [layout.study_states(whole, name) for name in studies if configured.get(name)]
    of_each += [reading_states(whole, name) for name in readings if name in selected]
    states = {state for own in of_each for state in own}
    pooled = claim.get("pools_states", False)
    return variant.reading == HEADLINE and variant.state in states and not pooled


def judge_variants(report: Report) -> pd.DataFrame:
    """Return the rows of `judge` under every reading and in every state."""
    return report.over_variants(judge)


def evaluate_claims(
    report: Report, reference_seeds: Mapping[str, int] | None = None
) -> pd.DataFrame:
    """Return one row per claim with the verdict of more than half of the states of the headline.

    Parameters
    ----------
    report : Report
    reference_seeds : dict of str to int, optional
        The number of states in which the reference judges each claim, by the claim's id.

    Returns
    -------
    DataFrame
        `states` says how many states have the verdict, `votes` how many have each verdict, and
        `first_state` holds the verdict in the first state, in which most readings are run. Without
        a verdict of more than half of the states the claim is "undecided". `fewer_seeds` says where
        the reference has more states.

        `readings` holds the verdicts under the readings as JSON, `NOT_RERUN` where they do not
        repeat the studies that a claim rests on. `otherwise` holds the verdicts that differ from
        the headline's in the same states. `published` is the verdict of the rule on the paper's own
        numbers, "" where the rule needs others.

        For verdicts on averages over classes, `decided_by` holds each class whose absence in all
        states changes the verdict, with the verdict without it. `averaged` and `averaged_numbers`
        hold the verdict on class values that are averaged over the states, and its numbers. All
        three are "" for other claims, and the latter two are "" with one state.

        Numbers are medians over all states; counts in one text have their ranges. Test and note
        are those of the first state with the verdict. A note that differs between the states with
        the verdict names its state.

    Raises
    ------
    ValueError
        If the rule of a claim fails on the paper's own numbers: it would be unfair to ours.
    """
    configured, whole = report.configuration["claims"], report.results.whole
    if not configured:
        return pd.DataFrame(columns=COLUMNS)
    # The table of readings asks the same report.
    every = report.under(Variant()).once(judge_variants)
    judged = majority(every)
    verdicts = judged.pivot(index="id", columns="reading", values="verdict")
    claims = pd.DataFrame([{"source": "paper", **claim} for claim in configured], columns=TEXTS)
    own = [_on_published(report, claim) for claim in configured]
    texts = claims.map(str.strip).assign(paper=report.paper.id, published=own)
    headline = judged[judged["reading"] == HEADLINE].drop(columns="reading")
    others = verdicts.reindex(columns=list(selected_readings(whole)))
    others = others.fillna(NOT_RERUN)
    first = in_first_state(every).rename(columns={"verdict": "first_state"})
    headline = headline.merge(first)
    of_headline = dict(list(every[every["reading"] == HEADLINE].groupby("id")))
    by_id = {claim["id"]: claim for claim in configured}
    pooled = {claim["id"] for claim in configured if claim.get("pools_states")}
    rows = []
    for own in headline.to_dict("records"):
        name = own["id"]
        readings = others.loc[name].to_dict()
        otherwise = {
            reading: verdict
            for reading, verdict in readings.items()
            if verdict not in (NOT_RERUN, own[_COMPARED[len(reading_states(whole, reading)) > 1]])
        }
        states = of_headline[name]
        of_classes = bool((states["without"] != "").any())
        row = {"readings": _as_json(readings), "otherwise": _as_json(otherwise)}
        row["decided_by"] = _as_json(_decided_by(states, own["verdict"])) if of_classes else ""
        if of_classes and len(states) > 1:
            verdict = judge_claim(_averaged(report), by_id[name])
            row["averaged"], row["averaged_numbers"] = verdict.verdict, _as_json(verdict.numbers)
        n_states = (whole.get("states") or 1) if name in pooled else len(states)
        row["fewer_seeds"] = _fewer_seeds(n_states, (reference_seeds or {}).get(name, 0))
        rows.append(row)
    columns = ["readings", "otherwise", "decided_by", "averaged", "averaged_numbers", "fewer_seeds"]
    more = pd.DataFrame(rows, columns=columns, index=headline.index).fillna("")
    return texts.merge(headline.join(more), on="id", validate="one_to_one")[COLUMNS]


def _on_published(report: Report, claim: Mapping[str, Any]) -> str:
    """Return the verdict on the paper's own numbers, "" for a rule that needs others."""
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


def _averaged(report: Report) -> Report:
    return report.of_the_paper.once(Report.averaged)


def _decided_by(states: pd.DataFrame, verdict: str) -> dict[str, str]:
    """Return each class whose absence in all states changes the verdict, and the verdict then."""
    without = [json.loads(text) if text else {} for text in states["without"]]
    classes = dict.fromkeys(name for own in without for name in own)
    decided = {}
    for name in classes:
        votes = Counter(
            own.get(name, vote) for own, vote in zip(without, states["verdict"], strict=True)
        )
        if (other := _winner(votes)) != verdict:
            decided[name] = other
    return decided


def _fewer_seeds(n_states: int, in_reference: int) -> str:
    if n_states >= in_reference:
        return ""
    return f"{n_states} seed{'' if n_states == 1 else 's'}; the reference has {in_reference}"


def _winner(votes: Counter[str]) -> str:
    """Return the verdict of more than half of the states, or "undecided" if there is none."""
    verdict, count = votes.most_common(1)[0]
    return verdict if 2 * count > votes.total() else UNDECIDED


def majority(judged: pd.DataFrame) -> pd.DataFrame:
    """Return the verdict of more than half of the states, per claim and reading.

    `states` is "k of n", or "at most k of n" if no verdict has more than half; `votes` says how
    many states have each verdict.
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
        # Else values of one state in the note would contradict the medians beside it.
        if note and chosen["note"].nunique() > 1:
            note = f"In random state {first['state']}: {note}"
        parts = [f"{votes[each]} {each}" for each in VERDICTS if votes[each]]
        row = {"id": name, "reading": reading, "verdict": verdict, "votes": ", ".join(parts)}
        row["states"] = f"{'at most ' * is_split}{most} of {n_states}"
        row |= {
            "numbers": _over_states(states["numbers"], first["numbers"]),
            "test": first["test"],
            "note": note,
        }
        rows.append(row)
    return pd.DataFrame(rows, columns=_MAJORITY)


def _over_states(numbers: pd.Series, named: str) -> str:
    """Return what several states have of the numbers that `named` names, as one state's numbers."""
    states = [json.loads(text) for text in numbers]
    own = {name: [state[name] for state in states if name in state] for name in json.loads(named)}
    return json.dumps({name: _typical(pd.Series(own[name])) for name in own}, ensure_ascii=False)


# Counts in one text, such as wins and losses: "21/0 (19/0)".
_COUNTS = re.compile(r"[\d/() ]*\d/\d[\d/() ]*")


def _typical(values: pd.Series) -> Any:
    if all(isinstance(value, str) and _COUNTS.fullmatch(value) for value in values):
        counts = pd.DataFrame([map(int, re.findall(r"\d+", value)) for value in values])
        own = iter([_with_range(counts[place]) for place in counts])
        return re.sub(r"\d+", lambda _: next(own), values.iloc[0])
    if not pd.api.types.is_numeric_dtype(values) or pd.api.types.is_bool_dtype(values):
        return Counter(values).most_common(1)[0][0]
    median = float(f"{values.median():.10g}")
    return int(median) if pd.api.types.is_integer_dtype(values) and median % 1 == 0 else median


def _with_range(counts: pd.Series) -> str:
    """Return the median with its range in braces, as tables show it."""
    median, least, most = counts.median(), counts.min(), counts.max()
    return f"{median:g}" if least == most else f"{median:g} {{{least}–{most}}}"


def in_first_state(judged: pd.DataFrame) -> pd.DataFrame:
    """Return `id` and `verdict` of each claim in the first state of the headline."""
    own = judged[judged["reading"] == HEADLINE].sort_values("state", kind="stable")
    return own.drop_duplicates("id")[["id", "verdict"]]


def write_claims(claims: pd.DataFrame, output: str | Path) -> None:
    """Write claims as CSV."""
    write_csv(output, claims)


def read_claims(path: str | Path) -> pd.DataFrame:
    """Read a file of `write_claims`, JSON as dicts; files of earlier versions lack columns."""
    frame = pd.read_csv(path, keep_default_na=False, dtype=str)
    frame = frame.reindex(columns=COLUMNS, fill_value="")
    parsed = {name: frame[name].map(lambda text: json.loads(text or "{}")) for name in _JSON}
    # Without any class that decides it, a verdict on averages over classes has "{}".
    return frame.assign(
        source=frame["source"].replace("", "paper"),
        of_classes=frame["decided_by"] != "",
        **parsed,
    )


def combine_claims(inputs: Sequence[str | Path], output: str | Path) -> None:
    """Write the claims of all papers into one CSV, in the order of `inputs`."""
    frames = [pd.read_csv(path, keep_default_na=False, dtype=str) for path in inputs]
    write_claims(pd.concat([pd.DataFrame(columns=COLUMNS), *frames]), output)
