"""`compare` against independent computations of values, intervals, thresholds and sentences."""

import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from scipy.stats import bootstrap
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import make_column_transformer
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.metrics import f1_score, roc_auc_score
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    GroupShuffleSplit,
    KFold,
    PredefinedSplit,
    RepeatedStratifiedKFold,
    StratifiedGroupKFold,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_val_predict,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from beyond_accuracy import OperatingPointClassifier, ReweightedClassifier, compare
from beyond_accuracy.comparison import default_estimators, defaults, evaluation, intervals
from beyond_accuracy.comparison.criteria import make_criterion
from beyond_accuracy.comparison.intervals import compared_values, resampled_values
from beyond_accuracy.comparison.page import explorer_data
from beyond_accuracy.comparison.recommendation import number, recommend

X, Y = make_classification(300, 5, n_informative=3, weights=[0.8], flip_y=0.1, random_state=1)
COSTS = np.array([[0.0, 1.0], [5.0, 0.0]])
OUTER = StratifiedKFold(5, shuffle=True, random_state=0)
MODELS = {"logistic": LogisticRegression(), "ridge": RidgeClassifier()}


@pytest.fixture
def few(monkeypatch):
    """Use one value per hyperparameter, small trees and few resamples."""
    one = {"_C": [1.0], "_SCALED_C": [0.5], "_COSTS": {"C": [1.0], "j": [2.0]}, "_LEAVES": 3}
    for name, value in (one | {"_TREES": 5}).items():
        monkeypatch.setattr(defaults, name, value)
    monkeypatch.setattr(intervals, "N_RESAMPLES", 20)


@pytest.fixture(scope="module")
def both():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(intervals, "N_RESAMPLES", 40)
        return compare(MODELS, X, Y, measures=["f1", "roc_area", "cost"], costs=COSTS)


def value(comparison, measure, method, variant="plain", column="value"):
    table = comparison.table
    chosen = (table["measure"] == measure) & (table["method"] == method)
    return table.loc[chosen & (table["variant"] == variant), column].item()


@pytest.mark.parametrize("name", MODELS)
def test_plain_values_are_those_of_scikit_learn(both, name):
    f1, areas, paid = [], [], []
    for train, test in OUTER.split(X, Y):
        model = MODELS[name].fit(X[train], Y[train])
        predicted = model.predict(X[test])
        f1.append(f1_score(Y[test], predicted))
        areas.append(roc_auc_score(Y[test], model.decision_function(X[test])))
        paid.append(COSTS[Y[test], predicted].mean())
    assert value(both, "f1", name) == pytest.approx(np.mean(f1))
    assert value(both, "roc_area", name) == pytest.approx(np.mean(areas))
    assert value(both, "cost", name) == pytest.approx(np.mean(paid))


@pytest.mark.parametrize("measure", ["f1", "cost"])
def test_tuned_values_are_those_of_enumerated_thresholds(both, measure):
    reached = []
    for train, test in OUTER.split(X, Y):
        inner = StratifiedKFold(3, shuffle=True, random_state=0)
        model, y = LogisticRegression(), Y[train]
        pooled = cross_val_predict(model, X[train], y, cv=inner, method="predict_proba")[:, 1]

        def gain(y, predicted):
            if measure == "f1":
                return 2 * (y & predicted).sum() / (y.sum() + predicted.sum())
            return -COSTS[y, predicted * 1].mean()

        ranked = np.unique(pooled)
        gains = [gain(y, pooled > threshold) for threshold in ranked]
        best = np.flatnonzero(np.isclose(gains, max(gains)))
        scores = model.fit(X[train], y).predict_proba(X[test])[:, 1]
        # All thresholds between the same two scores are correct, and so are equally good ones.
        ends = [(ranked[place], np.append(ranked, np.inf)[place + 1]) for place in best]
        reached.append({gain(Y[test], scores > end) for pair in ends for end in pair})
    found = abs(value(both, measure, "logistic", "tuned threshold"))
    least, most = (sum(map(choose, reached)) / 5 for choose in (min, max))
    assert min(abs(least), abs(most)) - 1e-9 <= found <= max(abs(least), abs(most)) + 1e-9


