"""Configuration of multi-label papers: data sets, models, decisions, simulations."""

import pytest

from beyond_accuracy.pipeline.configuration import fit_configuration
from beyond_accuracy.pipeline.validation import ConfigurationError

GENERAL = "seed: 1\npapers: [dembczynski2011]\n"
PAPER = """\
dembczynski2011:
  protocol: multilabel
  data_sets: [scene]
  measures: [f1_instance]
  methods_selected: [pcc]
  methods:
    pcc:
      estimator: beyond_accuracy.estimators.ProbabilisticClassifierChain
      parameters: {n_samples: 20}
      base: sklearn.linear_model.LogisticRegression
      base_parameters: {tol: 0.01}
      grid:
        C: [1, 10]
      inference: [gfm, meuf_f2]
  simulations:
    worst_cases: {n_labels: [4, 6]}
"""
METHOD = "dembczynski2011.methods.pcc"


def test_fills_in_defaults(check):
    paper = check(PAPER)["dembczynski2011"]
    assert paper["selection"] == {"folds": 3}
    assert paper["simulations"]["independent_labels"] is None
    assert paper["simulations"]["worst_cases"] == {"n_labels": [4, 6]}
    assert fit_configuration(paper)["selection"] == {"folds": 3}
    assert "simulations" not in fit_configuration(paper)


@pytest.mark.parametrize(
    ("old", "new", "place", "found", "valid"),
    [
        ("[scene]", "[digits]", "line 3: dembczynski2011.data_sets[0]",
         "'digits', which is no multi-label data set", "one of: enron, "),
        ("[f1_instance]", "[f1]", "line 4: dembczynski2011.measures[0]",
         "unknown measure 'f1'", "hamming_loss"),
        ("n_samples: 20", "n_sample: 20", f"line 9: {METHOD}.parameters.n_sample",
         "'n_sample', which is no parameter of", "did you mean 'n_samples'?"),
        ("n_samples: 20", "n_samples: 0", f"line 9: {METHOD}.parameters.n_samples",
         "0", "an int in the range [1, inf)"),
        ("LogisticRegression", "LogisticRegresion", f"line 10: {METHOD}.base",
         "'sklearn.linear_model.LogisticRegresion'", "did you mean"),
        ("tol: 0.01", "C: 1", f"line 11: {METHOD}.base_parameters.C",
         "'C' is fixed, but also in the grid", "only one"),
        ("        C: [1", "        c: [1", f"line 13: {METHOD}.grid.c",
         "'c', which is no parameter of", "one of: C, "),
        ("[1, 10]", "[1, -10]", f"line 13: {METHOD}.grid.C[1]", "-10", "a float in the range (0"),
        ("meuf_f2", "muef", f"line 14: {METHOD}.inference[1]",
         "'muef'", "one of marginal_threshold, gfm"),
        ("meuf_f2", "gfm", f"line 14: {METHOD}.inference[1]", "'gfm' is listed twice", "once"),
        ("[4, 6]", "[4, 7]", "line 16: dembczynski2011.simulations.worst_cases.n_labels[1]",
         "7", "multiple of 2"),
        ("worst_cases: {n_labels", "worst_cases: {n_label",
         "line 16: dembczynski2011.simulations.worst_cases.n_label",
         "unknown key 'n_label'", "did you mean 'n_labels'?"),
    ],
)  # fmt: skip
def test_names_place_found_and_valid(check, old, new, place, found, valid):
    assert old in PAPER
    with pytest.raises(ConfigurationError) as caught:
        check(PAPER.replace(old, new, 1))
    entries = str(caught.value).split("\n  ")
    position = next(number for number, line in enumerate(entries) if line.endswith(place))
    assert entries[position + 1].strip().startswith(f"found: {found}")
    assert valid in entries[position + 2]
