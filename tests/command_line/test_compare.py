"""`beyond-accuracy compare`, from a file to the table, the recommendation and the page."""

import os
import re
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import dump_svmlight_file, make_classification
from sklearn.linear_model import LogisticRegression

from beyond_accuracy import compare
from beyond_accuracy.comparison import intervals
from beyond_accuracy.comparison.defaults import with_preprocessing
from beyond_accuracy.readers.tables import read_table

LINEAR = ("--estimator", "sklearn.linear_model.LogisticRegression")


@pytest.fixture(autouse=True)
def few_resamples(monkeypatch):
    monkeypatch.setattr(intervals, "N_RESAMPLES", 20)


@pytest.fixture(scope="module")
def frame():
    X, y = make_classification(300, 4, n_informative=2, weights=[0.85], flip_y=0.05, random_state=3)
    frame = pd.DataFrame(X, columns=[f"x{number}" for number in range(4)])
    generator = np.random.default_rng(0)
    frame["region"] = generator.choice(["north", "south"], 300)
    frame["customer"] = generator.permutation(300) * 7 + 1000
    frame["empty"] = np.nan
    frame.loc[::20, "x0"] = np.nan
    return frame.assign(y=np.where(y == 1, "yes", "no"))


@pytest.fixture
def compare_on(run, tmp_path):
    """Return a function that compares on a table; it returns status, output and messages."""

    def call(table, *arguments):
        path = tmp_path / "own.csv"
        if isinstance(table, list):
            path.write_text("\n".join(["x,y", *table]) + "\n")
        else:
            table.to_csv(path, index=False)
        options = ("--target", "y", "--jobs", 1, "--quiet", "--output", tmp_path / "out")
        return run("compare", path, *options, *arguments)

    return call


def test_the_table_the_sentence_and_the_page(compare_on, tmp_path, frame):
    status, text, error = compare_on(
        frame,
        *("--measure", "f1", "--measure", "cost", "--costs", 1, 5, "--seed", 3),
        *(*LINEAR, "--estimator", "sklearn.naive_bayes.GaussianNB"),
    )
    output = tmp_path / "out"
    assert status == 0, error
    assert "positive (yes)" in error
    assert "numeric: x0, x1, x2, x3\nnominal: region\n" in error
    assert "left out 'customer': another whole number in each row" in error
    assert "left out 'empty': no value" in error
    assert f"The page: file://{output / 'index.html'}" in error
    scores = pd.read_csv(output / "scores.csv")
    rows = scores.groupby(["measure", "method"], sort=False).size()
    assert list(rows.loc["f1"].index) == ["LogisticRegression", "GaussianNB", "every row positive"]
    page = (output / "index.html").read_text()
    assert "Which classifier for own.csv?" in page
    assert "left out &#x27;customer&#x27;" in page
    for sentence in re.findall(r"^(?:Use|No method) .*$", text, re.MULTILINE):
        assert sentence.replace("“", "").split(":")[0] in page
    # The function `compare` gives the same values if the columns are dropped by hand.
    X = frame.drop(columns=["customer", "empty", "y"])
    models = {"LogisticRegression": with_preprocessing(X, LogisticRegression())}
    options = {"costs": [[0, 1], [5, 0]], "pos_label": "yes", "random_state": 3}
    expected = compare(models, X, frame["y"], **options).table["value"].iloc[:2]
    cost = scores[(scores["measure"] == "cost") & (scores["method"] == "LogisticRegression")]
    np.testing.assert_allclose(cost["value"], expected)


def test_costs_of_each_row_come_from_a_column_that_is_no_feature(compare_on, tmp_path, frame):
    amounts = np.random.default_rng(1).permutation(300) + 1
    X = frame.drop(columns=["customer", "empty", "y"])
    arguments = ("--costs", 2.5, "amount", "--drop", "amount", *LINEAR)
    status, _, error = compare_on(X.assign(amount=amounts, y=frame["y"]), *arguments)
    assert status == 0, error
    assert "left out 'amount': dropped, but for costs" in error
    assert "the positive class is 'yes', the last of no, yes; choose another by --pos" in error
    costs = np.zeros((300, 2, 2))
    costs[:, 0, 1], costs[:, 1, 0] = 2.5, amounts
    models = {"linear": with_preprocessing(X, LogisticRegression())}
    expected = compare(models, X, frame["y"], costs=costs, pos_label="yes").table
    scores = pd.read_csv(tmp_path / "out" / "scores.csv")
    assert scores["variant"].tolist() == expected["variant"].tolist()
    assert "row by row" in set(scores["variant"])
    np.testing.assert_allclose(scores["value"], expected["value"])


def test_a_file_in_the_place_of_the_folder_is_named_before_any_work(compare_on, tmp_path, frame):
    output = tmp_path / "out"
    output.write_text("mine")
    status, _, error = compare_on(frame)
    assert status == 1
    assert f"{output}: found a file; name a folder for the page by --output" in error
    assert output.read_text() == "mine"


TWO = ["1,a", "2,b"] * 9


