"""Names of measures, quantities, decision rules and data sets for readers, by their ids."""

import re
from collections.abc import Iterable, Mapping

from beyond_accuracy.measures import get_measure
from beyond_accuracy.measures.multiclass import MULTICLASS_MEASURES

_QUANTITIES = {
    "n_train": "Training examples",
    "n_test": "Test examples",
    "n_features": "Features",
    "n_classes": "Classes or labels",
    "seconds": "Seconds",
    "inference_seconds": "Seconds of inference",
    "root_threshold": "Threshold of the root",
    "hamming_loss": "Hamming loss",
    "subset_zero_one_loss": "Subset 0/1 loss",
}
_AVERAGES = {"instance": "{} averaged over examples", "macro": "Macro-{}", "micro": "Micro-{}"}
_DECISIONS = {
    "marginal_threshold": "marginals ≥ ½",
    "macro_f1_thresholds": "a threshold a label, tuned for macro-F1",
    "micro_f1_threshold": "one threshold, tuned for micro-F1",
    "gfm": "GFM",
    "gfm_threshold": "GFM-T",
    "meuf": "MEUF",
    "meuf_approx": "MEUF approx",
}
_DATA_SETS = {
    "arxiv-physics": "arXiv physics",
    "arxiv-quant-ph-1992-2004": "arXiv quant-ph",
    "breast-cancer": "breast cancer",
    "enron-header-order": "enron, labels as in the header",
    "generated-imbalanced": "Gaussian clouds (generated)",
    "generated-text-multilabel": "text with topics (generated)",
    "generated-text-smallest-class": "text, smallest class (generated)",
    "letter-classes": "letter, all classes",
    "letter-weka": "letter (Weka)",
    "mediamill-reduced": "mediamill, reduced",
    "optdigits-weka": "optdigits (Weka)",
    "reuters-money-fx": "Reuters money-fx",
    "reuters21578-modapte": "Reuters-21578",
    "reuters21578-modapte-stemmed": "Reuters-21578, stemmed",
    "reuters21578-modapte-sublinear": "Reuters-21578, logarithmic term frequency",
    "satimage-classes": "satimage, all classes",
    "solar-flare_2": "solar-flare 2",
    "splice-weka": "splice (Weka)",
    "usps-01234": "USPS, 0 to 4",
    "wine-weka": "wine (Weka)",
    "yeast-multilabel": "yeast, labels",
    "yeast-multilabel-header-order": "yeast, labels as in the header",
}
ABBREVIATIONS = {
    "BR": "binary relevance, a classifier a label",
    "CAPO": "classifier adaptation for performance measures",
    "CD": "coordinate descent on the cost",
    "CVM": "core vector machine",
    "EFP": "exact F-measure plug-in",
    "GA": "genetic algorithm",
    "GA-SOLFF": "genetic algorithm on a sum of linear fractional functions",
    "GFM": "general F-measure maximizer",
    "GFM-T": "GFM restricted to thresholds",
    "HGB": "histogram gradient boosting",
    "LF": "Lachiche and Flach's re-weighting",
    "LP": "linear program",
    "LR": "logistic regression",
    "LR-F": "logistic regression trained for the expected F",
    "MC": "MetaClass",
    "MEUF": "maximum expected F under independent labels",
    "NB": "naive Bayes",
    "OG": "O'Brien and Gray's boundary matrix",
    "PCC": "probabilistic classifier chain",
    "PRBEP": "precision/recall break-even point",
    "RBF": "radial basis function",
    "SMOTE": "synthetic minority oversampling",
}
_WORD = re.compile(r"[A-Za-z][\w½-]*")
_ID = re.compile(r"[\w.+-]*\w")


def measure_name(measure: str) -> str:
    """Return the readable name of a measure or quantity, such as "Training examples" of n_train."""
    if measure in _QUANTITIES:
        return _QUANTITIES[measure]
    if measure in MULTICLASS_MEASURES:
        return capitalized(MULTICLASS_MEASURES[measure].label)
    own, _, average = measure.rpartition("_")
    if average in _AVERAGES:
        return _AVERAGES[average].format(own.upper().replace("F0.5", "F½"))
    try:
        return capitalized(get_measure(measure).label)
    except ValueError:
        return measure


def decision_name(decision: str) -> str:
    """Return the readable name of a rule that turns probabilities of labels into labels."""
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
    """Return the readable name of a method, or of a model and its decision rule.

    `contestant` is the id of a method or, for a multi-label method, "model, decision rule".
    `methods` maps ids to names.
    """
    label = methods.get(contestant, contestant)
    model, comma, decision = label.rpartition(", ")
    return f"{model}{comma}{decision_name(decision)}"


def explained(texts: Iterable[str]) -> str:
    """Return a line that explains known abbreviations in texts, such as "LR: logistic regression".

    Explanations are separated by semicolons. If there is no known abbreviation, return "".
    """
    words = {word for text in texts for word in _WORD.findall(text)}
    return "; ".join(f"{name}: {text}" for name, text in ABBREVIATIONS.items() if name in words)


def capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]
