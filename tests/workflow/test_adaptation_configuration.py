"""Configuration of classifier adaptation: auxiliaries, kernels, sweeps, and their errors."""

import pytest

from beyond_accuracy.pipeline.configuration import (
    estimator_paths,
    fit_configuration,
    method_configuration,
    methods_with_width,
    swept_data_sets,
    swept_methods,
)
from beyond_accuracy.pipeline.random_states import with_random_state
from beyond_accuracy.pipeline.validation import ConfigurationError

GENERAL = "seed: 1\npapers: [li2013]\n"
PAPER = """\
li2013:
  protocol: binary
  data_sets: [splice, ijcnn1]
  measures: [f1, roc_area]
  methods_selected: [capo, linear, kernel]
  methods:
    c45:
      estimator: beyond_accuracy.estimators.C45Classifier
      grid: {}
    machine:
      estimator: beyond_accuracy.estimators.CoreVectorMachine
      parameters: {epsilon: 0.01}
      grid: {}
    capo:
      estimator: beyond_accuracy.estimators.CAPOClassifier
      auxiliaries: [machine, c45]
      grid:
        C: [0.1, 1]
    linear:
      estimator: beyond_accuracy.estimators.MultivariateSVC
      grid:
        C: [0.1, 1]
    kernel:
      estimator: beyond_accuracy.estimators.MultivariateSVC
      parameters: {kernel: rbf, tol: 0.01}
      selection_rows: 500
      grid:
        C: [0.1, 1]
        gamma: [0.5, 2]
      refinement:
        rows: 1000
        factors: {gamma: 2}
  selection:
    folds: 3
  sweeps:
    oracle_calls_by_C:
      data_sets: [ijcnn1, usps-01234]
      methods: [linear, capo]
      C: [1]
    by_C:
      data_sets: [splice]
      methods: [capo, kernel]
      C: [1]
    by_B:
      data_sets: [splice]
      methods: [capo]
      C: [1]
      B: [0.5, 1]
    matching_B:
      data_sets: [splice]
      auxiliaries: [c45]
  auxiliary_selection:
    data_sets: [splice]
    kernels: [rbf, poly]
    widths: [0.5, 1]
    parameters: {coef0: 1.0}
    rows: 500
    C: [0.1, 1]
"""


def test_a_method_comes_with_its_auxiliaries(check):
    paper = check(PAPER)["li2013"]
    capo = method_configuration(paper, "capo")
    assert list(capo["auxiliaries"]) == ["machine", "c45"]
    assert capo["auxiliaries"]["machine"]["parameters"] == {"epsilon": 0.01}
    own = "beyond_accuracy.estimators."
    assert estimator_paths(capo) == [
        f"{own}{name}" for name in ("CAPOClassifier", "CoreVectorMachine", "C45Classifier")
    ]
    # What only some methods have does not show in the others, whose fits it does not concern.
    linear = method_configuration(paper, "linear")
    assert not {"auxiliaries", "selection_rows", "refinement", "repetitions"} & set(linear)
    assert method_configuration(paper, "kernel")["selection_rows"] == 500
    assert "budget" not in fit_configuration(paper)
    assert fit_configuration(check(PAPER + "  budget: 1.0e+9\n")["li2013"])["budget"] == 1e9


def test_sweeps_are_of_selected_data_sets(check):
    paper = check(PAPER)["li2013"]
    sweeps = paper["sweeps"]
    assert sweeps["by_training_size"] is None
    assert swept_data_sets(paper, sweeps["oracle_calls_by_C"]) == ["ijcnn1"]
    methods = swept_methods(paper, sweeps["by_C"])
    assert list(methods) == ["capo", "kernel"]
    assert methods_with_width(methods) == ["kernel"]
    assert list(swept_methods(paper, sweeps["matching_B"])) == ["c45"]


METHODS = "li2013.methods."


