"""Decisions for labels against enumeration, with classifiers of scikit-learn and our own."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_multilabel_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, fbeta_score
from sklearn.model_selection import KFold
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import MultiOutputClassifier
from sklearn.svm import LinearSVC

from beyond_accuracy.estimators import (
    BinaryRelevance,
    MultiLabelOperatingPointClassifier,
    ProbabilisticClassifierChain,
)
from beyond_accuracy.estimators.folds import label_folds
from beyond_accuracy.inference import gfm_from_samples
from beyond_accuracy.inference.macro_at_k import macro_f_within_budget, top_within_budget
from beyond_accuracy.measures.multiclass import check_scoring


class Given(ClassifierMixin, BaseEstimator):
    """Classifier that returns X as its marginals; `drawn` are the draws of `Sampler`."""

    def __init__(self, drawn=None):
        self.drawn = drawn

    def fit(self, X, Y):
        self.fitted_ = True
        return self

    def predict_proba(self, X):
        return X


class Sampler(Given):
    """Classifier whose draws are `drawn` for every row."""

    def sample(self, X):
        return np.repeat(self.drawn[None], len(X), axis=0)


def data(n=300, m=5, seed=0):
    X, Y = make_multilabel_classification(n, 12, n_classes=m, n_labels=2, random_state=seed)
    return X, Y


def mean_f1(drawn, probabilities, h):
    size = drawn.sum(axis=1) + h.sum()
    f1 = np.where(size > 0, 2 * (drawn * h).sum(axis=1) / np.maximum(size, 1), 1.0)
    return probabilities @ f1


@pytest.mark.parametrize("budget", [None, 1, 2, 3])
def test_instance_f1_of_independent_labels_against_enumeration(budget):
    rng = np.random.default_rng(0)
    marginals = rng.random((40, 5)) ** 2
    model = MultiLabelOperatingPointClassifier(Given().fit(None, None), labels_per_row=budget)
    model.set_params(cv="prefit").fit(marginals, (marginals > 0.5).astype(int))
    all_labels = np.array(list(product((0, 1), repeat=5)))
    for p, predicted in zip(marginals, model.predict(marginals), strict=True):
        probabilities = np.where(all_labels == 1, p, 1 - p).prod(axis=1)
        allowed = [h for h in all_labels if budget is None or h.sum() <= budget]
        best = max(mean_f1(all_labels, probabilities, h) for h in allowed)
        assert predicted.sum() <= (budget or 5)
        assert mean_f1(all_labels, probabilities, predicted) == pytest.approx(best, abs=1e-12)


@pytest.mark.parametrize("budget", [None, 1, 2])
def test_instance_f1_of_a_sampled_joint_against_enumeration(budget):
    rng = np.random.default_rng(1)
    all_labels = np.array(list(product((0, 1), repeat=4)))
    for _ in range(20):
        drawn = all_labels[rng.choice(16, size=9)].astype(np.uint8)
        marginals = drawn.mean(axis=0)[None]
        model = MultiLabelOperatingPointClassifier(
            Sampler(drawn).fit(None, None), cv="prefit", labels_per_row=budget
        ).fit(marginals, np.array([[0, 1, 0, 1]]))
        allowed = [h for h in all_labels if budget is None or h.sum() <= budget]
        weights = np.full(9, 1 / 9)
        best = max(mean_f1(drawn, weights, h) for h in allowed)
        assert mean_f1(drawn, weights, model.predict(marginals)[0]) == pytest.approx(best)


@pytest.mark.parametrize("average", ["macro", "micro"])
@pytest.mark.parametrize("beta", [1.0, 2.0])
def test_thresholds_against_all_thresholds(average, beta):
    rng = np.random.default_rng(2)
    marginals = rng.integers(0, 12, (30, 2)) / 12
    Y = (rng.random((30, 2)) < marginals).astype(int)
    weight = rng.integers(1, 4, 30)
    model = MultiLabelOperatingPointClassifier(
        Given().fit(None, None), f"f1_{average}", beta=beta, cv="prefit"
    ).fit(marginals, Y, sample_weight=weight)

    def value(thresholds):
        predicted = (marginals > thresholds).astype(int)
        return fbeta_score(
            Y, predicted, beta=beta, average=average, sample_weight=weight, zero_division=0
        )

    tried = np.linspace(-1, 11, 13) / 12
    if average == "micro":
        best = max(value(np.full(2, t)) for t in tried)
    else:
        best = max(value(np.array(t)) for t in product(tried, repeat=2))
    assert model.best_score_ == pytest.approx(best)
    assert value(model.thresholds_) == pytest.approx(best)


def test_instance_f1_of_our_classifiers():
    X, Y = data(100)
    relevance = MultiLabelOperatingPointClassifier(BinaryRelevance()).fit(X, Y)
    np.testing.assert_array_equal(relevance.predict(X), relevance.estimator_.predict(X))
    chain = MultiLabelOperatingPointClassifier(ProbabilisticClassifierChain()).fit(X, Y)
    expected, _ = gfm_from_samples(chain.estimator_.sample(X))
    np.testing.assert_array_equal(chain.predict(X), expected)


def test_thresholds_are_chosen_on_probabilities_of_models_that_have_not_seen_the_row():
    X, Y = data(120)
    estimator = BinaryRelevance()
    cv = KFold(4, shuffle=True, random_state=0)
    model = MultiLabelOperatingPointClassifier(estimator, "f1_micro", cv=cv).fit(X, Y)
    held_out = np.empty(Y.shape)
    for train, test in cv.split(X):
        held_out[test] = BinaryRelevance().fit(X[train], Y[train]).predict_proba(X[test])
    again = MultiLabelOperatingPointClassifier(Given().fit(None, None), "f1_micro", cv="prefit")
    np.testing.assert_array_equal(again.fit(held_out, Y).thresholds_, model.thresholds_)


def test_labels_that_are_constant():
    """A label that never occurs is never predicted; a label that always occurs always is."""
    X, Y = data(100)
    Y[:, 1], Y[:, 3] = 0, 1
    for objective in ("f1_instance", "f1_macro"):
        forest = RandomForestClassifier(10, random_state=0)
        predicted = MultiLabelOperatingPointClassifier(forest, objective).fit(X, Y).predict(X)
        assert not predicted[:, 1].any()
        assert predicted[:, 3].all()


def test_bad_input():
    X, Y = data(60)
    fitted = Given().fit(None, None)
    for parameters, arguments, message in (
        ({"objective": "f1"}, (X, Y), "'objective' parameter"),
        ({"labels_per_row": 0}, (X, Y), "'labels_per_row' parameter"),
        ({"joint": "sample"}, (X, Y), "needs a classifier with `sample`"),
        (
            {"objective": "f1_instance", "n_resamples": 20},
            (X, Y),
            'n_resamples=20 .*leave n_resamples=0, or take objective="f1_macro" or "f1_micro"',
        ),
        ({}, (X, Y[:, 0]), "0/1 indicator"),
        ({}, (X, Y[:, :0]), "found no label"),
        ({}, (X, 2 * Y), "multiclass-multioutput|must be 0 or 1"),
        ({}, (X[:5], Y), "inconsistent numbers of samples"),
        ({"cv": "prefit"}, (np.full((60, 5), np.nan), Y), "row 0 is nan"),
        ({"cv": "prefit"}, (np.full((60, 5), 2.0), Y), "must be in"),
        ({"cv": "prefit"}, (np.full((60, 4), 0.5), Y), "one column for each label"),
    ):
        inner = fitted if parameters.get("cv") == "prefit" else BinaryRelevance()
        settings = {"objective": "f1_macro", **parameters}
        with pytest.raises(ValueError, match=message):
            MultiLabelOperatingPointClassifier(inner, **settings).fit(*arguments)


def test_a_budget_of_more_labels_than_there_are_is_said_to_bind_nothing():
    X, Y = np.random.default_rng(0).random((60, 5)), data(60)[1]
    with pytest.warns(UserWarning, match=f"binds nothing: there are {Y.shape[1]} labels") as caught:
        loose = MultiLabelOperatingPointClassifier(Given(), labels_per_row=99).fit(X, Y)
    assert caught[0].filename == __file__
    free = MultiLabelOperatingPointClassifier(Given()).fit(X, Y)
    np.testing.assert_array_equal(loose.predict(X), free.predict(X))


def test_other_spellings_are_named():
    X, Y = np.zeros((4, 1)), np.array([[0, 1], [1, 0], [1, 1], [0, 0]])
    model = MultiLabelOperatingPointClassifier(MultiOutputClassifier(LogisticRegression()))
    with pytest.raises(ValueError, match="'f1_macro'.* Got 'macro_f1'"):
        model.set_params(objective="macro_f1").fit(X, Y)
    with pytest.raises(ValueError, match="'f1_samples'; did you mean 'f1_instance'"):
        model.set_params(objective="f1_samples").fit(X, Y)
    with pytest.raises(ValueError, match="'macro_f1'; did you mean 'f1_macro'"):
        check_scoring("macro_f1")


def sorted_and_rare(n=1200, m=8, seed=0):
    """Return rows sorted by one label; the last label has five positives, in successive rows."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 10))
    scores = X @ rng.normal(size=(10, m)) / 3 + 0.5 * rng.normal(size=(n, m))
    Y = (scores > np.linspace(0.5, 1.8, m)).astype(int)
    order = np.argsort(Y[:, 2], kind="stable")
    X, Y = X[order], Y[order]
    Y[:, -1] = np.arange(n) < 5
    return X, Y


