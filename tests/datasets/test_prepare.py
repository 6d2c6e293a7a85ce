"""Preparing bundled, generated and mirrored data sets; substitutes; retries; the overview."""

import hashlib
import json

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_digits

from beyond_accuracy.datasets.errors import (
    ChecksumError,
    DataSetUnavailable,
    MirrorNotFound,
    ParseError,
    ShapeError,
)
from beyond_accuracy.datasets.overview import data_sets_table
from beyond_accuracy.datasets.prepare import prepare
from beyond_accuracy.datasets.prepared import load_prepared, read_record
from beyond_accuracy.pipeline.availability import retry

OFFLINE = ["breast-cancer", "digits", "iris", "wine"]
OFFLINE += ["generated-imbalanced", "generated-text", "generated-text-multilabel"]


def tree(folder):
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.fixture
def run(tmp_path):
    """Prepare an entry, which can be named, below a temporary folder."""

    def run(entry, catalogue, mirror=None, seed=1, into="prepared", **options):
        entry = catalogue[entry] if isinstance(entry, str) else entry
        options |= {"mirror": mirror, "seed": seed, "catalogue": catalogue}
        folders = {"raw_folder": tmp_path / "raw", "output_folder": tmp_path / into / entry.name}
        return prepare(entry, **folders, **options)

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
    assert data.X_train.shape == (record["n_train"], record["n_features"])
    assert data.X_test.shape == (record["n_test"], record["n_features"])
    values = data.X_train.data if sp.issparse(data.X_train) else data.X_train
    assert np.isfinite(values).all()
    kinds = {"binary": np.int8, "multiclass": np.int64, "multilabel": np.uint8}
    assert data.y_train.dtype == data.y_test.dtype == kinds[data.task]


def test_bundled_rows_are_scikit_learns(run, catalogue, tmp_path):
    run("digits", catalogue)
    data = load_prepared(tmp_path / "prepared" / "digits")
    X, y = load_digits(return_X_y=True)
    both = np.vstack([data.X_train, data.X_test])
    labels = np.concatenate([data.y_train, data.y_test])
    ours = sorted(zip(both.tolist(), labels.tolist(), strict=True))
    assert ours == sorted(zip(X.tolist(), y.tolist(), strict=True))


def test_malignant_is_positive(run, catalogue, tmp_path):
    run("breast-cancer", catalogue)
    data = load_prepared(tmp_path / "prepared" / "breast-cancer")
    assert data.class_names == ("benign", "malignant")
    assert (data.y_train > 0).sum() + (data.y_test > 0).sum() == 212


def test_multilabel_documents_have_labels(run, catalogue, tmp_path):
    run("generated-text-multilabel", catalogue)
    data = load_prepared(tmp_path / "prepared" / "generated-text-multilabel")
    cardinality = data.y_train.sum(axis=1)
    assert cardinality.min() >= 1
    assert 1.3 < cardinality.mean() < 1.9


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
    assert record["files"] == [
        {"name": "data.csv", "sha256": digest, "expected_sha256": [digest, "f" * 64]}
    ]
    unchecked = dict.fromkeys(["n_test", "n_features", "positives"])
    assert record["shape_expected"] == {"n_train": 3, "n_classes": 2, **unchecked}
    assert record["shape_found"]["positives"] == {"train": {"a": 1, "b": 2}}
    assert (record["n_train"], record["n_test"], record["n_features"]) == (3, None, 2)
    assert str(mirror.parent) not in json.dumps(record)


def test_a_wrong_shape_lists_all_differences(run, make_entry, mirror, tmp_path):
    shape = {"n_train": 4, "n_features": 2, "n_classes": 3, "positives": {"train": {"a": 2}}}
    with pytest.raises(ShapeError) as caught:
        run(make_entry(shape=shape), {}, mirror)
    assert caught.value.problems == (
        "n_train: expected 4, found 3",
        "n_classes: expected 3, found 2",
        "positives.train.a: expected 2, found 1",
    )
    assert not (tmp_path / "prepared").exists()


def test_binary_positives_are_checked(run, make_entry, mirror):
    entry = make_entry(task="binary", shape={"positives": {"train": 1}})
    with pytest.raises(ShapeError, match=r"positives.train: expected 1, found 2"):
        run(entry, {}, mirror)


def test_errors_leave_earlier_results(run, make_entry, mirror, tmp_path):
    run(make_entry(), {}, mirror)
    before = tree(tmp_path / "prepared")
    (mirror / "tiny" / "data.csv").write_text("1,2,a\n3,b\n")
    with pytest.raises(ParseError, match="tiny/data.csv, line 2"):
        run(make_entry(), {}, mirror)
    with pytest.raises(ChecksumError):
        run(make_entry(files={"data": {"sha256": ["0" * 64]}}), {}, mirror)
    with pytest.raises(MirrorNotFound, match="is not a directory"):
        run(make_entry(), {}, tmp_path / "nowhere")
    assert tree(tmp_path / "prepared") == before


