"""Operating points for any classifier: optimality against scikit-learn, budgets, errors."""

import numpy as np
import pytest
import sklearn
from scipy import stats
from sklearn import metrics
from sklearn.base import clone
from sklearn.datasets import load_iris, make_classification
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import (
    GridSearchCV,
    PredefinedSplit,
    RepeatedStratifiedKFold,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_val_predict,
)
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from beyond_accuracy.estimators import OperatingPointClassifier

FOLDS = StratifiedKFold(4, shuffle=True, random_state=0)


@pytest.fixture(scope="module")
def data():
    return make_classification(600, 6, weights=[0.8], flip_y=0.1, random_state=2)


@pytest.fixture(scope="module")
def fitted(data):
    X, y = data
    return LogisticRegression().fit(X[:300], y[:300])


@pytest.mark.parametrize("estimator", [LogisticRegression(), LinearSVC(random_state=0)])
def test_the_choice_is_made_on_pooled_out_of_fold_scores(data, estimator):
    X, y = data
    model = OperatingPointClassifier(estimator, cv=FOLDS).fit(X, y)
    has_probabilities = hasattr(estimator, "predict_proba")
    method = "predict_proba" if has_probabilities else "decision_function"
    scores = cross_val_predict(estimator, X, y, cv=FOLDS, method=method)
    scores = scores[:, 1] if has_probabilities else scores
    assert model.best_score_ == pytest.approx(
        max(metrics.f1_score(y, scores >= score) for score in scores)
    )
    assert model.best_score_ == pytest.approx(metrics.f1_score(y, scores > model.best_threshold_))
    np.testing.assert_array_equal(model.predict(X), model.scores(X) > model.best_threshold_)


def test_weights_are_repetitions_and_weight_zero_is_absence(data, fitted):
    X, y = data[0][300:], data[1][300:]
    weight = np.random.default_rng(0).integers(0, 4, size=300)
    rows = np.repeat(np.arange(300), weight)
    options = {"constraints": "precision >= 0.6", "cv": "prefit"}
    weighted = OperatingPointClassifier(fitted, "recall", **options).fit(X, y, weight)
    repeated = OperatingPointClassifier(fitted, "recall", **options).fit(X[rows], y[rows])
    assert weighted.best_threshold_ == repeated.best_threshold_
    assert weighted.table_ == repeated.table_
    assert weighted.best_score_ == pytest.approx(repeated.best_score_)


def test_weights_reach_the_classifier(data):
    X, y = data
    weight = np.where(y == 1, 3.0, 1.0)
    model = OperatingPointClassifier(LogisticRegression()).fit(X, y, weight)
    expected = LogisticRegression().fit(X, y, weight)
    np.testing.assert_array_equal(model.estimator_.coef_, expected.coef_)
    with sklearn.config_context(enable_metadata_routing=True):
        inner = LogisticRegression().set_fit_request(sample_weight=True)
        router = OperatingPointClassifier(inner)
        router.set_fit_request(sample_weight=True, cost_matrix=False)
        routed = router.fit(X, y, sample_weight=weight)
    np.testing.assert_array_equal(routed.estimator_.coef_, expected.coef_)
    assert routed.best_threshold_ == model.best_threshold_


def test_weights_reach_the_end_of_a_pipeline_or_it_is_said_how(data):
    X, y = data
    weight = np.where(y == 1, 3.0, 1.0)
    pipeline = make_pipeline(StandardScaler(), LogisticRegression())
    for estimator in (pipeline, GridSearchCV(pipeline, {"logisticregression__C": [1.0]})):
        model = OperatingPointClassifier(estimator)
        with pytest.raises(ValueError, match="give logisticregression__sample_weight=… to fit"):
            model.fit(X, y, weight)
    model.set_params(estimator=pipeline).fit(X, y, weight, logisticregression__sample_weight=weight)
    expected = clone(pipeline).fit(X, y, logisticregression__sample_weight=weight)
    np.testing.assert_array_equal(model.estimator_[-1].coef_, expected[-1].coef_)
    unweighted = clone(model).fit(X, y, weight, logisticregression__sample_weight=None)
    np.testing.assert_array_equal(unweighted.estimator_[-1].coef_, pipeline.fit(X, y)[-1].coef_)
    search = GridSearchCV(LogisticRegression(), {"C": [1.0]})
    searched = OperatingPointClassifier(search).fit(X, y, weight).estimator_.best_estimator_
    np.testing.assert_array_equal(searched.coef_, LogisticRegression().fit(X, y, weight).coef_)
    OperatingPointClassifier(make_pipeline(KNeighborsClassifier())).fit(X, y, weight)


