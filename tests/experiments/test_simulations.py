"""The simulations: exact joints against enumeration, and properties of every table."""

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit

from beyond_accuracy.inference import gfm, joint_from_distribution
from beyond_accuracy_pipeline.experiments.studies.run import STUDIES
from beyond_accuracy_pipeline.experiments.studies.simulations import CODINGS, counting_chain_joint

SETTINGS = {
    "independent_labels": {"n_trials": 4, "n_labels": 8, "probability": 0.2},
    "dependent_labels": {"n_trials": 4, "n_labels": 8},
    "inference_seconds": {"n_trials": 2, "n_labels": [4, 6], "n_samples": 20, "probability": 0.3}
    | {"n_examples": 2},
    "worst_cases": {"n_labels": [4, 10], "many_labels": [10, 10**6], "enumerated_labels": [3]},
}
for name in ("independent_labels", "dependent_labels"):
    SETTINGS[name]["sample_sizes"] = [5, 3000]


def simulate(name, seed=3):
    rows, seconds = STUDIES[name](None, SETTINGS[name], (seed, "p"))
    return pd.DataFrame(rows or seconds)


@pytest.fixture(scope="module")
def tables():
    return {name: simulate(name) for name in SETTINGS}


@pytest.mark.parametrize("coding", CODINGS)
def test_joint_of_a_counting_chain_is_that_of_all_label_vectors(coding):
    m = 6
    start, slope, weight = CODINGS[coding]
    vectors = (np.arange(2**m)[:, None] >> np.arange(m)) & 1
    # Equation (9) itself, with labels in {0, 1} or {−1, 1}.
    values = vectors if coding == "zero_one" else 2 * vectors - 1
    probability = np.ones(2**m)
    first = 0.5 if coding == "plus_minus_one_shifted" else 0.0
    for i in range(m):
        p = expit(-0.5 * i - first + values[:, :i].sum(axis=1))
        probability *= np.where(vectors[:, i] == 1, p, 1 - p)
    expected, p_empty = joint_from_distribution(vectors, probability)
    joint, joint_empty = counting_chain_joint(start + slope * np.arange(m), weight)
    np.testing.assert_allclose(joint, expected, atol=1e-14)
    assert joint_empty == pytest.approx(p_empty)


@pytest.mark.parametrize(("coding", "largest"), [("plus_minus_one", 0.4), ("zero_one", 0.6)])
def test_with_labels_of_both_signs_nothing_beats_predicting_none(coding, largest):
    """25 labels as in the paper, whose axis has ticks up to 0.6."""
    start, slope, weight = CODINGS[coding]
    joint, p_empty = counting_chain_joint(start + slope * np.arange(25), weight)
    optimum = gfm(joint, p_empty)[1]
    assert largest - 0.1 < optimum < largest
    assert (optimum == p_empty) == (coding != "zero_one")


@pytest.mark.parametrize("name", ["independent_labels", "dependent_labels"])
def test_no_decision_beats_the_optimum_and_gfm_reaches_it(tables, name):
    frame = tables[name]
    assert (frame["value"] <= frame["optimum"] + 1e-12).all()
    many = frame[(frame["n_samples"] == 3000) & (frame["method"] == "gfm")]
    assert (many["optimum"] - many["value"]).max() < 0.03
    few = frame[(frame["n_samples"] == 5) & (frame["method"] == "gfm")]
    assert (few["optimum"] - few["value"]).mean() > (many["optimum"] - many["value"]).mean()
    assert set(frame["trial"]) == set(range(4))


def test_regrets_are_those_of_the_propositions(tables):
    frame = tables["worst_cases"].set_index(["construction", "n_labels", "method"]).sort_index()
    # MEUF's regret on ten labels is computed twice: with and without the joint distribution.
    assert np.ptp(frame.loc[("all_or_nothing", 10, "meuf"), "regret"]) < 1e-12
    regret = frame.loc[~frame.index.duplicated(), "regret"]
    # All labels or none, ten labels: MEUF predicts, and is wrong with probability 1 − 10^(−½).
    assert regret["all_or_nothing", 10, "meuf"] == pytest.approx(1 - 2 * 10**-0.5)
    assert regret["misleading_order", 10, "gfm_threshold"] == pytest.approx(
        1 / 6 - 2 / 14, abs=1e-6
    )
    assert (regret.xs("gfm", level="method").abs() < 1e-12).all()


def test_gfm_alone_is_exact_on_drawn_distributions(tables):
    frame = tables["worst_cases"]
    drawn = frame[frame["construction"] == "drawn_distributions"].set_index("method")
    regret = drawn["regret"]
    assert set(drawn["n_labels"]) == {3}
    assert 0 <= regret["gfm"] < 1e-12
    # Thresholds on three labels lose at most 0.0238.
    assert 0 <= regret["gfm_threshold"] < 0.0239 < regret["meuf"]


def test_simulations_repeat_themselves(tables):
    for name in ("independent_labels", "dependent_labels", "worst_cases"):
        pd.testing.assert_frame_equal(simulate(name), tables[name])
    other = simulate("independent_labels", seed=4)
    assert not other["value"].equals(tables["independent_labels"]["value"])
