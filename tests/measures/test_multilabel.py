"""Measures of label sets against scikit-learn."""

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics

from beyond_accuracy.measures.multilabel import (
    MULTILABEL_MEASURES,
    f_beta_instance,
    f_beta_micro,
    f_beta_of_instances,
    hamming_loss,
    macro_f_beta_of_all_labels,
    subset_zero_one_loss,
)


@given(
    st.integers(1, 12),
    st.integers(2, 6),
    st.sampled_from([0.0, 0.2, 0.5, 1.0]),
    st.sampled_from([0.5, 1.0, 2.0]),
    st.integers(0, 10**6),
)
@settings(max_examples=60)
def test_equal_to_scikit_learn(n, m, share, beta, seed):
    rng = np.random.default_rng(seed)
    y_true, y_pred = (rng.random((2, n, m)) < share).astype(np.uint8)
    assert hamming_loss(y_true, y_pred) == pytest.approx(metrics.hamming_loss(y_true, y_pred))
    zero_one = metrics.zero_one_loss(y_true, y_pred)
    assert subset_zero_one_loss(y_true, y_pred) == pytest.approx(zero_one)
    for function, average, zero in (
        (f_beta_instance, "samples", 1.0),
        (f_beta_micro, "micro", 0.0),
        (macro_f_beta_of_all_labels, "macro", 0.0),
    ):
        expected = metrics.fbeta_score(
            y_true, y_pred, beta=beta, average=average, zero_division=zero
        )
        assert function(y_true, y_pred, beta) == pytest.approx(expected)


def test_nothing_over_nothing():
    y_true = np.array([[0, 0, 1], [0, 0, 0]])
    assert f_beta_of_instances(y_true, y_true).tolist() == [1, 1]
    assert macro_f_beta_of_all_labels(y_true, y_true) == pytest.approx(1 / 3)
    zeros = np.zeros((2, 3))
    assert f_beta_micro(zeros, zeros) == 0


def test_by_name_and_from_sparse_indicators():
    y_true = scipy.sparse.csr_matrix([[1, 0, 1], [0, 1, 0]])
    y_pred = scipy.sparse.csr_matrix([[1, 1, 0], [0, 1, 0]])
    values = {name: measure.score(y_true, y_pred) for name, measure in MULTILABEL_MEASURES.items()}
    assert values == pytest.approx(
        {
            "hamming_loss": 1 / 3,
            "subset_zero_one_loss": 0.5,
            "f1_macro": (1 + 2 / 3 + 0) / 3,
            "f1_micro": 2 / 3,
            "f1_instance": 0.75,
        }
    )


@pytest.mark.parametrize(
    ("y_true", "y_pred", "message"),
    [
        (np.zeros((2, 3)), np.zeros((3, 2)), r"found \(2, 3\) and \(3, 2\)"),
        (np.zeros(3), np.zeros(3), "indicators of one shape"),
        (np.zeros((0, 3)), np.zeros((0, 3)), "no labels to compare"),
        (np.zeros((2, 3)), np.full((2, 3), 0.4), "y_pred must hold 0 and 1 only, found .*0.4"),
    ],
)
def test_bad_indicators(y_true, y_pred, message):
    with pytest.raises(ValueError, match=message):
        hamming_loss(y_true, y_pred)