def test_a_fit_without_resamples_leaves_no_intervals_of_an_earlier_one(data):
    model = OperatingPointClassifier(LogisticRegression(), n_resamples=20).fit(*data)
    model.set_params(n_resamples=0).fit(*data)
    for name in ("score_interval_", "threshold_interval_"):
        assert not hasattr(model, name)


def test_weights_that_leave_one_class_are_refused(data, fitted):
    X, y = data
    for estimator, cv in ((LogisticRegression(), 5), (fitted, "prefit")):
        with pytest.raises(
            ValueError, match=r"two classes are needed; .* positive weight hold \[0\]"
        ):
            OperatingPointClassifier(estimator, cv=cv).fit(X, y, (y == 0) * 1.0)


def test_a_cost_matrix_is_an_objective(data):
    X, y = data
    matrix = [[0, 1], [5, 0]]
    short = OperatingPointClassifier(LogisticRegression(), matrix).fit(X, y)
    costs = OperatingPointClassifier(LogisticRegression(), "cost", cost_matrix=matrix).fit(X, y)
    assert (short.best_threshold_, short.best_score_) == (costs.best_threshold_, costs.best_score_)
    tn, fp, fn, tp = metrics.confusion_matrix(
        y, cross_val_predict(LogisticRegression(), X, y, method="predict_proba")[:, 1]
        > short.best_threshold_
    ).ravel()  # fmt: skip
    assert short.best_score_ == pytest.approx((fp + 5 * fn) / len(y))
    with pytest.raises(ValueError, match="costs are given twice"):
        clone(short).fit(X, y, cost_matrix=matrix)


def test_costs_of_each_example(data, fitted):
    X, y = data[0][300:], data[1][300:]
    amounts = np.random.default_rng(1).lognormal(3, 1, size=300)
    costs = np.zeros((300, 2, 2))
    costs[:, 1, 0], costs[:, 0, 1] = amounts, 5.0
    model = OperatingPointClassifier(fitted, "cost", cv="prefit")
    with pytest.warns(UserWarning, match="ReweightedClassifier.* decides by the costs of each row"):
        model.fit(X, y, cost_matrix=costs)
    scores = fitted.predict_proba(X)[:, 1]
    averages = [
        np.where(y == 1, amounts * (scores < cut), 5.0 * (scores >= cut)).mean()
        for cut in [*scores, np.inf]
    ]
    assert model.best_score_ == pytest.approx(min(averages))
    same = OperatingPointClassifier(fitted, "cost", cost_matrix=costs[0], cv="prefit").fit(X, y)
    constant = np.broadcast_to(costs[0], costs.shape)
    each = OperatingPointClassifier(fitted, "cost", cv="prefit").fit(X, y, cost_matrix=constant)
    assert same.best_threshold_ == each.best_threshold_
    paid = costs[np.arange(300), y, model.predict(X)]
    assert model.score(X, y, cost_matrix=costs) == pytest.approx(-paid.mean())
    assert model.score(X, y, amounts, cost_matrix=costs) == pytest.approx(
        -np.average(paid, weights=amounts)
    )
    with pytest.raises(ValueError, match="score needs those of its rows"):
        model.score(X, y)
    with pytest.raises(ValueError, match=r"shape \(300, 2, 2\).*found \(299, 2, 2\)"):
        model.score(X, y, cost_matrix=costs[1:])


