"""The pipeline's CAPO is the paper's, independent of the defaults of the estimators."""

import pytest

from beyond_accuracy_pipeline.configuration.files import read_yaml


@pytest.mark.parametrize("paper", ["li2013", "arena"])
def test_outputs_of_the_auxiliaries_are_named(paper, repository):
    file = repository / "src/beyond_accuracy_pipeline/papers" / paper / "paper.yaml"
    methods = read_yaml(file).content[paper]["methods"]
    adapted = [method for method in methods.values() if "auxiliaries" in method]
    assert adapted
    for method in adapted:
        named = {"real_valued": False, "cross_fit": False}
        assert {name: method["parameters"][name] for name in named} == named
