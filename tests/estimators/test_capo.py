"""CAPO and the weighted ensemble against a direct solution of problem (11); error messages."""

import itertools
from functools import partial

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from scipy.optimize import brentq, minimize
from sklearn.cluster import KMeans
from sklearn.compose import make_column_transformer
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.frozen import FrozenEstimator
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV, GroupKFold, StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from beyond_accuracy.estimators import MultivariateSVC, OperatingPointClassifier
from beyond_accuracy.estimators.auxiliaries import augment, auxiliary_outputs
from beyond_accuracy.estimators.capo import CAPOClassifier
from beyond_accuracy.measures import get_measure
from beyond_accuracy.solvers import make_solver

weighted_ensemble = partial(CAPOClassifier, delta_features="drop")

# Outputs as in the paper: ±1, from auxiliaries fitted to the same examples.
SIGNS = {"real_valued": False, "cross_fit": False}


@pytest.fixture(scope="module")
def cancer(cancer):
    X, y = cancer
    return X[:, :6], y


def _f1_loss(positive, predicted):
    return 100 * (1 - 2 * (predicted & positive).sum() / (positive.sum() + predicted.sum()))


def _problem_11(X, outputs, positive, B, C):
    """Minimize ½‖w‖² + ½b² + B/2·‖a‖² + C·ξ with a general optimizer, over all labellings."""
    n, m, d = len(X), outputs.shape[1], X.shape[1]
    features = np.column_stack([outputs, X, np.ones(n)])
    penalty = np.r_[np.full(m, B), np.ones(d + 1)]
    losses, slopes = [], []
    for labelling in itertools.product([False, True], repeat=n):
        predicted = np.array(labelling)
        losses.append(_f1_loss(positive, predicted))
        slopes.append(100 / n * (predicted.astype(float) - positive) @ features)
    losses, slopes = np.array(losses), np.array(slopes)
    result = minimize(
        lambda p: 0.5 * penalty @ p[:-1] ** 2 + C * p[-1],
        np.r_[np.zeros(m + d + 1), 100.0],
        jac=lambda p: np.r_[penalty * p[:-1], C],
        constraints={
            "type": "ineq",
            "fun": lambda p: p[-1] - losses - slopes @ p[:-1],
            "jac": lambda p: np.column_stack([-slopes, np.ones(len(slopes))]),
        },
        method="SLSQP",
        options={"ftol": 1e-13, "maxiter": 500},
    )
    return result.fun, result.x[:-1]


@pytest.mark.parametrize("B", [0.1, 1.0, 7.0])
def test_augmented_optimum_is_that_of_problem_11(B):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(7, 2))
    positive = np.array([True, False, True, False, False, True, False])
    outputs = np.where(rng.random((7, 2)) < 0.75, 1.0, -1.0) * np.where(positive, 1, -1)[:, None]
    expected, parameters = _problem_11(X, outputs, positive, B, 0.2)
    for A in (augment(X, outputs, B), augment(scipy.sparse.csr_matrix(X), outputs, B)):
        found = make_solver(A, positive, "f1").solve(0.2, tol=1e-8)
        assert found.objective == pytest.approx(expected, rel=1e-6)
        a = found.w[:2] * np.sqrt(1 / B)
        assert np.r_[a, found.w[2:]] == pytest.approx(parameters, abs=1e-3)


def test_classifier_is_the_sum_of_its_parts(cancer):
    X, y = cancer
    auxiliaries = [GaussianNB(), DecisionTreeClassifier(max_depth=3, random_state=0)]
    model = CAPOClassifier(auxiliaries, "f1", C=2.0, B=3.0, tol=1e-6, **SIGNS)
    model.fit(X[::2], y[::2])
    outputs = np.column_stack(
        [np.where(a.fit(X[::2], y[::2]).predict(X) == "malignant", 1, -1) for a in auxiliaries]
    )
    scores = outputs @ model.auxiliary_coef_[0] + X @ model.coef_[0] + model.intercept_[0]
    assert model.decision_function(X) == pytest.approx(scores)
    usual = MultivariateSVC("f1", C=2.0, tol=1e-6).fit(augment(X, outputs, 3.0)[::2], y[::2])
    assert model.objective_ == pytest.approx(usual.objective_, rel=1e-5)
    assert model.decision_function(X) == pytest.approx(
        usual.decision_function(augment(X, outputs, 3.0)), abs=0.02
    )
    sparse = CAPOClassifier([KNeighborsClassifier()], "prbep", C=2.0).fit(
        scipy.sparse.csr_matrix(X), y
    )
    assert sparse.score(scipy.sparse.csr_matrix(X), y) > 0.9


