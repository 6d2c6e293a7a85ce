"""Display names for ids in files."""

import json

import pytest

from beyond_accuracy_pipeline.papers import load_paper, paper_ids
from beyond_accuracy_pipeline.reporting.names import (
    contestant_name,
    decision_name,
    explained,
    in_words,
    measure_name,
)
from beyond_accuracy_pipeline.reporting.site.methods import description


@pytest.mark.parametrize(
    ("measure", "name"),
    [
        ("f1", "F1"),
        ("recall_at_precision_0.9", "Rec@Prec 0.9"),
        ("f1_macro", "Macro-F1"),
        ("f0.5_instance", "F½ averaged over examples"),
        ("average_cost", "Average cost"),
        ("n_features", "Features"),
        ("one_of_my_own", "one_of_my_own"),
    ],
)
def test_measures(measure, name):
    assert measure_name(measure) == name


def test_decisions():
    assert decision_name("gfm_f0.5") == "GFM for F½"
    assert decision_name("marginal_threshold") == "marginals ≥ ½"
    assert decision_name("marginal_threshold_exact") == "marginals ≥ ½, exact"
    assert decision_name("class 1") == "class 1"
    assert contestant_name("BR, meuf", {"br": "BR"}) == "BR, MEUF"
    assert contestant_name("lr_tuned", {"lr_tuned": "LR, threshold tuned"}) == "LR, threshold tuned"


def test_ids_inside_a_text():
    methods = {"multivariate_svm": "Multivariate SVM", "br": "BR"}
    text = "reuters21578-modapte, F1: multivariate_svm, brittle"
    assert in_words(text, methods) == "Reuters-21578, F1: Multivariate SVM, brittle"


def test_abbreviations_are_explained_where_they_occur():
    line = explained(["LR-F", "EFP, GFM"])
    assert line.startswith("EFP: exact")
    assert "LR-F: " in line
    assert "GFM-T" not in line
    assert "LR: " not in line
    assert explained(["Macro-F1"]) == ""


def test_every_method_of_every_paper_is_described(repository):
    """A description is a sentence: no path, no docstring of the classifier that is re-weighted."""
    for paper in paper_ids():
        file = repository / "reference" / paper / "configuration.json"
        methods = json.loads(file.read_text(encoding="utf-8"))["methods"]
        for name in load_paper(paper).methods:
            if name not in methods:
                continue
            text = description(methods[name])
            assert " " in text.rstrip("."), (paper, name)
            assert "beyond_accuracy." not in text
            assert "sklearn." not in text
            if methods[name].get("reweighter"):
                assert not text.startswith("Naive Bayes"), (paper, name)
    shared = [description(methods) for methods in ({"estimator": "sklearn.svm.SVC"},)]
    assert shared == ["SVC."]