@pytest.mark.parametrize(
    ("objective", "expected"),
    [
        ("f1", metrics.f1_score),
        ("false_positive_rate", lambda y, p: -p[y == 0].mean()),
        ([[0, 1], [5, 0]], lambda y, p: -np.array([[0, 1], [5, 0]])[y, p].mean()),
        (lambda tp, fp, fn, tn: tp - 2 * fp, lambda y, p: (p * (3 * y - 2)).sum()),
    ],
)
def test_the_score_is_the_objective(data, fitted, objective, expected):
    X, y = data[0][300:], data[1][300:]
    model = OperatingPointClassifier(fitted, objective, cv="prefit").fit(X, y)
    assert model.score(X, y) == pytest.approx(expected(y, model.predict(X)))
    names = np.where(y == 1, "fraud", "legit")
    inner = LogisticRegression().fit(data[0][:300], np.where(data[1][:300] == 1, "fraud", "legit"))
    model = OperatingPointClassifier(inner, objective, cv="prefit", pos_label="fraud")
    model.fit(X, names)
    assert model.score(X, names) == pytest.approx(
        expected(y, (model.predict(X) == "fraud").astype(int))
    )


def test_a_budget_is_kept_by_the_batch_alone(data, fitted):
    X, y = data[0][300:], data[1][300:]
    budget = "predicted_positives <= 20"
    model = OperatingPointClassifier(fitted, constraints=budget, cv="prefit").fit(X, y)
    unbound = OperatingPointClassifier(fitted, cv="prefit").fit(X, y)
    predicted = model.predict_batch(X) == 1
    assert predicted.sum() == 20
    assert model.scores(X)[predicted].min() >= np.sort(model.scores(X))[-20]
    assert predicted.sum() < (unbound.predict(X) == 1).sum()
    np.testing.assert_array_equal(unbound.predict_batch(X), unbound.predict(X))
    with pytest.raises(ValueError, match=r"use predict_batch\(X\)"):
        model.predict(X)
    with pytest.warns(UserWarning, match="binds nothing: there are 300 rows"):
        model.set_params(constraints="predicted_positives <= 500").fit(X, y)


def test_a_budget_inside_a_pipeline_is_sent_outside(data):
    X, y = data
    options = {"constraints": "predicted_positives <= 20", "batch_size": len(y)}
    inside = make_pipeline(
        StandardScaler(), OperatingPointClassifier(LogisticRegression(), "recall", **options)
    ).fit(X, y)
    with pytest.raises(ValueError, match=r"OperatingPointClassifier\(make_pipeline\(") as error:
        inside.predict(X)
    assert "a Pipeline has no predict_batch" in str(error.value)
    pipeline = make_pipeline(StandardScaler(), LogisticRegression())
    outside = OperatingPointClassifier(pipeline, "recall", **options).fit(X, y)
    highest = np.argsort(-pipeline.fit(X, y).predict_proba(X)[:, 1])[:20]
    np.testing.assert_array_equal(np.flatnonzero(outside.predict_batch(X)), np.sort(highest))


def test_the_choice_is_made_under_the_budget(data, fitted):
    X, y = data[0][300:], data[1][300:]
    options = {"constraints": "predicted_positives <= 20", "cv": "prefit", "n_resamples": 50}
    model = OperatingPointClassifier(fitted, **options).fit(X, y)
    predicted = model.predict_batch(X)
    assert model.best_score_ == pytest.approx(metrics.f1_score(y, predicted))
    assert model.table_[:2] == ((y * predicted).sum(), 20 - (y * predicted).sum())
    low, high = model.score_interval_
    assert (
        low
        <= model.best_score_
        <= high
        < OperatingPointClassifier(fitted, cv="prefit").fit(X, y).best_score_
    )
    half = OperatingPointClassifier(fitted, **options, batch_size=150).fit(X, y)
    assert sum(half.table_[:2]) == 40
    assert half.predict_batch(X[:150]).sum() == 20
    with pytest.raises(ValueError, match=r"not together: 'recall >= 0.9', 'predicted_positives"):
        model.set_params(constraints=["recall >= 0.9", "predicted_positives <= 20"]).fit(X, y)


