"""Sentences on the cards of claims: the published result, and ours.

A paper's file cards.csv has one sentence per claim, with placeholders such as `<name ~ forms>`. A
placeholder is replaced by the claim's number of this name; `forms` say how the number is written. A
name with asterisks, or several names separated by commas, stand for all numbers that match.
Semicolons separate parts of a sentence. Parts whose numbers are missing are left out.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from statistics import median
from typing import Any

from .cells import cells_over_states
from .claims import judge_claim
from .comparison import ComparisonKey
from .formats import brief, percent, percent_change, percent_interval
from .judge import comparison_labels, declared_comparisons
from .names import capitalized, data_set_name, in_words, measure_name, sentences_of
from .report import Report, is_substitute, substitute_text

_NUMBER = re.compile("<([^<>]+?)(?: ~ ([^<>]+))?>")
_RANGE = re.compile(r" \{[^}]*\}")

Numbers = Mapping[str, Any]


def sentences(report: Report) -> dict[str, str]:
    """Read the sentences on a paper's claims, by claim id, from its file cards.csv, if any."""
    frame = report.paper_file("cards.csv")
    return {} if frame.empty else dict(zip(frame["id"], frame["sentence"], strict=True))


def came_out(report: Report, claim: Mapping[str, Any], numbers: Numbers) -> str:
    """Return a sentence with the numbers that decide a claim, or "" if they are missing.

    `claim` is the claim's entry in paper.yaml. `numbers` maps names to the values that were
    computed to judge the claim.
    """
    if not numbers:
        return ""
    if claim.get("compare"):
        text = _comparisons(report, claim["compare"], numbers)
    else:
        text = fill(report.once(sentences).get(claim["id"], ""), numbers)
    text = capitalized(in_words(text, report.paper.methods))
    return f"{text}." if text else ""


def published(report: Report, claim: Mapping[str, Any]) -> str:
    """Return a sentence with the paper's own numbers on a claim; "" if there are too few.

    `claim` is the claim's entry in the configuration file paper.yaml.
    """
    if claim.get("on_published"):
        own = report.once(Report.as_published)
        return came_out(own, claim, judge_claim(own, claim).numbers)
    return ""


def advice(report: Report, claims: Sequence[Mapping[str, Any]]) -> str:
    """Return sentences of advice to users, based on a paper's results; "" if there is none.

    They are in the paper's file cards.csv, separated by semicolons, with placeholders for methods'
    averages and for the numbers of claims. `claims` has one dict per claim, with the keys "id" and
    "numbers", a dict from name to value.
    """
    cells = report.once(cells_over_states)
    names = cells["data_set"] + ", " + cells["method"] + ", " + cells["measure"]
    numbers = dict(zip(names, cells["value"], strict=True))
    for claim in claims:
        numbers |= {f"{claim['id']}/{name}": value for name, value in claim["numbers"].items()}
    return sentences_of(fill(report.once(sentences).get("advice", ""), numbers).split("; "))


def without_substitutes(report: Report, note: str) -> tuple[str, bool]:
    """Return (a claim's note without texts on replaced data sets, whether a text was removed)."""
    long = note
    for data_set in report.data_sets:
        record = report.results.record(data_set)
        if is_substitute(record):
            note = note.replace(substitute_text(data_set, record).rstrip("."), "")
    parts = [part for part in note.split("; ") if part.strip(" .")]
    text = capitalized("; ".join(part.strip(" .") for part in parts))
    return f"{text}." if text else "", note != long


def fill(sentence: str, numbers: Numbers) -> str:
    """Replace the placeholders of a sentence by numbers.

    `numbers` maps names to values. For example, `<difference ~ percent>` becomes the number
    "difference" in percent. Semicolons separate parts of the sentence. A part is left out if one of
    its numbers is missing.
    """
    parts = []
    for part in sentence.split("; "):
        try:
            parts.append(_NUMBER.sub(lambda found: _text(numbers, found[1], found[2]), part))
        except KeyError:
            continue
    return "; ".join(parts).replace("= <", "< ").replace("≤ <", "< ")