def test_a_tuned_threshold_is_that_of_an_operating_point_classifier():
    inner = StratifiedKFold(3, shuffle=True, random_state=0)
    tuned = OperatingPointClassifier(GaussianNB(), "f1", cv=inner)
    comparison = compare({"bayes": GaussianNB(), "tuned": tuned}, X, Y)
    found = value(comparison, "f1", "bayes", "tuned threshold")
    assert found == value(comparison, "f1", "tuned")
    # An `OperatingPointClassifier` tunes its threshold itself, so `compare` does not tune another.
    variants = comparison.table.loc[comparison.table["method"] == "tuned", "variant"]
    assert variants.tolist() == ["plain"]


@pytest.mark.parametrize(
    ("cv", "inner", "named"),
    [
        (GroupKFold(3), StratifiedGroupKFold(3, shuffle=True, random_state=0), "each group in one"),
        (0.3, StratifiedGroupKFold(3, shuffle=True, random_state=0), "each group in one"),
        (TimeSeriesSplit(3), TimeSeriesSplit(3), "in the order of the rows"),
        (KFold(3), StratifiedKFold(3, shuffle=True, random_state=0), "stratified and shuffled"),
    ],
)
def test_inner_folds_respect_groups_and_time(few, cv, inner, named):
    groups = np.arange(300) // 4 if "group" in named else None
    tuned = OperatingPointClassifier(GaussianNB(), "f1", cv=inner)
    outer = GroupShuffleSplit(1, test_size=0.3, random_state=0) if cv == 0.3 else cv
    expected = []
    for train, test in outer.split(X, Y, groups):
        inner_groups = {} if groups is None else {"groups": groups[train]}
        predicted = tuned.fit(X[train], Y[train], **inner_groups).predict(X[test])
        expected.append(f1_score(Y[test], predicted))
    comparison = compare({"bayes": GaussianNB()}, X, Y, cv=cv, groups=groups)
    found = value(comparison, "f1", "bayes", "tuned threshold")
    assert found == pytest.approx(np.mean(expected))
    assert named in comparison.facts["Protocol"]


def test_numbers_of_folds_keep_groups_together(few):
    """Each pair of rows is equal, and labels are noise: only a pair across folds tells a label."""
    generator = np.random.default_rng(0)
    groups = np.arange(300) // 2
    features, y = generator.normal(size=(150, 3))[groups], (generator.random(150) < 0.5)[groups]
    options = {"measures": ["roc_area"], "groups": groups}
    comparison = compare({"nearest": KNeighborsClassifier(1)}, features, y, **options)
    assert value(comparison, "roc_area", "nearest") < 0.65


def test_rows_in_order_need_inner_folds_only_for_thresholds(few):
    rows = np.argsort(Y, kind="stable")
    cv = [(np.r_[0:150, 240:270], np.r_[270:300])]
    y = Y[rows]
    y[-5:] = 0
    with pytest.raises(ValueError, match="one of them has one class only; take fewer folds, or sh"):
        compare({"bayes": GaussianNB()}, X[rows], y, cv=cv)
    compare({"bayes": GaussianNB()}, X[rows], y, cv=cv, measures="roc_area")


def test_rows_with_costs_of_their_own_are_decided_one_by_one():
    costs = np.tile(COSTS, (len(Y), 1, 1))
    costs[:, 1, 0] = np.random.default_rng(0).gamma(1, 5, len(Y))
    comparison = compare({"bayes": GaussianNB()}, X, Y, measures=["cost"], costs=costs)
    paid = []
    for train, test in OUTER.split(X, Y):
        model = ReweightedClassifier(GaussianNB(), "expected_cost").fit(X[train], Y[train])
        predicted = model.predict(X[test], costs[test])
        paid.append(costs[test, Y[test], predicted].mean())
    assert value(comparison, "cost", "bayes", "row by row") == pytest.approx(np.mean(paid))