def test_default_folds_do_not_hang_on_the_order_of_rows():
    """With consecutive folds, a label of consecutive rows would get the threshold −inf."""
    X, Y = sorted_and_rare()
    half = np.arange(len(Y)) % 2 == 0
    classifier = OneVsRestClassifier(LogisticRegression())
    model = MultiLabelOperatingPointClassifier(classifier, "f1_macro").fit(X[half], Y[half])
    assert not np.isneginf(model.thresholds_).any()
    assert f1_score(Y[~half, 2], model.predict(X[~half])[:, 2]) > 0.6
    again = MultiLabelOperatingPointClassifier(classifier, "f1_macro", n_jobs=2)
    np.testing.assert_array_equal(again.fit(X[half], Y[half]).thresholds_, model.thresholds_)


def test_folds_without_a_positive_tell_nothing_of_a_label():
    X, Y = sorted_and_rare()
    classifier = OneVsRestClassifier(LogisticRegression())
    for objective in ("f1_macro", "f1_micro"):
        model = MultiLabelOperatingPointClassifier(classifier, objective, cv=KFold(5))
        thresholds = model.fit(X, Y).thresholds_
        assert not np.isneginf(thresholds).any()
    Y[:, -1] = np.arange(len(Y)) < 1
    model = MultiLabelOperatingPointClassifier(classifier, "f1_macro").fit(X, Y)
    assert np.isposinf(model.thresholds_[-1])
    # The label has one positive, but is never predicted.
    for budget in (None, 2):
        rare = MultiLabelOperatingPointClassifier(classifier, "f1_macro", labels_per_row=budget)
        others = MultiLabelOperatingPointClassifier(classifier, "f1_macro", labels_per_row=budget)
        limit = others.fit(X, Y[:, :-1]).best_score_ * (Y.shape[1] - 1) / Y.shape[1]
        assert rare.fit(X, Y).best_score_ == pytest.approx(limit, abs=0.02)
    strict = MultiLabelOperatingPointClassifier(
        MultiOutputClassifier(LogisticRegression()), "f1_macro"
    )
    with pytest.raises(ValueError, match=r"training part of fold \d, in which labels \[7\] are"):
        strict.fit(X, Y)


