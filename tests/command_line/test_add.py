"""`beyond-accuracy add`, and how the pipeline reads the entries that it writes."""

import hashlib
import sys

import numpy as np
import pandas as pd
import pytest
import yaml
from sklearn.datasets import dump_svmlight_file

from beyond_accuracy_pipeline.configuration.catalogue import load_catalogue
from beyond_accuracy_pipeline.datasets.fetch import FetchSettings
from beyond_accuracy_pipeline.datasets.prepare import obtain
from beyond_accuracy_pipeline.datasets.preprocessing import transform_parts


@pytest.fixture
def catalogue(tmp_path):
    folder = tmp_path / "datasets"
    folder.mkdir()
    return folder


@pytest.fixture
def frame():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"size": rng.normal(10, 3, 60), "colour": ["red", "green", "blue"] * 20})
    frame["age"] = rng.integers(20, 60, 60)
    frame["label"] = np.where(rng.random(60) < 0.3, "yes", "no")
    frame.loc[[3, 7], "size"] = np.nan
    frame.loc[5, "colour"] = None
    return frame


@pytest.fixture
def add(run, tmp_path, catalogue):
    """Return a function that writes a CSV file, adds it, and returns status and messages.

    An earlier entry of the same name is removed.
    """

    def call(data, *arguments, name="own.csv", **options):
        path = tmp_path / name
        if isinstance(data, str):
            path.write_text(data)
        else:
            data.to_csv(path, index=False, **options)
        (catalogue / f"{path.stem}.yaml").unlink(missing_ok=True)
        status, _, error = run(
            "add", path, "--target", "label", "--catalogue", catalogue, *arguments
        )
        return status, error

    return call


def prepared(folder, name="own"):
    entry = load_catalogue(folder)[name]
    return obtain(entry, {}, FetchSettings(None, folder / "raw", catalogue_folder=folder), seed=1)


def sorted_rows(data):
    rows = np.vstack([data.X_train, data.X_test])
    return rows[np.lexsort(rows.T)]


def write_arff(frame, path):
    lines = ["@relation own", "@attribute size numeric", "@attribute colour {red,green,blue}"]
    lines += ["@attribute age numeric", "@attribute label {no,yes}", "@data"]
    rows = frame.astype(object).where(frame.notna(), "?").to_numpy().tolist()
    path.write_text("\n".join(lines + [",".join(map(str, row)) for row in rows]) + "\n")


@pytest.mark.parametrize("suffix", ["csv", "parquet", "arff"])
def test_an_entry_gives_the_same_arrays_from_every_format(run, tmp_path, catalogue, frame, suffix):
    path = tmp_path / f"Own.{suffix}"
    if suffix == "parquet":
        frame.to_parquet(path)
    elif suffix == "arff":
        write_arff(frame, path)
    else:
        frame.to_csv(path, index=False)
    status, _, error = run("add", path, "--target", "label", "--catalogue", catalogue)
    assert status == 0, error
    content = yaml.safe_load((catalogue / "own.yaml").read_text())
    assert content["sources"] == [
        {"kind": "file", "folder": "..", "files": {"data": f"Own.{suffix}"}}
    ]
    if suffix == "csv":
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        assert content["files"] == {"data": {"sha256": [digest]}}
    data = prepared(catalogue)
    assert (len(data.y_train), len(data.y_test)) == (40, 20)
    # Columns are stored as read; transforms are fitted inside each training part.
    assert content["shape"].items() >= {"n_train": 40, "n_test": 20, "n_features": 3}.items()
    assert data.class_names == ("no", "yes")
    [nominal] = data.categories
    codes = np.vstack([data.X_train, data.X_test])[:, nominal]
    assert np.isnan(codes).sum() == 1
    assert set(codes[~np.isnan(codes)]) == {0, 1, 2}
    done = transform_parts(data)
    assert np.isin(done.X_train[:, 2:], (0, 1)).all()
    assert done.X_train[:, :2].mean(axis=0) == pytest.approx(0, abs=1e-12)
    assert np.abs(done.X_test[:, :2].mean(axis=0)).min() > 1e-6


