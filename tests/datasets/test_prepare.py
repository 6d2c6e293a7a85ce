"""Preparation of bundled, generated and mirrored data sets; substitutes; retries; overview."""

import hashlib
import json

import numpy as np
import pytest
import scipy.sparse as sp

from beyond_accuracy_pipeline.datasets.errors import DataSetMissing
from beyond_accuracy_pipeline.datasets.overview import data_sets_table
from beyond_accuracy_pipeline.datasets.prepare import prepare
from beyond_accuracy_pipeline.datasets.prepared import load_prepared
from beyond_accuracy_pipeline.datasets.record import read_record

OFFLINE = ["breast-cancer", "digits", "iris", "wine"]
OFFLINE += ["generated-imbalanced", "generated-text", "generated-text-multilabel"]


def tree(folder):
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.fixture
def run(tmp_path, settings):
    """Return a function that prepares an entry, or the entry of a name, in a temporary folder."""

    def run(entry, catalogue, mirror=None, seed=1, into="prepared", **options):
        entry = catalogue[entry] if isinstance(entry, str) else entry
        options |= {"settings": settings(mirror), "seed": seed, "catalogue": catalogue}
        return prepare(entry, output_folder=tmp_path / into / entry.name, **options)

    return run


@pytest.mark.parametrize("name", OFFLINE)
def test_offline_sets_are_whole_and_deterministic(run, catalogue, tmp_path, name):
    record = run(name, catalogue)
    run(name, catalogue, into="again")
    assert tree(tmp_path / "prepared") == tree(tmp_path / "again")
    run(name, catalogue, seed=2, into="other")
    assert tree(tmp_path / "prepared") != tree(tmp_path / "other")
    assert record["status"] == "ok"
    assert record["files"] == []
    data = load_prepared(tmp_path / "prepared" / name)
    shape = record["shape_found"]
    assert data.X_train.shape == (shape["n_train"], shape["n_features"])
    assert data.X_test.shape == (shape["n_test"], shape["n_features"])
    values = data.X_train.data if sp.issparse(data.X_train) else data.X_train
    assert np.isfinite(values).all()
    kinds = {"binary": np.int8, "multiclass": np.int64, "multilabel": np.uint8}
    assert data.y_train.dtype == data.y_test.dtype == kinds[data.task]


@pytest.fixture
def mirror(tmp_path):
    (tmp_path / "mirror" / "tiny").mkdir(parents=True)
    (tmp_path / "mirror" / "tiny" / "data.csv").write_text("1,2,a\n3,4,b\n5,6,b\n")
    return tmp_path / "mirror"


def test_the_record_tells_source_sums_and_shape(run, make_entry, mirror):
    digest = hashlib.sha256((mirror / "tiny" / "data.csv").read_bytes()).hexdigest()
    entry = make_entry(
        files={"data": {"sha256": [digest, "f" * 64]}}, shape={"n_train": 3, "n_classes": 2}
    )
    record = run(entry, {}, mirror)
    assert record["source"] == {"kind": "mirror", "location": {"data": "tiny/data.csv"}}
    expected = {"role": "data", "name": "data.csv", "expected_sha256": [digest, "f" * 64]}
    assert record["files"] == [expected | {"sha256": digest}]
    (attempt,) = record["attempts"]
    assert (attempt["location"], attempt["outcome"]) == ("tiny/data.csv", "used")
    unchecked = dict.fromkeys(["n_test", "n_features", "positives"])
    assert record["shape_expected"] == {"n_train": 3, "n_classes": 2, **unchecked}
    assert record["shape_found"]["positives"] == {"train": {"a": 1, "b": 2}}
    found = {"n_train": 3, "n_test": None, "n_features": 2, "n_classes": 2}
    assert record["shape_found"].items() >= found.items()
    assert str(mirror.parent) not in json.dumps(record)


@pytest.mark.parametrize(
    ("content", "keys", "reason"),
    [
        ("1,2,a\n3,b\n", {}, "tiny/data.csv, line 2"),
        (
            "1,2,a\n3,4,b\n5,6,b\n",
            {"shape": {"n_train": 4, "n_classes": 3, "positives": {"train": {"a": 2}}}},
            "n_train: expected 4, found 3 - n_classes: expected 3, found 2 - positives.train.a: "
            "expected 2, found 1",
        ),
        ("1,2,a\n3,4,b\n", {"sha256_arrays": "0" * 64}, "`sha256_arrays` in config"),
        ("1,2,a\n3,4,b\n", {"split": {"kind": "sample", "n_train": 9}}, "9 training and "),
    ],
)
def test_wrong_content_makes_a_data_set_faulty(run, make_entry, mirror, content, keys, reason):
    (mirror / "tiny" / "data.csv").write_text(content)
    record = run(make_entry(**keys), {}, mirror)
    assert (record["status"], record["used"], record["shape_found"]) == ("faulty", None, None)
    assert reason in record["reason"]
    assert record["attempts"][-1]["outcome"] == "wrong"
    with pytest.raises(DataSetMissing, match="data set tiny is faulty"):
        run(make_entry(**keys), {}, mirror, missing_data="fail")


