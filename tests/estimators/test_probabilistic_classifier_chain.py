"""Probabilistic chains and binary relevance against scikit-learn and enumeration."""

import itertools

import numpy as np
import pytest
import scipy.sparse
from sklearn.datasets import make_multilabel_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from beyond_accuracy.estimators.binary_relevance import BinaryRelevance
from beyond_accuracy.estimators.chain_models import LogisticChain, enumerate_chain
from beyond_accuracy.estimators.exact_f_measure_plug_in import ExactFMeasurePlugIn
from beyond_accuracy.estimators.probabilistic_classifier_chain import ProbabilisticClassifierChain
from beyond_accuracy.estimators.ridge_logistic_regression import RidgeLogisticRegression
from beyond_accuracy.inference import (
    expected_f,
    gfm,
    gfm_threshold,
    joint_from_distribution,
    meuf,
    meuf_approx,
)
from beyond_accuracy.measures.multilabel import f_beta_instance, hamming_loss


@pytest.fixture(scope="module")
def data():
    X, Y = make_multilabel_classification(
        300, n_features=12, n_classes=5, n_labels=2, random_state=0
    )
    return X / 10, Y


@pytest.fixture(scope="module")
def chain(data):
    return ProbabilisticClassifierChain(random_state=0).fit(*data)


def exact_distribution(model, coef, x):
    """Return all label vectors and their P(y | x), from one LogisticRegression per label."""
    labelings = np.array(list(itertools.product((0, 1), repeat=len(coef))))
    probabilities = np.ones(len(labelings))
    for j, estimator in enumerate(coef):
        features = np.hstack([np.tile(x, (len(labelings), 1)), labelings[:, :j]])
        p = estimator.predict_proba(features)[:, 1]
        probabilities *= np.where(labelings[:, j] == 1, p, 1 - p)
    return labelings, probabilities


def test_equal_to_scikit_learns_regressions_and_enumeration(data):
    X, Y = data
    base = RidgeLogisticRegression(0.7, tol=1e-10)
    model = ProbabilisticClassifierChain(base, n_samples=4000, random_state=0).fit(X, Y)
    rivals = [
        LogisticRegression(C=0.7, tol=1e-10, solver="newton-cholesky").fit(
            np.hstack([X, Y[:, :j]]), Y[:, j]
        )
        for j in range(5)
    ]
    marginals, (joint, p_empty) = model.predict_proba(X[:5], exact=True), model.joint(X[:5])
    exact_joint, exact_empty = model.joint(X[:5], exact=True)
    subset = model.predict(X[:5], "subset", exact=True)
    for i in range(5):
        labelings, probabilities = exact_distribution(model, rivals, X[i])
        assert marginals[i] == pytest.approx(probabilities @ labelings, abs=1e-6)
        assert (subset[i] == labelings[probabilities.argmax()]).all()
        size = labelings.sum(axis=1)
        for s in range(1, 6):
            expected = probabilities[size == s] @ labelings[size == s]
            assert exact_joint[i, :, s - 1] == pytest.approx(expected, abs=1e-6)
        assert exact_empty[i] == pytest.approx(probabilities[0], abs=1e-6)
    assert abs(joint - exact_joint).max() < 5 * 0.5 / np.sqrt(4000)
    assert abs(p_empty - exact_empty).max() < 5 * 0.5 / np.sqrt(4000)
    general = ProbabilisticClassifierChain(
        LogisticRegression(C=0.7, tol=1e-10, solver="newton-cholesky"), random_state=0
    ).fit(X, Y)
    assert general.predict_proba(X, exact=True) == pytest.approx(
        model.predict_proba(X, exact=True), abs=1e-6
    )


def test_decisions_are_those_of_the_maximizers(data, chain):
    X, Y = data
    for exact in (False, True):
        joint, p_empty = chain.joint(X, exact=exact)
        marginals = chain.predict_proba(X, exact=exact)
        assert joint.sum(axis=2) == pytest.approx(marginals, abs=1e-12)
        for beta in (0.5, 1.0, 2.0):
            assert (chain.predict(X, beta=beta, exact=exact) == gfm(joint, p_empty, beta)[0]).all()
        threshold = gfm_threshold(joint, p_empty)[0]
        assert (chain.predict(X, "threshold", exact=exact) == threshold).all()
        assert (chain.predict(X, "hamming", exact=exact) == (marginals >= 0.5)).all()
    # 200 samples of 5 labels almost always contain the most probable vector.
    sampled, enumerated = chain.predict(X, "subset"), chain.predict(X, "subset", exact=True)
    assert (sampled == enumerated).all(axis=1).mean() > 0.98
    f1 = {c: f_beta_instance(Y, chain.predict(X, c)) for c in ("f1", "hamming")}
    losses = {c: hamming_loss(Y, chain.predict(X, c)) for c in ("f1", "hamming")}
    assert f1["f1"] > f1["hamming"]
    assert losses["hamming"] < losses["f1"]