def test_an_svmlight_file(run, tmp_path, catalogue, arrays):
    dump_svmlight_file(*arrays, str(tmp_path / "own.svm"), zero_based=False)
    status, _, error = run("add", tmp_path / "own.svm", "--catalogue", catalogue)
    assert status == 0, error
    data = prepared(catalogue)
    assert data.X_train.shape == (200, 8)
    assert sorted(data.y_train) == sorted(data.y_train.clip(-1, 1))


def test_four_keys_are_enough_for_numbers(catalogue, frame):
    source = {"kind": "file", "files": {"data": "mine.csv"}}
    content = {"name": "mine", "task": "binary", "sources": [source], "target": "label"}
    (catalogue / "mine.yaml").write_text(yaml.safe_dump(content))
    frame[["size", "age", "label"]].to_csv(catalogue / "mine.csv", index=False)
    data = prepared(catalogue, "mine")
    assert (len(data.y_train), len(data.y_test)) == (40, 20)
    # The entry names no imputation, so NaN reaches the methods.
    assert np.isnan(np.vstack([data.X_train, data.X_test])).sum() == 2
    frame.to_csv(catalogue / "mine.csv", index=False)
    with pytest.raises(Exception, match=r"nominal columns \(colour\) and no `preprocess`"):
        prepared(catalogue, "mine")


COUNTS = "\n".join(["a,label", *(f"{row},{row % 11}" for row in range(44))]) + "\n"
GOOD = "a,label\n1,no\n2,yes\n"


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        (GOOD, ["--target", "lable"], "did you mean 'label'"),
        ("a,label\n1,no\n2,no\n", [], "the one class 'no'"),
        ("a,label\n1,0.5\n2,1.7\n3,2.9\n", [], "a regression target"),
        (
            "a,label\n1,no\n2,\n",
            [],
            "found no 'label' in 1 of 2 rows (the first is row 2 of the data)",
        ),
        ("a,label\n1,no\ninf,yes\n", [], "found an infinite number in row 2"),
        ("a,a,label\n1,2,no\n2,2,yes\n", [], "the columns a twice"),
        ("label\nno\nyes\n", [], "no column but the target"),
        ("", [], "found nothing"),
        (GOOD, ["--name", "../x"], "name: found '../x'"),
        (GOOD, ["--drop", "b"], "no column 'b'"),
        (GOOD, ["--positive", "yse"], "positive: found 'yse'; did you mean 'yes'?"),
        (GOOD, ["--drop", "label"], "drop: found the target"),
        ("1,2,0\n2,3,1\n", [], "has the file no header?"),
        ("a:label\n1:no\n2:yes\n", [], "separators are , ; | tabs and blanks"),
        ("a,label\n1,no\n2,yes\n3,new\n4,no\n5,yes\n", [], "one row of the class"),
        (COUNTS, [], "found 11 whole numbers from 0 to 10: a quantity?"),
    ],
)
def test_errors_are_named_and_nothing_is_written(add, catalogue, text, arguments, message):
    status, error = add(text, *arguments)
    assert status == 1
    assert message in error
    assert not list(catalogue.iterdir())


