"""Every catalogue entry on the real files, compared with independently recorded counts."""

from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
import yaml

from beyond_accuracy_pipeline.configuration.catalogue import load_catalogue
from beyond_accuracy_pipeline.datasets.fetch import FetchSettings
from beyond_accuracy_pipeline.datasets.prepare import prepare
from beyond_accuracy_pipeline.datasets.prepared import load_prepared

pytestmark = pytest.mark.mirror
CATALOGUE = load_catalogue(Path(__file__).parents[2] / "config" / "datasets")
SUBSTITUTED = {name: entry.substitute for name, entry in CATALOGUE.items() if entry.substitute}
MISSING = {"acoustic"}
# Slow data sets. Fast tests elsewhere cover their parsers and transforms.
LARGE = {
    "arxiv-quant-ph-1992-2004",
    "ijcnn1",
    "mitfaces",
    "news20",
    "reuters-money-fx",
    "reuters21578-modapte",
    "reuters21578-modapte-stemmed",
    "reuters21578-modapte-sublinear",
    "usps-01234",
}


@pytest.fixture(scope="module")
def provenance(mirror):
    """Return the mirror's notes on each file, by folder and file name."""
    return {
        f"{path.parent.name}/{entry['file']}": entry
        for path in mirror.glob("*/PROVENANCE.yaml")
        for entry in yaml.safe_load(path.read_text(encoding="utf-8"))["files"]
    }


@pytest.fixture(scope="module")
def prepared(mirror, tmp_path_factory):
    folder = tmp_path_factory.mktemp("real")
    done = {}

    def get(name):
        if name not in done:
            prepare(
                CATALOGUE[name],
                settings=FetchSettings(mirror, folder / "raw"),
                output_folder=folder / name,
                seed=1,
                catalogue=CATALOGUE,
                missing_data="fail",
            )
            done[name] = load_prepared(folder / name)
        return done[name]

    return get


# A substitute is prepared under the name of the entry that it replaces.
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if name in LARGE else ())
        for name in sorted({*CATALOGUE} - MISSING - {*SUBSTITUTED.values()})
    ],
)
def test_every_entry_is_prepared(prepared, name):
    data = prepared(name)
    assert data.record["used"] == SUBSTITUTED.get(name, name)
    may_lack_values = CATALOGUE[name].collection is not None
    for X, y in ((data.X_train, data.y_train), (data.X_test, data.y_test)):
        if X is not None:
            assert X.shape == (len(y), data.record["shape_found"]["n_features"])
            values = X.data if sp.issparse(X) else X
            assert (np.isfinite(values) | (np.isnan(values) & may_lack_values)).all()
            assert not sp.issparse(X) or X.indices.dtype == np.int32
    for column, names in data.categories.items():
        codes = data.X_train[:, column]
        assert set(codes[~np.isnan(codes)]) <= set(range(len(names)))


@pytest.mark.parametrize(
    "name", sorted(n for n, entry in CATALOGUE.items() if entry.collection == "weka-uci")
)
def test_missing_cells_of_the_weka_collection(prepared, provenance, name):
    entry = CATALOGUE[name]
    facts = provenance[entry.sources[0].files["data"]]
    data = prepared(name)
    dropped_rows = facts.get("rows_with_missing_class", 0)
    if not dropped_rows:
        assert np.isnan(data.X_train).sum() == facts.get("missing_cells", 0)
    assert len(data.y_train) == facts["rows"] - dropped_rows
    assert len(data.feature_names) == facts["features"] - len(entry.drop_columns)
    numeric = set(range(data.X_train.shape[1])) - set(data.categories)
    assert len(numeric) <= facts["numeric_features"]
    counts = dict(zip(data.class_names, np.bincount(data.y_train).tolist(), strict=True))
    assert counts == {str(key): value for key, value in facts["classes"].items()}


def test_a_quoted_mark_is_a_value_and_a_bare_one_is_missing(prepared):
    quoted, bare = prepared("anneal"), prepared("anneal.orig")
    missing = np.isnan(bare.X_train)
    assert missing.sum() == 22175
    assert not np.isnan(quoted.X_train).any()
    marks = np.zeros_like(missing)
    for column, names in quoted.categories.items():
        if "?" in names:
            marks[:, column] = quoted.X_train[:, column] == names.index("?")
    np.testing.assert_array_equal(marks, missing)


@pytest.mark.slow
def test_reuters_modapte(prepared, provenance):
    facts = provenance["reuters/reuters21578.tar.xz"]["counts"]
    data = prepared("reuters21578-modapte")
    assert len(data.y_train) == facts["modapte_train"] == 9603
    assert len(data.y_test) == facts["modapte_test"] == 3299
    assert len(data.class_names) == facts["topics_in_train_and_test"] == 90
    # The notes count assignments; documents 5467 (corn) and 19918 (trade) list a topic twice.
    assert data.y_train.sum(dtype=int) + 1 == facts["label_assignments_over_90"]["train"]
    assert data.y_test.sum(dtype=int) + 1 == facts["label_assignments_over_90"]["test"]
    assert (data.y_train.sum(axis=0) > 0).all()
    assert (data.y_test.sum(axis=0) > 0).all()
    lengths = sp.linalg.norm(data.X_train, axis=1)
    np.testing.assert_allclose(lengths, 1)


@pytest.mark.parametrize("name", ["scene", "yeast-multilabel", "enron", "mediamill"])
def test_label_cardinalities(prepared, provenance, name):
    data = prepared(name)
    for part, y in (("train", data.y_train), ("test", data.y_test)):
        path = CATALOGUE[data.record["used"]].sources[0].files[part]
        facts = provenance[path]["counts"]
        assert y.shape == (facts["rows"], facts["labels"])
        assert round(float(y.sum(axis=1).mean()), 4) == facts["label_cardinality"]
        assert (y.sum(axis=0) > 0).sum() == facts["labels_with_a_positive_row"]
        assert (y.sum(axis=1) == 0).sum() == facts["rows_without_label"]


def test_satimage_of_two_distributions(prepared):
    """LIBSVM's file is the UCI file, shuffled and scaled to [-1, 1] by the training part."""
    ours, uci = prepared("satimage"), prepared("satimage-uci")
    low, high = uci.X_train.min(axis=0), uci.X_train.max(axis=0)
    for X, raw in ((ours.X_train, uci.X_train), (ours.X_test, uci.X_test)):
        scaled = -1 + 2 * (raw - low) / (high - low)
        left, right = (np.sort(M.round(4).sum(axis=1)) for M in (X, scaled))
        np.testing.assert_allclose(left, right, atol=0.01)


def test_optdigits_of_two_distributions(prepared):
    split, pooled = prepared("optdigits"), prepared("optdigits-weka")
    np.testing.assert_array_equal(np.vstack([split.X_train, split.X_test]), pooled.X_train)
    np.testing.assert_array_equal(np.append(split.y_train, split.y_test), pooled.y_train)


def test_the_smallest_class_is_positive(prepared, provenance):
    for name in ("letter", "satimage"):
        counts = provenance[f"libsvm/{name}.scale.xz"]["class_counts"]
        data = prepared(name)
        assert (data.y_train > 0).sum() == min(counts.values())
        assert data.class_names[1] == min(counts, key=counts.get)


@pytest.mark.slow
def test_mitfaces_are_equalized(prepared):
    data = prepared("mitfaces")
    assert len(data.y_test) == 24044
    assert data.X_train.min() == 0
    assert data.X_train.max() == 1
    assert abs(data.X_train.mean() - 0.5) < 0.05