@pytest.mark.parametrize("pos_label", ["no", "yes"])
@pytest.mark.parametrize("vary", [True, False])
def test_classifiers_that_decide_by_costs_get_them(few, pos_label, vary):
    """Index 1 of the costs is the class "no" or "yes", whichever is positive."""
    costs = COSTS
    if vary:
        costs = np.tile(COSTS, (len(Y), 1, 1))
        costs[:, 1, 0] = np.random.default_rng(0).gamma(1, 5, len(Y))
    by_cost = ReweightedClassifier(GaussianNB(), "expected_cost")
    inner = StratifiedKFold(3, shuffle=True, random_state=0)
    models = {
        "bayes": GaussianNB(),
        "by cost": by_cost,
        "pipeline": make_pipeline(StandardScaler(), by_cost),
        "tuned": OperatingPointClassifier(GaussianNB(), "cost", cv=inner),
        "own costs": ReweightedClassifier(GaussianNB(), "expected_cost", cost_matrix=1 - np.eye(2)),
        "f1": ReweightedClassifier(GaussianNB(), scoring="f1_macro"),
    }
    y = np.where(Y == 1, pos_label, {"no": "yes", "yes": "no"}[pos_label])
    options = {"measures": ["cost"], "pos_label": pos_label}
    comparison = compare(models, X, y, costs=costs, **options)
    assert (comparison.table["reason"] == "").all()
    found = {name: value(comparison, "cost", name) for name in models}
    per_row = np.broadcast_to(costs, (len(Y), 2, 2))
    row_by_row = compare({"bayes": GaussianNB()}, X, y, costs=per_row, **options)
    expected = value(row_by_row, "cost", "bayes", "row by row")
    assert found["by cost"] == found["pipeline"] == pytest.approx(expected)
    assert found["tuned"] == value(comparison, "cost", "bayes", "tuned threshold")
    assert found["own costs"] == found["bayes"]
    assert not value(comparison, "cost", "by cost", column="warnings")


def test_intervals_and_differences_are_those_of_paired_resamples(both):
    """Repeat the draws, and score each with scikit-learn on the repeated rows."""
    decided = {}
    for name, model in MODELS.items():
        decided[name] = [
            (Y[test], model.fit(X[train], Y[train]).predict(X[test]))
            for train, test in OUTER.split(X, Y)
        ]
    drawn = {name: np.empty((5, 40)) for name in MODELS}
    for fold, (_, test) in enumerate(OUTER.split(X, Y)):
        generator = np.random.default_rng([0, fold])
        for draw in range(40):
            rows = generator.integers(0, len(test), len(test))
            for name in MODELS:
                y, predicted = decided[name][fold]
                drawn[name][fold, draw] = f1_score(y[rows], predicted[rows])
    means = {name: each.mean(axis=0) for name, each in drawn.items()}
    methods = both.table[(both.table["measure"] == "f1") & (both.table["variant"] == "plain")]
    for name in MODELS:
        row = methods[methods["method"] == name].iloc[0]
        ends = np.percentile(means[name], [2.5, 97.5])
        np.testing.assert_allclose(row[["low", "high"]].astype(float), ends)
    pair = both.differences.query("measure == 'f1' and method == 'logistic' and other == 'ridge'")
    drawn = means["logistic"] - means["ridge"]
    expected = [*np.percentile(drawn, [2.5, 97.5]), np.mean(drawn > 0) + np.mean(drawn == 0) / 2]
    np.testing.assert_allclose(pair[["low", "high", "probability"]].to_numpy()[0], expected)
    values = [value(both, "f1", name) for name in MODELS]
    assert pair["difference"].item() == pytest.approx(values[0] - values[1])
    # A lower cost is better.
    cost = both.differences.query("measure == 'cost'")
    assert (cost["probability"][cost["high"] < 0] > 0.9).all()
    assert (cost["high"] < 0).any()
    assert len(both.differences) == 2 * 10 + 3