def test_with_costs_of_each_example_a_budget_is_filled_by_expected_savings():
    X, y = make_classification(2000, 8, weights=[0.93], flip_y=0.05, random_state=0)
    amounts = np.random.default_rng(0).lognormal(4, 1.2, 2000)
    costs = np.zeros((2000, 2, 2))
    costs[:, 1, 0], costs[:, :, 1] = amounts, 10.0
    train, test = slice(0, 1000), slice(1000, None)
    model = OperatingPointClassifier(
        LogisticRegression(), "cost", constraints="predicted_positives <= 50"
    ).fit(X[train], y[train], cost_matrix=costs[train])
    predicted = model.predict_batch(X[test], costs[test])
    savings = model.scores(X[test]) * amounts[test] - 10
    assert model.by_savings_
    assert set(np.flatnonzero(predicted)) == set(np.argsort(-savings)[:50])

    def average(predicted):
        return costs[test][np.arange(1000), y[test], predicted].mean()

    by_probability = np.zeros(1000, dtype=int)
    by_probability[np.argsort(-model.scores(X[test]))[:50]] = 1
    assert average(predicted) < average(by_probability)
    scores = cross_val_predict(
        LogisticRegression(), X[train], y[train], cv=5, method="predict_proba"
    )[:, 1]
    expected = scores * amounts[train] - 10
    called = np.zeros(1000, dtype=int)
    called[np.argsort(-expected)[:50]] = 1
    called[expected <= 0] = 0
    paid = costs[train][np.arange(1000), y[train], called].mean()
    assert model.best_score_ == pytest.approx(paid)
    assert model.best_threshold_ == 0
    with pytest.raises(ValueError, match=r"give those of these rows, predict_batch\(X, cost"):
        model.predict_batch(X[test])
    with pytest.raises(ValueError, match="CalibratedClassifierCV"):
        model.set_params(estimator=LinearSVC()).fit(X[train], y[train], cost_matrix=costs[train])
    plain = OperatingPointClassifier(LogisticRegression()).fit(X[train], y[train])
    with pytest.raises(ValueError, match="costs count in predict_batch only with a budget"):
        plain.predict_batch(X[test], costs[test])


@pytest.mark.parametrize("estimator", [LogisticRegression(), LinearSVC(random_state=0)])
def test_either_class_can_be_the_positive_one(data, estimator):
    X, y = data
    names = np.where(y == 1, "fraud", "legit")
    options = {"objective": "recall", "constraints": "precision >= 0.7", "cv": FOLDS}
    model = OperatingPointClassifier(estimator, **options, pos_label="fraud").fit(X, names)
    expected = OperatingPointClassifier(estimator, **options).fit(X, y)
    assert model.classes_.tolist() == ["fraud", "legit"]
    assert (model.pos_label_, model.table_) == ("fraud", expected.table_)
    np.testing.assert_array_equal(model.predict(X) == "fraud", expected.predict(X) == 1)
    np.testing.assert_allclose(model.scores(X), expected.scores(X), atol=1e-4)
    # scikit-learn's scorers expect decision values for classes_[1].
    assert metrics.get_scorer("roc_auc")(model, X, names) > 0.7
    scorer = metrics.make_scorer(metrics.precision_score, pos_label="fraud")
    assert scorer(model, X, names) == pytest.approx(metrics.precision_score(y, expected.predict(X)))
    with pytest.warns(UserWarning, match="the positive class is 'legit'"):
        default = OperatingPointClassifier(estimator, cv=FOLDS).fit(X, names)
    assert default.pos_label_ == "legit"
    with pytest.raises(ValueError, match=r"pos_label=1 is not a valid label: .*'fraud', 'legit'"):
        OperatingPointClassifier(estimator, pos_label=1).fit(X, names)


def test_scores_pass_through_and_labels_may_be_strings(data):
    X, y = data[0], np.where(data[1] == 1, "yes", "no")
    boosting = HistGradientBoostingClassifier(max_iter=10, random_state=0)
    model = OperatingPointClassifier(boosting, cv=3, pos_label="yes").fit(X, y)
    expected = HistGradientBoostingClassifier(max_iter=10, random_state=0).fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(X), expected.predict_proba(X))
    assert set(model.predict(X)) == {"no", "yes"}
    assert not hasattr(OperatingPointClassifier(LinearSVC()), "predict_proba")