def test_after_a_malformed_file_the_next_address_is_taken(run, make_entry, server):
    """Without a checksum, only the parser notices the malformed file."""
    server.answers["/bad.csv"] = server.content(b"1,2,a\n3,b\n")
    server.answers["/good.csv"] = server.content(b"1,2,a\n3,4,b\n")
    urls = [f"{server.url}/bad.csv", f"{server.url}/good.csv"]
    record = run(make_entry(sources=[{"kind": "url", "files": {"data": urls}}]), {})
    assert record["status"] == "ok"
    assert [each["outcome"] for each in record["attempts"]] == ["wrong", "used"]
    assert record["source"]["location"] == {"data": urls[1]}


def test_unavailable_is_a_record_or_an_error(run, make_entry, tmp_path):
    record = run(make_entry(how_to_get="ask the authors"), {})
    assert record == read_record(tmp_path / "prepared" / "tiny")
    assert record["status"] == "unavailable"
    assert record["reason"] == "mirror tiny/data.csv: no mirror is configured"
    assert record["how_to_get"].startswith("ask the authors; or set the mirror")
    assert (record["shape_found"], record["files"], record["used"]) == (None, [], None)
    with pytest.raises(DataSetMissing, match="data set tiny is unavailable"):
        run(make_entry(), {}, missing_data="fail")


@pytest.fixture
def pair(make_entry):
    """Return a data set that no mirror has, and its substitute."""
    real = make_entry(
        name="real",
        sources=[{"kind": "mirror", "files": {"data": "tiny/real.csv"}}],
        shape={"n_train": 1000},
        substitute="stand-in",
    )
    stand_in = make_entry(
        name="stand-in", substitute_for="real", substitute_reason="the real one is far away"
    )
    return {"real": real, "stand-in": stand_in}


def test_a_substitute_takes_the_name_and_is_marked(run, pair, mirror, tmp_path):
    record = run("real", pair, mirror)
    assert (record["name"], record["used"], record["status"]) == ("real", "stand-in", "ok")
    assert record["substitute_for"] == "real"
    assert record["substitute_reason"] == "the real one is far away"
    assert load_prepared(tmp_path / "prepared" / "real").name == "real"
    assert run("stand-in", pair, mirror)["substitute_for"] == "real"


def test_without_both_the_reasons_of_both_are_told(run, pair):
    record = run("real", pair)
    assert record["status"] == "unavailable"
    assert record["substitute_for"] is None
    assert [each["data_set"] for each in record["attempts"]] == ["real", "stand-in"]
    assert "tiny/real.csv" in record["how_to_get"]
    assert "tiny/data.csv" in record["how_to_get"]


def test_a_substitute_is_used_for_a_wrong_file_and_the_attempt_is_told(run, pair, mirror):
    (mirror / "tiny" / "real.csv").write_text("1,2,a\n")
    record = run("real", pair, mirror)
    assert (record["status"], record["used"]) == ("ok", "stand-in")
    wrong, used = record["attempts"]
    assert (wrong["data_set"], wrong["outcome"]) == ("real", "wrong")
    assert "expected 1000, found 1" in wrong["reason"]
    assert (used["data_set"], used["outcome"]) == ("stand-in", "used")


def test_overview_rows(run, pair, mirror):
    used = run("real", pair, mirror)
    missing = run("stand-in", pair)
    rows = data_sets_table([missing, used])
    assert [row["data_set"] for row in rows] == ["real", "stand-in"]
    first, second = rows
    assert (first["used"], first["location"]) == ("stand-in", "tiny/data.csv")
    assert first["expected_sha256"] == "unpinned"
    assert first["n_train_found"] == 3
    assert json.loads(first["positives_found"]) == {"train": {"a": 1, "b": 2}}
    assert first["substitute_reason"] == "the real one is far away"
    reason = "mirror tiny/data.csv: no mirror is configured"
    assert (second["status"], second["reason"]) == ("unavailable", reason)
    assert first["attempts"].endswith("mirror tiny/data.csv: used")
    assert second["n_train_found"] is None