@pytest.mark.parametrize(
    ("old", "new", "key", "found", "valid"),
    [
        ("[machine, c45]", "[machin]", METHODS + "capo.auxiliaries[0]", "unknown auxiliary",
         "did you mean 'machine'?"),
        ("[machine, c45]", "[linear]", METHODS + "capo.auxiliaries[0]", "with an empty grid",
         "one of: c45, machine"),
        ("[machine, c45]", "[c45, c45]", METHODS + "capo.auxiliaries[1]", "listed twice", ""),
        ("      auxiliaries: [machine, c45]\n", "", METHODS + "capo.auxiliaries", "no auxiliary",
         "c45, machine"),
        ("    linear:\n", "    linear:\n      auxiliaries: [c45]\n", METHODS + "linear.auxiliaries",
         "which takes none", "CAPOClassifier"),
        ("    linear:\n", "    linear:\n      selection_rows: 5\n",
         METHODS + "linear.selection_rows", "without a kernel", "all examples"),
        ("factors: {gamma: 2}", "factors: {gama: 2}", METHODS + "kernel.refinement.factors.gama",
         "not in the grid", "did you mean 'gamma'?"),
        ("factors: {gamma: 2}", "factors: {gamma: 1}", METHODS + "kernel.refinement.factors.gamma",
         "1", "greater than 1"),
        ("rows: 1000", "rows: 1000\n        row: 1", METHODS + "kernel.refinement.row",
         "unknown key", "did you mean 'rows'?"),
        ("kernel: rbf, tol", "kernel: sigmoid, tol", METHODS + "kernel.parameters.kernel",
         "sigmoid", "one of"),
        ("        gamma: [0.5, 2]\n", "        gamma: [0.5, 2]\n        degree: [2]\n",
         METHODS + "kernel.grid", "degree", "its grid must be C and gamma"),
        ("      grid:\n        C: [0.1, 1]\n    kernel", "      grid: {}\n    kernel",
         METHODS + "linear.grid", "a grid of nothing", "must be C alone"),
        ("measures: [f1, roc_area]", "measures: [average_precision]", "li2013.measures[0]",
         "for which capo is to be trained", "serves for testing only"),
        ("methods: [linear, capo]", "methods: [kernel]", "sweeps.oracle_calls_by_C.methods[0]",
         "without a kernel", "capo, linear"),
        ("methods: [capo]", "methods: [linear]", "sweeps.by_B.methods[0]", "with auxiliaries",
         "capo"),
        ("methods: [capo, kernel]", "methods: [c45]", "sweeps.by_C.methods[0]",
         "trained on the measure", "capo, kernel, linear"),
        ("[capo, linear, kernel]", "[capo, linear]", "sweeps.by_C.methods[1]",
         "so that its kernel has no width", "methods_selected"),
        ("auxiliaries: [c45]", "auxiliaries: [capo]", "sweeps.matching_B.auxiliaries[0]",
         "with an empty grid", "c45, machine"),
        ("data_sets: [ijcnn1, usps-01234]", "data_sets: [ijcn1]",
         "sweeps.oracle_calls_by_C.data_sets[0]", "unknown data set", "did you mean 'ijcnn1'?"),
        ("B: [0.5, 1]", "B: [0.5, 0]", "sweeps.by_B.B[1]", "0", "greater than 0"),
        ("by_B:", "by_b:", "sweeps.by_b", "unknown key", "did you mean"),
        ("kernels: [rbf, poly]", "kernels: [rfb]", "auxiliary_selection.kernels[0]", "rfb", "rbf"),
        ("widths: [0.5, 1]", "widths: [0.5]", "auxiliary_selection", "", "widths must hold 1"),
        ("{coef0: 1.0}", "{coeff0: 1.0}", "auxiliary_selection.parameters.coeff0",
         "no parameter of the candidates", "did you mean 'coef0'?"),
        ("{coef0: 1.0}", "{coef0: -1}", "auxiliary_selection.parameters.coef0", "-1", "[0"),
        ("    folds: 3", "    holdout: 0.3", "auxiliary_selection", "no folds", "{folds: 5}"),
    ],
)  # fmt: skip
def test_errors_are_named_with_what_would_be_valid(check, old, new, key, found, valid):
    assert PAPER.count(old) >= 1
    with pytest.raises(ConfigurationError) as raised:
        check(PAPER.replace(old, new))
    entries = str(raised.value).split("\n  /")
    entry = next((entry for entry in entries if key in entry.splitlines()[0]), None)
    assert entry is not None, str(raised.value)
    _, at_found, at_valid = entry.splitlines()[:3]
    assert found in at_found, entry
    assert valid in at_valid, entry


def test_random_states_follow_the_seed_and_the_names(check):
    paper = check(PAPER)["li2013"]
    capo = method_configuration(paper, "capo")
    names = ("li2013", "splice")
    seeded = with_random_state(capo, "capo", 1, *names)
    machine = seeded["auxiliaries"]["machine"]["parameters"]
    assert machine["epsilon"] == 0.01
    # C4.5 draws nothing.
    assert "random_state" not in (seeded["auxiliaries"]["c45"].get("parameters") or {})
    alone = with_random_state(capo["auxiliaries"]["machine"], "machine", 1, *names)
    assert alone["parameters"] == machine
    states = [
        with_random_state(capo, name, seed, paper, data_set)["parameters"]["random_state"]
        for name, seed, paper, data_set in (
            ("capo", 1, "li2013", "splice"),
            ("capo", 2, "li2013", "splice"),
            ("other", 1, "li2013", "splice"),
            ("capo", 1, "cheng2016", "splice"),
            ("capo", 1, "li2013", "ijcnn1"),
        )
    ]
    assert len(set(states)) == len(states)
    assert "random_state" not in (capo.get("parameters") or {})
    given = {**capo, "parameters": {"random_state": 7}}
    assert with_random_state(given, "capo", 1, *names)["parameters"] == {"random_state": 7}
