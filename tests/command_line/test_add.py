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


@pytest.mark.parametrize("suffix", ["csv", "csv.gz", "parquet", "arff"])
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
TOO_LONG = "a,label\n1,no,3\n2,yes,4\n"


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
        (TOO_LONG, ["--target", "label"], "a value for each of its columns"),
        ("", ["--target", "label"], "found nothing"),
        ("a,label\n1,no\n2,yes\n", ["--target", "label", "--positive", "ja"], "no class 'ja'"),
        ("a,label\n1,no\n2,yes\n", ["--target", "label", "--name", "../x"], "name: found '../x'"),
        ("a,label\n1,no\n2,yes\n", ["--target", "label", "--drop", "b"], "no column 'b'"),
        (
            "a,label\n1,no\n2,yes\n",
            ["--target", "label", "--drop", "label"],
            "drop: found the target",
        ),
        ("a,label\n1,no\n2,yes\n", ["--target", "label", "--nominal", "b"], "no column 'b'"),
        ("1,no\n2,yes\n3,no\n", ["--target", "label"], "no column 'label'"),
        ("1,2,0\n2,3,1\n", ["--target", "label"], "has the file no header?"),
        ("a:label\n1:no\n2:yes\n", ["--target", "label"], "separators are , ; | tabs and blanks"),
        (
            "a,label\n1,no\n2,yes\n3,new\n4,no\n5,yes\n",
            ["--target", "label"],
            "one row of the class",
        ),
        (
            "a,b,label\n,,no\n,,yes\n",
            ["--target", "label"],
            "no feature to learn from (a: no value; b: no value)",
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


@pytest.mark.parametrize("other", ["104,428", "90+"])
def test_numbers_among_other_texts_are_asked_about(run, tmp_path, catalogue, frame, other):
    ages = frame["age"].astype(str)
    ages[::10] = other
    frame.assign(age=ages).to_csv(tmp_path / "own.csv", index=False)
    arguments = ("add", tmp_path / "own.csv", "--target", "label", "--catalogue", catalogue)
    status, _, error = run(*arguments)
    assert status == 1
    assert f"column 'age': found 54 numbers, and 6 values that are none, such as '{other}'" in error
    assert not list(catalogue.iterdir())
    status, _, error = run(*arguments, "--nominal", "age")
    assert status == 0, error
    assert "nominal: colour, age" in error


def test_marks_between_thousands_are_named(run, tmp_path, catalogue, frame):
    pay = [f"{1000 + 37 * row:,}" for row in range(60)]
    frame.assign(pay=pay).to_csv(tmp_path / "own.csv", index=False)
    arguments = ("--target", "label", "--catalogue", catalogue)
    status, _, error = run("add", tmp_path / "own.csv", *arguments)
    assert status == 1
    assert "column 'pay': found numbers with marks between thousands, such as '1,000'" in error


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_codes_are_nominal_where_that_is_said(run, tmp_path, catalogue, frame, suffix):
    codes = [f"{1 + row % 4:02}" for row in range(60)]
    path = tmp_path / f"own.{suffix}"
    if suffix == "csv":
        frame.assign(code=codes).to_csv(path, index=False)
    else:
        frame.assign(code=[int(code) for code in codes]).to_parquet(path)
    arguments = ("add", path, "--target", "label", "--catalogue", catalogue)
    status, _, error = run(*arguments)
    assert status == 0
    assert "numeric: size, age, code" in error
    assert ("such as '01'; if they are codes: --nominal code" in error) == (suffix == "csv")
    (catalogue / "own.yaml").unlink()
    status, _, error = run(*arguments, "--nominal", "code")
    assert status == 0, error
    assert "nominal: colour, code" in error
    data = prepared(catalogue, "own")
    names = ("01", "02", "03", "04") if suffix == "csv" else ("1", "2", "3", "4")
    assert data.categories[3] == names


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


ROWS = range(60)


@pytest.mark.parametrize(
    ("name", "separator", "decimal"),
    [
        ("own.csv", ";", ","),
        ("own.csv", ";", "."),
        ("own.csv", "\t", "."),
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


@pytest.mark.parametrize(
    "values", [[f"C{row:04}" for row in ROWS], [f"text, {row}" for row in ROWS]]
)
def test_a_name_for_each_row_is_left_out_and_named(run, tmp_path, catalogue, frame, values):
    frame.assign(customer=values).to_csv(tmp_path / "own.csv", index=False)
    arguments = ("add", tmp_path / "own.csv", "--target", "label", "--catalogue", catalogue)
    status, _, error = run(*arguments)
    assert status == 0, error
    assert "left out 'customer': 60 different texts in 60 rows" in error
    assert yaml.safe_load((catalogue / "own.yaml").read_text())["drop_columns"] == ["customer"]
    (catalogue / "own.yaml").unlink()
    assert run(*arguments, "--keep", "customer")[0] == 0
    assert prepared(catalogue, "own").X_train.shape[1] == 4


def test_whole_numbers_that_differ_in_every_row_are_left_out(run, tmp_path, catalogue, frame):
    numbers = np.random.default_rng(0).permutation(9000)[:60] + 1000
    frame.assign(customer=numbers).to_csv(tmp_path / "own.csv", index=False)
    arguments = ("add", tmp_path / "own.csv", "--target", "label", "--catalogue", catalogue)
    status, _, error = run(*arguments)
    assert status == 0
    assert "left out 'customer': another whole number in each row" in error
    assert "'age'" not in error
    assert prepared(catalogue, "own").X_train.shape[1] == 3


def test_a_catalogue_that_is_not_there(run, tmp_path, frame):
    frame.to_csv(tmp_path / "own.csv", index=False)
    arguments = ("--target", "label", "--catalogue", tmp_path / "none")
    status, _, error = run("add", tmp_path / "own.csv", *arguments)
    assert status == 1
    assert "run this in the folder of the pipeline, or name the folder of entries" in error


def test_what_no_entry_can_hold_is_named(run, catalogue):
    status, _, error = run("add", "openml:0", "--target", "label", "--catalogue", catalogue)
    assert status == 1
    assert "sources[0].id\n    found: 0" in error
    assert not list(catalogue.iterdir())


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


@pytest.mark.parametrize("form", ["%Y-%m-%d", "%d.%m.%Y", "%m/%d/%Y %H:%M"])
def test_dates_are_no_categories_unless_it_is_said(run, tmp_path, catalogue, frame, form):
    """Here the dates repeat, so the column does not look like an identifier."""
    days = pd.date_range("2024-01-01", periods=6).strftime(form)
    path = tmp_path / "own.csv"
    frame.assign(day=[*days] * 10).to_csv(path, index=False)
    arguments = "add", path, "--target", "label", "--catalogue", catalogue
    status, _, error = run(*arguments)
    assert status != 0
    assert "column 'day': found dates" in error
    assert "--nominal day" in error
    assert not any(catalogue.iterdir())
    status, _, error = run(*arguments, "--nominal", "day")
    assert status == 0, error


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_columns_without_any_value_are_left_out(run, tmp_path, catalogue, frame, suffix):
    path = tmp_path / f"own.{suffix}"
    frame = frame.assign(**{"no value": np.nan, "none": None})
    frame.to_csv(path, index=False) if suffix == "csv" else frame.to_parquet(path)
    status, _, error = run("add", path, "--target", "label", "--catalogue", catalogue)
    assert status == 0, error
    assert "left out 'no value': no value\nleft out 'none': no value\n" in error
    assert prepared(catalogue, "own").X_train.shape[1] == 3


@pytest.mark.parametrize(
    ("values", "looks"),
    [
        (["0,76", "1", "1,5e3"], "numbers with a decimal comma; write all numbers of the file"),
        (["0,765", "0,812", "?"], "numbers with a decimal comma; write all numbers of the file"),
        (["12%", "7,5 %", "3"], "percentages; write them without the sign"),
    ],
)
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_numbers_as_texts_are_no_categories_unless_it_is_said(
    run, tmp_path, catalogue, frame, values, looks, suffix
):
    path = tmp_path / f"own.{suffix}"
    frame = frame.assign(share=values * 20)
    # More points than commas, so the file does not use decimal commas.
    frame.loc[9, "share"] = None
    frame["weight"] = frame["size"] + 0.5
    frame.to_csv(path, index=False, sep=";") if suffix == "csv" else frame.to_parquet(path)
    arguments = ("add", path, "--target", "label", "--catalogue", catalogue)
    status, _, error = run(*arguments)
    assert status == 1
    found = " and ".join(map(repr, sorted(v for v in values if "," in v or "%" in v)[:2]))
    assert f"column 'share': found texts such as {found}, which look like {looks}" in error
    assert "--drop share" in error
    assert not any(catalogue.iterdir())
    status, _, error = run(*arguments, "--nominal", "share")
    assert status == 0, error
    assert "nominal: colour, share" in error
    (catalogue / "own.yaml").unlink()
    assert run(*arguments, "--drop", "share")[0] == 0


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