def test_intervals_of_values_and_of_paired_differences_agree_with_scipy():
    generator = np.random.default_rng(0)
    positive = generator.random(400) < 0.5
    good, poor = (
        np.where(generator.random(400) < share, positive, ~positive) - 0.5 for share in (0.8, 0.7)
    )
    methods = [[(positive, decisions, None)] for decisions in (good, poor)]
    rule = [(positive, np.ones(400), None)]
    values = resampled_values([*methods, rule], make_criterion("accuracy"), 0)
    found = compared_values(values, 1, 0.01)
    right = [(positive == (decisions > 0)).astype(float) for decisions in (good, poor)]
    options = {"method": "percentile", "n_resamples": 5000, "random_state": 0}
    expected = bootstrap([right[0]], np.mean, **options).confidence_interval
    assert tuple(found.loc[0, ["low", "high"]]) == pytest.approx(tuple(expected), abs=0.01)
    expected = bootstrap([right[1] - right[0]], np.mean, **options).confidence_interval
    ends = found.loc[1, ["difference_low", "difference_high"]]
    assert tuple(ends) == pytest.approx(tuple(expected), abs=0.012)


def folds_of(shift, seed=0):
    generator = np.random.default_rng(seed)
    positive = generator.random((5, 200)) < 0.3
    noise = generator.normal(size=positive.shape)
    return [
        (y, (y - 0.5) * shift + values, None) for y, values in zip(positive, noise, strict=True)
    ]


def said(*rows, measure="f1"):
    """Return the recommendation for rows of (method, variant, shift)."""
    criterion = make_criterion(measure)
    rule = [(y, np.ones(len(y)), None) for y, _, _ in folds_of(0)]
    values = resampled_values([*(folds_of(shift) for *_, shift in rows), rule], criterion, 0)
    values = compared_values(values, 1, 0.01)
    names = [*(row[:2] for row in rows), ("every row positive", "trivial rule")]
    values[["method", "variant"]] = names
    return recommend(values.iloc[:-1], values.iloc[-1], criterion, 0.01)


@pytest.mark.parametrize(
    ("shifts", "used", "parts"),
    [
        ((0.5, 3, 3), 1, ["Use A, tuned threshold", "a tuned threshold is enough, and is needed"]),
        ((3, 3, 3), 0, ["Use A: it has the highest F1", "its threshold needs no tuning"]),
        ((0.5, 0.5, 3), 2, ["Use B", "a tuned threshold is not enough: A, tuned threshold is at"]),
        ((0.5, 2.95, 3), 1, ["the simplest of 2 methods within 0.01 of the best, B"]),
        ((0.5, 2.5, 2.6), 2, ["too few rows to tell about “A, tuned threshold”"]),
        ((0, 0, 0), None, ["No method is better than predicting every row as positive"]),
    ],
)
def test_the_sentence_names_the_simplest_of_equally_good_methods(shifts, used, parts):
    rows = zip(("A", "A", "B"), ("plain", "tuned threshold", "plain"), shifts, strict=True)
    found, sentence = said(*rows)
    assert found == used
    for part in parts:
        assert part in sentence
    assert sentence.count(". ") == 0


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.71234, "+0.712"),
        (-0.002, "−0.002"),
        (0.0, "+0.000"),
        (0.00042, "+0.00042"),
        (1234.56, "+1,234.6"),
    ],
)
def test_numbers_are_short_and_tiny_ones_are_not_zero(value, text):
    assert number(value, sign=True) == text


