"""MultivariateSVC: attributes, intercept, use with scikit-learn, warnings and errors."""

import warnings

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.exceptions import ConvergenceWarning, DataConversionWarning

from beyond_accuracy.estimators import MultivariateSVC
from beyond_accuracy.measures import get_measure


@pytest.mark.parametrize("measure", ["f1", "prbep", "accuracy"])
@pytest.mark.parametrize("storage", [np.asarray, csr_matrix])
def test_a_constant_feature_of_another_size_is_data_of_another_scale(cancer, measure, storage):
    """Intercept scaling s equals data X/s with s²·C, except for a factor s² of the objective."""
    X, y = cancer
    own = MultivariateSVC(measure, C=5.0, tol=1e-6, intercept_scaling=10.0).fit(storage(X), y)
    scaled = MultivariateSVC(measure, C=500.0, tol=1e-6).fit(storage(X / 10.0), y)
    assert own.objective_ * 100.0 == pytest.approx(scaled.objective_, rel=1e-5)
    assert own.decision_function(storage(X)) == pytest.approx(
        scaled.decision_function(storage(X / 10.0)), abs=0.02
    )


def test_function_of_the_contingency_table(cancer):
    def g_mean_squared(tp, fp, fn, tn):
        return tp / (tp + fn) * (tn / (tn + fp))

    X, y = cancer
    model = MultivariateSVC(g_mean_squared, C=5.0).fit(X, y)
    assert model.dual_gap_ <= 1e-3
    assert model.history_[-1].iteration == model.n_iter_
    assert model.history_[-1].primal == model.objective_
    assert (model.predict(X) == y).mean() > 0.95


def test_an_end_by_rounding_is_not_blamed_on_max_iter(cancer):
    X, y = cancer
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    X[:, 1] *= 1e7
    with pytest.warns(ConvergenceWarning, match="rounding lets it shrink no further"):
        model = MultivariateSVC(C=5.0).fit(X, y)
    assert 1e-3 < model.dual_gap_ <= 1


def test_optimum_at_zero_is_reported():
    y = np.arange(200) < 40
    X = np.random.default_rng(0).normal(size=(200, 3))
    advice = "choose a threshold .*change the features$"
    with pytest.warns(UserWarning, match=f"w = 0 is optimal for every C: .*{advice}"):
        model = MultivariateSVC(C=1e-9, fallback=None).fit(X, y)
    assert model.degenerate_
    assert not model.coef_.any()


def constant_predictions(measure, y):
    return max(get_measure(measure).score(y, np.full(len(y), sign)) for sign in (-1.0, 1.0))


@pytest.mark.parametrize("share", [0.1, 0.6])
@pytest.mark.parametrize("measure", ["f1", "jaccard", "f0.5", "accuracy", "precision"])
@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_no_default_is_worse_than_a_constant_prediction(measure, share, kernel):
    y = np.arange(300) < 300 * share
    X = np.random.default_rng(0).normal(size=(300, 3)) + 0.3 * y[:, None]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = MultivariateSVC(measure, kernel=kernel, fit_intercept=False).fit(X, y)
    score, constant = get_measure(measure).score, constant_predictions(measure, y)
    assert score(y, model.decision_function(X)) >= constant
    plain = MultivariateSVC(measure, kernel=kernel, fit_intercept=False, fallback=None).fit(X, y)
    worse = plain.degenerate_ or score(y, plain.decision_function(X)) < constant
    assert model.fallback_ == ("roc_area" if worse else None)
    assert sum("see fallback_" in str(each.message) for each in caught) == worse
    assert model.objective_ == plain.objective_


def test_one_class_for_all_examples_is_kept_only_if_no_threshold_is_better():
    """The optimum of both SVMs predicts only negatives, which is best for accuracy alone."""
    y = np.arange(300) < 12
    X = np.random.default_rng(0).normal(size=(300, 3)) + 0.8 * y[:, None]
    with pytest.warns(UserWarning, match="SVM for balanced_accuracy is no better"):
        model = MultivariateSVC("balanced_accuracy").fit(X, y)
    assert not model.degenerate_
    assert get_measure("balanced_accuracy").score(y, model.decision_function(X)) > 0.7
    kept = MultivariateSVC("accuracy").fit(X, y)
    assert kept.fallback_ is None
    assert not kept.predict(X).any()