def test_single_and_fixed_forms_agree_where_the_weight_is_one(cancer):
    X, y = cancer[0], cancer[1]
    auxiliary = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y)
    fixed = CAPOClassifier([auxiliary], "f1", C=3.0, form="fixed", tol=1e-6, **SIGNS).fit(X, y)
    assert fixed.auxiliary_coef_.tolist() == [[1.0]]

    def single(B):
        model = CAPOClassifier([auxiliary], "f1", C=3.0, B=B, form="single", tol=1e-6, **SIGNS)
        return model.fit(X, y)

    # The weight falls with its penalty B.
    B = np.exp(brentq(lambda b: single(np.exp(b)).auxiliary_coef_[0, 0] - 1.0, -5.0, 10.0))
    assert single(B).auxiliary_coef_[0, 0] == pytest.approx(1.0, abs=1e-3)
    assert single(B).objective_ == pytest.approx(fixed.objective_ + B / 2, rel=1e-5)
    assert single(B).coef_ == pytest.approx(fixed.coef_, abs=2e-3)


def test_ensemble_has_no_other_features(cancer):
    X, y = cancer
    auxiliaries = [GaussianNB(), DecisionTreeClassifier(max_depth=2, random_state=0)]
    model = weighted_ensemble(auxiliaries, "prbep", C=5.0, tol=1e-6, **SIGNS).fit(X, y)
    outputs = auxiliary_outputs(model.auxiliaries_, X, model.classes_)
    expected = MultivariateSVC("prbep", C=5.0, tol=1e-6).fit(outputs, y)
    assert model.objective_ == pytest.approx(expected.objective_, rel=1e-5)
    assert len(np.unique(model.decision_function(X))) <= 4


def test_fitted_auxiliaries_are_left_alone_and_unfitted_ones_are_cloned(cancer):
    X, y = cancer
    fitted = GaussianNB().fit(X[:100], y[:100])
    means, unfitted = fitted.theta_.copy(), LogisticRegression()
    model = CAPOClassifier([fitted, unfitted]).fit(X, y)
    assert model.auxiliaries_[0] is fitted
    np.testing.assert_array_equal(fitted.theta_, means)
    assert not hasattr(unfitted, "coef_")
    search = GridSearchCV(
        CAPOClassifier([FrozenEstimator(fitted)], "f1"), {"C": [0.1, 1.0]}, cv=2
    ).fit(X, y)
    assert search.best_estimator_.auxiliaries_[0].estimator is fitted


def test_cross_fitting_trains_on_outputs_for_cases_not_seen(cancer):
    X, y = cancer
    rng = np.random.default_rng(0)
    noisy = np.where(rng.random(len(y)) < 0.3, y[rng.permutation(len(y))], y)
    nearest = [KNeighborsClassifier(1)]
    seen = CAPOClassifier(nearest, "accuracy", C=5.0, **SIGNS).fit(X, noisy)
    unseen = CAPOClassifier(nearest, "accuracy", C=5.0, cross_fit=True, real_valued=False).fit(
        X, noisy
    )
    # A nearest neighbour repeats the labels that it has seen, including errors.
    assert seen.objective_ < 0.2 * unseen.objective_
    assert (unseen.predict(X) == y).mean() > (seen.predict(X) == y).mean()
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    output = np.where(cross_val_predict(nearest[0], X, noisy, cv=folds) == "malignant", 1.0, -1.0)
    expected = MultivariateSVC("accuracy", C=5.0).fit(augment(X, output[:, None]), noisy)
    assert unseen.objective_ == expected.objective_
    with pytest.raises(ValueError, match=r"auxiliary 0 \(GaussianNB\) is fitted already"):
        CAPOClassifier([GaussianNB().fit(X, y)], cross_fit=True).fit(X, y)


