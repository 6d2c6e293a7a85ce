"""`beyond-accuracy compare`: table, recommendation and page."""

import re
from dataclasses import replace
from importlib.resources import files
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import dump_svmlight_file, make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedKFold, train_test_split

from beyond_accuracy import OperatingPointClassifier
from beyond_accuracy.measures import get_measure
from beyond_accuracy_pipeline.command_line import compare
from beyond_accuracy_pipeline.datasets.own_data import binary_table, describe_file
from beyond_accuracy_pipeline.experiments import file_comparison
from beyond_accuracy_pipeline.experiments.file_comparison import LABELS, _decisions, compare_methods
from beyond_accuracy_pipeline.reporting import method_choice
from beyond_accuracy_pipeline.reporting.method_choice import (
    choose,
    chosen_parameters,
    intervals,
    most_warned,
)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    X, y = make_classification(300, 6, n_informative=3, weights=[0.85], flip_y=0.05, random_state=3)
    frame = pd.DataFrame(X, columns=[f"x{number}" for number in range(6)])
    frame["region"] = np.random.default_rng(0).choice(["north", "south"], 300)
    frame.loc[::20, "x0"] = np.nan
    frame["bought"] = np.where(y == 1, "yes", "no")
    path = tmp_path_factory.mktemp("data") / "shop.csv"
    frame.to_csv(path, index=False)
    return path


@pytest.fixture
def small(monkeypatch):
    """One candidate a method, and trees as small as can be."""
    one = {"_C": (1.0,), "_SCALED_C": (0.5,), "_COSTS": ({"C": 1.0, "j": 2.0},), "_LEAVES": (3,)}
    for name, values in one.items():
        monkeypatch.setattr(file_comparison, name, values)
    monkeypatch.setattr(file_comparison, "_TREES", 5)


def test_table_recommendation_and_page(run, tmp_path, data, small):
    output = tmp_path / "out"
    arguments = ("compare", data, "--target", "bought", "--jobs", 1, "--output", output)
    status, text, error = run(*arguments)
    assert status == 0, error
    assert "comparing: 100%" in error
    assert re.search("^ ?Method  ", text, re.MULTILINE)
    scores = pd.read_csv(output / "scores.csv", index_col="method")
    assert list(scores.index) == [*LABELS, "all_positive"]
    trivial = scores.loc["all_positive"]
    n_positive, n = 49, 300
    assert trivial["value"] == pytest.approx(2 * n_positive / (n_positive + n), abs=0.01)
    assert trivial["as_good"] == "no"
    assert "Trivial rule, every row positive" in text
    assert scores["reason"].isna().all()
    assert (scores["low"] <= scores["value"]).all()
    assert (scores["value"] <= scores["high"]).all()
    best = scores["value"].idxmax()
    assert scores.loc[best, "difference"] == 0
    used = re.search(r"^Use: ([^.]+)\.", text, re.MULTILINE)[1]
    assert used in [LABELS[name] for name in scores.index[scores["as_good"] == "yes"]]
    assert re.search("a threshold|No threshold", text)
    assert f"The page: file://{output / 'index.html'}" in error
    assert "positive (yes, not no)" in error
    chosen = scores["parameters"]
    assert chosen["logistic_regression"] == "C 1 (5 of 5 folds)"
    assert chosen["cost_svm"] == "C 1, j 2 (5 of 5 folds)"
    boosted = r"max_leaf_nodes 3 \(5 of 5 folds\); threshold \S+ to \S+"
    assert re.fullmatch(boosted, chosen["gradient_boosting_tuned"])
    page = (output / "index.html").read_text()
    assert f"Use: {used}." in page
    assert "<dd>15 in 1 column: gradient boosting takes them as they are" in page
    assert all(label in page for label in LABELS.values())
    # Nothing is loaded from elsewhere; the licence of the styles names its home.
    outside = r"""<script\s|<link|@import|src=|href="(?!scores\.csv"|#)|url\((?!['"]?data:)"""
    head, theme, body, script, end = re.split("<script>|</script>", page)
    assert not re.search(outside, head + body + end)
    assert "localStorage" in theme
    tables = files("beyond_accuracy_pipeline.reporting.site") / "assets" / "tables.js"
    assert tables.read_text() in script
    picture = ElementTree.fromstring(re.search("<svg.*?</svg>", page, re.DOTALL)[0])
    titles = [title.text for title in picture.iter("title")]
    assert [title.partition(":")[0] for title in titles] == [
        compare._SHOWN[name]
        for name in scores.sort_values("value", ascending=False, kind="stable").index
    ]
    assert all(name in page for name in ("C 1, j 2 (5 of 5 folds)", "Chosen"))
    first = scores.drop(columns="seconds")
    assert run(*arguments, "--quiet")[0] == 0
    again = pd.read_csv(output / "scores.csv", index_col="method").drop(columns="seconds")
    pd.testing.assert_frame_equal(again, first)


