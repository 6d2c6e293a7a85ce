"""Claims of a paper and their verdicts: the rule is written in the configuration, the test here."""

import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from beyond_accuracy.reporting.report import Report
from beyond_accuracy.reporting.verdict import VERDICTS
from beyond_accuracy.results import layout
from beyond_accuracy.results.frames import write_csv
from beyond_accuracy.results.paper_results import PaperResults
from beyond_accuracy.results.variants import HEADLINE, reading_states, selected_readings

NOT_RERUN = "not rerun"
"""Stands for the verdict under a reading, which does not repeat what the claim rests on."""

TEXTS = ["id", "section", "statement", "rule"]
COLUMNS = [
    *("paper", *TEXTS, "verdict", "states", "first_state", "readings", "otherwise", "published"),
    *("numbers", "test", "note"),
]
# The headline's verdict in the same states as those of a reading: in one, or in several.
_COMPARED = ("first_state", "verdict")


def judge(report: Report) -> pd.DataFrame:
    """Return one row a claim with its verdict under one variant, in the configuration's order.

    Those that rest on studies, or compare readings, are left out where these are not run anew:
    under readings, and in further states unless some of them is of every state. Claims are judged
    by the paper's own data sets. Raises ValueError when a claim names a function that the paper
    does not have.
    """
    own, functions = report.of_the_paper, report.paper.claims
    rows = []
    for claim in report.configuration["claims"]:
        if not _is_rerun(claim, report.results):
            continue
        if claim["function"] not in functions:
            raise ValueError(
                f"claims of {report.paper.id}: {claim['id']} has the function "
                f"{claim['function']!r}; valid: {', '.join(functions)}."
            )
        verdict = functions[claim["function"]](own)
        # Ten significant digits; JSON has no infinity and no NaN: they become text.
        numbers = {
            name: (float(f"{value:.10g}") if math.isfinite(value) else str(value))
            if isinstance(value, float)
            else value
            for name, value in verdict.numbers.items()
        }
        numbers = json.dumps(numbers, ensure_ascii=False)
        rows.append((claim["id"], verdict.verdict, numbers, verdict.test, verdict.note))
    return pd.DataFrame(rows, columns=["id", "verdict", "numbers", "test", "note"])


def _is_rerun(claim: Mapping[str, Any], results: PaperResults) -> bool:
    """Whether a variant has results of its own for a claim."""
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


def evaluate_claims(report: Report) -> pd.DataFrame:
    """Return one row a claim with the verdict of most states of the protocol as configured.

    `states` says of how many, and `first_state` holds the verdict in the first alone, in which
    most readings are run; `readings` holds the verdicts under these as JSON, `NOT_RERUN` where they
    do not repeat the studies that a claim rests on, `otherwise` those of them that are not the
    headline's in the same states, and `published` that of the rule on the paper's
    own numbers, where it needs no others. Numbers are medians over the states with that verdict,
    those of counts in one text with their ranges, other texts what most of them have; test and
    note are those of the first of them, and a note that is not the same in all names the state. Of
    verdicts that equally many states have, the least favourable counts.
    """
    if not report.configuration["claims"]:
        return pd.DataFrame(columns=COLUMNS)
    every = report.once(judge_variants)
    judged = majority(every)
    verdicts = judged.pivot(index="id", columns="reading", values="verdict")
    claims = pd.DataFrame(report.configuration["claims"], columns=[*TEXTS, "function"])
    own = [_on_published(report, claim) for claim in report.configuration["claims"]]
    texts = claims[TEXTS].map(str.strip).assign(paper=report.paper.id, published=own)
    headline = judged[judged["reading"] == HEADLINE].drop(columns="reading")
    others = verdicts.reindex(columns=list(selected_readings(report.results.whole)))
    others = others.fillna(NOT_RERUN)
    first = in_first_state(every).rename(columns={"verdict": "first_state"})
    headline = headline.merge(first)
    whole = report.results.whole
    rows = []
    for own in headline.to_dict("records"):
        readings = others.loc[own["id"]].to_dict()
        otherwise = {
            name: verdict
            for name, verdict in readings.items()
            if verdict not in (NOT_RERUN, own[_COMPARED[len(reading_states(whole, name)) > 1]])
        }
        rows.append([json.dumps(each, ensure_ascii=False) for each in (readings, otherwise)])
    headline[["readings", "otherwise"]] = pd.DataFrame(rows, index=headline.index)
    return texts.merge(headline, on="id", validate="one_to_one")[COLUMNS]


def _on_published(report: Report, claim: Mapping[str, Any]) -> str:
    """Return the verdict on the paper's own numbers, "" of a rule that needs others."""
    if not claim.get("on_published"):
        return ""
    return report.paper.claims[claim["function"]](report.as_published()).verdict


def majority(judged: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the verdict of most states of each claim and reading, once.

    `states` is "k of n", k being the states with that verdict, over which `numbers` are taken.
    """
    keys = ["id", "reading"]
    count = judged.groupby([*keys, "verdict"])["state"].transform("size")
    severity = judged["verdict"].map(VERDICTS.index)
    order = judged.assign(_count=-count, _severity=-severity)
    order = order.sort_values([*keys, "_count", "_severity", "state"], kind="stable")
    n_states = judged.groupby(keys)["state"].transform("size").reindex(order.index)
    order["states"] = (-order["_count"]).astype(str) + " of " + n_states.astype(str)
    numbers = order.groupby([*keys, "verdict"], sort=False)["numbers"].agg(_over_states)
    first = order.drop_duplicates(keys).sort_index().drop(columns="numbers")
    # Else values of one state in it would contradict the medians beside it.
    notes = order.groupby([*keys, "verdict"], sort=False)["note"].nunique()
    differ = first[[*keys, "verdict"]].apply(tuple, axis=1).map(notes) > 1
    own = "In random state " + first["state"].astype(str) + ": " + first["note"]
    first["note"] = first["note"].mask(differ & (first["note"] != ""), own)
    first = first.join(numbers, on=[*keys, "verdict"])
    return first.drop(columns=["_count", "_severity", "state"])


def _over_states(numbers: pd.Series) -> str:
    """Return the numbers of several states as one: those that the first state has."""
    states = [json.loads(text) for text in numbers]
    own = {name: [state[name] for state in states if name in state] for name in states[0]}
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
    """Read what `write_claims` has written; what is JSON becomes dicts."""
    frame = pd.read_csv(path, keep_default_na=False, dtype=str)
    parsed = ("numbers", "readings", "otherwise")
    return frame.assign(**{name: frame[name].map(json.loads) for name in parsed})


def combine_claims(inputs: Sequence[str | Path], output: str | Path) -> None:
    """Write the claims of all papers into one CSV, in the order of `inputs`."""
    frames = [pd.read_csv(path, keep_default_na=False, dtype=str) for path in inputs]
    write_claims(pd.concat([pd.DataFrame(columns=COLUMNS), *frames]), output)
