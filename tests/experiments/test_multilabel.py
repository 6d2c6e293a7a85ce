"""The multi-label protocol: decisions, expectations, selection, failures and files."""

import dataclasses
import json

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.base import clone

from beyond_accuracy.estimators import MultiLabelOperatingPointClassifier, RidgeLogisticRegression
from beyond_accuracy.inference import gfm
from beyond_accuracy_pipeline.datasets.prepared import PreparedDataSet
from beyond_accuracy_pipeline.experiments.label_decisions import (
    Decision,
    LabelProbabilities,
    decide,
)
from beyond_accuracy_pipeline.experiments.multilabel import MultilabelExperiment, make_base

PAPER = {"measures": ["f1_instance", "hamming_loss"], "selection": {"folds": 3}}
RIDGE = "beyond_accuracy.estimators.RidgeLogisticRegression"
CHAIN = {
    "estimator": "beyond_accuracy.estimators.ProbabilisticClassifierChain",
    "parameters": {"n_samples": 60},
    "base": RIDGE,
    "grid": {"C": [0.1, 10.0]},
    "inference": ["marginal_threshold", "gfm", "gfm_threshold", "meuf_approx", "meuf", "gfm_exact"],
}
RELEVANCE = {
    "estimator": "beyond_accuracy.estimators.BinaryRelevance",
    "base": RIDGE,
    "grid": {"C": [0.1, 10.0]},
    "inference": ["marginal_threshold", "meuf", "meuf_f2"],
}
BOOSTING = {
    "base": "sklearn.ensemble.HistGradientBoostingClassifier",
    "base_parameters": {"max_iter": 3},
    "grid": {},
}