def test_values_are_those_of_scikit_learn(data, small):
    from sklearn.compose import make_column_transformer
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    frame = pd.read_csv(data)
    X, y = frame.drop(columns="bought"), frame["bought"] == "yes"
    numbers = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
    columns = make_column_transformer((numbers, list(X)[:6]), (OneHotEncoder(), ["region"]))
    model = make_pipeline(columns, LogisticRegression(max_iter=1000))
    _, table = describe_file(data, name="shop", target="bought")
    table = binary_table(table, (), "shop")
    _, results = compare_methods(table, "f1", seed=5)
    plain = [result for result in results if result.method == "logistic_regression"]
    folds = StratifiedKFold(5, shuffle=True, random_state=5).split(X, y)
    for result, (train, test) in zip(plain, folds, strict=True):
        predicted = model.fit(X.iloc[train], y[train]).predict(X.iloc[test])
        found = get_measure("f1").score(table.y[result.test] > 0, result.decisions)
        assert found == pytest.approx(f1_score(y[test], predicted))


@pytest.mark.parametrize("method", LABELS)
def test_no_prediction_depends_on_other_rows_of_its_test_part(data, small, method):
    _, table = describe_file(data, name="shop", target="bought")
    table = binary_table(table, (), "shop")
    train, test = next(StratifiedKFold(5, shuffle=True, random_state=5).split(table.y, table.y))
    changed, kept = test[::2], test[1::2]
    X = table.X.copy()
    X[changed, :6] = 1e6
    decisions = [
        file_comparison._nested(each, method, "f1", train, kept, 5)[0]
        for each in (table, replace(table, X=X))
    ]
    np.testing.assert_array_equal(*decisions)
    _, results = compare_methods(replace(table, X=X), "f1", seed=5)
    found = next(result for result in results if result.method == method)
    # A product of more rows may be summed in another order.
    np.testing.assert_allclose(found.decisions[1::2], decisions[0], rtol=1e-12)


def test_inner_parts_have_an_imputation_and_a_scale_of_their_own(data, small, monkeypatch):
    _, table = describe_file(data, name="shop", target="bought")
    table = binary_table(table, (), "shop")
    seen = []

    def spied(model, X, decisions=file_comparison._decisions):
        numbers = model[0].named_transformers_["numbers"]
        seen.append((numbers[0].statistics_, numbers[1].mean_))
        return decisions(model, X)

    monkeypatch.setattr(file_comparison, "_decisions", spied)
    _, results = compare_methods(table, "f1", seed=5)
    assert next(results).method == "logistic_regression"
    y = table.y
    train, _ = next(StratifiedKFold(5, shuffle=True, random_state=5).split(y, y))
    fitted, _ = train_test_split(train, test_size=1 / 3, stratify=y[train], random_state=5)
    # The candidate on its part, then the one chosen on the whole training part of the fold.
    for (medians, means), rows in zip(seen[:2], (fitted, train), strict=True):
        numbers = table.X[rows, :6]
        expected = np.nanmedian(numbers, axis=0)
        np.testing.assert_allclose(medians, expected, rtol=1e-12)
        imputed = np.where(np.isnan(numbers), expected, numbers)
        np.testing.assert_allclose(means, imputed.mean(axis=0), rtol=1e-9, atol=1e-12)
    assert not np.allclose(seen[0], seen[1], rtol=1e-6)