def test_samples_do_not_depend_on_batch_order_or_format(data, chain, monkeypatch):
    X, _ = data
    samples = chain.sample(X)
    assert samples.shape == (300, 200, 5)
    assert samples.dtype == np.uint8
    assert (chain.sample(X[100:130]) == samples[100:130]).all()
    assert (chain.sample(X[::-1]) == samples[::-1]).all()
    assert (chain.sample(scipy.sparse.csr_matrix(X)) == samples).all()
    assert (chain.sample(X, 30) == samples[:, :30]).all()
    module = "beyond_accuracy.estimators.probabilistic_classifier_chain._CELLS_AT_ONCE"
    monkeypatch.setattr(module, 5000)
    assert (chain.sample(X) == samples).all()
    assert (chain.predict(X) == gfm(*chain.joint(X))[0]).all()
    again = ProbabilisticClassifierChain(random_state=0).fit(*data)
    assert (again.sample(X) == samples).all()
    other = ProbabilisticClassifierChain(random_state=1).fit(*data)
    assert (other.sample(X) != samples).any()


@pytest.mark.parametrize("base", [None, GaussianNB()])
def test_systematic_samples_are_nearly_the_distribution(data, base):
    """Compare with all label vectors, and with independent samples."""
    X, Y = data
    model = ProbabilisticClassifierChain(base, n_samples=50, random_state=0, order=[3, 1, 4, 0, 2])
    model.fit(X, Y)
    exact, exact_empty = model.joint(X, exact=True)
    lost = {}
    for sampling in ("independent", "systematic"):
        model.set_params(sampling=sampling)
        best = gfm(exact, exact_empty)[1]
        lost[sampling] = (best - expected_f(exact, exact_empty, model.predict(X))).mean()
    assert lost["systematic"] < 0.2 * lost["independent"]
    joint, p_empty = model.joint(X)
    assert p_empty == pytest.approx(exact_empty, abs=1e-12)
    assert (model.predict(X) == gfm(joint, p_empty)[0]).all()
    assert (model.predict(X, "threshold") == gfm_threshold(joint, p_empty)[0]).all()
    assert joint.sum(axis=2) == pytest.approx(model.predict_proba(X), abs=1e-12)
    probabilities, labelings = enumerate_chain(model.model_, model.model_.prepare(X), 5)
    for own, p in zip(model.sample(X), probabilities, strict=True):
        counts = (own[:, None, model.order_] == labelings).all(axis=2).sum(axis=0)
        assert (abs(counts - 50 * p) < 1 + 1e-9).all()
    assert (model.sample(X)[40:50] == model.sample(X[40:50])).all()


@pytest.mark.parametrize("convert", [np.asarray, scipy.sparse.csr_matrix])
def test_any_probabilistic_classifier_as_base(data, convert):
    X, Y = data
    base = GaussianNB() if convert is np.asarray else LogisticRegression(solver="liblinear")
    model = ProbabilisticClassifierChain(base, n_samples=2000, random_state=3, order="random")
    model.fit(convert(X), Y)
    assert sorted(model.order_) == list(range(5))
    few = convert(X[:20])
    exact, sampled = model.predict_proba(few, exact=True), model.predict_proba(few)
    assert abs(exact - sampled).max() < 5 * 0.5 / np.sqrt(2000)
    assert (model.sample(few)[7:9] == model.sample(few[7:9])).all()
    assert (model.predict(few, "subset", exact=True) == model.predict(few, "subset")).mean() > 0.97


def test_order_of_the_chain_goes_back_to_columns(data):
    X, Y = data
    order = [3, 1, 4, 0, 2]
    base = RidgeLogisticRegression(tol=1e-10)
    permuted = ProbabilisticClassifierChain(base, order=order, random_state=0).fit(X, Y)
    plain = ProbabilisticClassifierChain(base, random_state=0).fit(X, Y[:, order])
    exact = plain.predict_proba(X[:9], exact=True)
    assert permuted.predict_proba(X[:9], exact=True)[:, order] == pytest.approx(exact, abs=1e-9)
    assert (permuted.sample(X[:9])[:, :, order] == plain.sample(X[:9])).all()
    best = plain.predict(X[:9], exact=True)
    assert (permuted.predict(X[:9], exact=True)[:, order] == best).all()