def _text(numbers: Numbers, name: str, forms: str | None) -> str:
    """Return the number `name` as text; raise KeyError if it is missing.

    `forms` is an aggregate of several numbers ("smallest", "largest", "median", "count", or "above"
    and a limit), then a form ("percent", "points", "p", "wins", "losses").
    """
    # "satimage, *" is one name with a comma; "*: a, *: b" are two.
    values = [numbers[name]] if name in numbers else _matching(numbers, [name])
    values = values or _matching(numbers, re.split(r", (?=\*)", name))
    if not values or any(value != value for value in values):
        raise KeyError(name)
    words = (forms or "").split()
    if words[:1] == ["above"]:
        return f"{sum(value > float(words[1]) for value in values)} of {len(values)}"
    if words[:1] == ["count"]:
        return str(len(values))
    value = values[0]
    if words and words[0] in _AGGREGATES:
        value = _AGGREGATES[words.pop(0)](values)
    return _FORMS[words[0] if words else ""](value)


def _matching(numbers: Numbers, patterns: Sequence[str]) -> list[Any]:
    return [
        value
        for name, value in numbers.items()
        if any(fnmatchcase(name, pattern) for pattern in patterns)
    ]


def _plain(value: Any) -> str:
    if isinstance(value, str):
        return _RANGE.sub("", value)
    return brief(value) if isinstance(value, float) else f"{value:,}"


def _p(value: float) -> str:
    return "<0.001" if value < 0.001 else f"{value:.2g}"


_AGGREGATES: Mapping[str, Callable[..., Any]] = {"smallest": min, "largest": max, "median": median}
_FORMS: Mapping[str, Callable[..., str]] = {
    "": _plain,
    "percent": lambda value: f"{percent(value)} %",
    "points": percent_change,
    "p": _p,
    "wins": lambda value: _plain(value).split("/")[0],
    "losses": lambda value: _plain(value).split("/")[1],
}


def _comparisons(report: Report, compared: Mapping[str, Any], numbers: Numbers) -> str:
    """Return a sentence on the results of a claim that compares methods."""
    intervals = [name for name in numbers if name.endswith(": interval from")]
    if not intervals:
        labels = comparison_labels(declared_comparisons(report, compared))
        several_pairs = len({pair for _, _, pair in labels}) > 1
        return "; ".join(
            _tested(report, key, label, numbers, several_pairs)
            for key, label in labels.items()
            if f"{label}: p" in numbers
        )
    names = [name.removesuffix(": interval from") for name in intervals]
    above = sum(numbers[f"{name}: interval from"] > 0 for name in names)
    below = sum(numbers[f"{name}: interval to"] < 0 for name in names)
    larger = sum(numbers[name] > 0 for name in names)
    lowest = min(names, key=lambda name: numbers[name])
    ends = (numbers[f"{lowest}: interval {end}"] for end in ("from", "to"))
    return (
        f"larger in {larger} of {len(names)} comparisons; the interval is above zero in {above} "
        f"and below zero in {below}; lowest: {lowest} {percent_change(numbers[lowest])} "
        f"{percent_interval(*ends, sign=True)}"
    ).replace(" less ", " minus ")


def _tested(
    report: Report, key: ComparisonKey, label: str, numbers: Numbers, names_methods: bool
) -> str:
    """Return the result of one comparison, whose numbers have keys that begin with `label`."""
    data_set, measure, pair = key
    ours, other = (percent(numbers[f"{label}: {method}"]) for method in pair.methods)
    of_ours, of_other = (
        f" of {report.method_label(method)}" * names_methods for method in pair.methods
    )
    try:
        ends = report.intervals.difference(data_set, measure, pair)
    except FileNotFoundError:
        ends = (float("nan"), float("nan"))
    interval = percent_interval(*ends, sign=True)
    difference = percent_change(numbers[f"{label}: difference"])
    return (
        f"{measure_name(measure)}{of_ours} on {data_set_name(data_set)} {ours} against "
        f"{other}{of_other}: {difference} {interval}, "
        f"p = {_p(numbers[f'{label}: p'])}".replace(" ,", ",").replace("= <", "< ")
    )
