"""EFP: regressions against scikit-learn's; estimates and decisions against enumeration."""

import itertools

import numpy as np
import pytest
import scipy.sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

from beyond_accuracy.estimators import ExactFMeasurePlugIn, RidgeLogisticRegression
from beyond_accuracy.inference import gfm, gfm_threshold
from beyond_accuracy.solvers.multinomial_regressions import fit_multinomials


@pytest.fixture(scope="module")
def data():
    """Return data with dependent labels; some examples have no label."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((400, 8))
    Y = np.zeros((400, 4), dtype=int)
    for j in range(4):
        score = X @ rng.standard_normal(8) + 2 * Y[:, max(j - 1, 0)] - 2
        Y[:, j] = rng.random(400) < 1 / (1 + np.exp(-score))
    return X * np.logspace(-0.5, 0.5, 8) + 1.0, Y


def variables(Y):
    size = Y.sum(axis=1)
    return np.column_stack([Y * size[:, None], size == 0]).astype(int)


@pytest.mark.parametrize("convert", [np.asarray, scipy.sparse.csr_matrix])
def test_regressions_are_scikit_learns(data, convert):
    X, Y = data
    Z = variables(Y)
    fits = fit_multinomials(convert(X), Z, [0.3], tol=1e-10)
    assert fits.converged.all()
    for j, (z, p) in enumerate(zip(Z.T, fits.predict_proba(X), strict=True)):
        rival = LogisticRegression(C=0.3, tol=1e-10, max_iter=10_000).fit(X, z)
        assert (fits.classes[j] == rival.classes_).all()
        assert p == pytest.approx(rival.predict_proba(X), abs=1e-5)
    # The data cover both parametrizations: one weight vector for two classes, else one per class.
    assert {len(own) for own in fits.classes} > {2}


def test_features_that_stay_on_their_own_axes_give_the_same(data, monkeypatch):
    X, Y = data
    turned = fit_multinomials(X, variables(Y), [0.3], tol=1e-9)
    monkeypatch.setattr("beyond_accuracy.solvers.multinomial_regressions._MOST_TURNED", 3)
    plain = fit_multinomials(X, variables(Y), [0.3], tol=1e-9)
    assert plain.coef == pytest.approx(turned.coef, abs=1e-5)
    wide = fit_multinomials(X[:7], variables(Y[:7]), [0.3], tol=1e-9)
    monkeypatch.undo()
    assert fit_multinomials(X[:7], variables(Y[:7]), [0.3], tol=1e-9).coef == pytest.approx(
        wide.coef, abs=1e-5
    )


def test_a_penalized_intercept_is_the_weight_of_a_constant_feature(data):
    X, Y = data
    fits = fit_multinomials(X, variables(Y), [0.3], penalize_intercept=True, tol=1e-10)
    ones = np.column_stack([X, np.ones(len(X))])
    for z, p in zip(variables(Y).T, fits.predict_proba(X), strict=True):
        rival = LogisticRegression(C=0.3, fit_intercept=False, tol=1e-10, max_iter=10_000)
        assert p == pytest.approx(rival.fit(ones, z).predict_proba(ones), abs=1e-5)


@pytest.mark.parametrize("shared", [False, True])
def test_strength_is_chosen_by_held_out_log_loss(data, shared):
    """Compare with scikit-learn's losses on the same folds, without classes new to a fold."""
    X, Y = data
    Z, candidates = variables(Y), [1e-3, 1e-2, 0.1, 1.0, 10.0]
    Z[0, 0] = 9
    fits = fit_multinomials(X, Z, candidates, shared_C=shared, seed=4, tol=1e-8)
    loss = np.zeros((5, len(candidates)))
    for fold in np.array_split(np.random.default_rng(4).permutation(len(X)), 3):
        rest = np.setdiff1d(np.arange(len(X)), fold)
        for j, c in itertools.product(range(5), range(len(candidates))):
            rival = LogisticRegression(C=candidates[c], tol=1e-9, max_iter=10_000)
            rival.fit(X[rest], Z[rest, j])
            known = fold[np.isin(Z[fold, j], rival.classes_)]
            place = np.searchsorted(rival.classes_, Z[known, j])
            p = rival.predict_proba(X[known])[np.arange(len(known)), place]
            loss[j, c] -= np.log(p).sum() / len(X)
    tried = ~np.isnan(fits.validation_loss)
    assert fits.validation_loss[tried] == pytest.approx(loss[tried], rel=1e-4)
    best = np.array(candidates)[(loss.mean(axis=0)[None] if shared else loss).argmin(axis=1)]
    assert (best == fits.C).all()