def test_a_ranking_measure_and_sparse_data(run, tmp_path, small):
    X, y = make_classification(200, 40, n_informative=10, weights=[0.7], random_state=0)
    X[np.abs(X) < 1.2] = 0
    dump_svmlight_file(X, y, str(tmp_path / "sparse.svm"), zero_based=False)
    output = tmp_path / "out"
    status, text, error = run(
        *("compare", tmp_path / "sparse.svm", "--measure", "roc_area", "--jobs", 1),
        *("--output", output, "--quiet"),
    )
    assert status == 0, error
    scores = pd.read_csv(output / "scores.csv", index_col="method")
    assert scores.loc["gradient_boosting", "reason"] == "takes no sparse data"
    assert "changes nothing" in scores.loc["logistic_regression_tuned", "reason"]
    assert scores["value"].notna().sum() == 5
    assert scores.loc["one_score", "value"] == 0.5
    assert "order of scores alone" in text


@pytest.mark.parametrize("measure", ["recall_at_precision_0.9", "precision_at_10"])
def test_a_measure_whose_order_counts_and_that_is_trained_for(run, tmp_path, data, small, measure):
    output = tmp_path / "out"
    arguments = ("compare", data, "--target", "bought", "--measure", measure)
    status, _, error = run(*arguments, "--jobs", 1, "--quiet", "--output", output)
    assert status == 0, error
    scores = pd.read_csv(output / "scores.csv", index_col="method")
    assert scores["value"].notna().sum() == 7
    assert scores.loc["multivariate_svm", "value"] >= 0


def fold_results(rng, shift):
    folds = []
    for _ in range(5):
        positive = rng.random(200) < 0.3
        folds.append((positive, positive * shift + rng.normal(size=200)))
    return folds


def test_the_simplest_of_equal_methods_is_chosen():
    good = fold_results(np.random.default_rng(0), 3)
    methods = {
        "logistic_regression": fold_results(np.random.default_rng(0), 0.5),
        "logistic_regression_tuned": good,
        "multivariate_svm": good,
    }
    scores = intervals(methods, "f1", seed=0)
    assert scores["as_good"].tolist() == ["no", "yes", "yes"]
    choice = choose(scores, LABELS, "f1")
    assert choice.method == "logistic_regression_tuned"
    assert choice.threshold.startswith("Tuning a threshold is enough")
    assert "It is needed: Logistic regression without one differs by −" in choice.threshold
    methods["logistic_regression_tuned"] = methods["logistic_regression"]
    choice = choose(intervals(methods, "f1", seed=0), LABELS, "f1")
    assert choice.method == "multivariate_svm"
    assert choice.threshold.startswith("Tuning a threshold is not enough")
    methods["logistic_regression"] = good
    choice = choose(intervals(methods, "f1", seed=0), LABELS, "f1")
    assert choice.method == "logistic_regression"
    assert choice.threshold == "No threshold needs tuning: Logistic regression is used as it is."


def test_a_threshold_is_preferred_to_class_weights():
    good, poor = (fold_results(np.random.default_rng(0), shift) for shift in (3, 0.5))
    methods = {
        "logistic_regression": poor,
        "logistic_regression_weighted": good,
        "logistic_regression_tuned": good,
    }
    choice = choose(intervals(methods, "f1", seed=0), LABELS, "f1")
    assert choice.method == "logistic_regression_tuned"
    assert choice.threshold.startswith("Tuning a threshold is enough")