def test_nothing_is_recommended_on_noise():
    noise = np.random.default_rng(0).normal(size=(300, 3))
    comparison = compare(MODELS, noise, Y, measures=["f1", "roc_area", "prbep"])
    for text in comparison.recommendation.values():
        assert text.startswith("No method is")
    rules = comparison.table[comparison.table["variant"] == "trivial rule"]
    assert rules["method"].tolist() == [
        "every row positive",
        "one score for all rows",
        "a random order",
    ]
    every = np.mean([f1_score(Y[test], np.ones(len(test))) for _, test in OUTER.split(X, Y)])
    assert rules["value"].iloc[0] == pytest.approx(every)
    assert not comparison.table["recommended"].any()


def test_each_estimator_is_fitted_once_per_part_whatever_the_measures(monkeypatch):
    monkeypatch.setattr(intervals, "N_RESAMPLES", 5)
    fits = []

    class Counted(LogisticRegression):
        def fit(self, X, y):
            fits.append(len(y))
            return super().fit(X, y)

    compare({"counted": Counted()}, X, Y, measures=["f1", "f2", "roc_area", "cost"], costs=COSTS)
    assert sorted(fits) == [160] * 15 + [240] * 5


def test_the_parameters_of_a_search_are_shown():
    search = GridSearchCV(LogisticRegression(), {"C": [1e-6, 1.0]}, scoring="f1")
    comparison = compare(
        {"search": search, "scaled": make_pipeline(StandardScaler(), search)}, X, Y
    )
    for name in ("search", "scaled"):
        assert value(comparison, "f1", name, column="parameters") == "C 1.0 (5 of 5 folds)"


def test_a_column_that_names_the_rows_is_left_out_with_a_warning():
    frame = pd.DataFrame(X).add_prefix("x").assign(customer=np.arange(300)[::-1] + 1000)
    frame["code"] = [f"C{number % 200}" for number in range(300)]
    with pytest.warns(UserWarning, match="X: left out") as caught:
        comparison = compare({"bayes": GaussianNB()}, frame, Y)
    assert [str(each.message) for each in caught] == [
        "X: left out 'customer': another whole number in each row; to keep it: keep=['customer']",
        "X: left out 'code': 200 different texts in 300 rows, such as 'C0'; to keep it: "
        "keep=['code']",
    ]
    assert caught[0].filename == __file__
    assert "'customer': another whole number" in comparison.facts["Left out"]
    expected = compare({"bayes": GaussianNB()}, X, Y).table["value"]
    pd.testing.assert_series_equal(comparison.table["value"], expected)
    kept = compare({"bayes": GaussianNB()}, frame.drop(columns="code"), Y, keep=["customer"])
    assert kept.facts["Columns"] == "6"
    with pytest.raises(ValueError, match="only columns that name the rows"):
        compare({"bayes": GaussianNB()}, frame[["customer"]], Y)


def shop():
    frame = pd.DataFrame(X.copy(), columns=list("abcde"))
    frame["region"] = np.random.default_rng(0).choice(["north", "south", None], len(Y))
    frame.loc[::20, "a"] = np.nan
    return frame, np.where(Y == 1, "buys", "leaves")


def test_built_in_candidates_take_data_frames_with_nominal_columns(few):
    frame, y = shop()
    comparison = compare(None, frame, y, pos_label="buys")
    assert (comparison.table["reason"] == "").all()
    assert len(comparison.table) == 13
    numbers = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
    columns = make_column_transformer((numbers, list("abcde")), (OneHotEncoder(), ["region"]))
    model = make_pipeline(columns, LogisticRegression(max_iter=1000))
    expected = [
        f1_score(Y[test], model.fit(frame.iloc[train], Y[train]).predict(frame.iloc[test]))
        for train, test in OUTER.split(X, Y)
    ]
    assert value(comparison, "f1", "Logistic regression") == pytest.approx(np.mean(expected))