def labelled(n_labels=5, n_rows=260, n_train=200, seed=4):
    """Return data with labels that depend on one another; the last but one is constant."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_rows, 6))
    Y = np.zeros((n_rows, n_labels), dtype=np.uint8)
    for label in range(n_labels):
        before = Y[:, label - 1] if label else 0
        score = X @ rng.standard_normal(6) + 2.0 * before - 1.0
        Y[:, label] = rng.random(n_rows) < 1 / (1 + np.exp(-score))
    Y[:, -2] = 0
    names = tuple(f"label{i}" for i in range(n_labels))
    parts = (X[:n_train], Y[:n_train], X[n_train:], Y[n_train:])
    return PreparedDataSet("labelled", "multilabel", *parts, names)


def experiment(data, method):
    given = {"method_configuration": method, "paper_configuration": PAPER}
    return MultilabelExperiment(data, paper="p", **given, seed=1)


def run(data, method):
    return experiment(data, method).run()


@pytest.fixture(scope="module")
def chain():
    return run(labelled(), CHAIN)


def test_names_of_decisions():
    assert Decision.of("gfm") == Decision("gfm", False, 1.0)
    assert Decision.of("gfm_threshold_exact_f0.5") == Decision("gfm_threshold", True, 0.5)
    assert Decision.of("macro_f1_thresholds_f2") == Decision("macro_f1_thresholds", False, 2.0)
    wrong = ("gmf", "gfm_f", "gfm_f0", "exact_gfm", "gfm_f2_exact", "micro_f1_threshold_exact")
    for name in wrong:
        with pytest.raises(ValueError, match="it is one of marginal_threshold, gfm"):
            Decision.of(name)


def test_a_joint_distribution_is_needed_for_gfm():
    labels = LabelProbabilities(np.full((2, 3), 0.5))
    with pytest.raises(ValueError, match="leave it out of this method's inference"):
        decide(Decision("gfm"), labels)


def test_every_decision_of_a_chain_is_that_of_the_estimator(chain):
    data = labelled()
    model = experiment(data, CHAIN)._model.fit(data.X_train, data.y_train)
    arrays = chain.arrays
    criteria = {"gfm": "f1", "gfm_threshold": "threshold", "marginal_threshold": "hamming"}
    for name, criterion in criteria.items():
        assert (arrays[f"prediction.{name}"] == model.predict(data.X_test, criterion)).all()
    exact = model.predict(data.X_test, "f1", exact=True)
    assert (arrays["prediction.gfm_exact"] == exact).all()
    assert (arrays["y_test"] == data.y_test).all()
    assert not arrays["prediction.gfm"][:, -2].any()


@pytest.mark.parametrize(
    ("decision", "objective"),
    [("macro_f1_thresholds", "f1_macro"), ("micro_f1_threshold", "f1_micro")],
)
def test_chosen_thresholds_are_those_of_the_estimator(decision, objective):
    """The wrapper gets the same model and folds; neither uses the test part."""
    data = labelled()
    own = experiment(data, {**RELEVANCE, "inference": [decision, f"{decision}_f2"]})
    classifier = MultiLabelOperatingPointClassifier(clone(own._model), objective, cv=own._splits)
    expected = classifier.fit(data.X_train, data.y_train)
    arrays = own.run().arrays
    prediction = arrays[f"prediction.{decision}"]
    assert (prediction == expected.predict(data.X_test)).all()
    assert (prediction != (expected.predict_proba(data.X_test) >= 0.5)).any()
    # A larger weight of recall gives more labels.
    assert arrays[f"prediction.{decision}_f2"].sum() > prediction.sum()


def test_gfm_expects_most(chain):
    expected = {name: chain.arrays[f"expected.{name}"] for name in CHAIN["inference"]}
    assert (expected["gfm"] >= expected["gfm_threshold"] - 1e-12).all()
    assert (expected["gfm"] >= expected["marginal_threshold"] - 1e-12).all()
    assert ((expected["meuf"] > 0) & (expected["meuf"] <= 1)).all()


def test_rows_name_what_was_selected_and_how_long_it_took(chain):
    frame = pd.DataFrame(chain.fits)
    assert set(frame["status"]) == {"ok"}
    assert len(frame) == len(CHAIN["inference"]) * len(PAPER["measures"])
    C = json.loads(frame["selected"][0])["C"]
    assert C[-2] is None
    assert set(C[:3]) <= {0.1, 10.0}
    stages = {(row["stage"], row["task"]) for row in chain.seconds}
    assert {("fit", "all"), ("sample", "all"), ("decide", "gfm")} <= stages


@pytest.mark.parametrize("method", [CHAIN, RELEVANCE])
def test_test_labels_and_the_order_of_test_examples_change_nothing(method):
    data = labelled()
    other = dataclasses.replace(data, X_test=data.X_test[::-1], y_test=1 - data.y_test[::-1])
    first, second = run(data, method), run(other, method)
    for name in method["inference"]:
        key = f"prediction.{name}"
        assert (first.arrays[key] == second.arrays[key][::-1]).all()


def test_decisions_of_efp_are_those_of_the_estimator():
    data = labelled()
    method = {**RELEVANCE, "estimator": "beyond_accuracy.estimators.ExactFMeasurePlugIn"}
    method["inference"] = ["marginal_threshold", "gfm", "gfm_threshold", "meuf", "gfm_f2"]
    result = run(data, method)
    assert {row["status"] for row in result.fits} == {"ok"}
    model = experiment(data, method)._model.fit(data.X_train, data.y_train)
    for name, criterion, beta in (
        ("gfm", "f1", 1.0),
        ("gfm_threshold", "threshold", 1.0),
        ("marginal_threshold", "hamming", 1.0),
        ("gfm_f2", "f1", 2.0),
    ):
        expected = model.predict(data.X_test, criterion, beta)
        assert (result.arrays[f"prediction.{name}"] == expected).all()
    value = gfm(*model.joint(data.X_test))[1]
    assert result.arrays["expected.gfm"] == pytest.approx(value, abs=1e-12)
    C = json.loads(pd.DataFrame(result.fits)["selected"][0])["C"]
    # One C per label (one label is constant), and one for whether there is any label.
    assert len(C) == 6
    assert C[3] is None


def test_exact_distributions_are_those_of_chains():
    method = {**RELEVANCE, "inference": ["gfm_exact"]}
    rows = pd.DataFrame(run(labelled(), method).fits)
    assert set(rows["status"]) == {"unavailable"}
    assert "only a classifier chain" in rows["reason"].iloc[0]


def test_exact_distributions_have_few_labels():
    method = {**CHAIN, "inference": ["gfm", "gfm_exact"]}
    rows = pd.DataFrame(run(labelled(n_labels=17), method).fits).set_index("task")
    assert set(rows.loc["gfm", "status"]) == {"ok"}
    assert set(rows.loc["gfm_exact", "status"]) == {"unavailable"}
    assert "at most 16 labels, the data set has 17" in rows.loc["gfm_exact", "reason"].iloc[0]


def test_a_failing_fit_is_rows():
    X = np.full((200, 6), np.nan)
    result = run(dataclasses.replace(labelled(), X_train=X), CHAIN)
    assert result.arrays == {}
    assert {row["status"] for row in result.fits} == {"failed"}
    assert all("NaN" in row["reason"] for row in result.fits)


def test_one_failing_decision_leaves_the_others():
    method = {**RELEVANCE, "inference": ["gfm", "meuf"]}
    rows = pd.DataFrame(run(labelled(), method).fits).set_index("task")
    assert set(rows.loc["gfm", "status"]) == {"failed"}
    assert set(rows.loc["meuf", "status"]) == {"ok"}


def test_bases():
    ridge = make_base({"base": RIDGE, "grid": {"C": [10, 1]}}, 4, 7)
    assert isinstance(ridge, RidgeLogisticRegression)
    assert (ridge.C, ridge.cv, ridge.random_state) == ([1.0, 10.0], 4, 7)
    logistic = {"base": "sklearn.linear_model.LogisticRegression", "grid": {"C": [1e-6, 1.0]}}
    data = labelled()
    search = make_base(logistic, 3, 7).fit(data.X_train, data.y_train[:, 0])
    assert search.best_params_ == {"C": 1.0}
    assert search.scoring == "neg_log_loss"
    assert make_base(BOOSTING, 3, 7).get_params()["random_state"] == 7


def test_a_base_that_takes_no_sparse_features_gets_dense_ones():
    data = labelled()
    parts = {name: getattr(data, name) for name in ("X_train", "X_test", "y_train", "y_test")}
    matrices = {name: scipy.sparse.csr_matrix(part) for name, part in parts.items()}
    sparse = dataclasses.replace(data, **matrices)
    method = {**RELEVANCE, **BOOSTING, "inference": ["meuf"]}
    first, second = run(data, method), run(sparse, method)
    assert {row["status"] for row in second.fits} == {"ok"}
    assert (first.arrays["prediction.meuf"] == second.arrays["prediction.meuf"]).all()
