import math

import numpy as np
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from beyond_accuracy_pipeline.datasets.steps import PlainTransform, TfidfTransform
from beyond_accuracy_pipeline.datasets.table import Table
from beyond_accuracy_pipeline.datasets.transforms import apply_transform, equalize_histograms


def documents(*texts):
    return features(np.array(texts, dtype=object))


def features(X):
    return Table(X=X, y=np.zeros(X.shape[0], dtype=np.int64), class_names=("a",))


def both(train, test, transform):
    parts = apply_transform({"train": train, "test": test}, transform)
    return parts["train"], parts["test"]


def test_tfidf_is_fitted_on_the_training_part_and_has_unit_length():
    seen, unseen = documents("red red blue", "blue green"), documents("red green yellow")
    train, test = both(seen, unseen, TfidfTransform(kind="tfidf"))
    assert train.feature_names == test.feature_names == ("blue", "green", "red")
    # Weights by hand: term count times 1 + ln((1 + documents) / (1 + documents with the term)).
    common, rare = 1.0, 1 + math.log(3 / 2)
    first = np.array([common, 0, 2 * rare])
    unseen = np.array([0, rare, rare])
    np.testing.assert_allclose(train.X[[0]].toarray()[0], first / np.linalg.norm(first))
    np.testing.assert_allclose(test.X.toarray()[0], unseen / np.linalg.norm(unseen))
    assert train.X.dtype == np.float64
    assert train.X.indices.dtype == np.int32


def test_rare_terms_are_left_out_and_words_reduced_to_their_stems():
    transform = TfidfTransform(kind="tfidf", stemmer="porter", min_documents=2)
    texts = documents("Connected connections, connecting", "prices of the price", "connect, price")
    parts = apply_transform({"train": texts}, transform)
    assert [table.feature_names for table in parts.values()] == [("connect", "price")]


def test_term_counts_can_be_logarithmic():
    transform = TfidfTransform(kind="tfidf", sublinear=True)
    train, _ = both(documents("red red red blue", "red blue"), documents("red"), transform)
    expected = np.array([1, 1 + math.log(3)])
    np.testing.assert_allclose(train.X[[0]].toarray()[0], expected / np.linalg.norm(expected))


def test_min_max_is_fitted_on_the_training_part():
    seen, unseen = features(np.array([[0.0, 5], [10, 5]])), features(np.array([[20.0, 6]]))
    train, test = both(seen, unseen, PlainTransform(kind="min_max"))
    np.testing.assert_allclose(train.X, [[0, 0], [1, 0]])
    np.testing.assert_allclose(test.X, [[2, 1]])


def test_unit_length_keeps_sparsity():
    table = features(sp.csr_matrix([[3.0, 4, 0], [0, 0, 0]]))
    train, _ = both(table, table, PlainTransform(kind="unit_length"))
    np.testing.assert_allclose(train.X.toarray(), [[0.6, 0.8, 0], [0, 0, 0]])
    assert sp.isspmatrix_csr(train.X)


def test_equalization_by_hand():
    image = np.array([[52, 52, 60, 60, 60, 80, 200, 200]], dtype=float)
    expected = [0, 0, 3 / 6, 3 / 6, 3 / 6, 4 / 6, 1, 1]
    np.testing.assert_allclose(equalize_histograms(image)[0], expected)
    transform = PlainTransform(kind="equalize_images")
    _, test = both(features(image), features(image), transform)
    np.testing.assert_allclose(test.X[0], expected)


@given(npst.arrays(np.int64, (3, 12), elements=st.integers(0, 255)))
def test_equalization_depends_on_ranks_alone(images):
    result = equalize_histograms(images.astype(float))
    assert result.min() >= 0
    assert result.max() <= 1
    for image, equal in zip(images, result, strict=True):
        order = np.argsort(image, kind="stable")
        assert np.all(np.diff(equal[order]) >= 0)
        assert len(np.unique(equal)) == len(np.unique(image))


def test_a_flat_image_goes_to_zero():
    np.testing.assert_array_equal(equalize_histograms(np.full((1, 5), 255.0)), np.zeros((1, 5)))
