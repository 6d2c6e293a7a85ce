"""The verdicts on a paper's claims, over seeds and readings.

A reading is a variant of the paper's protocol. The protocol as configured is called the headline.
Seeds have the numbers 1, 2, … and are called states in columns and texts.
"""

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
"""Replaces the verdict under a reading that does not repeat the studies that the claim needs."""

UNDECIDED: VerdictName = "undecided"
"""The verdict on a claim if no verdict has more than half of the seeds."""

TEXTS = ["id", "section", "source", "statement", "rule"]
COLUMNS = [
    *("paper", *TEXTS, "verdict", "states", "votes", "fewer_seeds", "first_state", "readings"),
    *("otherwise", "published", "decided_by", "averaged", "averaged_numbers", "numbers", "test"),
    "note",
]
_JSON = ("readings", "otherwise", "decided_by", "averaged_numbers", "numbers")
# Columns of the verdict to compare a reading's with: readings of one seed, and of several seeds.
_COMPARED = ("first_state", "verdict")
_MAJORITY = ("id", "reading", "verdict", "votes", "states", "numbers", "test", "note")


def judge(report: Report) -> pd.DataFrame:
    """Return one row per claim with its verdict for one seed and reading of the protocol.

    Claims are judged only on the paper's own data sets, in the order of the configuration. A
    reading is a variant of the paper's protocol. A claim is left out if the report's reading and
    seed do not repeat the studies or readings that it needs.

    Returns
    -------
    DataFrame
        The columns `id`, `verdict`, `numbers` (JSON), `test`, `note` and `without` (JSON of
        `Verdict.without`, or "").

    Raises
    ------
    ValueError
        If a claim names a function that the paper does not have.
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
    """Return the verdict on a claim, from its comparisons or else from its function.

    `claim` is an entry of `claims` in paper.yaml, with the key `compare` or the key `function`.
    """
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
    """Return a mapping as JSON, with floats rounded to ten significant digits.

    Infinite values and NaN become text, because JSON has no numbers for them.
    """
    values = {
        name: (float(f"{value:.10g}") if math.isfinite(value) else str(value))
        if isinstance(value, float)
        else value
        for name, value in values.items()
    }
    return json.dumps(values, ensure_ascii=False)


def _is_rerun(claim: Mapping[str, Any], results: PaperResults) -> bool:
    """Return whether results include all studies and readings that a claim needs.

    A reading is a variant of the paper's protocol. `results` are the results for one reading and
    seed.
    """
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
    """Return the rows of `judge` for every reading (variant of the paper's protocol) and seed.

    The columns `reading` and `state` (the number of the seed) are added.
    """
    return report.over_variants(judge)


def evaluate_claims(
    report: Report, reference_seeds: Mapping[str, int] | None = None
) -> pd.DataFrame:
    """Return one row per claim with its verdict over all seeds and readings.

    Parameters
    ----------
    report : Report
        The report on the paper.
    reference_seeds : dict of str to int, optional
        For each claim's id, the number of seeds in which the reference judges the claim.

    Returns
    -------
    DataFrame
        The columns `COLUMNS`. Texts of the claim:

        - `paper`, `id`, `section`, `source`, `statement`, `rule`: as configured.

        Verdicts of the protocol as configured:

        - `verdict`: the verdict of more than half of the seeds, or "undecided" if there is none.
        - `states`: how many seeds have this verdict, such as "7 of 10".
        - `votes`: how many seeds have each verdict.
        - `first_state`: the verdict in the first seed. Most readings have only this seed.
        - `fewer_seeds`: a text if the reference has more seeds, otherwise "".

        Verdicts of readings, which are variants of the paper's protocol:

        - `readings`: JSON of the verdict by reading. The verdict is `NOT_RERUN` if the reading does
          not repeat the studies that the claim needs.
        - `otherwise`: the part of `readings` that differs from the configured protocol in the same
          seeds.

        Checks:

        - `published`: the verdict if the rule is applied to the paper's own numbers; "" if the rule
          needs other numbers.
        - `decided_by`: JSON. Its keys are the classes without which the verdict changes, its values
          the verdicts without them. "" if the claim is not about averages over classes.
        - `averaged`, `averaged_numbers`: verdict and numbers if the values of each class are
          averaged over the seeds first. "" with one seed, or if the claim is not about averages
          over classes.

        Evidence:

        - `numbers`: JSON of medians over all seeds. Counts within a text have their ranges.
        - `test`, `note`: from the first seed with the verdict. The note names this seed if other
          seeds with the verdict have other notes.

    Raises
    ------
    ValueError
        If applying a claim's rule to the paper's own numbers does not give "reproduced". Such a
        rule would be unfair to our numbers.
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
    """Return the verdict on the paper's own numbers, or "" if the rule needs other numbers.

    Raises ValueError if the verdict is neither "reproduced" nor "not testable".
    """
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
    """Return the classes without which the majority's verdict changes, and the changed verdicts.

    `states` has the rows of a claim, one per seed, and `verdict` is their majority's verdict.
    """
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
    """Return the verdict of more than half of the seeds, or "undecided" if there is none.

    `votes` counts the seeds by verdict.
    """
    verdict, count = votes.most_common(1)[0]
    return verdict if 2 * count > votes.total() else UNDECIDED


def majority(judged: pd.DataFrame) -> pd.DataFrame:
    """Return one row per claim and reading with the verdict of more than half of the seeds.

    `judged` is the table of `judge_variants`. The columns of the result are `id`, `reading`,
    `verdict`, `votes` (how many seeds have each verdict), `states`, `numbers`, `test` and `note`.
    `states` is "k of n", or "at most k of n" if no verdict has more than half of the seeds.
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
    """Return a JSON object that summarizes the numbers of several seeds.

    `numbers` has a JSON object per seed. The result has the keys of the JSON object `named`, each
    with the median, or the most frequent value, over the seeds that have the key.
    """
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
    """Return the median of counts, followed by their range in braces if they differ."""
    median, least, most = counts.median(), counts.min(), counts.max()
    return f"{median:g}" if least == most else f"{median:g} {{{least}–{most}}}"


def in_first_state(judged: pd.DataFrame) -> pd.DataFrame:
    """Return `id` and `verdict` of each claim in the first seed of the protocol as configured.

    `judged` is the table of `judge_variants`.
    """
    own = judged[judged["reading"] == HEADLINE].sort_values("state", kind="stable")
    return own.drop_duplicates("id")[["id", "verdict"]]


def read_claims(path: str | Path) -> pd.DataFrame:
    """Read a CSV file with the table of `evaluate_claims`.

    Columns with JSON become dicts. The column `of_classes` is added: whether the claim is about
    averages over classes. Columns that files of earlier versions lack are "", or an empty dict.
    """
    frame = pd.read_csv(path, keep_default_na=False, dtype=str)
    frame = frame.reindex(columns=COLUMNS, fill_value="")
    parsed = {name: frame[name].map(lambda text: json.loads(text or "{}")) for name in _JSON}
    # A verdict on averages over classes that no class decides has "{}".
    return frame.assign(
        source=frame["source"].replace("", "paper"),
        of_classes=frame["decided_by"] != "",
        **parsed,
    )


def combine_claims(inputs: Sequence[str | Path], output: str | Path) -> None:
    """Write the claims of several papers, each from a CSV file in `inputs`, into one CSV file."""
    frames = [pd.read_csv(path, keep_default_na=False, dtype=str) for path in inputs]
    write_csv(output, pd.concat([pd.DataFrame(columns=COLUMNS), *frames]))