def test_the_fallback_is_the_ranking_by_roc_area():
    """The threshold is the best of all, or leaves k rows above it."""
    y = np.arange(400) < 40
    X = np.random.default_rng(1).normal(size=(400, 3)) + 0.5 * y[:, None]
    ranking = MultivariateSVC("roc_area", C=1.0, C_convention="scaled", fit_intercept=False)
    scores = ranking.fit(X, y).decision_function(X)
    score = get_measure("f1").score
    best = max(score(y, scores - each + 1e-9) for each in scores)
    for measure, n_predicted in (("f1", None), ("prbep", 40), ("recall_at_2p", 80)):
        with pytest.warns(UserWarning, match=f"SVM for {measure} is no better"):
            model = MultivariateSVC(measure).fit(X, y)
        assert model.degenerate_
        assert model.coef_ == pytest.approx(ranking.coef_)
        decisions = model.decision_function(X)
        if n_predicted is None:
            assert score(y, decisions) == pytest.approx(best)
        else:
            assert np.count_nonzero(decisions > 0) == n_predicted
    equal = np.vstack([X, -X])
    with pytest.warns(UserWarning, match="w = 0 is optimal"):
        model = MultivariateSVC("prbep").fit(equal, np.tile(y, 2))
    assert model.fallback_ is None
    assert not model.coef_.any()


def test_a_small_C_learns_something():
    """The objective falls by less than a billionth, but the ranking is correct."""
    y = np.arange(200) < 40
    X = np.random.default_rng(0).normal(size=(200, 3)) + 20 * y[:, None]
    model = MultivariateSVC("prbep", C=1e-9).fit(X, y)
    assert not model.degenerate_
    assert get_measure("prbep").score(y, model.decision_function(X)) == 1.0


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"C": 0.0}, "'C' parameter .* must be"),
        ({"measure": "f_1"}, "unknown measure 'f_1'; did you mean 'f1'"),
        ({"measure": "precision_at_1000"}, "k = 1000 .* only 569 samples"),
        ({"measure": 3}, "a measure is a name"),
        ({"measure": "f1", "at_most_k": True}, "recall_at_<k> only"),
    ],
)
def test_bad_parameters(cancer, parameters, message):
    X, y = cancer
    with pytest.raises(ValueError, match=message):
        MultivariateSVC(**parameters).fit(X, y)


def test_several_classes_are_sent_to_one_vs_rest(cancer):
    X, y = cancer
    with pytest.raises(ValueError, match="OneVsRestClassifier"):
        MultivariateSVC().fit(X, np.arange(len(y)) % 3)


def test_decisions_of_float32_rows_are_those_of_all_at_once(monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1000, 3)).astype(np.float32)
    model = MultivariateSVC("f1").fit(X, X[:, 0] > 0.5)
    expected = X.astype(np.float64) @ model.coef_[0] + model.intercept_
    for rows in (65_536, 7):
        monkeypatch.setattr("beyond_accuracy.estimators.binary_classifier._ROWS", rows)
        np.testing.assert_allclose(model.decision_function(X), expected, rtol=1e-13)


@pytest.mark.parametrize("kind", ["rows", "columns", ">f4", "i2"])
def test_a_mapped_matrix_that_is_copied_is_warned_of(tmp_path, kind):
    random = np.random.default_rng(0)
    y = np.arange(60) % 3 == 0
    X = np.round(4 * random.normal(size=(60, 4))) + y[:, None]
    dtype = kind if kind in (">f4", "i2") else "f4"
    order = "F" if kind == "columns" else "C"
    np.save(tmp_path / "X.npy", X.astype(dtype, order=order))
    mapped = np.load(tmp_path / "X.npy", mmap_mode="r")
    expected = MultivariateSVC("prbep").fit(X, y)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", DataConversionWarning)
        found = MultivariateSVC("prbep").fit(mapped, y)
    copied = [each for each in caught if each.category is DataConversionWarning]
    assert len(copied) == (kind != "rows")
    assert found.objective_ == pytest.approx(expected.objective_, rel=2e-3)