@pytest.mark.parametrize("cv", ["prefit", FOLDS])
def test_confidence_is_stricter_than_the_constraint(data, fitted, cv):
    X, y = data[0][300:], data[1][300:]
    options = {"constraints": "recall >= 0.6", "cv": cv, "n_resamples": 50}
    plain = OperatingPointClassifier(fitted, "precision", **options).fit(X, y)
    model = OperatingPointClassifier(fitted, "precision", confidence=0.95, **options).fit(X, y)
    tp, _, fn, _ = model.table_
    # The one-sided binomial bound; out of fold, 5 examples count as 4.
    scale = 1.0 if cv == "prefit" else 0.8
    assert stats.beta.sf(0.6, scale * tp, scale * fn + 1) >= 0.95 > plain.constraint_probability_
    assert model.constraint_probability_ > 0.85
    assert model.best_score_ < plain.best_score_
    for value, (low, high) in (
        (model.best_threshold_, model.threshold_interval_),
        (model.best_score_, model.score_interval_),
    ):
        assert low <= value <= high


@pytest.mark.parametrize("weighted", [False, True])
def test_the_estimate_counts_each_fold_at_the_threshold_of_the_others(weighted):
    X, y = make_classification(90, 6, weights=[0.6], flip_y=0.1, random_state=5)
    rng, weight = np.random.default_rng(0), np.ones(90)
    folds = list(FOLDS.split(X, y))
    if weighted:
        # The folds have different sums and different largest weights.
        for number, (_, test) in enumerate(folds):
            weight[test] = rng.uniform(1, 2, len(test)) * (1 + number)
    options = {"objective": "recall", "constraints": "precision >= 0.75", "cv": folds}
    model = OperatingPointClassifier(LogisticRegression(), **options)
    model.fit(X, y, weight if weighted else None)
    scores = cross_val_predict(
        LogisticRegression(),
        X,
        y,
        cv=folds,
        method="predict_proba",
        params={"sample_weight": weight},
    )[:, 1]
    predicted = np.zeros(90, dtype=bool)
    for _, test in folds:
        rest = np.setdiff1d(np.arange(90), test)
        ranked = np.sort(scores[rest])
        *_, cut = max(
            (
                metrics.recall_score(y[rest], decided, sample_weight=weight[rest]),
                -np.sum(decided),
                cut,
            )
            for cut in (ranked[1:] + ranked[:-1]) / 2
            for decided in [scores[rest] > cut]
            if metrics.precision_score(y[rest], decided, sample_weight=weight[rest]) >= 0.75
        )
        predicted[test] = scores[test] > cut
    # Five examples count as four, and unequal weights as Kish's effective number of examples.
    scale = 0.8 * weight.sum() / np.square(weight).sum()
    hits, wrong = (scale * weight[predicted & (y == label)].sum() for label in (1, 0))
    beta = stats.beta(hits + 0.5, wrong + 0.5)
    (estimate,) = model.constraint_estimates_.values()
    # The mean of 4,000 draws.
    assert estimate.value == pytest.approx(beta.mean(), abs=4 * beta.std() / np.sqrt(4000))
    assert estimate.interval == pytest.approx(beta.ppf([0.025, 0.975]), abs=0.02)
    assert estimate.probability == pytest.approx(beta.sf(0.75), abs=0.03)
    assert estimate.probability == model.constraint_probability_
    model.set_params(constraints=None).fit(X, y)
    assert not hasattr(model, "constraint_estimates_")


class Given(LogisticRegression):
    """Classifier whose probability is the only feature."""

    def predict_proba(self, X):
        return np.column_stack([1 - X[:, 0], X[:, 0]])


def test_intervals_of_constraints_cover_what_is_reached_on_new_data():
    """Uniform scores s are positive with probability s, so recall above t is 1 − t²."""
    rng, covered = np.random.default_rng(0), 0
    given = Given().fit([[0.0], [1.0]], [0, 1])
    model = OperatingPointClassifier(given, constraints="recall >= 0.9", cv="prefit")
    for _ in range(300):
        scores = rng.random(200)
        model.fit(scores[:, None], (rng.random(200) < scores).astype(int))
        low, high = model.constraint_estimates_["recall >= 0.9"].interval
        covered += low <= 1 - np.clip(model.best_threshold_, 0, 1) ** 2 <= high
    assert covered >= stats.binom.ppf(0.05, 300, 0.95)


def test_an_estimate_below_one_half_is_a_warning(data):
    options = {"objective": "recall", "constraints": "precision >= 0.75", "cv": FOLDS}
    with pytest.warns(UserWarning, match=r"estimated probability of 0\.\d+ only; .*confidence=0.9"):
        OperatingPointClassifier(LogisticRegression(), **options).fit(*data)