def test_folds_of_cross_fitting_are_a_splitters_or_given(cancer):
    X, y = cancer
    options = {"cross_fit": True, "C": 5.0}
    counted = CAPOClassifier([GaussianNB()], **options).fit(X, y)
    splitter = StratifiedKFold(5, shuffle=True, random_state=0)
    groups = np.arange(len(y)) // 3
    pairs = list(GroupKFold(5).split(X, y, groups))
    of_groups = []
    for cv in (splitter, list(splitter.split(X, y)), pairs):
        model = CAPOClassifier([GaussianNB()], cv=cv, n_jobs=2, **options).fit(X, y)
        of_groups.append(model.objective_)
    assert of_groups[:2] == [counted.objective_] * 2
    outputs = 2 * cross_val_predict(GaussianNB(), X, y, cv=pairs, method="predict_proba")[:, 1:] - 1
    expected = MultivariateSVC("f1", C=5.0).fit(augment(X, outputs), y)
    assert of_groups[2] == expected.objective_
    routed = CAPOClassifier([GaussianNB()], cv=GroupKFold(5), **options).fit(X, y, groups=groups)
    assert routed.objective_ == of_groups[2]
    tested = np.sort(np.concatenate([test for _, test in pairs[1:]]))
    some = CAPOClassifier([GaussianNB()], cv=pairs[1:], **options).fit(X, y)
    expected = MultivariateSVC("f1", C=5.0).fit(augment(X[tested], outputs[tested]), y[tested])
    assert some.objective_ == expected.objective_


class _WithoutDecision(GaussianNB):
    def predict_proba(self, X):
        probabilities = super().predict_proba(X)
        probabilities[X[:, 0] > 1e5] = np.nan
        return probabilities


def test_an_auxiliary_whose_scores_are_no_numbers_is_named(cancer):
    X, y = cancer
    model = CAPOClassifier([_WithoutDecision()], C=5.0).fit(X, y)
    X_new = X[:3].copy()
    X_new[1, 0] = 1e6
    with pytest.raises(ValueError, match=r"auxiliary 0 .* predict_proba of 1 of 3 rows"):
        model.predict(X_new)


def test_real_valued_outputs_are_probabilities_or_decisions(cancer):
    X, y = cancer
    auxiliaries = [GaussianNB(), LinearSVC(random_state=0)]
    options = {"tol": 1e-6, "real_valued": True, "cross_fit": False}
    model = CAPOClassifier(auxiliaries, "f1", C=5.0, **options).fit(X, y)
    bayes, svm = (auxiliary.fit(X, y) for auxiliary in auxiliaries)
    outputs = np.column_stack([2 * bayes.predict_proba(X)[:, 1] - 1, svm.decision_function(X)])
    expected = MultivariateSVC("f1", C=5.0, tol=1e-6).fit(augment(X, outputs), y)
    assert model.objective_ == pytest.approx(expected.objective_, rel=1e-9)
    scores = outputs @ model.auxiliary_coef_[0] + X @ model.coef_[0] + model.intercept_
    assert model.decision_function(X) == pytest.approx(scores)


def test_bad_auxiliaries_are_named(cancer):
    X, y = cancer
    other = LogisticRegression().fit(X[:, :4], y)
    with pytest.raises(ValueError, match=r"auxiliary 1 \(LogisticRegression\): X has 6 feat"):
        CAPOClassifier([GaussianNB(), other]).fit(X, y)
    renamed = GaussianNB().fit(X, y == "benign")
    with pytest.raises(ValueError, match=r"auxiliary 0 \(GaussianNB\) was fitted on the classes"):
        CAPOClassifier([renamed]).fit(X, y)
    with pytest.raises(ValueError, match="auxiliaries is empty"):
        CAPOClassifier([]).fit(X, y)
    with pytest.raises(NotFittedError, match="not fitted"):
        CAPOClassifier([FrozenEstimator(GaussianNB())]).fit(X, y)