@pytest.mark.parametrize(
    ("rows", "arguments", "message"),
    [
        (["1,a", "2,b", "3,c"] * 9, [], "found the 3 classes a, b, c; two are compared"),
        (TWO, ["--positive", "c"], "found no class 'c'; valid: a, b"),
        (TWO, ["--positive", "a", "--positive", "b"], "found all classes"),
        ([",a", ",b"] * 9, [], "own.csv: found no feature to learn from (x: no value)"),
        (TWO, ["--estimator", "sklearn.Nothing"], "--estimator sklearn.Nothing:"),
        (TWO, ["--estimator", "Nothing"], "found no module; valid is the import path of a class"),
        (TWO, ["--estimator", "sklearn.svm.SVR"], "so that it gives no scores"),
        (TWO, ["--estimator", "sklearn.datasets.load_iris"], "which is no class"),
        (TWO, ["--costs", "1", "z"], "found no column 'z'; valid: x, y"),
        (
            ["u,a", "v,b"] * 9,
            ["--costs", "x", "1"],
            "--costs: found 'x'; valid are numbers above 0",
        ),
        (["1,a", ",b"] * 9, ["--costs", "1", "x"], "--costs x: found 9 rows without a cost"),
        (["0,a", "-3,b"] * 9, ["--costs", "1", "x"], "found 9 rows with a cost below 0, as low"),
        (["1,a", "2,b,3"] * 9, [], "own.csv:3: found 3 values for 2 columns"),
    ],
)
def test_errors_are_named_and_no_page_is_written(compare_on, tmp_path, rows, arguments, message):
    status, _, error = compare_on(rows, *arguments)
    assert status == 1
    assert message in error
    assert not (tmp_path / "out").exists()


def test_costs_without_the_measure_cost_are_a_note(compare_on, tmp_path, frame):
    arguments = ("--positive", "yes", "--measure", "f1", "--costs", 1, 5, *LINEAR)
    status, _, error = compare_on(frame, *arguments)
    assert status == 0, error
    assert '\ncosts: found costs, but no "cost" among the measures; add it' in error
    assert "the positive class is" not in error


def test_several_positive_classes_are_one(compare_on):
    rows = [f"{number % 7},{'abc'[number % 3]}" for number in range(60)]
    status, _, error = compare_on(rows, *LINEAR, "--positive", "a", "--positive", "b")
    assert status == 0, error
    assert "60, of which 40 positive (a or b)" in error


def test_where_nothing_can_be_fitted_the_reason_is_the_error(compare_on, frame):
    status, _, error = compare_on(frame, "--estimator", "sklearn.naive_bayes.CategoricalNB")
    assert status == 1
    assert "no method could be fitted: ValueError: Negative values" in error


def test_what_classifiers_print_is_not_mixed_with_the_table(tmp_path, frame):
    (tmp_path / "loud.py").write_text(
        "from sklearn.naive_bayes import GaussianNB\n"
        "class Loud(GaussianNB):\n"
        "    def __init__(self, n_jobs=None):\n"
        "        super().__init__()\n"
        "        self.n_jobs = n_jobs\n"
        "    def fit(self, X, y):\n"
        "        print('noise')\n"
        "        assert self.n_jobs == 1\n"
        "        return super().fit(X, y)\n"
    )
    frame.to_csv(tmp_path / "own.csv", index=False)
    program = [sys.executable, "-m", "beyond_accuracy.command_line", "compare", "own.csv"]
    options = ["--target", "y", "--estimator", "loud.Loud", "--jobs", "2", "--no-open"]
    paths = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
    done = subprocess.run(
        [*program, *options],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "noise" not in done.stdout
    assert done.stdout.startswith("Measure")
    assert "Use Loud" in done.stdout


@pytest.mark.parametrize("name", ["own.parquet", "own.arff", "own.tsv", "own.csv.gz"])
def test_every_format_gives_the_same_table(tmp_path, frame, name):
    frame = frame.drop(columns="empty")
    path = tmp_path / name
    if name.endswith("parquet"):
        frame.to_parquet(path)
    elif name.endswith("arff"):
        numeric = [f"@attribute {column} numeric" for column in ("x0", "x1", "x2", "x3")]
        nominal = ["@attribute region {north,south}", "@attribute customer integer"]
        head = ["@relation own", *numeric, *nominal, "@attribute y {no,yes}", "@data"]
        rows = frame.astype(object).where(frame.notna(), "?").to_numpy().tolist()
        path.write_text("\n".join(head + [",".join(map(str, row)) for row in rows]) + "\n")
    elif name.endswith("tsv"):
        frame.to_csv(path, index=False, sep="\t", decimal=",")
    else:
        frame.to_csv(path, index=False)
    table = read_table(path, "y")
    pd.testing.assert_frame_equal(table.X, frame.drop(columns=["y", "customer"]))
    assert table.y.tolist() == frame["y"].tolist()
    assert table.classes == ["no", "yes"]
    assert list(table.left_out) == ["customer"]


def test_svmlight_files_have_no_columns(run, tmp_path):
    X, y = make_classification(60, 40, n_informative=10, random_state=0)
    X[np.abs(X) < 1.2] = 0
    path = tmp_path / "own.svm"
    dump_svmlight_file(X, y, str(path), zero_based=False)
    table = read_table(path)
    np.testing.assert_allclose(table.X.toarray(), X)
    assert table.y.tolist() == [str(label) for label in y]
    status, _, error = run("compare", path, "--target", "y", "--output", tmp_path / "out")
    assert status == 1
    assert "found the column 'y'; columns of SVMlight files have no names" in error