def scored(**rows):
    """Scores as `intervals` returns them, of values and differences with their ends."""
    frame = pd.DataFrame.from_dict(
        {name: (value, value - 0.1, value + 0.1, *difference) for name, (value, *difference) in
         rows.items()},
        orient="index",
        columns=["value", "low", "high", "difference", "difference_low", "difference_high"],
    )  # fmt: skip
    ends = frame["difference_low"], frame["difference_high"]
    return frame.assign(as_good=[method_choice._as_good(*each) for each in zip(*ends, strict=True)])


@pytest.mark.parametrize(
    ("low", "high", "answer"),
    [
        (-0.009, 0.0, "yes"),
        (-0.041, -0.002, "too few rows to tell"),
        (-0.041, -0.011, "no"),
        (-0.041, 0.002, "too few rows to tell"),
    ],
)
def test_within_a_point_means_within_a_point(low, high, answer):
    assert method_choice._as_good(low, high) == answer


def test_the_audits_160_rows_are_too_few_to_tell():
    """A plain method at 0, a tuned one that is best, and an SVM that nothing is shown of."""
    scores = scored(
        logistic_regression=(0.0, -0.52, -0.66, -0.36),
        logistic_regression_tuned=(0.52, 0, 0, 0),
        cost_svm=(0.375, -0.145, -0.292, 0.013),
        multivariate_svm=(0.515, -0.005, -0.009, 0.004),
    )
    assert scores["as_good"].tolist() == ["no", "yes", "too few rows to tell", "yes"]
    choice = choose(scores, LABELS, "f1")
    assert choice.method == "logistic_regression_tuned"
    assert choice.why.endswith("within 1 point of it: Cost-sensitive SVM.")
    few = (
        "Tuning a threshold is enough, as far as so few rows tell: they leave open whether more is "
        "to be had from Cost-sensitive SVM."
    )
    assert choice.threshold.startswith(few)
    assert (
        "It is needed: Logistic regression without one differs by −52.00 points" in choice.threshold
    )


@pytest.mark.parametrize(
    ("used", "tuned", "said"),
    [
        ("multivariate_svm", (-0.2, -0.3, -0.1), "Tuning a threshold is not enough"),
        ("multivariate_svm", (-0.05, -0.1, 0.02), "There are too few rows to tell whether tuning"),
        ("logistic_regression_weighted", (-0.002, -0.005, 0.001), "Tuning a threshold does as"),
        ("cost_svm_tuned", (-0.2, -0.3, -0.1), "Tuning a threshold is not enough"),
    ],
)
def test_what_is_said_of_thresholds_is_of_the_method_that_is_used(used, tuned, said):
    scores = scored(
        logistic_regression=(0.2, -0.5, -0.6, -0.4),
        gradient_boosting_tuned=(0.7 + tuned[0], *tuned),
        **{used: (0.7, 0, 0, 0)},
    )
    choice = choose(scores, LABELS, "f1")
    assert choice.method == used
    assert choice.threshold.startswith(said)
    assert LABELS["gradient_boosting_tuned"] in choice.threshold


def test_parameters_are_those_of_most_folds():
    chosen = [(1.0, 0.2), (0.1, 0.3), (1.0, 0.25)]
    folds = [{"C": C, "threshold": threshold} for C, threshold in chosen]
    assert chosen_parameters(folds) == "C 1 (2 of 3 folds); threshold 0.2 to 0.3"
    assert chosen_parameters([{}, {}]) == ""


def test_what_most_folds_warn_of_is_counted_whatever_its_numbers():
    early = "stopped after {} iterations"
    folds = [(early.format(428),), (early.format(5),), ("lbfgs failed",), ()]
    assert most_warned(folds) == f"warned in 2 of 4 folds: {early.format(428)}"
    assert most_warned([(), ()]) == ""


