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


def prepared(folder, name):
    entry = load_catalogue(folder)[name]
    return obtain(entry, {}, FetchSettings(None, folder / "raw", catalogue_folder=folder), seed=1)


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
    data = prepared(catalogue, "own")
    assert (len(data.y_train), len(data.y_test)) == (40, 20)
    assert {k: content["shape"][k] for k in ("n_train", "n_test")} == {"n_train": 40, "n_test": 20}
    assert data.class_names == ("no", "yes")
    # Columns are stored as read; transforms are fitted inside each training part.
    assert content["shape"]["n_features"] == 3
    X = np.vstack([data.X_train, data.X_test])
    [nominal] = data.categories
    codes = X[:, nominal]
    assert np.isnan(codes).sum() == 1
    assert set(codes[~np.isnan(codes)]) == {0, 1, 2}
    done = transform_parts(data)
    assert done.X_train.shape[1] in (5, 6)
    assert np.isin(done.X_train[:, 2:], (0, 1)).all()
    assert done.X_train[:, :2].mean(axis=0) == pytest.approx(0, abs=1e-12)
    assert np.abs(done.X_test[:, :2].mean(axis=0)).min() > 1e-6


def test_an_svmlight_file(run, tmp_path, catalogue, arrays):
    dump_svmlight_file(*arrays, str(tmp_path / "own.svm"), zero_based=False)
    status, _, error = run("add", tmp_path / "own.svm", "--catalogue", catalogue)
    assert status == 0, error
    data = prepared(catalogue, "own")
    assert data.X_train.shape == (200, 8)
    assert sorted(data.y_train) == sorted(data.y_train.clip(-1, 1))


def test_four_keys_are_enough(catalogue, frame):
    frame[["size", "age", "label"]].to_csv(catalogue / "mine.csv", index=False)
    source = {"kind": "file", "files": {"data": "mine.csv"}}
    content = {"name": "mine", "task": "binary", "sources": [source], "target": "label"}
    (catalogue / "mine.yaml").write_text(yaml.safe_dump(content))
    data = prepared(catalogue, "mine")
    assert (len(data.y_train), len(data.y_test)) == (40, 20)
    # The entry names no imputation, so NaN reaches the methods.
    assert np.isnan(np.vstack([data.X_train, data.X_test])).sum() == 2


def test_a_nominal_column_never_becomes_numbers_in_silence(catalogue, frame):
    frame.to_csv(catalogue / "mine.csv", index=False)
    source = {"kind": "file", "files": {"data": "mine.csv"}}
    content = {"name": "mine", "task": "binary", "sources": [source], "target": "label"}
    (catalogue / "mine.yaml").write_text(yaml.safe_dump(content))
    with pytest.raises(Exception, match=r"nominal columns \(colour\) and no `preprocess`"):
        prepared(catalogue, "mine")


def test_a_changed_file_is_an_error(run, tmp_path, catalogue, frame):
    frame.to_csv(tmp_path / "own.csv", index=False)
    assert run("add", tmp_path / "own.csv", "--target", "label", "--catalogue", catalogue)[0] == 0
    frame.iloc[1:].to_csv(tmp_path / "own.csv", index=False)
    with pytest.raises(Exception, match="wrong checksum"):
        prepared(catalogue, "own")


COUNTS = "\n".join(["a,label", *(f"{row},{row % 11}" for row in range(44))]) + "\n"


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        ("a,label\n1,no\n2,yes\n", ["--target", "lable"], "did you mean 'label'"),
        ("a,label\n1,no\n2,yes\n", [], "target: found nothing"),
        ("a,label\n1,no\n2,no\n", ["--target", "label"], "the one class 'no'"),
        ("a,label\n1,0.5\n2,1.7\n3,2.9\n", ["--target", "label"], "a regression target"),
        (
            "a,label\n1,no\n2,\n",
            ["--target", "label"],
            "found no 'label' in 1 of 2 rows (the first is row 2 of the data)",
        ),
        ("a,label\n1,no\ninf,yes\n", ["--target", "label"], "found an infinite number in row 2"),
        ("a,a,label\n1,2,no\n2,2,yes\n", ["--target", "label"], "the columns a twice"),
        ("label\nno\nyes\n", ["--target", "label"], "no column but the target"),
        ("", ["--target", "label"], "found nothing"),
        ("a,label\n1,no\n2,yes\n", ["--target", "label", "--name", "../x"], "name: found '../x'"),
        ("a,label\n1,no\n2,yes\n", ["--target", "label", "--drop", "b"], "no column 'b'"),
        (
            "a,label\n1,no\n2,yes\n",
            ["--target", "label", "--drop", "label"],
            "drop: found the target",
        ),
        ("1,2,0\n2,3,1\n", ["--target", "label"], "has the file no header?"),
        ("a:label\n1:no\n2:yes\n", ["--target", "label"], "separators are , ; | tabs and blanks"),
        (
            "a,label\n1,no\n2,yes\n3,new\n4,no\n5,yes\n",
            ["--target", "label"],
            "one row of the class",
        ),
        (COUNTS, ["--target", "label"], "found 11 whole numbers from 0 to 10: a quantity?"),
    ],
)
def test_errors_are_named_and_nothing_is_written(
    run, tmp_path, catalogue, text, arguments, message
):
    (tmp_path / "own.csv").write_text(text)
    status, _, error = run("add", tmp_path / "own.csv", "--catalogue", catalogue, *arguments)
    assert status == 1
    assert message in error
    assert not list(catalogue.iterdir())