def test_unavailable_is_a_record_or_an_error(run, make_entry, tmp_path):
    record = run(make_entry(how_to_get="ask the authors"), {})
    assert record == read_record(tmp_path / "prepared" / "tiny")
    assert record["status"] == "unavailable"
    assert record["reason"] == "mirror: none is configured"
    assert record["how_to_get"].startswith("ask the authors; or set the mirror")
    assert (record["n_train"], record["files"], record["used"]) == (None, [], None)
    with pytest.raises(DataSetUnavailable):
        run(make_entry(), {}, missing_data="fail")


@pytest.fixture
def pair(make_entry):
    """A data set that no mirror has, and its substitute."""
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


def test_the_real_one_is_preferred(run, pair, mirror):
    (mirror / "tiny" / "real.csv").write_text("1,2,a\n3,4,b\n" * 500)
    record = run("real", pair, mirror)
    assert (record["used"], record["substitute_for"]) == ("real", None)


def test_without_both_the_reasons_of_both_are_told(run, pair):
    record = run("real", pair)
    assert record["status"] == "unavailable"
    assert record["substitute_for"] is None
    assert "substitute stand-in: mirror: none is configured" in record["reason"]
    assert "tiny/real.csv" in record["how_to_get"]
    assert "tiny/data.csv" in record["how_to_get"]


def test_a_wrong_file_of_the_real_one_is_no_reason_to_use_the_substitute(run, pair, mirror):
    (mirror / "tiny" / "real.csv").write_text("1,2,a\n")
    with pytest.raises(ShapeError):
        run("real", pair, mirror)


@pytest.fixture
def try_again(tmp_path):
    """Retry the data sets of a catalogue; return which of them are to be prepared anew."""

    def run(catalogue, mirror=None, names=None, **changes):
        config = {"resources": tmp_path, "results": tmp_path / "results", "mirror": mirror,
                  "missing_data": "report", "retry_substitutes": False, **changes}  # fmt: skip
        names = list(catalogue) if names is None else names
        prepared, marks = tree(tmp_path / "prepared"), tree(tmp_path / "within_reach")
        marked, _ = retry(config, names, catalogue)
        assert tree(tmp_path / "prepared") == prepared
        after = tree(tmp_path / "within_reach")
        assert {path for path in after if after[path] != marks.get(path)} == {
            f"{name}.txt" for name in marked
        }
        return marked

    return run


def test_only_what_is_selected_and_within_reach_is_prepared_anew(
    run, try_again, make_entry, mirror
):
    elsewhere = [{"kind": "mirror", "files": {"data": "other.csv"}}]
    catalogue = {name: make_entry(name=name) for name in ("tiny", "third")}
    catalogue["other"] = make_entry(name="other", sources=elsewhere)
    for name in catalogue:
        run(name, catalogue)
    assert try_again(catalogue) == []
    assert try_again(catalogue, mirror, names=["tiny", "other"]) == ["tiny"]
    run("tiny", catalogue, mirror)
    assert try_again(catalogue, mirror, names=["tiny"]) == []
    assert try_again(catalogue, missing_data="fail") == ["third", "other"]


def test_a_substitute_in_use_is_retried_only_on_request(run, try_again, pair, mirror):
    run("real", pair)
    assert try_again(pair, mirror) == ["real"]
    run("real", pair, mirror)
    assert try_again(pair, mirror, retry_substitutes=True) == []
    (mirror / "tiny" / "real.csv").write_text("1,2,a\n3,4,b\n" * 500)
    assert try_again(pair, mirror) == []
    assert try_again(pair, mirror, retry_substitutes=True) == ["real"]


def test_an_error_counts_as_within_reach_so_that_preparing_shows_it(
    run, try_again, make_entry, mirror
):
    catalogue = {"tiny": make_entry(files={"data": {"sha256": ["0" * 64]}})}
    run("tiny", catalogue)
    assert try_again(catalogue, mirror) == ["tiny"]


def test_a_download_by_the_retry_is_used_later(run, try_again, make_entry, server, quick):
    sources = [{"kind": "url", "files": {"data": [f"{server.url}/data.csv"]}}]
    catalogue = {"tiny": make_entry(sources=sources)}
    run("tiny", catalogue, network=quick)
    server.answers["/data.csv"] = server.content(b"1,2,a\n3,4,b\n")
    assert try_again(catalogue) == ["tiny"]
    server.answers.clear()
    assert run("tiny", catalogue, network=quick)["status"] == "ok"


def test_overview_rows(run, pair, mirror):
    used = run("real", pair, mirror)
    missing = run("stand-in", pair)
    rows = data_sets_table([missing, used])
    assert [row["data_set"] for row in rows] == ["real", "stand-in"]
    first, second = rows
    used = first["used"], first["source"], first["location"]
    assert used == ("stand-in", "mirror", "tiny/data.csv")
    assert first["expected_sha256"] == "unpinned"
    assert first["n_train_found"] == 3
    assert json.loads(first["positives_found"]) == {"train": {"a": 1, "b": 2}}
    assert first["substitute_reason"] == "the real one is far away"
    assert (second["status"], second["reason"]) == ("unavailable", "mirror: none is configured")
    assert second["n_train_found"] is None
    assert first.keys() == second.keys()
    assert all(isinstance(v, str | int | None) for row in rows for v in row.values())