@pytest.mark.parametrize("base", [None, LogisticRegression(), GaussianNB()])
def test_labels_constant_in_training(data, base):
    X, Y = data
    Y = Y.copy()
    Y[:, 1], Y[:, 3] = 0, 1
    chain = ProbabilisticClassifierChain(base, random_state=0).fit(X, Y)
    relevance = BinaryRelevance(base).fit(X, Y)
    for marginals in (
        chain.predict_proba(X),
        chain.predict_proba(X, exact=True),
        relevance.predict_proba(X),
    ):
        assert (marginals[:, 1] == 0).all()
        # Exact probabilities are sums, so they are only nearly 1.
        assert marginals[:, 3] == pytest.approx(1, abs=1e-14)
    assert (chain.predict(X)[:, [1, 3]] == [0, 1]).all()
    assert np.isfinite(relevance.predict(X)).all()


@pytest.mark.parametrize("repeats", [1, 2])
def test_strength_is_chosen_by_held_out_log_loss(data, repeats):
    """Compare with scikit-learn's losses on the same folds."""
    X, Y = data
    candidates = [0.01, 0.1, 1.0, 10.0]
    model = RidgeLogisticRegression(candidates, cv_repeats=repeats, tol=1e-9, random_state=4)
    model.fit(X, Y[:, 0])
    rng = np.random.default_rng(4)
    folds = [fold for _ in range(repeats) for fold in np.array_split(rng.permutation(len(X)), 3)]
    expected = np.zeros(len(candidates))
    for c, C in enumerate(candidates):
        for fold in folds:
            rest = np.setdiff1d(np.arange(len(X)), fold)
            rival = LogisticRegression(C=C, tol=1e-9, max_iter=5000).fit(X[rest], Y[rest, 0])
            total = log_loss(Y[fold, 0], rival.predict_proba(X[fold]), normalize=False)
            expected[c] += total / (repeats * len(X))
    tried = ~np.isnan(model.validation_loss_)
    assert tried[:3].all()
    assert model.validation_loss_[tried] == pytest.approx(expected[tried], rel=1e-4)
    assert candidates[int(expected.argmin())] == model.C_
    rival = LogisticRegression(C=model.C_, tol=1e-10, max_iter=5000).fit(X, Y[:, 0])
    assert model.coef_ == pytest.approx(rival.coef_, abs=1e-4)
    multinomials = model.fit_multinomials(X, Y[:, :1].astype(np.int64))
    assert multinomials.validation_loss[0, tried] == pytest.approx(expected[tried], rel=1e-4)


def standardized_rival(C):
    return make_pipeline(
        StandardScaler(), LogisticRegression(C=C, tol=1e-10, solver="newton-cholesky")
    )


@pytest.fixture(scope="module")
def unequal(data):
    """Return features of very different scales, one constant, and labels with different best C."""
    X, Y = data
    X = X * np.logspace(-3, 3, X.shape[1]) + 2.0
    return np.column_stack([X, np.full(len(X), 0.1)]), Y


@pytest.mark.parametrize("convert", [np.asarray, scipy.sparse.csr_matrix])
@pytest.mark.parametrize("chained", [False, True])
def test_standardized_features_and_labels_before_are_scikit_learns(unequal, convert, chained):
    X, Y = unequal
    base = RidgeLogisticRegression(0.03, standardize=True, tol=1e-9)
    found = base.fit_labels(convert(X), Y, chained=chained)
    width = X.shape[1]
    for j, y in enumerate(Y.T):
        features = np.hstack([X, Y[:, :j]]) if chained else X
        rival = standardized_rival(0.03).fit(features, y)
        weights = rival[-1].coef_[0] / rival[0].scale_
        assert found.coef[j] == pytest.approx(weights[:width], rel=1e-4, abs=1e-9)
        if chained:
            assert found.label_coef[j, :j] == pytest.approx(weights[width:], rel=1e-4, abs=1e-9)
            assert (found.label_coef[j, j:] == 0).all()
        else:
            scores = X @ found.coef[j] + found.intercept[j]
            assert scores == pytest.approx(rival.decision_function(X), abs=1e-4)
    # Without standardized features, or standardized labels, the result differs.
    raw = RidgeLogisticRegression(0.03, tol=1e-9)
    assert abs(raw.fit_labels(X, Y, chained=False).coef - found.coef).max() > 0.05
    if chained:
        mixed = raw.fit_labels(StandardScaler().fit_transform(X), Y, chained=True)
        assert abs(mixed.label_coef - found.label_coef).max() > 0.05