def test_numbers_with_a_few_marks_are_numbers(run, tmp_path, catalogue, frame):
    """Some ages are "?". Grades are codes with few values, and stay nominal."""
    ages = frame["age"].astype(str)
    grades = [("1", "2", "3+")[row % 3] for row in range(60)]
    known = ages.copy()
    ages[::10], known[::10] = "?", ""
    arguments = ("--target", "label", "--catalogue", catalogue)
    arrays = []
    for name, column in (("marked", ages), ("empty", known)):
        path = tmp_path / f"{name}.csv"
        frame.assign(age=column, grade=grades).to_csv(path, index=False)
        status, _, error = run("add", path, *arguments)
        assert status == 0, error
        assert "numeric: size, age\nnominal: colour, grade\n" in error
        assert ("column 'age': '?' taken as missing" in error) == (name == "marked")
        data = prepared(catalogue, name)
        order = np.lexsort(np.vstack([data.X_train, data.X_test]).T)
        arrays.append(np.vstack([data.X_train, data.X_test])[order])
    np.testing.assert_array_equal(*arrays)
    assert np.isnan(arrays[0][:, 2]).sum() == 6
    content = yaml.safe_load((catalogue / "marked.yaml").read_text())
    assert content["parser"]["missing"] == {"age": ["?"]}


def test_codes_are_nominal_where_that_is_said(run, tmp_path, catalogue, frame):
    frame.assign(code=[f"{1 + row % 4:02}" for row in range(60)]).to_csv(
        tmp_path / "own.csv", index=False
    )
    arguments = ("add", tmp_path / "own.csv", "--target", "label", "--catalogue", catalogue)
    status, _, error = run(*arguments)
    assert status == 0
    assert "numeric: size, age, code" in error
    assert "such as '01'; if they are codes: --nominal code" in error
    (catalogue / "own.yaml").unlink()
    status, _, error = run(*arguments, "--nominal", "code")
    assert status == 0, error
    assert "nominal: colour, code" in error
    assert prepared(catalogue, "own").categories[3] == ("01", "02", "03", "04")


def test_many_whole_numbers_are_classes_where_that_is_said(run, tmp_path, catalogue):
    (tmp_path / "own.csv").write_text(COUNTS)
    arguments = ("--target", "label", "--nominal", "label", "--catalogue", catalogue)
    status, _, error = run("add", tmp_path / "own.csv", *arguments)
    assert status == 0, error
    assert "11 classes, task multiclass" in error


def test_the_positive_class_is_printed(run, tmp_path, catalogue, frame):
    frame["label"] = np.where(frame["label"] == "yes", " sick", "well ")
    frame.to_csv(tmp_path / "Übung.csv", index=False)
    arguments = ("add", tmp_path / "Übung.csv", "--target", "label", "--catalogue", catalogue)
    status, _, error = run(*arguments)
    assert status == 0, error
    # Blanks around a class name are not part of it.
    assert "positive: well; for the other class: --positive sick\n" in error
    (catalogue / "ubung.yaml").unlink()
    assert "positive: sick\n" in run(*arguments, "--positive", "sick")[2]


def test_another_encoding_is_named(run, tmp_path, catalogue):
    (tmp_path / "own.csv").write_bytes("a,label\n1,nö\n2,ja\n".encode("latin1"))
    arguments = ("--target", "label", "--catalogue", catalogue)
    status, _, error = run("add", tmp_path / "own.csv", *arguments)
    assert status == 1
    assert "no UTF-8 text (the byte 0xf6)" in error
    assert "iconv -f latin1 -t utf-8" in error


@pytest.mark.parametrize(
    ("name", "separator", "decimal"),
    [
        ("own.csv", ";", ","),
        ("own.tsv", "\t", "."),
        ("own.csv", "|", "."),
    ],
)
def test_other_separators_give_the_same_arrays(
    run, tmp_path, catalogue, frame, name, separator, decimal
):
    arrays = []
    for folder, options in (("one", {}), ("two", {"sep": separator, "decimal": decimal})):
        (tmp_path / folder).mkdir()
        path = tmp_path / folder / ("own.csv" if folder == "one" else name)
        # A quoted comma in the header is not a separator.
        frame.rename(columns={"age": "age, in years"}).to_csv(path, index=False, **options)
        arguments = ("--target", "label", "--name", folder, "--catalogue", catalogue)
        assert run("add", path, *arguments)[0] == 0
        data = prepared(catalogue, folder)
        order = np.lexsort(np.vstack([data.X_train, data.X_test]).T)
        arrays.append(np.vstack([data.X_train, data.X_test])[order])
    np.testing.assert_array_equal(*arrays)