def test_forms_count_their_auxiliaries(cancer):
    X, y = cancer
    for form in ("single", "fixed"):
        with pytest.raises(ValueError, match=f"form='{form}' takes exactly one auxiliary, found 2"):
            CAPOClassifier([GaussianNB(), GaussianNB()], form=form).fit(X, y)


def test_auxiliaries_of_other_columns_are_named(cancer):
    X, y = cancer
    frame = pd.DataFrame(X, columns=list("abcdef"))
    fitted = GaussianNB().fit(frame[list("abdcef")], y)
    with pytest.raises(ValueError, match=r"auxiliary 1 \(GaussianNB\): The feature names should"):
        CAPOClassifier([LogisticRegression(), fitted]).fit(frame, y)
    model = CAPOClassifier([LogisticRegression(), fitted]).fit(frame[list("abdcef")], y)
    assert model.score(frame[list("abdcef")], y) > 0.8


def test_auxiliaries_that_are_no_classifiers_are_named(cancer):
    X, y = cancer
    number = (y == "malignant").astype(int)
    for other in (LinearRegression(), LinearRegression().fit(X, number), KMeans(2), "c45"):
        name = type(other).__name__
        with pytest.raises(ValueError, match=rf"auxiliary 1 \({name}\) is not a classifier"):
            CAPOClassifier([GaussianNB(), other]).fit(X, number)


@pytest.mark.filterwarnings("ignore:auxiliary 0 .DummyClassifier. has equal outputs")
def test_where_no_auxiliary_says_anything_capo_is_the_linear_svm(cancer):
    X, y = cancer
    model = CAPOClassifier([DummyClassifier()], "f1", C=2.0).fit(X, y)
    linear = MultivariateSVC("f1", C=2.0).fit(X, y)
    assert model.left_out_ == [0]
    assert (model.decision_function(X) == linear.decision_function(X)).all()
    with pytest.raises(ValueError, match="every auxiliary has equal outputs"):
        weighted_ensemble([DummyClassifier()]).fit(X, y)
    for form in ("single", "fixed"):
        model = CAPOClassifier([DummyClassifier()], "f1", C=2.0, form=form).fit(X, y)
        assert (model.decision_function(X) == linear.decision_function(X)).all()


@pytest.mark.parametrize("measure", ["f1", "prbep"])
def test_the_form_is_the_best_of_all_on_outputs_for_cases_not_seen(measure):
    """The forms and the auxiliary are compared by folds, as a user would."""
    rng = np.random.default_rng(0)
    y = np.arange(600) % 8 == 0
    X = rng.normal(size=(600, 4)) + y[:, None] * [0.4, 0, 0, 0]
    outside = GaussianNB().fit(rng.normal(size=(600, 4)) + 0.4 * y[:, None] * [1, 1, 0, 0], y)
    score = get_measure(measure).score
    outputs = 2 * outside.predict_proba(X)[:, 1] - 1
    decisions = {form: np.empty(600) for form in ("fixed", "multiple", "tuned")}
    tuned = OperatingPointClassifier(outside, "f1", cv="prefit")
    for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(X, y):
        for form in ("fixed", "multiple"):
            svm = CAPOClassifier([outside], measure, form=form, tol=1e-2).fit(X[train], y[train])
            decisions[form][test] = svm.decision_function(X[test])
        decisions["tuned"][test] = tuned.fit(X[train], y[train]).predict(X[test]) - 0.5
    values = {form: score(y, decided) for form, decided in decisions.items()}
    values["auxiliary"] = score(y, outputs)
    tuned_value = values.pop("tuned")
    if measure == "f1":
        values["auxiliary"] = max(values["auxiliary"], tuned_value)
    model = CAPOClassifier([outside], measure).fit(X, y)
    assert values[model.form_] == pytest.approx(max(values.values()))
    explicit = model.form_
    if model.form_ == "auxiliary":
        explicit = "multiple"
        assert not model.coef_.any()
        assert model.decision_function(X) == pytest.approx(outputs + model.intercept_)
    same = CAPOClassifier([outside], measure, form=explicit).fit(X, y)
    assert model.objective_ == same.objective_