@pytest.mark.parametrize(
    ("values", "found"),
    [
        (["90+", *range(20, 39)], "57 numbers, and 3 values that are none, such as '90+'"),
        (
            [f"{1000 + 37 * row:,}" for row in range(20)],
            "numbers with marks between thousands, such as '1,000'",
        ),
        (["2024-01-01", "2024-01-02", "2024-02-01"], "dates, such as '2024-01-01'"),
        (["1/31/2024 10:00", "2/1/2024 9:30", "2/3/2024 9:00"], "dates, such as '1/31/2024 10:00'"),
        (
            ["0,76", "1", "1,5e3"],
            "texts such as '0,76' and '1,5e3', which look like numbers with a decimal comma",
        ),
        (
            ["0,765", "0,812", "?"],
            "texts such as '0,765' and '0,812', which look like numbers with a decimal comma",
        ),
        (["12%", "7,5 %", "3"], "texts such as '12%' and '7,5 %', which look like percentages"),
    ],
)
def test_numbers_and_dates_as_texts_are_no_categories_unless_it_is_said(
    add, catalogue, frame, values, found
):
    frame["column"] = values * (60 // len(values))
    status, error = add(frame)
    assert status == 1
    assert f"column 'column': found {found}" in error
    assert not any(catalogue.iterdir())
    status, error = add(frame, "--nominal", "column")
    assert status == 0, error
    assert "nominal: colour, column" in error


def test_decimal_points_in_a_file_of_decimal_commas(add, frame):
    frame = frame.assign(share=["0.5", "0.75", "1"] * 20, weight=frame["size"])
    status, error = add(frame, sep=";", decimal=",")
    assert status == 1
    assert "found texts such as '0.5' and '0.75', which look like numbers with a decimal p" in error


@pytest.mark.parametrize("values", [["1,2,3", "4,5"], ["0,5", "low"], ["3+", "4"]])
def test_other_texts_with_digits_are_categories(add, frame, values):
    status, error = add(frame.assign(group=[*values, "none", "some", "many", "most"] * 10))
    assert status == 0, error
    assert "nominal: colour, group" in error


def test_numbers_with_a_few_marks_are_numbers(add, catalogue, frame):
    """Some ages are "?". Grades are codes with few values, and stay nominal."""
    frame["grade"] = [("1", "2", "3+")[row % 3] for row in range(60)]
    arrays = []
    for mark in ("?", ""):
        ages = frame["age"].astype(str)
        ages[::10] = mark
        status, error = add(frame.assign(age=ages))
        assert status == 0, error
        assert "numeric: size, age\nnominal: colour, grade\n" in error
        assert ("column 'age': '?' taken as missing" in error) == (mark == "?")
        content = yaml.safe_load((catalogue / "own.yaml").read_text())
        assert content["parser"].get("missing", {}) == ({"age": ["?"]} if mark else {})
        arrays.append(sorted_rows(prepared(catalogue)))
    np.testing.assert_array_equal(*arrays)
    assert np.isnan(arrays[0][:, 2]).sum() == 6


def test_codes_are_nominal_where_that_is_said(add, catalogue, frame):
    frame["code"] = [f"{1 + row % 4:02}" for row in range(60)]
    status, error = add(frame)
    assert status == 0
    assert "numeric: size, age, code" in error
    assert "such as '01'; if they are codes: --nominal code" in error
    status, error = add(frame, "--nominal", "code")
    assert status == 0, error
    assert "nominal: colour, code" in error
    assert prepared(catalogue).categories[3] == ("01", "02", "03", "04")


def test_many_whole_numbers_are_classes_where_that_is_said(add):
    status, error = add(COUNTS, "--nominal", "label")
    assert status == 0, error
    assert "11 classes, task multiclass" in error


def test_the_positive_class_is_printed(add, catalogue, frame):
    frame["label"] = np.where(frame["label"] == "yes", " sick", "well ")
    status, error = add(frame, name="Übung.csv")
    assert status == 0, error
    # Blanks around a class name are not part of it.
    assert "positive: well; for the other class: --positive sick\n" in error
    (catalogue / "ubung.yaml").unlink()
    assert "positive: sick\n" in add(frame, "--positive", "sick", name="Übung.csv")[1]


def test_another_encoding_is_named(add, frame):
    frame["label"] = frame["label"].replace("no", "nö")
    status, error = add(frame, encoding="latin1")
    assert status == 1
    assert "no UTF-8 text (the byte 0xf6)" in error
    assert "iconv -f latin1 -t utf-8" in error


@pytest.mark.parametrize(
    ("name", "separator", "decimal"),
    [("own.csv", ";", ","), ("own.tsv", "\t", "."), ("own.csv", "|", ".")],
)
def test_other_separators_give_the_same_arrays(add, catalogue, frame, name, separator, decimal):
    # A quoted comma in the header is not a separator.
    frame = frame.rename(columns={"age": "age, in years"})
    arrays = []
    for file, options in (("own.csv", {}), (name, {"sep": separator, "decimal": decimal})):
        assert add(frame, name=file, **options)[0] == 0
        arrays.append(sorted_rows(prepared(catalogue)))
    np.testing.assert_array_equal(*arrays)


def test_a_name_for_each_row_is_left_out_and_named(add, catalogue, frame):
    frame["customer"] = [f"C, {row}" for row in range(60)]
    status, error = add(frame)
    assert status == 0, error
    assert "left out 'customer': 60 different texts in 60 rows" in error
    assert yaml.safe_load((catalogue / "own.yaml").read_text())["drop_columns"] == ["customer"]
    assert add(frame, "--keep", "customer")[0] == 0
    assert prepared(catalogue).X_train.shape[1] == 4


def test_a_cell_of_many_digits_takes_no_time(add, frame):
    """Guard against a quadratic-time pattern: 10,000 digits took 15 seconds."""
    status, error = add(frame.assign(code=["1" * 100_000 + "x", "1", "2", "3"] * 15))
    assert status == 0, error


def test_a_catalogue_that_is_not_there(run, tmp_path, frame):
    frame.to_csv(tmp_path / "own.csv", index=False)
    arguments = ("--target", "label", "--catalogue", tmp_path / "none")
    status, _, error = run("add", tmp_path / "own.csv", *arguments)
    assert status == 1
    assert "run this in the folder of the pipeline, or name the folder of entries" in error


def test_what_is_no_number_of_openml_is_named(run, catalogue):
    status, _, error = run("add", "openml:abc", "--target", "label", "--catalogue", catalogue)
    assert status == 1
    assert "openml:abc: valid is openml: and the number of a data set" in error
    assert not list(catalogue.iterdir())


def test_how_to_run_is_said_of_entries_that_runs_read(run, tmp_path, monkeypatch, frame):
    frame.to_csv(tmp_path / "own.csv", index=False)
    monkeypatch.chdir(tmp_path)
    for folder in ("config/datasets", "elsewhere"):
        (tmp_path / folder).mkdir(parents=True)
    data = ("add", tmp_path / "own.csv", "--target", "label")
    _, _, error = run(*data)
    settings = "'papers=[joachims2005]' 'joachims2005={data_sets: [own]}'"
    assert f"run it with: snakemake --cores 2 --config {settings}\n" in error
    _, _, error = run(*data, "--catalogue", "elsewhere")
    assert "snakemake" not in error
    assert "config/datasets alone" in error


def test_a_name_that_exists(add, run, tmp_path, catalogue, frame):
    assert add(frame)[0] == 0
    before = (catalogue / "own.yaml").read_bytes()
    arguments = ("--target", "label", "--catalogue", catalogue)
    status, _, error = run("add", tmp_path / "own.csv", *arguments)
    assert status == 1
    assert "an entry of that name exists" in error
    assert (catalogue / "own.yaml").read_bytes() == before


def test_a_package_that_is_not_installed(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "yaml", None)
    monkeypatch.delitem(sys.modules, "beyond_accuracy_pipeline.command_line.add", raising=False)
    status, _, error = run("add", "own.csv", "--target", "label")
    assert status == 1
    assert "add needs the package yaml" in error


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("own.xlsx", "the suffix '.xlsx'"),
        ("own.parquet", "no Parquet"),
        ("no.csv", "No such file"),
    ],
)
def test_files_that_are_none_of_the_formats(run, tmp_path, catalogue, name, message):
    if name != "no.csv":
        (tmp_path / name).write_text("x")
    status, _, error = run("add", tmp_path / name, "--target", "label", "--catalogue", catalogue)
    assert status == 1
    assert message in error
    assert not list(catalogue.iterdir())