@pytest.mark.parametrize("chained", [False, True])
def test_shared_strength_has_the_least_mean_loss(unequal, chained):
    """Compare with scikit-learn's losses on the same folds, each standardized separately."""
    X, Y = unequal
    Y = np.column_stack([Y, np.ones(len(Y), dtype=Y.dtype)])
    candidates = [0.001, 0.01, 0.1, 1.0, 10.0]
    base = RidgeLogisticRegression(
        candidates, standardize=True, shared_C=True, tol=1e-8, random_state=4
    )
    found = base.fit_labels(X, Y, chained=chained)
    loss = np.zeros((5, len(candidates)))
    for fold in np.array_split(np.random.default_rng(4).permutation(len(X)), 3):
        rest = np.setdiff1d(np.arange(len(X)), fold)
        for j, c in itertools.product(range(5), range(len(candidates))):
            features = np.hstack([X, Y[:, :j]]) if chained else X
            rival = standardized_rival(candidates[c]).fit(features[rest], Y[rest, j])
            p = rival.predict_proba(features[fold])[:, 1]
            loss[j, c] -= np.log(np.where(Y[fold, j] == 1, p, 1 - p)).sum() / len(X)
    mean = loss.mean(axis=0)
    best = int(mean.argmin())
    # Otherwise the test could not tell a shared C from one C per label.
    assert len(set(loss.argmin(axis=1))) > 1
    assert (found.C[:5] == candidates[best]).all()
    assert np.isnan(found.C[5])
    tried = min(best + 3, len(candidates))
    assert found.validation_loss[:5, :tried] == pytest.approx(loss[:, :tried], rel=1e-4)
    assert np.isnan(found.validation_loss[:, tried:]).all()
    own = RidgeLogisticRegression(candidates, standardize=True, tol=1e-8, random_state=4)
    assert len(set(own.fit_labels(X, Y, chained=chained).C[:5])) > 1


def test_a_label_whose_own_path_would_end_stays_in_the_mean():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((120, 20))
    Y = np.column_stack([rng.random(120) < 0.5, *(X[:, j] > 0 for j in range(4))]).astype(int)
    candidates = [1e-3, 1e-2, 0.1, 1.0, 10.0]
    tried = {}
    for shared in (False, True):
        base = RidgeLogisticRegression(candidates, shared_C=shared)
        tried[shared] = ~np.isnan(base.fit_labels(X, Y, chained=False).validation_loss)
    assert tried[False][0].sum() < tried[False][1].sum()
    assert (tried[True] == tried[True][0]).all()


def test_binary_relevance(data):
    X, Y = data
    model = BinaryRelevance(RidgeLogisticRegression(tol=1e-10)).fit(X, Y)
    rivals = [LogisticRegression(tol=1e-10, max_iter=5000).fit(X, y) for y in Y.T]
    marginals = np.column_stack([rival.predict_proba(X)[:, 1] for rival in rivals])
    assert model.predict_proba(X) == pytest.approx(marginals, abs=1e-5)
    assert (model.predict(X) == meuf(model.predict_proba(X))[0]).all()
    assert (model.predict(X, "hamming") == (marginals >= 0.5)).all()
    assert (model.predict(X, "f1_approx") == model.predict(X)).mean() > 0.98
    same = BinaryRelevance(LogisticRegression(tol=1e-10, max_iter=5000)).fit(X, Y)
    assert same.predict_proba(X) == pytest.approx(marginals, abs=1e-12)
    assert model.fit(scipy.sparse.csr_matrix(X), scipy.sparse.csr_matrix(Y)).n_labels_ == 5


@pytest.mark.parametrize(
    "make", [BinaryRelevance, ExactFMeasurePlugIn, ProbabilisticClassifierChain]
)
@pytest.mark.parametrize("base", [None, LogisticRegression()])
def test_one_label_is_a_binary_problem(data, make, base):
    """F is 1 if the prediction is correct, and 0 otherwise."""
    X, Y = data
    model = make(base)
    if "random_state" in model.get_params():
        model.set_params(random_state=0)
    model.fit(X, Y[:, :1])
    p = LogisticRegression().fit(X, Y[:, 0]).predict_proba(X)[:, 1]
    certain = abs(p - 0.5) > 0.1
    predicted = model.predict(X)
    assert predicted.shape == (len(X), 1)
    assert (predicted[certain, 0] == (p[certain] > 0.5)).all()