@pytest.mark.filterwarnings("ignore:auxiliary 1 .DummyClassifier. has equal outputs")
def test_cross_fitted_is_what_was_not_fitted_yet(cancer):
    X, y = cancer
    fitted, other = DecisionTreeClassifier(max_depth=2).fit(X[::2], y[::2]), GaussianNB()
    alone = CAPOClassifier([fitted]).fit(X, y)
    assert not alone.cross_fitted_
    same = CAPOClassifier([fitted], cross_fit=False).fit(X, y)
    np.testing.assert_array_equal(alone.decision_function(X), same.decision_function(X))
    for auxiliaries, expected in (
        ([other], True),
        ([fitted, other], True),
        ([fitted, DummyClassifier()], False),
        ([FrozenEstimator(fitted)], False),
    ):
        assert CAPOClassifier(auxiliaries).fit(X, y).cross_fitted_ == expected
    assert not CAPOClassifier([other], cross_fit=False).fit(X, y).cross_fitted_


def test_auxiliaries_see_what_the_delta_function_cannot():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2))
    y = np.where(X[:, 0] + (X[:, 1] > 0) > 1.5, "yes", "no")
    frame = pd.DataFrame({"a": X[:, 0], "b": pd.Categorical(np.where(X[:, 1] > 0, "u", "v"))})
    frame.loc[::10, "a"] = np.nan
    boosted = HistGradientBoostingClassifier(categorical_features="from_dtype", max_iter=20)
    with pytest.raises(ValueError, match="could not convert string") as error:
        CAPOClassifier([boosted]).fit(frame, y)
    assert 'delta_features to "drop"' in error.value.__notes__[0]
    alone = CAPOClassifier([boosted], delta_features="drop").fit(frame, y)
    encoder = make_column_transformer(
        (SimpleImputer(), ["a"]), (OneHotEncoder(sparse_output=False), ["b"])
    )
    encoded = CAPOClassifier([boosted], delta_features=encoder).fit(frame, y)
    for model, n_features in ((alone, 0), (encoded, 3)):
        assert model.score(frame, y) > 0.9
        assert model.coef_.shape == (1, n_features)
    texts = ["good movie", "bad film", "great fun", "awful and boring"] * 30
    text = make_pipeline(TfidfVectorizer(), LogisticRegression())
    assert CAPOClassifier([text], delta_features="drop").fit(texts, y[:120]).classes_.size == 2
    good = [word in ("good movie", "great fun") for word in texts]
    fitted = text.fit(texts, good)
    model = CAPOClassifier([fitted], delta_features=TfidfVectorizer()).fit(texts, good)
    assert model.score(texts, good) == 1.0
    with pytest.raises(ValueError, match="'delta_features' parameter .* Got 'pass'"):
        CAPOClassifier([text], delta_features="pass").fit(texts, good)


def test_columns_are_known_without_a_delta_function_of_them(cancer):
    X, y = cancer
    frame = pd.DataFrame(X).add_prefix("c")
    model = CAPOClassifier([GaussianNB()], delta_features="drop").fit(frame, y)
    assert model.n_features_in_ == X.shape[1]
    assert list(model.feature_names_in_) == list(frame.columns)
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(frame.rename(columns={"c0": "other"}))
    # A fit to texts, which have no columns, removes these attributes of the earlier fit.
    texts = ["spam" if label == y[0] else "ham" for label in y]
    model.set_params(auxiliaries=[make_pipeline(TfidfVectorizer(), LogisticRegression())])
    model.fit(texts, y)
    assert not hasattr(model, "n_features_in_")
    assert not hasattr(model, "feature_names_in_")