def test_the_warning_of_a_multivariate_svm_that_learned_nothing_is_shown(run, tmp_path, small):
    """One positive in a hundred, at random: w = 0 is optimal for F1 at every C."""
    random = np.random.default_rng(0)
    frame = pd.DataFrame(random.normal(size=(1500, 2)), columns=["a", "b"])
    frame["label"] = np.where(np.arange(1500) % 100 == 0, "yes", "no")
    frame.to_csv(tmp_path / "rare.csv", index=False)
    output = tmp_path / "out"
    arguments = ("--target", "label", "--jobs", 1, "--output", output, "--quiet")
    status, text, _ = run("compare", tmp_path / "rare.csv", *arguments)
    assert status == 0
    scores = pd.read_csv(output / "scores.csv", index_col="method")
    assert "warned in 5 of 5 folds: w = 0 is" in scores.loc["multivariate_svm", "warned"]
    lines = text.splitlines()
    assert max(len(line) for line in lines if line.startswith(tuple(LABELS.values()))) < 180
    assert "warned, see below" in next(line for line in lines if line.startswith("Multivariate"))
    assert "Multivariate SVM warned in 5 of 5 folds: w = 0 is" in text
    assert "warned in 5 of 5 folds: w = 0 is" in (output / "index.html").read_text()


@pytest.fixture
def noise(tmp_path):
    random = np.random.default_rng(0)
    frame = pd.DataFrame({"noise": random.normal(size=300), "empty": np.nan, "none": np.nan})
    frame["colour"] = random.choice(["red", "blue"], 300)
    path = tmp_path / "noise.csv"
    frame.assign(y=random.integers(0, 2, 300)).to_csv(path, index=False)
    return path


@pytest.mark.parametrize(
    ("measure", "rule", "said"),
    [
        ("f1", "all_positive", "predicting every row as positive"),
        ("accuracy", "all_positive", "predicting every row as positive"),
        ("roc_area", "one_score", "giving every row the same score"),
        ("prbep", "random_order", "a random order of the rows"),
    ],
)
def test_nothing_is_recommended_on_noise(run, tmp_path, small, noise, measure, rule, said):
    output = tmp_path / "out"
    arguments = ("--target", "y", "--jobs", 1, "--output", output, "--quiet", "--measure", measure)
    status, text, error = run("compare", noise, *arguments)
    assert status == 0, error
    assert "Use:" not in text
    assert not re.search("^Trivial rule.*best$", text, re.MULTILINE)
    sentence = re.search(
        r"^No method is .*better than (.*?) \(.* (\S+) %\).*\.$", text, re.MULTILINE
    )
    assert sentence[1] == said
    page = (output / "index.html").read_text()
    assert "Use:" not in page
    assert sentence[0] in page
    # The rule against the folds and the measures of scikit-learn.
    y = pd.read_csv(noise)["y"].to_numpy()
    scored = {
        "f1": lambda test: f1_score(y[test], np.ones(len(test))),
        "accuracy": lambda test: np.mean(y[test]),
        "roc_area": lambda test: 0.5,
    }
    value = pd.read_csv(output / "scores.csv", index_col="method").loc[rule, "value"]
    if measure in scored:
        folds = StratifiedKFold(5, shuffle=True, random_state=0).split(y, y)
        assert value == pytest.approx(np.mean([scored[measure](test) for _, test in folds]))
    assert sentence[2] == f"{100 * value:.2f}"


def test_columns_without_any_value_are_left_out_and_named(run, tmp_path, small, noise):
    output = tmp_path / "out"
    arguments = ("--target", "y", "--jobs", 1, "--output", output, "--quiet")
    status, _, error = run("compare", noise, *arguments)
    assert status == 0
    assert "numeric: noise\nnominal: colour\nleft out, as without any value: empty, none\n" in error
    assert "columns without any value: empty, none" in (output / "index.html").read_text()
    first = pd.read_csv(output / "scores.csv").drop(columns="seconds")
    assert run("compare", noise, *arguments, "--drop", "empty", "--drop", "none")[0] == 0
    again = pd.read_csv(output / "scores.csv").drop(columns="seconds")
    pd.testing.assert_frame_equal(again, first)


