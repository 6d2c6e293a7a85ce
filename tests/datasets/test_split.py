import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beyond_accuracy_pipeline.datasets.errors import DataSetError
from beyond_accuracy_pipeline.datasets.split import binary_parts, random_stream, sample_rows
from beyond_accuracy_pipeline.datasets.steps import PositiveRule, SampleSplit
from beyond_accuracy_pipeline.datasets.table import Table


def split(**keys):
    return SampleSplit(kind="sample", **keys)


@given(
    n_train=st.integers(1, 30),
    n_test=st.none() | st.integers(1, 30),
    last_row=st.none() | st.integers(61, 80),
    seed=st.integers(0, 2**40),
)
def test_parts_are_disjoint_of_the_right_size_and_in_order(n_train, n_test, last_row, seed):
    y = np.zeros(80, dtype=np.int64)
    rule = split(n_train=n_train, n_test=n_test, last_row=last_row)
    train, test = sample_rows(rule, y, random_stream(seed, "a"), "tiny")
    rows = last_row or 80
    assert len(train) == n_train
    assert len(test) == (n_test or rows - n_train)
    assert not set(train) & set(test)
    assert max(*train, *test) < rows
    assert np.all(np.diff(train) > 0)
    assert np.all(np.diff(test) > 0)
    again = sample_rows(rule, y, random_stream(seed, "a"), "tiny")
    np.testing.assert_array_equal(train, again[0])
    np.testing.assert_array_equal(test, again[1])


def test_stratified_parts_keep_proportions():
    y = np.repeat([0, 1, 2], [10, 30, 60])
    rule = split(train_fraction=0.8, stratified=True)
    train, test = sample_rows(rule, y, random_stream(1, "a"), "tiny")
    assert np.bincount(y[train]).tolist() == [8, 24, 48]
    assert np.bincount(y[test]).tolist() == [2, 6, 12]


def test_streams_depend_on_seed_and_name():
    draws = {
        tuple(random_stream(seed, *names).integers(2**62, size=4).tolist())
        for seed in (1, 2)
        for names in (("a",), ("b",), ("a", "b"), ("ab",))
    }
    assert len(draws) == 8


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"n_train": 5, "n_test": 6}, "5 training and 6 test rows cannot be drawn from 10"),
        ({"n_train": 5, "stratified": True}, "5 training and 5 test rows cannot be drawn from 10"),
    ],
)
def test_too_few_rows_or_of_a_class(keys, message):
    with pytest.raises(DataSetError, match=f"tiny: {message}"):
        sample_rows(split(**keys), np.array([0] * 9 + [1]), random_stream(1), "tiny")


def table(y, names=("a", "b", "c")):
    return Table(X=np.zeros((len(y), 1)), y=np.array(y), class_names=names)


def test_the_smallest_class_of_the_training_part_is_positive():
    rule = PositiveRule(smallest_class=True)
    tables = {"train": table([0, 0, 0, 1, 1, 2]), "test": table([2, 2, 1])}
    train, test = binary_parts(rule, tables, "tiny").values()
    assert train.y.tolist() == [-1, -1, -1, -1, -1, 1]
    assert test.y.tolist() == [1, 1, -1]
    assert train.y.dtype == np.int8
    assert train.class_names == test.class_names == ("a+b", "c")


@pytest.mark.parametrize(
    ("rule", "names", "y"),
    [
        (PositiveRule(classes=["c", "a"]), ("a", "b", "c"), [1, -1, 1]),
        (None, ("-1", "1"), [-1, 1]),
    ],
)
def test_named_classes_or_the_second_of_two_are_positive(rule, names, y):
    (train,) = binary_parts(rule, {"train": table(range(len(names)), names)}, "tiny").values()
    assert train.y.tolist() == y


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (None, "positive: valid are one or more, but not all, of the 3 classes a, b, c"),
        (PositiveRule(classes=["z"]), "positive: found 'z'; one of: a, b, c"),
        (PositiveRule(classes=["a", "b", "c"]), "valid are one or more, but not all"),
    ],
)
def test_rules_that_do_not_fit(rule, message):
    with pytest.raises(DataSetError, match=message):
        binary_parts(rule, {"train": table([0, 1, 2])}, "tiny")