def test_estimates_are_those_of_the_regressions_over_their_sum(data):
    X, Y = data
    model = ExactFMeasurePlugIn(RidgeLogisticRegression(0.3, tol=1e-8)).fit(X, Y)
    size, given = Y.sum(axis=1), {"C": 0.3, "tol": 1e-9, "max_iter": 9999}
    p_empty = LogisticRegression(**given).fit(X, size == 0).predict_proba(X)[:, 1]
    joint = np.zeros((len(X), 4, 4))
    for i in range(4):
        rival = LogisticRegression(**given).fit(X, Y[:, i] * size)
        joint[:, i, rival.classes_[1:] - 1] = rival.predict_proba(X)[:, 1:]
    assert model.predict_proba(X) == pytest.approx(joint.sum(axis=2), abs=1e-4)
    total = p_empty + sum(joint[:, :, s - 1].sum(axis=1) / s for s in range(1, 5))
    # The raw estimates do not sum to 1, so the test would notice a missing normalization.
    assert abs(total - 1).max() > 0.2
    assert model.joint(X)[0] == pytest.approx(joint / total[:, None, None], abs=1e-4)
    assert model.joint(X)[1] == pytest.approx(p_empty / total, abs=1e-4)
    labelings = np.array(list(itertools.product((0, 1), repeat=4)))
    weight = 2 / (np.arange(1, 5)[:, None] + np.arange(1, 5))
    values = [
        (joint @ weight[:, h.sum() - 1])[:, h == 1].sum(axis=1) if h.any() else p_empty
        for h in labelings
    ]
    assert (model.predict(X) == labelings[np.argmax(values, axis=0)]).all()


def test_decisions_are_those_of_the_maximizers(data):
    X, Y = data
    model = ExactFMeasurePlugIn().fit(X, Y)
    for beta in (0.5, 1.0):
        assert (model.predict(X, beta=beta) == gfm(*model.joint(X), beta)[0]).all()
    assert (model.predict(X, "threshold") == gfm_threshold(*model.joint(X))[0]).all()
    assert (model.predict(X, "hamming") == (model.predict_proba(X) >= 0.5)).all()


@pytest.mark.parametrize("base", [None, LogisticRegression(max_iter=9999)])
def test_variables_constant_in_training(data, base):
    X, Y = data
    Y = Y.copy()
    Y[:, 1], Y[:, 3] = 0, 1
    model = ExactFMeasurePlugIn(base).fit(X, Y)
    assert (model.predict_proba(X)[:, 1] == 0).all()
    assert model.predict_proba(X)[:, 3] == pytest.approx(1)
    assert (model.joint(X)[1] == 0).all()
    nothing = ExactFMeasurePlugIn(base).fit(X, np.zeros_like(Y))
    assert (nothing.joint(X)[1] == 1).all()
    assert not nothing.predict(X).any()


def test_trees_that_leave_nothing_possible_predict_no_label(data):
    X, Y = data
    model = ExactFMeasurePlugIn(base=DecisionTreeClassifier(random_state=0)).fit(X[:200], Y[:200])
    trees = [tree.predict(X[200:]) for tree in model.estimators_]
    nothing = (np.array(trees) == 0).all(axis=0)
    assert nothing.any()
    joint, p_empty = model.joint(X[200:])
    total = p_empty + (joint / np.arange(1, 5)).sum(axis=(1, 2))
    np.testing.assert_allclose(total, 1.0)
    assert (p_empty[nothing] == 1.0).all()
    for criterion in ("f1", "threshold", "hamming"):
        assert not model.predict(X[200:], criterion)[nothing].any()


def test_a_fit_that_stops_early_warns(data):
    with pytest.warns(ConvergenceWarning, match="5 of 5 logistic regressions stopped above"):
        ExactFMeasurePlugIn(RidgeLogisticRegression(1e3, tol=1e-9, max_iter=1)).fit(*data)


def test_bad_criterion(data):
    with pytest.raises(ValueError, match="one of f1, hamming, threshold, found 'subset'"):
        ExactFMeasurePlugIn().fit(*data).predict(data[0], "subset")