@pytest.mark.parametrize(
    ("difference", "said"),
    [
        ((0.0, -0.02, 0.02), "No method is better than all (F1 70.00 %): the features say nothing"),
        ((-0.005, -0.02, 0.01), "No method is better than all (F1 70.00 %): the features"),
        ((-0.005, -0.008, -0.002), "No method is better than all (F1 70.00 %) by more than 1 poi"),
        ((-0.03, -0.07, 0.01), "No method is shown to be better than all (F1 70.00 %): too few"),
        ((-0.03, -0.05, -0.005), None),
    ],
)
def test_what_is_said_of_the_trivial_rule(difference, said):
    rule = scored(rule=(0.7, *difference)).loc["rule"]
    choice = method_choice.no_better(rule, "all", "f1", "y")
    assert (choice and choice.why.startswith(said)) if said else choice is None


@pytest.mark.parametrize("threshold", [-np.inf, np.inf])
def test_a_threshold_that_takes_all_or_nothing_gives_finite_decisions(threshold):
    class Constant(OperatingPointClassifier):
        def scores(self, X):
            return X[:, 0]

    model = Constant(LogisticRegression())
    model.best_threshold_ = threshold
    decisions = _decisions(model, np.array([[0.1], [0.9]]))
    assert np.isfinite(decisions).all()
    assert ((decisions > 0) == (threshold < 0)).all()


def test_a_file_in_the_place_of_the_folder_is_named_before_any_work(run, tmp_path):
    data, output = tmp_path / "own.csv", tmp_path / "out"
    data.write_text("\n".join(["x,y", *["1,a", "2,b"] * 20]) + "\n")
    output.write_text("mine")
    status, _, error = run("compare", data, "--target", "y", "--output", output)
    assert status == 1
    assert f"{output}: found a file; name a folder for the page by --output" in error
    assert "%" not in error
    assert output.read_text() == "mine"


@pytest.mark.parametrize(
    ("rows", "arguments", "message"),
    [
        (["1,a", "2,b", "3,c"] * 9, [], "found the 3 classes a, b, c; two are compared"),
        (["1,a", "2,b"] * 9, [], "the rarer class has 9 rows"),
        (["1,a"] * 9, [], "the one class 'a'"),
        (["1,a", "2,b"] * 9, ["--positive", "c"], "no class 'c'"),
        ([",a", ",b"] * 9, [], "own.csv: found no value in any feature (x)"),
        (['"0,7",a', '"1,25",b'] * 9, [], "column 'x': found texts such as '0,7' and '1,25', whi"),
    ],
)
def test_errors_are_named_and_no_page_is_written(run, tmp_path, rows, arguments, message):
    (tmp_path / "own.csv").write_text("\n".join(["x,y", *rows]) + "\n")
    output = tmp_path / "out"
    status, _, error = run(
        "compare", tmp_path / "own.csv", "--target", "y", "--output", output, *arguments
    )
    assert status == 1
    assert message in error
    assert not output.exists()


def test_methods_whose_fits_fail_are_named_beside_what_to_use(
    data, tmp_path, monkeypatch, run, small
):
    def failing(name, *arguments):
        if name.startswith("gradient"):
            raise ValueError("no trees today")
        return candidates(name, *arguments)

    candidates = file_comparison._candidates
    monkeypatch.setattr(file_comparison, "_candidates", failing)
    output = tmp_path / "out"
    arguments = ("compare", data, "--target", "bought", "--jobs", 1, "--output", output, "--quiet")
    status, text, error = run(*arguments)
    assert status == 0, error
    assert "Not compared, as fits of them failed: Gradient boosting; " in text
    assert "Not compared" in (output / "index.html").read_text()