@pytest.mark.parametrize(
    ("cv", "n_tested"), [(TimeSeriesSplit(3), 450), (0.3, 180), (RepeatedStratifiedKFold(), 600)]
)
def test_the_choice_is_made_on_the_tested_rows(data, cv, n_tested):
    X, y = data
    amounts = np.zeros((600, 2, 2))
    amounts[:, 1, 0], amounts[:, 0, 1] = np.arange(600), 50
    model = OperatingPointClassifier(LogisticRegression(), "cost", cv=cv)
    model.fit(X, y, cost_matrix=amounts)
    assert sum(model.table_) == n_tested
    budget = OperatingPointClassifier(
        LogisticRegression(), constraints="predicted_positives <= 60", cv=cv
    ).fit(X, y)
    assert sum(budget.table_[:2]) <= 60 * n_tested / 600 + 1e-9


class Confused(LogisticRegression):
    """Classifier whose probabilities are NaN."""

    def predict_proba(self, X):
        return np.full((len(X), 2), np.nan)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"constraints": ["precision >= 0.99", "recall >= 0.9"]}, "precision is 0."),
        ({"confidence": 0.9}, "confidence is for constraints on rates"),
        ({"confidence": 1.0, "constraints": "recall >= 0.5"}, "'confidence' parameter"),
        (
            {"confidence": 0.9, "constraints": ["recall >= 0.5", "predicted_positives <= 9"]},
            "instead of a budget bound predicted_positive_rate",
        ),
        ({"confidence": 0.9, "constraints": "f1 >= 0.5"}, "'f1 >= 0.5' cannot be certified"),
        ({"constraints": ["recall >= 0.8", "recall <= 0.7"]}, "contradict each other"),
        ({"cv": []}, "cv holds no fold"),
        ({"batch_size": 100}, "constraints has none"),
        ({"objective": lambda tp, fp, fn, tn: tp * np.nan}, "is NaN or infinite at every thresh"),
        ({"cv": [(np.arange(300), np.arange(300, 420))]}, "held-out rows lack the classes [1]"),
        ({"estimator": LinearRegression()}, "implementing 'fit' and 'predict_proba'"),
        ({"estimator": Confused()}, "600 of 600 scores of the classifier are NaN"),
        ({"cv": PredefinedSplit([0] * 300 + [1] * 300)}, "fold 0 has one class only"),
    ],
)
def test_what_makes_no_sense_is_refused(data, options, said):
    X, y = data
    if isinstance(options.get("cv"), PredefinedSplit):
        y = np.repeat([0, 1], 300)
    if isinstance(options.get("cv"), list) and options["cv"]:
        y = np.append(np.arange(300) % 2, np.repeat([0, 1], [200, 100]))
    with pytest.raises(ValueError, match=".") as error:
        OperatingPointClassifier(**{"estimator": LogisticRegression(), **options}).fit(X, y)
    assert said in str(error.value)


def test_what_cannot_be_certified_is_said_with_what_can(data, fitted):
    X, y = data[0][300:], data[1][300:]
    model = OperatingPointClassifier(
        fitted, constraints="precision >= 0.8", cv="prefit", confidence=0.999
    )
    with pytest.raises(ValueError, match="no threshold is certain to meet 'precision >= 0.8'"):
        model.fit(X, y)
    with pytest.raises(ValueError, match="takes examples without weights"):
        model.fit(X, y, np.ones(300))


def test_prefit_classes_must_be_those_of_the_data(data, fitted):
    X, y = data
    with pytest.raises(ValueError, match="must be the same two"):
        OperatingPointClassifier(fitted, cv="prefit").fit(X, np.where(y == 1, 2, 0))
    with pytest.raises(ValueError, match="only one class"):
        OperatingPointClassifier(fitted, cv="prefit").fit(X[y == 1], y[y == 1])


def test_several_classes_are_sent_where_decisions_are_used():
    """OneVsRestClassifier would use the scores, which thresholds do not change."""
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="ReweightedClassifier") as found:
        OperatingPointClassifier(LogisticRegression(), "recall").fit(X, y)
    assert "thresholds would not be used" in str(found.value)