def test_label_folds_spread_the_positives_of_every_label():
    X, Y = sorted_and_rare()
    folds = label_folds(Y, 5, 0)
    counts = np.array([Y[folds == k].sum(axis=0) for k in range(5)])
    assert np.ptp(counts, axis=0).max() <= 4
    assert (counts[:, -1] == 1).all()
    assert np.ptp(np.bincount(folds)) <= 5
    with pytest.raises(ValueError, match="5 folds need as many rows, found 4"):
        label_folds(Y[:4], 5)


@pytest.mark.parametrize("objective", ["f1_macro", "f1_micro"])
@pytest.mark.parametrize("budget", [1, 2])
def test_a_budget_is_part_of_the_choice(objective, budget):
    """The choice beats the best unconstrained thresholds, cut to the budget."""
    rng = np.random.default_rng(4)
    average = objective.removeprefix("f1_")
    marginals = rng.random((3000, 12)) ** np.linspace(1, 6, 12)
    Y = (rng.random(marginals.shape) < marginals).astype(int)

    def fitted(labels_per_row):
        model = MultiLabelOperatingPointClassifier(
            Given().fit(None, None), objective, cv="prefit", labels_per_row=labels_per_row
        )
        return model.fit(marginals, Y)

    def reached(predicted):
        return f1_score(Y, predicted, average=average, zero_division=1)

    model, surplus = fitted(budget), marginals - fitted(None).thresholds_
    cut = reached(top_within_budget(surplus, budget).astype(int))
    assert model.predict(marginals).sum(axis=1).max() <= budget
    assert model.best_score_ == pytest.approx(reached(model.predict(marginals)))
    assert model.best_score_ > cut + (0.02 if average == "macro" else 0.0)