def test_no_prediction_depends_on_other_test_rows(few):
    frame, changed = (shop()[0].copy() for _ in range(2))
    train, test = next(OUTER.split(X, Y))
    changed.loc[test[::2], list("abcde")] = 1e6
    criterion = make_criterion("f1")
    for name, model in default_estimators(frame).items():
        scores = []
        for each, rows in ((frame, test[1::2]), (changed, test)):
            problem = evaluation.Problem(each, Y, 1)
            result = evaluation.evaluate_fold(
                name, model, problem, [criterion], train, rows, OUTER
            )[-1]
            scores.append(result.scores)
        np.testing.assert_allclose(scores[1][1::2], scores[0], rtol=1e-12)


def test_sparse_data_and_a_method_that_fails(few):
    sparse = sp.csr_matrix(np.where(np.abs(X) < 0.5, 0, X))
    comparison = compare(None, sparse, Y, measures=["f1"])
    reason = value(comparison, "f1", "Gradient boosting", column="reason")
    assert reason.startswith("TypeError: Sparse data")
    assert comparison.table["value"].notna().sum() == 9
    expected = "not compared, as fits failed: Gradient boosting; Gradient boosting, class-weighted"
    assert expected in comparison.recommendation["f1"]


class Broken(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        raise RuntimeError("no luck\ntoday")

    def predict_proba(self, X):
        return None


def test_where_everything_fails_the_reason_is_said():
    comparison = compare({"broken": Broken()}, X, Y)
    assert comparison.table["reason"].tolist() == ["RuntimeError: no luck"] * 2
    assert comparison.recommendation["f1"].startswith("No method could be fitted")
    assert comparison.differences.empty
    assert "No method could be fitted" in comparison._repr_html_()
    assert explorer_data(comparison)["curves"] == []


def test_a_method_that_fails_on_one_fold_is_left_out(few):
    class Picky(GaussianNB):
        def fit(self, X, y):
            if len(y) == len(train) and X[0, 0] == self.first:
                raise RuntimeError("not this fold")
            return super().fit(X, y)

    train, _ = list(OUTER.split(X, Y))[2]
    Picky.first = X[train[0], 0]
    costs = np.tile(COSTS, (len(Y), 1, 1))
    comparison = compare(
        {"picky": Picky(), "bayes": GaussianNB()}, X, Y, measures="cost", costs=costs
    )
    table = comparison.table.set_index(["method", "variant"])
    assert table.loc["picky", "reason"].tolist() == ["RuntimeError: not this fold"] * 3
    assert table.loc["bayes", "value"].notna().all()
    assert list(comparison.held_out_scores) == ["bayes"]
    assert "(not compared, as fits failed: picky)" in comparison.recommendation["cost"]


def test_the_warnings_of_most_folds_are_counted(few):
    """Features are noise and 1 % of rows positive, so w = 0 is optimal for F1 at every C."""
    generator = np.random.default_rng(0)
    y = np.arange(1500) % 100 == 0
    comparison = compare(None, generator.normal(size=(1500, 2)), y)
    text = value(comparison, "f1", "Multivariate SVM for F1", column="warnings")
    assert text.startswith("warned in 5 of 5 folds: the SVM for f1 is no better")


def test_results_depend_on_the_seed_and_not_on_the_jobs(few):
    forest = {"forest": RandomForestClassifier(5, random_state=0)}
    first, again, other = (
        compare(forest, X, Y, random_state=seed, n_jobs=jobs)
        for seed, jobs in ((3, 1), (3, 2), (4, 1))
    )
    columns = first.table.columns.drop("seconds")
    pd.testing.assert_frame_equal(first.table[columns], again.table[columns])
    assert not first.table["value"].equals(other.table["value"])


@pytest.mark.parametrize(
    "cv", [3, TimeSeriesSplit(2), RepeatedStratifiedKFold(n_splits=3, n_repeats=2)]
)
def test_held_out_scores_are_of_rows_that_were_tested(few, cv):
    comparison = compare({"bayes": GaussianNB()}, X, Y, cv=cv)
    scores = comparison.held_out_scores
    tested = {3: 300, 2: 200, 6: 300}[cv if isinstance(cv, int) else cv.get_n_splits()]
    assert len(scores) == tested
    if cv == 3:
        folds = StratifiedKFold(3, shuffle=True, random_state=0)
        expected = cross_val_predict(GaussianNB(), X, Y, cv=folds, method="predict_proba")
        np.testing.assert_allclose(scores["bayes"], expected[:, 1])


def test_one_of_several_classes_against_the_others(few):
    y = np.array(["a", "b", "c"])[Y + (X[:, 0] > 1)]
    comparison = compare({"bayes": GaussianNB()}, X, y, pos_label="b")
    assert comparison.positive.sum() == (y == "b").sum()
    assert "positive (b)" in comparison.facts["Rows"]


def test_costs_are_compared_unless_other_measures_are_given(few):
    models = {"bayes": GaussianNB()}
    assert list(compare(models, X, Y, costs=COSTS).recommendation) == ["cost"]
    assert list(compare(models, X, Y).recommendation) == ["f1"]
    with pytest.warns(UserWarning, match='no "cost" among the measures') as caught:
        compare(models, X, Y, costs=COSTS, measures="f1")
    assert caught[0].filename == __file__


def test_a_positive_class_with_a_name_is_said_unless_it_is_chosen(few):
    y = np.where(Y == 1, "fraud", "legit")
    with pytest.warns(UserWarning, match="the positive class is 'legit'") as caught:
        compare({"bayes": GaussianNB()}, X, y)
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compare({"bayes": GaussianNB()}, X, y, pos_label="fraud")


class NoScores(ClassifierMixin, BaseEstimator):
    pass


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"estimators": {"x": NoScores()}}, "'x', a NoScores, has neither predict_proba nor dec"),
        ({"estimators": {"x": GaussianNB}}, "'x' is a class; give an instance"),
        ({"estimators": {}}, "valid is a mapping from names to classifiers"),
        ({"y": np.zeros(300)}, r"found one class, \[0.0\]; two are needed"),
        ({"y": np.arange(300) % 3}, r"found 3 classes, \[0, 1, 2\]; say by pos_label"),
        ({"pos_label": "yes"}, r"pos_label: found 'yes'; valid are \[0, 1\]"),
        ({"y": np.where(Y, None, 1)}, "missing values; leave these rows out"),
        ({"y": np.arange(300) < 9}, "the rarer class has 9 rows; 5 nested folds need at least 10"),
        ({"cv": KFold(60)}, "cv: the test part of fold"),
        ({"cv": []}, "cv holds no fold"),
        ({"cv": PredefinedSplit(np.full(300, -1))}, "cv holds no fold"),
        ({"cv": [([], [])]}, "the training part of fold 0 is empty"),
        ({"cv": [(np.arange(300), [300])]}, "fold 0 holds row 300, but there are 300 rows"),
        ({"groups": [1, 2]}, r"groups: found the shape \(2,\); valid is \(300,\)"),
        ({"groups": np.where(Y, np.nan, 1)}, "groups: found .* missing values"),
        ({"groups": Y}, "groups: found 2 groups; 5 folds need 5 or more"),
        ({"groups": np.arange(300) % 3, "cv": 3}, "found 2 groups in training part 0 of cv; 3"),
        ({"measures": ["recal"]}, "did you mean 'recall'"),
        ({"measures": []}, "measures: found none"),
        ({"measures": ["cost"]}, 'found "cost" without costs'),
        ({"costs": np.ones((3, 2))}, r"costs: .*shape \(2, 2\), or \(300, 2, 2\).*found \(3, 2\)"),
    ],
)
def test_errors_are_named(changes, message):
    arguments = {"estimators": MODELS, "X": X, "y": Y} | changes
    with pytest.raises(ValueError, match=message):
        compare(**arguments)
