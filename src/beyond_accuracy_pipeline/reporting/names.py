"""Names of measures, quantities, decision rules and data sets for readers, by their ids."""

import re
from collections.abc import Iterable, Mapping
from importlib import resources

import yaml

from beyond_accuracy.measures import get_measure
from beyond_accuracy.measures.multiclass import MULTICLASS_MEASURES

NAMES = yaml.safe_load((resources.files(__package__) / "names.yaml").read_text(encoding="utf-8"))
_DATA_SETS: dict[str, str] = NAMES["data_sets"]
_DECISIONS: dict[str, str] = NAMES["decisions"]
_WORD = re.compile(r"[A-Za-z][\w½-]*")
_ID = re.compile(r"[\w.+-]*\w")


def measure_name(measure: str) -> str:
    """Return the readable name of a measure or quantity, such as "Training examples" of n_train."""
    if measure in NAMES["quantities"]:
        return NAMES["quantities"][measure]
    if measure in MULTICLASS_MEASURES:
        return capitalized(MULTICLASS_MEASURES[measure].label)
    own, _, average = measure.rpartition("_")
    if average in NAMES["averages"]:
        return NAMES["averages"][average].format(own.upper().replace("F0.5", "F½"))
    try:
        return capitalized(get_measure(measure).label)
    except ValueError:
        return measure


def decision_name(decision: str) -> str:
    """Return the readable name of a rule that turns probabilities into predicted labels."""
    exact = decision.removesuffix("_exact")
    if exact != decision:
        return f"{decision_name(exact)}, exact"
    own, _, beta = decision.partition("_f")
    if beta and own in _DECISIONS:
        return f"{_DECISIONS[own]} for F{beta.replace('0.5', '½')}"
    return _DECISIONS.get(decision, decision)


def data_set_name(data_set: str) -> str:
    """Return the readable name of a data set, such as "letter (Weka)" for "letter-weka"."""
    return _DATA_SETS.get(data_set, data_set)


def spaced(name: str) -> str:
    """Return an id with blanks instead of underscores."""
    return name.replace("_", " ")


def in_words(text: str, methods: Mapping[str, str]) -> str:
    """Replace ids in a text by readable names; `methods` maps ids of methods to their names."""
    known = _DATA_SETS | _DECISIONS | dict(methods)
    return _ID.sub(lambda match: known.get(match[0], match[0]), text)


def contestant_name(contestant: str, methods: Mapping[str, str]) -> str:
    """Return the readable name of a method.

    `contestant` is the id of a method or, for a multi-label method, the model's name and the id of
    a decision rule, such as "BR, gfm". `methods` maps ids of methods to names.
    """
    label = methods.get(contestant, contestant)
    model, comma, decision = label.rpartition(", ")
    return f"{model}{comma}{decision_name(decision)}"


def explained(texts: Iterable[str]) -> str:
    """Return explanations of the abbreviations in `texts`, such as "LR: logistic regression".

    They are separated by semicolons. If there is no known abbreviation, return "".
    """
    words = {word for text in texts for word in _WORD.findall(text)}
    return "; ".join(
        f"{name}: {text}" for name, text in NAMES["abbreviations"].items() if name in words
    )


def capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]


def sentences_of(parts: Iterable[str]) -> str:
    """Return texts without a full stop as sentences, such as "No data. One seed."."""
    return " ".join(f"{capitalized(part)}." for part in parts if part)