@pytest.mark.parametrize("average", ["macro", "micro"])
@given(seed=st.integers(0, 10_000), budget=st.integers(1, 4))
def test_predictions_reach_the_best_score_and_at_least_the_most_probable_labels(
    average, seed, budget
):
    """For some data it is best to predict every label, so only the budget decides."""
    rng = np.random.default_rng(seed)
    marginals = rng.random((8, 4))
    Y = (rng.random((8, 4)) < marginals ** rng.uniform(0, 2)).astype(int)
    model = MultiLabelOperatingPointClassifier(
        Given().fit(None, None), f"f1_{average}", cv="prefit", labels_per_row=budget
    ).fit(marginals, Y)

    def reached(predicted):
        return f1_score(Y, predicted, average=average, zero_division=1)

    assert model.best_score_ == pytest.approx(reached(model.predict(marginals)))
    most_probable = reached(top_within_budget(marginals, budget).astype(int))
    assert model.best_score_ >= most_probable - 1e-12


def test_macro_f_within_budget_against_a_grid_of_rules():
    rng = np.random.default_rng(5)
    marginals = rng.random((1000, 2))
    Y = rng.random((1000, 2)) < marginals * [1.0, 0.4]
    weights = rng.integers(1, 3, 1000).astype(float)
    tried = np.linspace(0, 0.9, 8)
    best = max(
        f1_score(Y, top_within_budget(surplus, 1), average="macro", sample_weight=weights)
        for t in product(tried, tried)
        for gain in 2.0 ** np.arange(-2, 3)
        for surplus in [np.array([gain, 1.0]) * (marginals - np.array(t))]
    )
    found = macro_f_within_budget(Y, marginals, 1, np.full(2, 0.4), weights=weights)
    gains, thresholds, value = found
    predicted = top_within_budget(gains * (marginals - thresholds), 1)
    assert value == pytest.approx(f1_score(Y, predicted, average="macro", sample_weight=weights))
    assert value > best - 0.02


def test_what_helps_without_probabilities():
    X, Y = data(60)
    model = MultiLabelOperatingPointClassifier(MultiOutputClassifier(LinearSVC()))
    with pytest.raises(ValueError, match=r"CalibratedClassifierCV\(LinearSVC\(\)\)"):
        model.fit(X, Y)


@pytest.mark.parametrize("seed", range(20))
def test_micro_f_within_a_budget_counts_probabilities_of_zero(seed):
    """A low threshold also predicts zeros; `best_score_` must equal the score of `predict`."""
    rng = np.random.default_rng(seed)
    P = rng.choice([0.0, 0.25, 0.75], size=(4, 3))
    Y = (rng.random((4, 3)) < 0.6).astype(int)
    Y[0] = 1
    model = MultiLabelOperatingPointClassifier(
        Given().fit(None, None), "f1_micro", labels_per_row=1, cv="prefit", beta=2
    ).fit(P, Y)
    reached = fbeta_score(Y, model.predict(P), beta=2, average="micro")
    assert model.best_score_ == pytest.approx(reached)


def test_lists_of_names_of_labels_are_sent_to_what_makes_an_indicator():
    model = MultiLabelOperatingPointClassifier(OneVsRestClassifier(LogisticRegression()))
    for names in ([["a", "b"], ["c"]] * 20, [["a", "b"], ["c", "a"]] * 20):
        with pytest.raises(ValueError, match="MultiLabelBinarizer"):
            model.fit(np.ones((40, 2)), names)


def test_a_classifier_of_one_label_is_told_what_to_take():
    with pytest.raises(ValueError, match=r"learns one label: take MultiOutputClassifier\("):
        MultiLabelOperatingPointClassifier(LogisticRegression()).fit(*data())