def test_a_name_for_each_row_is_left_out_and_named(run, tmp_path, catalogue, frame):
    frame.assign(customer=[f"C, {row}" for row in range(60)]).to_csv(
        tmp_path / "own.csv", index=False
    )
    arguments = ("add", tmp_path / "own.csv", "--target", "label", "--catalogue", catalogue)
    status, _, error = run(*arguments)
    assert status == 0, error
    assert "left out 'customer': 60 different texts in 60 rows" in error
    assert yaml.safe_load((catalogue / "own.yaml").read_text())["drop_columns"] == ["customer"]
    (catalogue / "own.yaml").unlink()
    assert run(*arguments, "--keep", "customer")[0] == 0
    assert prepared(catalogue, "own").X_train.shape[1] == 4


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
    _, _, told = run(*data)
    settings = "'papers=[joachims2005]' 'joachims2005={data_sets: [own]}'"
    assert f"run it with: snakemake --cores 2 --config {settings}\n" in told
    _, _, told = run(*data, "--catalogue", "elsewhere")
    assert "snakemake" not in told
    assert "config/datasets alone" in told


def test_a_name_that_exists(run, tmp_path, catalogue, frame):
    frame.to_csv(tmp_path / "own.csv", index=False)
    arguments = ("add", tmp_path / "own.csv", "--target", "label", "--catalogue", catalogue)
    assert run(*arguments)[0] == 0
    before = (catalogue / "own.yaml").read_bytes()
    status, _, error = run(*arguments)
    assert status == 1
    assert "an entry of that name exists" in error
    assert (catalogue / "own.yaml").read_bytes() == before


def test_a_package_that_is_not_installed(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "yaml", None)
    monkeypatch.delitem(sys.modules, "beyond_accuracy_pipeline.command_line.add", raising=False)
    status, _, error = run("add", "own.csv", "--target", "label")
    assert status == 1
    assert "add needs the package yaml" in error


def test_files_that_are_none_of_the_formats(run, tmp_path, catalogue):
    (tmp_path / "own.xlsx").write_text("x")
    (tmp_path / "own.parquet").write_text("x")
    for name, message in (("own.xlsx", "the suffix '.xlsx'"), ("own.parquet", "no Parquet")):
        status, _, error = run(
            "add", tmp_path / name, "--target", "label", "--catalogue", catalogue
        )
        assert status == 1
        assert message in error
    status, _, error = run("add", tmp_path / "no.csv", "--target", "a", "--catalogue", catalogue)
    assert status == 1
    assert "No such file" in error
    assert not list(catalogue.iterdir())


def test_decimal_points_in_a_file_of_decimal_commas(run, tmp_path, catalogue, frame):
    path = tmp_path / "own.csv"
    shares = ["0.5", "0.75", "1"] * 20
    frame.assign(share=shares, weight=frame["size"]).to_csv(path, index=False, sep=";", decimal=",")
    arguments = ("add", path, "--target", "label", "--catalogue", catalogue)
    status, _, error = run(*arguments)
    assert status == 1
    assert "found texts such as '0.5' and '0.75', which look like numbers with a decimal p" in error


@pytest.mark.parametrize("values", [["1,2,3", "4,5"], ["0,5", "low"], ["3+", "4"]])
def test_other_texts_with_digits_are_categories(run, tmp_path, catalogue, frame, values):
    path = tmp_path / "own.csv"
    frame.assign(group=[*values, "none", "some", "many", "most"] * 10).to_csv(path, index=False)
    status, _, error = run("add", path, "--target", "label", "--catalogue", catalogue)
    assert status == 0, error
    assert "nominal: colour, group" in error


def test_a_cell_of_many_digits_takes_no_time(run, tmp_path, catalogue, frame):
    """Guard against a quadratic-time pattern: 10,000 digits took 15 seconds."""
    path = tmp_path / "own.csv"
    digits = "1" * 100_000 + "x"
    frame.assign(code=[digits, "1", "2", "3"] * 15).to_csv(path, index=False)
    status, _, error = run("add", path, "--target", "label", "--catalogue", catalogue)
    assert status == 0, error


@pytest.mark.parametrize(
    ("values", "found"),
    [
        (["90+", *range(20, 39)], "57 numbers, and 3 values that are none, such as '90+'"),
        (
            [f"{1000 + 37 * row:,}" for row in range(20)],
            "numbers with marks between thousands, such as '1,000'",
        ),
        (["2024-01-01", "2024-01-02", "2024-02-01"], "dates, such as '2024-01-01'"),
        (
            ["1/31/2024 10:00", "2/1/2024 11:30", "2/3/2024 9:00"],
            "dates, such as '1/31/2024 10:00'",
        ),
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
    run, tmp_path, catalogue, frame, values, found
):
    path = tmp_path / "own.csv"
    frame.assign(column=values * (60 // len(values))).to_csv(path, index=False)
    arguments = ("add", path, "--target", "label", "--catalogue", catalogue)
    status, _, error = run(*arguments)
    assert status == 1
    assert f"column 'column': found {found}" in error
    assert not any(catalogue.iterdir())
    status, _, error = run(*arguments, "--nominal", "column")
    assert status == 0, error
    assert "nominal: colour, column" in error