@pytest.mark.parametrize("make", [ProbabilisticClassifierChain, BinaryRelevance])
def test_bad_data(data, make):
    X, Y = data
    for labels, message in (
        (Y[:, :0], "0 feature"),
        (Y[:, 0], "indicator of shape"),
        (Y + 1, "labels must be 0 or 1, found"),
        (Y[:-1], "inconsistent numbers"),
    ):
        with pytest.raises(ValueError, match=message):
            make().fit(X, labels)
    with pytest.raises(ValueError, match="NaN"):
        make().fit(np.where(X > 1, np.nan, X), Y)
    model = make().fit(X, Y)
    with pytest.raises(ValueError, match="0 sample"):
        model.predict(X[:0])
    with pytest.raises(ValueError, match="features"):
        model.predict(X[:, :3])
    with pytest.raises(ValueError, match="criterion must be one of"):
        model.predict(X, "f2")
    with pytest.raises(ValueError, match="beta must be"):
        model.predict(X, beta=0)


def test_bad_parameters(data):
    X, Y = data
    for parameters, message in (
        ({"order": [0, 1, 2, 3, 3]}, r"permutation of 0\.\.4"),
        ({"order": "first"}, "'order' parameter"),
        ({"n_samples": 0}, "'n_samples' parameter"),
        ({"base": RidgeLogisticRegression([1.0, -1.0])}, "C holds -1; every value"),
        ({"base": RidgeLogisticRegression([])}, "C must be one number or a list"),
    ):
        with pytest.raises(ValueError, match=message):
            ProbabilisticClassifierChain(**parameters).fit(X, Y)
    many = np.random.default_rng(0).integers(0, 2, size=(60, 17))
    model = ProbabilisticClassifierChain(random_state=0).fit(X[:60], many)
    with pytest.raises(ValueError, match="at most 16 labels, found 17"):
        model.predict(X, exact=True)


@pytest.mark.parametrize("coding", ["0/1", "-1/+1"])
def test_under_the_dependent_model_of_the_paper_nothing_beats_gfm_on_the_true_joint(coding):
    """The linear part is −½(i−1) + Σ_{j<i} y_j; with y in {−1, +1}, −3/2·(i−1) + 2·Σ y_j."""
    m = 12
    before = np.arange(m)
    slope, level = (1.0, -0.5 * before) if coding == "0/1" else (2.0, -1.5 * before)
    weights = slope * np.tril(np.ones((m, m)), -1)
    model = LogisticChain(np.zeros((m, 1)), weights, level)
    prepared = model.prepare(np.zeros((1, 1)))
    probabilities, labelings = enumerate_chain(model, prepared, m)
    joint, p_empty = joint_from_distribution(labelings, probabilities[0])
    keys = np.array([5], dtype=np.uint64)
    frequency = model.sample(prepared, keys, 40_000)[0].mean(axis=0)
    assert frequency == pytest.approx(probabilities[0] @ labelings, abs=0.0125)
    for beta in (0.5, 1.0, 2.0):
        best = gfm(joint, p_empty, beta)[1]
        marginals = probabilities[0] @ labelings
        rivals = [
            gfm_threshold(joint, p_empty, beta)[0],
            labelings[probabilities[0].argmax()],
            marginals >= 0.5,
            *(f(marginals, beta)[0] for f in (meuf, meuf_approx)),
        ]
        for prediction in rivals:
            assert expected_f(joint, p_empty, prediction, beta) <= best + 1e-12


@pytest.mark.parametrize("n_features", [12, 2100])
def test_penalized_intercepts_are_liblinears(data, n_features):
    """LIBLINEAR penalizes the intercept like the weight of a constant feature."""
    X, Y = data
    X = np.hstack([X, np.zeros((len(X), n_features - 12))])
    base = RidgeLogisticRegression(0.05, tol=1e-10, penalize_intercept=True)
    fits = base.fit_labels(X, Y, chained=False)
    for j, y in enumerate(Y.T):
        rival = LogisticRegression(C=0.05, solver="liblinear", tol=1e-10).fit(X, y)
        np.testing.assert_allclose(fits.coef[j], rival.coef_[0], atol=1e-6)
        assert fits.intercept[j] == pytest.approx(rival.intercept_[0], abs=1e-6)


def test_features_whose_products_overflow_are_an_error():
    X = np.random.default_rng(0).normal(size=(40, 3)) * 1e160
    y = np.arange(40) % 2
    with pytest.raises(ValueError, match="scale the features"), np.errstate(all="ignore"):
        RidgeLogisticRegression().fit(X, y)
