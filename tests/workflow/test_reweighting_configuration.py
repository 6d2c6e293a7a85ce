"""Configuration of multi-class papers: base classifiers, reweighters, folds, costs, data sets."""

import pytest

from beyond_accuracy.pipeline.configuration import fit_configuration, fitted_pairs
from beyond_accuracy.pipeline.validation import ConfigurationError

GENERAL = "seed: 1\npapers: [deng2006]\n"
PAPER = """\
deng2006:
  protocol: multiclass
  data_sets: [wine, iris]
  measures: [error_rate]
  methods_selected: [naive_bayes, genetic]
  methods:
    naive_bayes: {}
    genetic:
      reweighter: beyond_accuracy.reweighting.GeneticReweighter
      reweighter_parameters: {max_generations: 5}
      data_sets: [iris, glass]
"""
METHOD = "deng2006.methods.genetic"


def test_fills_in_defaults(check):
    paper = check(PAPER)["deng2006"]
    method = paper["methods"]["naive_bayes"]
    assert method["estimator"] == "beyond_accuracy.estimators.NaiveBayes"
    assert method["reweighter"] is None
    assert method["training_scores"] == "resubstitution"
    assert paper["cost_matrices"] == {"number": 10, "largest": 10}
    settings = fit_configuration(paper)
    assert settings["cross_validation"] == {"n_folds": 10, "n_inner_folds": 5}
    assert not {"methods", "data_sets", "significance", "claims"} & set(settings)


def test_a_method_is_fitted_to_its_own_data_sets(check):
    paper = check(PAPER)["deng2006"]
    assert fitted_pairs(paper) == [
        ("wine", "naive_bayes"),
        ("iris", "naive_bayes"),
        ("iris", "genetic"),
    ]


@pytest.mark.parametrize(
    ("old", "new", "place", "found", "valid"),
    [
        ("[error_rate]", "[f1]", "deng2006.measures", "'f1'", "'error_rate'"),
        ("GeneticReweighter", "Genetic", f"{METHOD}.reweighter", "reweighting.Genetic'", "no"),
        (
            "beyond_accuracy.reweighting.GeneticReweighter",
            "sklearn.svm.LinearSVC",
            f"{METHOD}.reweighter",
            "no reweighter",
            "beyond_accuracy.reweighting",
        ),
        (
            "{max_generations: 5}",
            "{max_generation: 5}",
            f"{METHOD}.reweighter_parameters.max_generation",
            "no parameter of",
            "did you mean 'max_generations'",
        ),
        ("[iris, glass]", "[glass]", f"{METHOD}.data_sets", "none of which", "wine, iris"),
        (
            "naive_bayes: {}",
            "naive_bayes: {estimator: sklearn.svm.LinearSVC}",
            "deng2006.methods.naive_bayes.estimator",
            "sklearn.svm.LinearSVC",
            "predict_proba",
        ),
        (
            "{max_generations: 5}",
            "{max_generations: 5}\n      decision: least_expected_cost",
            f"{METHOD}.decision",
            "beside a reweighter",
            "only one of the two",
        ),
        ("protocol: multiclass", "protocol: multclass", "deng2006.protocol", "'multclass'",
         "did you mean 'multiclass'"),
    ],
)  # fmt: skip
def test_names_place_found_and_valid(check, old, new, place, found, valid):
    with pytest.raises(ConfigurationError) as error:
        check(PAPER.replace(old, new))
    message = str(error.value)
    for part in (place, found, valid, "paper.yaml"):
        assert part in message


def test_the_papers_own_configuration_is_valid(check, repository):
    text = (repository / "config/papers/deng2006.yaml").read_text(encoding="utf-8")
    paper = check(text)["deng2006"]
    assert len(paper["data_sets"]) == 25
    assert set(paper["methods"]) == set(paper["methods_selected"])
